//! The answer of a finished program: exit code, stdout, stderr.
//!
//! Exit 0 reads stdout: a JSON object is an answer and must have exactly the documented form, any other text goes to the
//! model. Exit 2 refuses, with stderr as the reason. Everything else is a failure of the hook, and a failure never refuses
//! by accident: it does so only where the operator requires the hook.

use crate::event::Event;
use crate::failure::{Failure, NOT_FOUND};
use palanca_core::message::{Catalogue, Message};
use palanca_core::ports::{Captured, Exit, Finished, Keep, ProcessError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// How much of each of a hook's two streams is kept: together less than 256 KiB, however much it prints.
pub(crate) const KEEP: Keep = Keep { head: 100 << 10, tail: 12 << 10 };
/// Characters shown to the model.
const CONTEXT_CHARS: usize = 8000;
/// Characters of a failed hook's output.
const SAID_CHARS: usize = 300;
/// Characters of a hook's output after a call that become part of the result.
pub(crate) const REPORTED: usize = 1000;

/// A hook's answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Continue, optionally with text for the model or changed arguments.
    Go { context: Option<String>, arguments: Option<Value> },
    /// Stop, for this reason.
    Block(String),
    /// It did not work.
    Failed(Failure),
    /// It ended with an error after a call: the text for the model.
    Reported(Failure, String),
}

/// The object that a hook may print: every key is optional, and other keys are errors.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reply {
    /// The complete new arguments. Only before a call; they are validated and judged again.
    #[serde(rename = "updatedInput", alias = "updated_input")]
    updated_input: Option<serde_json::Map<String, Value>>,
    /// Text for the model.
    #[serde(rename = "additionalContext", alias = "additional_context")]
    additional_context: Option<String>,
    /// `block` means the same as exit code 2; `allow` changes nothing: guardrails and people still judge.
    decision: Option<Decision>,
    /// Why, for `block`.
    reason: Option<String>,
}

/// The decision of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decision {
    /// Go on.
    #[serde(alias = "approve", alias = "continue")]
    Allow,
    /// Stop.
    #[serde(alias = "deny")]
    Block,
}

/// Interprets how a program ended.
pub(crate) fn read(
    event: Event,
    ended: Result<Finished, ProcessError>,
    (name, command, limit): (&str, &str, Duration),
    catalogue: &dyn Catalogue,
) -> Answer {
    let finished = match ended {
        Ok(finished) => finished,
        Err(error) => return Answer::Failed(Failure::Start(error)),
    };
    match finished.exit {
        Exit::Code(0) => match of_stdout(event, &finished.stdout) {
            Ok(reply) => said(reply, name, catalogue),
            Err(failure) => Answer::Failed(failure),
        },
        Exit::Code(2) => Answer::Block(reason(&shown(&finished.stderr, CONTEXT_CHARS, catalogue), name, catalogue)),
        Exit::Code(NOT_FOUND) => Answer::Failed(Failure::NotThere(command.to_owned())),
        exit => {
            let said = [&finished.stderr, &finished.stdout].map(|stream| shown(stream, SAID_CHARS, catalogue));
            let said = said.into_iter().find(|said| !said.is_empty()).unwrap_or_default();
            let failure = Failure::of_exit(exit, limit, said);
            match (event, exit) {
                (Event::PostToolUse, Exit::Code(code)) => {
                    let output = cut(&joined(&finished.stdout, &finished.stderr), REPORTED, catalogue);
                    Answer::Reported(failure, reported(name, code, &output))
                }
                _ => Answer::Failed(failure),
            }
        }
    }
}

fn said(reply: Reply, name: &str, catalogue: &dyn Catalogue) -> Answer {
    let why = reply.reason.unwrap_or_default();
    if reply.decision == Some(Decision::Block) {
        let why = if why.is_empty() { reply.additional_context.unwrap_or_default() } else { why };
        return Answer::Block(reason(&cut(&why, CONTEXT_CHARS, catalogue), name, catalogue));
    }
    let context = reply.additional_context.map(|text| cut(text.trim_end(), CONTEXT_CHARS, catalogue));
    Answer::Go {
        context: context.filter(|text| !text.trim().is_empty()),
        arguments: reply.updated_input.map(Value::Object),
    }
}

/// The reason given, or one with the hook's name.
fn reason(given: &str, name: &str, catalogue: &dyn Catalogue) -> String {
    if given.trim().is_empty() {
        catalogue.render(&Message::new("hook-no-reason").with("name", name))
    } else {
        given.trim().to_owned()
    }
}

fn of_stdout(event: Event, stdout: &Captured) -> Result<Reply, Failure> {
    let text = String::from_utf8_lossy(&stdout.head);
    let text = text.trim();
    if text.is_empty() && stdout.omitted_bytes == 0 && stdout.tail.is_empty() {
        return Ok(Reply::default());
    }
    let is_object = text.starts_with('{');
    if is_object && !(stdout.tail.is_empty() && stdout.omitted_bytes == 0) {
        return Err(Failure::TooLong(stdout.total_bytes()));
    }
    if !is_object {
        // A list has the wrong shape; a number or a word is text.
        if text.starts_with('[') && serde_json::from_str::<Value>(text).is_ok() {
            return Err(Failure::Shape("a list, and an object is needed".to_owned()));
        }
        return Ok(Reply { additional_context: Some(lossy(stdout)), ..Reply::default() });
    }
    let value: Value = serde_json::from_str(text).map_err(|error| Failure::Malformed(error.to_string()))?;
    let reply = Reply::deserialize(value).map_err(|error| Failure::Shape(error.to_string()))?;
    if reply.updated_input.is_some() && event != Event::PreToolUse {
        return Err(Failure::Shape(format!("updatedInput means nothing at {event}")));
    }
    Ok(reply)
}

/// Beginning and end, as text.
fn lossy(stream: &Captured) -> String {
    let mut text = String::from_utf8_lossy(&stream.head).into_owned();
    if stream.omitted_bytes > 0 {
        text.push_str("\n[...]\n");
    }
    text.push_str(&String::from_utf8_lossy(&stream.tail));
    text
}

/// Stdout, then stderr.
pub(crate) fn joined(stdout: &Captured, stderr: &Captured) -> String {
    let parts = [stdout, stderr].map(|stream| lossy(stream).trim().to_owned());
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The text for the model about a hook after a call, as documented; not in the catalogue, because programs search for
/// it.
pub(crate) fn reported(name: &str, code: i32, output: &str) -> String {
    let head = if code == 0 { format!("[Hook {name}: OK]") } else { format!("[Hook {name}: FALLO (exit {code})]") };
    if output.is_empty() { head } else { format!("{head}\n{output}") }
}

pub(crate) fn shown(stream: &Captured, characters: usize, catalogue: &dyn Catalogue) -> String {
    cut(lossy(stream).trim(), characters, catalogue)
}

/// At most this many characters: the first half and the last quarter of the limit, with a line between them that says
/// so.
pub(crate) fn cut(text: &str, characters: usize, catalogue: &dyn Catalogue) -> String {
    let whole = text.chars().count();
    if whole <= characters {
        return text.to_owned();
    }
    let (head, tail) = (characters / 2, characters / 4);
    let left_out = whole - head - tail;
    let marker = catalogue.render(&Message::new("hook-output-cut").with("omitted", left_out));
    let end: String = text.chars().skip(whole - tail).collect();
    format!("{}\n{marker}\n{end}", crate::occasion::first(text, head))
}

#[cfg(test)]
mod tests;
