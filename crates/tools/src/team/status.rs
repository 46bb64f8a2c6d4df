//! `subagent_status`: the tasks of this session and their states.

use palanca_core::call::{Claims, ErrorKind, Scope};
use palanca_core::ports::{TaskState, TaskStatus};
use palanca_core::{Message, Output, Spec, Text, Tool, ToolCx, ToolError};
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct StatusArgs {
    /// One task, such as `t1`, shown with its full answer. Leave out to list all.
    id: Option<String>,
}

pub(crate) struct SubagentStatus;

impl Tool for SubagentStatus {
    type Args = StatusArgs;

    fn spec(&self) -> Spec {
        Spec::new("subagent_status", "List the tasks given to subagents, or show one with its answer.").watching()
    }

    fn effects(&self, _args: &StatusArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: StatusArgs, cx: ToolCx) -> Result<Output, ToolError> {
        let tasks = cx.subagents().tasks();
        let Some(id) = args.id else { return Ok(listed(&tasks)) };
        let Some(task) = tasks.iter().find(|task| task.id.as_str() == id) else {
            return Err(ToolError::new(ErrorKind::NotFound, Message::new("subagents-no-such").with("task", id)));
        };
        let text = row(task).line(task.answer.as_deref().unwrap_or_default());
        let output = Output::text(text).with_data(serde_json::to_value(task).unwrap_or_default());
        Ok(if task.foreign { output.foreign(format!("subagent {id}")) } else { output })
    }
}

fn listed(tasks: &[TaskStatus]) -> Output {
    let data = serde_json::to_value(tasks).unwrap_or_default();
    let mut rows = tasks.iter().map(row);
    let Some(first) = rows.next() else { return Output::text(Message::new("subagents-none")).with_data(data) };
    Output::text(rows.fold(first, |text, row| text.then("\n").then(row))).with_data(data)
}

fn row(task: &TaskStatus) -> Text {
    let state = match task.state {
        TaskState::Waiting => "subagents-state-waiting",
        TaskState::Running => "subagents-state-running",
        TaskState::Done => "subagents-state-done",
        TaskState::Stopped => "subagents-state-stopped",
        TaskState::Failed => "subagents-state-failed",
    };
    Text::from(format!("{} {} ", task.id, task.profile)).then(Message::new(state)).then(
        Message::new("subagents-row").with("steps", task.steps).with("tokens", task.tokens).with("label", &task.task),
    )
}
