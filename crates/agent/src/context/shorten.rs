//! Tool results that are too long for the conversation: beginning and end are kept, and a line says what is missing.
//!
//! Lines are kept whole where that is enough (forty first, twenty last). A text of few, very long lines is cut by
//! characters instead, half of the allowance at the beginning and a quarter at the end. Where the end says how it ended (an
//! error, a stack trace, how many tests failed), it gets more room: up to half of the allowance, back to where that begins.

use palanca_core::ToolResult;
use palanca_core::message::{Catalogue, Message};

const FIRST_LINES: usize = 40;
const LAST_LINES: usize = 20;
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
    pub(super) result: Option<&'a ToolResult>,
    pub(super) catalogue: &'a dyn Catalogue,
}

/// The text within `limit` characters (the marker not counted), or none when it fits already or `limit` is 0.
pub(super) fn shorten(text: &str, limit: usize, marker: &Marker<'_>) -> Option<String> {
    if limit == 0 || text.len() <= limit || text.chars().count() <= limit {
        return None;
    }
    let (head, tail) = match telling_tail(text, limit) {
        Some(tail) => (before(text, tail, limit), tail),
        None => by_lines(text, limit).unwrap_or_else(|| by_characters(text, limit)),
    };
    let left_out = text.get(head.len()..text.len() - tail.len())?;
    let marker = marker.line(text, head, left_out);
    let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    Some(format!("{head}{before}{marker}\n{tail}"))
}

impl Marker<'_> {
    fn line(&self, text: &str, head: &str, left_out: &str) -> String {
        let (lines, characters) = (left_out.lines().count(), left_out.chars().count());
        let kept = self.result.and_then(|result| Some((result, result.artifact.as_ref()?)));
        let message = match kept {
            None => Message::new("agent-result-shortened").with("lines", lines).with("characters", characters),
            Some((result, artifact)) => Message::new("agent-result-kept")
                .with("lines", lines)
                .with("characters", characters)
                .with("artifact", artifact.as_str())
                .with("offset", offset(result, text, head)),
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

fn by_lines(text: &str, limit: usize) -> Option<(&str, &str)> {
    let head_end = text.match_indices('\n').nth(FIRST_LINES - 1)?.0 + 1;
    let tail_start = last_lines(text, LAST_LINES)?;
    let (head, tail) = (text.get(..head_end)?, text.get(tail_start..)?);
    (head_end < tail_start && head.len() + tail.len() <= limit).then_some((head, tail))
}

/// Where the last lines begin.
fn last_lines(text: &str, lines: usize) -> Option<usize> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    Some(body.rmatch_indices('\n').nth(lines - 1)?.0 + 1)
}

fn by_characters(text: &str, limit: usize) -> (&str, &str) {
    (first(text, limit / 2), last(text, limit / 4))
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

/// The end from where it begins to tell how the work ended, but not less than the usual last lines and not more than
/// half of the allowance; none when it tells nothing.
fn telling_tail(text: &str, limit: usize) -> Option<&str> {
    let reach = last(text, limit / 2);
    let mut begins = None;
    let mut at = reach.len();
    for line in reach.split_inclusive('\n').rev().take(LOOKED_BACK) {
        at -= line.len();
        if tells(line) {
            begins = Some(at);
        }
    }
    let begins = begins?;
    // A stack trace or a difference has a line before it that says what it is of.
    let begins = reach.get(..begins)?.trim_end_matches('\n').rfind('\n').map_or(begins, |at| at + 1);
    let usual = last_lines(reach, LAST_LINES).unwrap_or(0);
    let tail = reach.get(begins.min(usual)..)?;
    // The first line of what is within reach is rarely whole.
    match tail.len() == reach.len() && reach.len() < text.len() {
        true => {
            Some(tail.find('\n').filter(|at| *at < tail.len() / 2).and_then(|at| tail.get(at + 1..)).unwrap_or(tail))
        }
        false => Some(tail),
    }
}

fn tells(line: &str) -> bool {
    let line = first(line, 300).to_ascii_lowercase();
    TELLING.iter().any(|word| line.contains(word)) || line.trim_start().starts_with("at ")
}

/// The beginning beside a telling end: whole lines, forty at most, within what is left of the allowance.
fn before<'t>(text: &'t str, tail: &str, limit: usize) -> &'t str {
    let room = limit.saturating_sub(tail.chars().count()).min(limit / 2);
    let rest = text.get(..text.len() - tail.len()).unwrap_or_default();
    let lines: usize = rest.split_inclusive('\n').take(FIRST_LINES).map(str::len).sum();
    let head = first(rest.get(..lines).unwrap_or(rest), room);
    match head.rfind('\n') {
        Some(at) if head.len() < lines && at > head.len() / 2 => head.get(..=at).unwrap_or(head),
        _ => head,
    }
}
