//! Tools for a server that ignores them: the model is constrained to one JSON object that names a tool or gives the
//! answer.
//!
//! The server's grammar enforces the form (`response_format` with a schema); the model learns of the tools from the
//! instructions, and the history's calls and results, with whatever is beside their text, become plain text, because a template without tools does not support
//! such messages either. The final text is bounded: small models otherwise write until their limit.

use crate::arguments::as_object_text;
use crate::assemble::RawCall;
use crate::embedded::{members, with_controls_escaped};
use crate::event::{Misread, MisreadCause};
use crate::message::Message;
use crate::names::Names;
use crate::parts;
use crate::request::{ModelRequest, ToolChoice, ToolOffer};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Longest final answer, in characters: llama.cpp refuses grammars with more than 2,000 repetitions.
const MAX_FINAL: u32 = 1900;

/// An equivalent request without tools.
#[derive(Debug)]
pub(crate) struct Rewritten {
    pub(crate) messages: Vec<Message>,
    /// None if no tool may be called.
    pub(crate) schema: Option<Value>,
}

/// The model's answer in this form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Call(RawCall),
    Text(String),
    /// A truncated call.
    Misread(Misread),
}

/// The request in this form.
pub(crate) fn rewrite(request: &ModelRequest<'_>, names: &Names<'_>) -> Rewritten {
    let offered: Vec<&ToolOffer> = match request.tool_choice {
        ToolChoice::None => Vec::new(),
        ToolChoice::Named(name) => request.tools.iter().filter(|t| t.name() == name).collect(),
        ToolChoice::Auto | ToolChoice::Required => request.tools.iter().collect(),
    };
    let mut messages = in_words(request.messages, names);
    if offered.is_empty() {
        return Rewritten { messages, schema: None };
    }
    let guide = instructions(&offered, names);
    match messages.first_mut() {
        Some(Message::System { text }) => {
            text.push_str("\n\n");
            text.push_str(&guide);
        }
        _ => messages.insert(0, Message::system(guide)),
    }
    Rewritten { messages, schema: Some(schema(&offered, request.tool_choice, names)) }
}

/// The conversation as text: with calls, results and what is beside their text in words.
pub(crate) fn in_words(messages: &[Message], names: &Names<'_>) -> Vec<Message> {
    messages.iter().map(|message| as_text(message, names)).collect()
}

fn as_text(message: &Message, names: &Names<'_>) -> Message {
    match message {
        Message::Assistant { text, calls, .. } if !calls.is_empty() => {
            let mut said = text.clone();
            for call in calls {
                if !said.is_empty() {
                    said.push('\n');
                }
                // ignored: writing into a String cannot fail.
                let _ = write!(
                    said,
                    r#"{{"tool":"{}","arguments":{}}}"#,
                    names.wire(&call.name),
                    as_object_text(&call.arguments)
                );
            }
            Message::assistant(said)
        }
        Message::Tool { name, content, parts, .. } => {
            Message::user(format!("Result of {}:\n{}", names.wire(name), parts::in_words(content, parts)))
        }
        Message::User { text, parts } if !parts.is_empty() => Message::user(parts::in_words(text, parts)),
        other => other.clone(),
    }
}

fn instructions(offered: &[&ToolOffer], names: &Names<'_>) -> String {
    let mut text = "You can use the tools below. Answer with exactly one JSON object and nothing else: \
        {\"tool\": NAME, \"arguments\": {…}} to use a tool, whose result you are then told, or {\"final\": TEXT} \
        when you are done.\n\nTools:"
        .to_owned();
    for tool in offered {
        // ignored: writing into a String cannot fail.
        let _ = write!(text, "\n- {}: {} Arguments: {}", names.wire(tool.name()), tool.description(), tool.schema());
    }
    text
}

fn schema(offered: &[&ToolOffer], choice: ToolChoice<'_>, names: &Names<'_>) -> Value {
    let mut forms: Vec<Value> = offered
        .iter()
        .map(|tool| {
            // A schema was rendered from JSON, so it can be parsed; otherwise anything is allowed.
            let arguments: Value = serde_json::from_str(tool.schema().get()).unwrap_or_default();
            json!({
                "type": "object",
                "properties": {
                    "tool": {"type": "string", "const": names.wire(tool.name())},
                    "arguments": arguments,
                },
                "required": ["tool", "arguments"],
                "additionalProperties": false,
            })
        })
        .collect();
    if choice == ToolChoice::Auto {
        forms.push(json!({
            "type": "object",
            "properties": {"final": {"type": "string", "maxLength": MAX_FINAL}},
            "required": ["final"],
            "additionalProperties": false,
        }));
    }
    json!({"anyOf": forms})
}

/// The model's answer, without a fence around it. Text that is not in the form is the answer, as is a truncated final
/// text.
pub(crate) fn read(text: &str, names: &Names<'_>) -> Said {
    let inner = without_fence(text.trim());
    let Ok(Value::Object(map)) = serde_json::from_str::<Value>(&with_controls_escaped(inner)) else {
        return match after_key(inner, "tool") {
            Some(_) => Said::Misread(Misread {
                text: text.to_owned(),
                cause: MisreadCause::CutOff,
                form: "JSON",
                example: r#"{"tool": NAME, "arguments": {…}}"#,
            }),
            None => Said::Text(cut_final(text)),
        };
    };
    if let Some(name) = map.get("tool").and_then(Value::as_str) {
        // As written: numbers keep their digits.
        let arguments = members(inner).unwrap_or_default().into_iter().find(|(key, _)| key == "arguments");
        return Said::Call(RawCall {
            id: String::new(),
            name: names.original(name).to_owned(),
            arguments: arguments.map_or_else(|| "{}".to_owned(), |(_, text)| with_controls_escaped(text).into_owned()),
            state: None,
        });
    }
    match map.get("final") {
        Some(Value::String(answer)) => Said::Text(answer.clone()),
        Some(other) => Said::Text(other.to_string()),
        None => Said::Text(text.to_owned()),
    }
}

fn without_fence(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inner.map_or(text, |inner| inner.trim_start_matches(char::is_alphanumeric).trim())
}

/// The text after `{"KEY":`.
fn after_key<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let rest = text.trim().strip_prefix('{')?.trim_start().strip_prefix('"')?.strip_prefix(key)?.strip_prefix('"')?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

/// The text of an unfinished `{"final": "…`.
fn cut_final(text: &str) -> String {
    let inner = after_key(text, "final");
    // At most one escape of six characters is cut in two.
    inner
        .and_then(|inner| {
            let ends = inner.char_indices().rev().map(|(at, c)| at + c.len_utf8());
            ends.take(7).find_map(|end| {
                let closed = format!("{}\"", inner.get(..end)?);
                serde_json::from_str::<String>(&closed).ok()
            })
        })
        .unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests;
