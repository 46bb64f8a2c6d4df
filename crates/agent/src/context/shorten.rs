//! Tool results that are too long for the conversation: beginning and end are kept, and a line says what is missing.
//!
//! Lines are kept whole where that is enough (forty first, twenty last). A text of few, very long lines is cut by
//! characters instead, half of the allowance at the beginning and a quarter at the end.

use palanca_core::message::{Catalogue, Message};

const FIRST_LINES: usize = 40;
const LAST_LINES: usize = 20;

/// The text within `limit` characters (the marker not counted), or none when it fits already or `limit` is 0.
pub(super) fn shorten(text: &str, limit: usize, catalogue: &dyn Catalogue) -> Option<String> {
    if limit == 0 || text.len() <= limit || text.chars().count() <= limit {
        return None;
    }
    let (head, tail) = by_lines(text, limit).unwrap_or_else(|| by_characters(text, limit));
    let left_out = text.get(head.len()..text.len() - tail.len())?;
    let marker = catalogue.render(
        &Message::new("agent-result-shortened")
            .with("lines", left_out.lines().count())
            .with("characters", left_out.chars().count()),
    );
    let before = if head.ends_with('\n') { "" } else { "\n" };
    Some(format!("{head}{before}{marker}\n{tail}"))
}

fn by_lines(text: &str, limit: usize) -> Option<(&str, &str)> {
    let head_end = text.match_indices('\n').nth(FIRST_LINES - 1)?.0 + 1;
    let body = text.strip_suffix('\n').unwrap_or(text);
    let tail_start = body.rmatch_indices('\n').nth(LAST_LINES - 1)?.0 + 1;
    let (head, tail) = (text.get(..head_end)?, text.get(tail_start..)?);
    (head_end < tail_start && head.len() + tail.len() <= limit).then_some((head, tail))
}

fn by_characters(text: &str, limit: usize) -> (&str, &str) {
    let head = text.char_indices().nth(limit / 2).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth((limit / 4).saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let tail = if limit < 4 { text.len() } else { tail.max(head) };
    (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default())
}
