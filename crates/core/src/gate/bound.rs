//! Truncates a result to its limit: the beginning and the end of a long text, with a line between them that says how
//! much is missing.
//!
//! Secrets are redacted before the cut: one across a cut would leave a half that no redactor recognizes. Only text near
//! the kept ends is redacted, so that the length of an output does not matter.

use super::engine::Gate;
use crate::call::{Part, ToolResult};
use crate::message::Message;

/// Bytes redacted beyond the kept part. Half of them remain between the kept part and the end of the redacted piece, so
/// a secret up to that length is never shown in part.
const MARGIN: usize = 64 << 10;

/// Which end of a text.
#[derive(Clone, Copy)]
enum Side {
    First,
    Last,
}

/// Truncates the result to the gate's limit.
pub(super) fn bound(result: &mut ToolResult, gate: &Gate) {
    let limit = gate.limits.output_bytes;
    if result.data.is_some() && result.output.len() > limit {
        result.data = None;
    }
    if result.diff.as_ref().is_some_and(|diff| diff.len() > limit) {
        result.diff = None;
        result.truncated = true;
    }
    for text in result.parts.iter_mut().filter_map(Part::text_mut).chain([&mut result.output]) {
        if let Some(bounded) = bounded(gate, text) {
            *text = bounded;
            result.truncated = true;
        }
    }
}

fn bounded(gate: &Gate, text: &str) -> Option<String> {
    let (limit, whole) = (gate.limits.output_bytes, text.len());
    if whole <= limit {
        return None;
    }
    let head = end(gate, text, limit / 4 * 3, Side::First);
    let tail = end(gate, text, limit / 4, Side::Last);
    let omitted = whole.saturating_sub(head.len() + tail.len());
    let mark = gate.catalogue.render(&Message::new("output-cut").with("omitted", omitted).with("whole", whole));
    Some(format!("{head}\n{mark}\n{tail}"))
}

/// At most `keep` bytes of one end, without secrets.
fn end(gate: &Gate, text: &str, keep: usize, side: Side) -> String {
    let mut reach = keep.saturating_add(MARGIN);
    loop {
        let piece = cut(text, reach, side);
        let clean = gate.redactor.redact(piece);
        // Redaction shortens the piece; if too little is left, the kept part would come too close to the piece's cut.
        if piece.len() == text.len() || clean.len() >= keep + MARGIN / 2 {
            return cut(&clean, keep, side).to_owned();
        }
        reach = reach.saturating_mul(2);
    }
}

/// At most `bytes` of one end, in whole characters.
fn cut(text: &str, bytes: usize, side: Side) -> &str {
    let piece = match side {
        Side::First => text.get(..floor(text, bytes)),
        Side::Last => text.get(ceil(text, text.len().saturating_sub(bytes))..),
    };
    piece.unwrap_or_default()
}

/// The last character boundary at or before `at`.
pub(super) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
