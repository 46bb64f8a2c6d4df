//! A result within its limit: the beginning and the end of what is too long, with a line between them that says so.
//!
//! What is kept is cut from text without secrets: one that lies across a cut would leave half of itself behind, and no
//! redactor knows half a secret. Only as much is redacted as is near to what is kept, so that the length of an output does
//! not count.

use super::engine::Gate;
use crate::call::ToolResult;
use crate::message::Message;

/// Bytes that are redacted beyond what is kept. Half of them stay between what is kept and the place where the piece that
/// was redacted ends itself, so a secret up to that length is never seen in part.
const MARGIN: usize = 64 << 10;

/// Which end of a text.
#[derive(Clone, Copy)]
enum Side {
    First,
    Last,
}

/// Brings the result within the gate's limit.
pub(super) fn bound(result: &mut ToolResult, gate: &Gate) {
    let limit = gate.limits.output_bytes;
    if result.data.is_some() && result.output.len() > limit {
        result.data = None;
    }
    if result.diff.as_ref().is_some_and(|diff| diff.len() > limit) {
        result.diff = None;
        result.truncated = true;
    }
    let whole = result.output.len();
    if whole <= limit {
        return;
    }
    let head = end(gate, &result.output, limit / 4 * 3, Side::First);
    let tail = end(gate, &result.output, limit / 4, Side::Last);
    let omitted = whole.saturating_sub(head.len() + tail.len());
    let mark = gate.catalogue.render(&Message::new("output-cut").with("omitted", omitted).with("whole", whole));
    result.output = format!("{head}\n{mark}\n{tail}");
    result.truncated = true;
}

/// At most `keep` bytes of one end, without secrets.
fn end(gate: &Gate, text: &str, keep: usize, side: Side) -> String {
    let mut reach = keep.saturating_add(MARGIN);
    loop {
        let piece = cut(text, reach, side);
        let clean = gate.redactor.redact(piece);
        // Redaction shortens; too short a rest means that what is kept would come near to the cut of the piece.
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

/// The last place at or before `at` where a character begins.
pub(super) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
