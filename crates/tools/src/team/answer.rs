//! A task's result, as text.

use palanca_core::call::ErrorKind;
use palanca_core::ports::{NotTaken, TaskState, TaskStatus};
use palanca_core::{Message, Output, Text, ToolError};

/// The answer, at most so many characters of it, or why there is none.
pub(super) fn answer(status: TaskStatus, chars: usize) -> Result<Output, ToolError> {
    let data = serde_json::to_value(&status).unwrap_or_default();
    let whole = status.answer.as_deref().unwrap_or_default().trim();
    let text = shortened(whole, chars);
    let cut = text.len() < whole.len();
    let reason = status.reason.clone().unwrap_or_default();
    let source = format!("subagent {}", status.id);
    let output = match status.state {
        TaskState::Done => Output::text(text),
        TaskState::Failed => {
            let (label, task) = (&status.task, status.id.as_str());
            let message =
                Message::new("subagents-failed").with("label", label).with("task", task).with("reason", reason);
            let error = ToolError::new(ErrorKind::Failed, message);
            return Err(if text.is_empty() {
                error
            } else if status.foreign {
                error.with_foreign_output(text, source)
            } else {
                error.with_output(text)
            });
        }
        TaskState::Stopped | TaskState::Waiting | TaskState::Running => {
            let (label, task) = (&status.task, status.id.as_str());
            let message =
                Message::new("subagents-stopped").with("label", label).with("task", task).with("reason", reason);
            Output::text(Text::from(message).line(text))
        }
    };
    let output = output.with_data(data);
    let output = if cut { output.truncated() } else { output };
    Ok(if status.foreign { output.foreign(source) } else { output })
}

/// The beginning of a text, in whole characters, with an ellipsis where it is cut.
fn shortened(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    text.chars().take(chars.saturating_sub(1)).chain(['…']).collect()
}

/// Why a task was not taken, as an error of the tool.
pub(super) fn not_taken(error: &NotTaken) -> ToolError {
    let kind = match error {
        NotTaken::NotGranted => ErrorKind::NotGranted,
        NotTaken::UnknownProfile { .. } => ErrorKind::InvalidArguments,
        NotTaken::Cancelled => ErrorKind::Cancelled,
        NotTaken::TooMany { .. } | NotTaken::Cooling { .. } | NotTaken::OverBudget => ErrorKind::RateLimited,
        NotTaken::NoModel { .. } => ErrorKind::NotConfigured,
        _ => ErrorKind::Disabled,
    };
    ToolError::new(kind, error.message())
}
