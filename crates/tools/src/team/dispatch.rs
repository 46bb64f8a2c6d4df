//! `dispatch_subagent`: exploration, a test run or a review by an agent with a fresh conversation.

use super::answer::{answer, not_taken};
use crate::options::ToolOptions;
use palanca_core::call::{Claims, Delegation, Effect, ErrorKind, Scope, Waiting};
use palanca_core::{Message, Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;
use std::sync::Arc;

/// Characters of the summary.
const SUMMARY_CHARS: usize = 1000;
/// Files that may be named.
const FILES: usize = 10;

/// What kind of subagent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, palanca_derive::Args)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AgentType {
    /// It reads.
    Explore,
    /// It also runs commands.
    Test,
    /// It looks for bugs.
    Review,
}

impl AgentType {
    const fn profile(self) -> &'static str {
        match self {
            Self::Explore => "explore",
            Self::Test => "test",
            Self::Review => "review",
        }
    }
}

#[derive(Args)]
pub(crate) struct DispatchArgs {
    /// What to find out.
    task: String,
    /// `explore` reads, `test` also runs commands, `review` looks for bugs. None changes a file.
    agent_type: AgentType,
    /// Files to start with, at most 10, relative to the workspace root.
    #[arg(default = Vec::new())]
    relevant_files: Vec<String>,
}

pub(crate) struct DispatchSubagent {
    options: Arc<ToolOptions>,
}

impl DispatchSubagent {
    pub(crate) const fn new(options: Arc<ToolOptions>) -> Self {
        Self { options }
    }
}

fn delegation(args: &DispatchArgs) -> Delegation {
    Delegation {
        profile: args.agent_type.profile().to_owned(),
        task: args.task.clone(),
        context: String::new(),
        files: args.relevant_files.clone(),
        waiting: Waiting::ForResult,
    }
}

impl Tool for DispatchSubagent {
    type Args = DispatchArgs;

    fn spec(&self) -> Spec {
        Spec::new(
            "dispatch_subagent",
            "Let a subagent with a fresh context explore, test or review, and get its summary of at most 1000 characters. It changes no file.",
        )
        .timeout(self.options.subagents.longest)
    }

    fn effects(&self, args: &DispatchArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        let invalid = |message| Err(ToolError::new(ErrorKind::InvalidArguments, message));
        if args.task.trim().is_empty() {
            return invalid(Message::new("subagents-no-task"));
        }
        if args.relevant_files.len() > FILES {
            let count = args.relevant_files.len();
            return invalid(Message::new("subagents-many-files").with("count", count).with("limit", FILES));
        }
        Ok(Effect::Delegate(Box::new(delegation(args))).into())
    }

    async fn run(&self, args: DispatchArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let status = cx.subagents().delegate(&delegation(&args)).await.map_err(|error| not_taken(&error))?;
        answer(status, SUMMARY_CHARS)
    }
}
