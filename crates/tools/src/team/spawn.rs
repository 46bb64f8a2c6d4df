//! `spawn`: a task in the background, or a blocking one. Picoclaw's document knows only the latter.

use super::answer::{answer, not_taken};
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Delegation, Effect, ErrorKind, Scope, Waiting};
use palanca_core::{Message, Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use std::sync::Arc;

/// Characters of an answer that the result shows.
const ANSWER_CHARS: usize = 20_000;

#[derive(Args)]
pub(crate) struct SpawnArgs {
    /// Description of the task.
    task: String,
    /// Additional context that the other agent should know.
    #[arg(default = "")]
    context: String,
    /// Whether to wait for the answer. Otherwise the call returns at once and the answer is announced later.
    #[arg(default = false)]
    wait: bool,
}

pub(crate) struct Spawn {
    options: Arc<ToolOptions>,
}

impl Spawn {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options }
    }
}

/// As picoclaw's document has it.
#[derive(Args)]
pub(crate) struct TaskArgs {
    /// Description of the task.
    task: String,
    /// Additional context that the other agent should know.
    #[arg(default = "")]
    context: String,
}

/// The same tool where the answer is the result.
pub(crate) struct SpawnAndWait {
    options: Arc<ToolOptions>,
}

impl SpawnAndWait {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options }
    }
}

fn delegation(task: &str, context: &str, waiting: Waiting) -> Delegation {
    Delegation {
        profile: "general".to_owned(),
        task: task.to_owned(),
        context: context.to_owned(),
        files: Vec::new(),
        waiting,
    }
}

impl SpawnArgs {
    fn delegation(&self) -> Delegation {
        let waiting = if self.wait { Waiting::ForResult } else { Waiting::Background };
        delegation(&self.task, &self.context, waiting)
    }
}

impl TaskArgs {
    fn delegation(&self) -> Delegation {
        delegation(&self.task, &self.context, Waiting::ForResult)
    }
}

fn claims(delegation: Delegation) -> Result<Claims, ToolError> {
    if delegation.task.trim().is_empty() {
        return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("subagents-no-task")));
    }
    Ok(Effect::Delegate(Box::new(delegation)).into())
}

impl Tool for SpawnAndWait {
    type Args = TaskArgs;

    fn spec(&self) -> Spec {
        Spec::new(
            "spawn",
            "Give a task to a subagent that works with your tools and permissions, and wait for its answer.",
        )
        .timeout(self.options.subagents.longest)
    }

    fn effects(&self, args: &TaskArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        claims(args.delegation())
    }

    async fn run(&self, args: TaskArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let status = cx.subagents().delegate(&args.delegation()).await.map_err(|error| not_taken(&error))?;
        answer(status, ANSWER_CHARS)
    }
}

impl Tool for Spawn {
    type Args = SpawnArgs;

    fn spec(&self) -> Spec {
        Spec::new(
            "spawn",
            "Give a task to a subagent that works in the background with your tools and permissions; its answer is announced when it has finished. With wait=true the call returns the answer.",
        )
        .timeout(self.options.subagents.longest)
    }

    fn effects(&self, args: &SpawnArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        claims(args.delegation())
    }

    async fn run(&self, args: SpawnArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let delegation = args.delegation();
        let status = cx.subagents().delegate(&delegation).await.map_err(|error| not_taken(&error))?;
        if delegation.waiting == Waiting::ForResult {
            return answer(status, ANSWER_CHARS);
        }
        let message = Message::new("subagents-started").with("label", &status.task).with("task", status.id.as_str());
        Ok(Output::text(message).with_data(serde_json::to_value(&status).unwrap_or_default()))
    }
}
