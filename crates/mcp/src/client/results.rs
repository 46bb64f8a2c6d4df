//! What a server answers, as the output of a tool: foreign text, whatever it says.

use palanca_core::call::{ErrorKind, Part, ToolError};
use palanca_core::{Message, Output};
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::service::ServiceError;
use std::time::Duration;

/// The output, or the failure that the server names.
pub(crate) fn output(server: &str, result: CallToolResult) -> Result<Output, ToolError> {
    let mut texts = Vec::new();
    let mut parts = Vec::new();
    let mut notes = Vec::new();
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            block => match serde_json::to_value(&block).and_then(serde_json::from_value::<Part>) {
                Ok(part) => parts.push(part),
                Err(why) => notes.push(Message::new("mcp-part-unreadable").with("reason", why.to_string())),
            },
        }
    }
    if texts.is_empty() && parts.is_empty() {
        texts.extend(result.structured_content.as_ref().map(ToString::to_string));
    }
    let text = texts.join("\n");
    if result.is_error == Some(true) {
        let failed = Message::new("mcp-tool-failed").with("server", server);
        return Err(ToolError::new(ErrorKind::Failed, failed).with_foreign_output(text, server));
    }
    let output = Output::text(text).foreign(server).with_notes(notes);
    let output = parts.into_iter().fold(output, Output::with_part);
    Ok(match result.structured_content {
        Some(data) => output.with_data(data),
        None => output,
    })
}

/// Why a request failed, in words that are not the server's alone.
pub(crate) fn trouble(error: &ServiceError) -> Message {
    match error {
        ServiceError::McpError(error) => {
            Message::new("mcp-refused").with("code", error.code.0.to_string()).with("reason", cut(&error.message))
        }
        ServiceError::TransportClosed => Message::new("mcp-hung-up"),
        other => Message::new("system-words").with("words", cut(&other.to_string())),
    }
}

/// A server's words about what is wrong, as far as they are shown.
pub(crate) fn cut(words: &str) -> String {
    words.chars().take(500).collect()
}

/// Why there is nobody to call. What a server wrote before it ended is foreign text.
pub(crate) fn gone(server: &str, why: Message) -> ToolError {
    let is_ours = matches!(why.key(), "mcp-starting" | "mcp-slow-start" | "mcp-hung-up");
    let gone = |key| Message::new(key).with("server", server);
    if is_ours {
        return ToolError::new(ErrorKind::Unreachable, gone("mcp-server-gone").with("why", why));
    }
    ToolError::new(ErrorKind::Unreachable, gone("mcp-server-left")).with_foreign_output(why, server)
}

/// Why a call failed; a server's own words on it are foreign text.
pub(crate) fn refused(server: &str, error: &ServiceError) -> ToolError {
    match error {
        ServiceError::McpError(error) => {
            let refused =
                Message::new("mcp-call-refused").with("server", server).with("code", error.code.0.to_string());
            ToolError::new(ErrorKind::Failed, refused).with_foreign_output(cut(&error.message), server)
        }
        error => failed(server, trouble(error)),
    }
}

pub(crate) fn failed(server: &str, why: Message) -> ToolError {
    ToolError::new(ErrorKind::Failed, Message::new("mcp-call-failed").with("server", server).with("why", why))
}

pub(crate) fn slow(server: &str, time: Duration) -> ToolError {
    let slow = Message::new("mcp-call-slow").with("server", server).with("seconds", time.as_secs());
    ToolError::new(ErrorKind::Timeout, slow)
}

pub(crate) fn cancelled(server: &str) -> ToolError {
    ToolError::new(ErrorKind::Cancelled, Message::new("tool-cancelled").with("tool", server))
}
