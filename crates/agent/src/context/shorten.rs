//! Shortens tool results that are too long for the conversation: beginning and end stay, and a line says what is missing.
//!
//! Both together fill the allowance, in whole lines unless those are very long: two thirds for the beginning, a third for
//! the end. Where the end says how it ended (an error, a stack trace, how many tests failed), it gets more: up to half, back
//! to where that begins. Of a text whose beginning was asked for, only that is kept.

use palanca_core::ToolResult;
use palanca_core::message::{Catalogue, Message};

/// Under the mark in front of foreign text, before the text.
const UNDER_MARK: &str = "\n---\n";
/// How far back from the end something important may begin.
const LOOKED_BACK: usize = 400;
/// Words of lines that matter at the end of an output, in lower case.
const TELLING: [&str; 19] = [
    "error",
    "fail",
    "fatal",
    "panick",
    "exception",
    "traceback",
    "assert",
    "caused by",
    "stack backtrace",
    "undefined reference",
    "segmentation fault",
    "test result",
    " passed",
    " passing",
    "tests run",
    "exit code",
    "exit status",
    "exited with",
    "errno",
];

/// What the line between the two parts says.
pub(super) struct Marker<'a> {
    /// The result that is cut; it may be kept whole somewhere.
    pub(super) result: &'a ToolResult,
    pub(super) catalogue: &'a dyn Catalogue,
}

/// Which part of a text stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Both,
    Beginning,
}

/// The text within `limit` characters (the marker not counted), or none when it fits already or `limit` is 0.
pub(super) fn shorten(text: &str, (limit, keeps): (usize, Keeps), marker: &Marker<'_>) -> Option<String> {
    if limit == 0 || text.len() <= limit || text.chars().count() <= limit {
        return None;
    }
    let tail = match keeps {
        Keeps::Both => tail(text, limit),
        Keeps::Beginning => "",
    };
    let rest = text.get(..text.len() - tail.len())?;
    let head = to_a_line(first(rest, limit.saturating_sub(tail.chars().count())));
    let left_out = rest.get(head.len()..)?;
    let marker = marker.line(text, head, left_out);
    let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    Some(format!("{head}{before}{marker}\n{tail}"))
}

impl Marker<'_> {
    fn line(&self, text: &str, head: &str, left_out: &str) -> String {
        let (lines, characters) = (left_out.lines().count(), left_out.chars().count());
        let message = match &self.result.artifact {
            None => Message::new("agent-result-shortened").with("lines", lines).with("characters", characters),
            Some(artifact) => Message::new("agent-result-kept")
                .with("lines", lines)
                .with("characters", characters)
                .with("artifact", artifact.as_str())
                .with("offset", offset(self.result, text, head)),
        };
        self.catalogue.render(&message)
    }
}

/// Where in the kept text what is missing begins: the result may have a line before it, or marks around it. Rather a few
/// bytes too early than too late.
fn offset(result: &ToolResult, text: &str, head: &str) -> usize {
    let output = &result.output;
    let line_before = text.find(output.as_str()).unwrap_or(0);
    let marks =
        if output.starts_with("<<<") { output.find(UNDER_MARK).map_or(0, |at| at + UNDER_MARK.len()) } else { 0 };
    let at = head.len().saturating_sub(line_before + marks);
    at - at % 100
}

fn first(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

fn last(text: &str, characters: usize) -> &str {
    if characters == 0 {
        return "";
    }
    let start = text.char_indices().rev().nth(characters - 1).map_or(0, |(at, _)| at);
    text.get(start..).unwrap_or_default()
}

/// The end: a third of the allowance, and from where it begins to tell how the work ended, as far as half of it.
fn tail(text: &str, limit: usize) -> &str {
    let usual = from_a_line(last(text, limit / 3));
    let reach = last(text, limit / 2);
    let mut begins = None;
    let mut at = reach.len();
    for line in reach.split_inclusive('\n').rev().take(LOOKED_BACK) {
        at -= line.len();
        if tells(line) {
            begins = Some(at);
        }
    }
    let telling = begins.and_then(|begins| {
        // A stack trace or a difference has a line before it that says what it is of.
        let begins = reach.get(..begins)?.trim_end_matches('\n').rfind('\n').map_or(begins, |at| at + 1);
        reach.get(begins..)
    });
    match telling {
        // The first line of what is within reach is rarely whole.
        Some(telling) if telling.len() == reach.len() => from_a_line(telling),
        Some(telling) if telling.len() > usual.len() => telling,
        _ => usual,
    }
}

fn tells(line: &str) -> bool {
    let line = first(line, 300).to_ascii_lowercase();
    TELLING.iter().any(|word| line.contains(word)) || line.trim_start().starts_with("at ")
}

/// Without the beginning of a line at its end, unless that is half of it.
fn to_a_line(text: &str) -> &str {
    match text.rfind('\n') {
        Some(at) if at > text.len() / 2 => text.get(..=at).unwrap_or(text),
        _ => text,
    }
}

/// Without the end of a line at its beginning, unless that is half of it.
fn from_a_line(text: &str) -> &str {
    match text.find('\n') {
        Some(at) if at < text.len() / 2 => text.get(at + 1..).unwrap_or(text),
        _ => text,
    }
}
