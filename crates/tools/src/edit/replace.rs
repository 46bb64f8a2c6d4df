//! Replacing one piece of text by another, found exactly.
//!
//! It refuses to guess: a piece that is missing, or that stands in several places, is an error that says what is there
//! instead. The surprising decision: line ends are not part of the comparison, because a model does not see them. The
//! piece is found whatever line ends it was given with, and what is written has the line ends of its surroundings;
//! every byte that does not change stays as it is, in files of mixed line ends too.

use std::borrow::Cow;

use memchr::{memchr, memmem, memrchr};
use serde::Serialize;

use super::lines::{LineEnd, dominant_end, line_number};
use super::nearest::{NearMiss, near_miss};

/// Line numbers listed when a piece is not unique.
const LISTED: usize = 20;
/// Bytes searched on either side of a change for a line break to imitate.
const NEAR: usize = 16 << 10;

/// How many occurrences may be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum Occurrence {
    /// Exactly one; any other number is an error. Overlapping occurrences count.
    #[default]
    Unique,
    /// All that do not overlap, from the start on; at least one.
    All,
}

/// A text after replacement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replaced {
    /// The whole new text.
    pub text: String,
    /// How many occurrences were replaced.
    pub count: usize,
    /// 1-based line of the first of them.
    pub first_line: usize,
}

/// Why nothing was replaced.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
pub enum ReplaceError {
    /// The piece to replace is empty.
    #[error("the text to replace is empty; to add text, repeat a line that is there and add to it, or use a patch")]
    EmptyOld,
    /// The piece does not occur.
    #[error("the text to replace is not in the file{}", hint(.nearest.as_ref()))]
    NotFound {
        /// What resembles it most.
        nearest: Option<NearMiss>,
    },
    /// The piece occurs more than once.
    #[error("the text to replace is not unique: it occurs {count} times (lines {}); add lines around it, or replace all", list(.lines))]
    NotUnique {
        /// How often, overlapping occurrences included.
        count: usize,
        /// 1-based lines of the first 20.
        lines: Vec<usize>,
    },
    /// The replacement is the same text.
    #[error("the new text is the same as the old text; nothing would change")]
    NoChange,
}

fn hint(nearest: Option<&NearMiss>) -> String {
    nearest.map_or_else(
        || "; read the file again".to_owned(),
        |miss| format!("; nearest is line {}, where {}:\n{}", miss.line, miss.why, miss.text),
    )
}

fn list(lines: &[usize]) -> String {
    lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Replaces `old` by `new` in `text`.
///
/// Line ends of `old` and `new` may be LF or CRLF, whatever the text has. Only when the two differ in nothing but line
/// ends are those of `new` written as given.
///
/// # Errors
/// See [`ReplaceError`]; the text is unchanged then.
pub fn replace(text: &str, old: &str, new: &str, occurrence: Occurrence) -> Result<Replaced, ReplaceError> {
    if old.is_empty() {
        return Err(ReplaceError::EmptyOld);
    }
    if old == new {
        return Err(ReplaceError::NoChange);
    }
    let piece = Piece::of(old, new);
    let ground = Ground::of(text, &piece.old);
    let first = ground.find(&piece.old, 0).ok_or_else(|| ReplaceError::NotFound { nearest: near_miss(text, old) })?;
    if occurrence == Occurrence::Unique && ground.find(&piece.old, first + 1).is_some() {
        let (count, places) = ground.count(&piece.old);
        let lines = places.into_iter().map(|at| line_number(text, ground.original(at))).collect();
        return Err(ReplaceError::NotUnique { count, lines });
    }
    let mut out = String::with_capacity(text.len() + new.len());
    let (mut copied, mut count, mut next) = (0, 0, Some(first));
    while let Some(at) = next {
        let range = ground.original(at)..ground.original(at + piece.old.len());
        out.push_str(text.get(copied..range.start).unwrap_or(""));
        piece.write(text, range.clone(), &mut out);
        copied = range.end;
        count += 1;
        next = match occurrence {
            Occurrence::Unique => None,
            Occurrence::All => ground.find(&piece.old, at + piece.old.len()),
        };
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    if out == text {
        return Err(ReplaceError::NoChange);
    }
    Ok(Replaced { text: out, count, first_line: line_number(text, ground.original(first)) })
}

fn with_lf(text: &str) -> Cow<'_, str> {
    if memmem::find(text.as_bytes(), b"\r\n").is_some() {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What is replaced and by what, both with LF.
struct Piece<'a> {
    old: Cow<'a, str>,
    new: Cow<'a, str>,
    /// Given when old and new differ in line ends alone: then this is written as it is.
    literal: Option<&'a str>,
    /// Bytes that old and new have in common at the start and at the end; whole characters.
    same: (usize, usize),
}

impl<'a> Piece<'a> {
    fn of(old: &'a str, new: &'a str) -> Self {
        let (old, literal, new) = (with_lf(old), new, with_lf(new));
        let literal = (old == new).then_some(literal);
        let pairs = old.chars().zip(new.chars());
        let head: usize = pairs.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let rest = |text: &'_ str| text.len() - head;
        let limit = rest(&old).min(rest(&new));
        let mut tail = 0;
        for (a, b) in old.chars().rev().zip(new.chars().rev()) {
            if a != b || tail + a.len_utf8() > limit {
                break;
            }
            tail += a.len_utf8();
        }
        Self { old, new, literal, same: (head, tail) }
    }

    /// Writes the replacement for the occurrence at `range` of the original text.
    fn write(&self, text: &str, range: std::ops::Range<usize>, out: &mut String) {
        if let Some(literal) = self.literal {
            out.push_str(literal);
            return;
        }
        let found = text.get(range.clone()).unwrap_or("");
        let (head, tail) = self.same;
        let head_end = skip_lf(found, head);
        let tail_start = found.len() - skip_lf_back(found, tail);
        let changed = self.new.get(head..self.new.len() - tail).unwrap_or("");
        out.push_str(found.get(..head_end).unwrap_or(""));
        if memchr(b'\n', changed.as_bytes()).is_some() {
            let end = local_end(text, range, head_end, tail_start).as_str();
            out.push_str(&changed.replace('\n', end));
        } else {
            out.push_str(changed);
        }
        out.push_str(found.get(tail_start..).unwrap_or(""));
    }
}

/// The line ending around a change: in what is replaced, else of the line it is in, else the one before, else the
/// file's.
fn local_end(text: &str, range: std::ops::Range<usize>, head_end: usize, tail_start: usize) -> LineEnd {
    let bytes = text.as_bytes();
    let ending_at = |newline: usize| {
        let before = newline.checked_sub(1).and_then(|at| bytes.get(at));
        if before == Some(&b'\r') { LineEnd::CrLf } else { LineEnd::Lf }
    };
    let changed = range.start + head_end..range.start + tail_start;
    let inside = bytes.get(changed.clone()).and_then(|part| memchr(b'\n', part)).map(|at| changed.start + at);
    let ahead = bytes.get(changed.end..).unwrap_or_default();
    let ahead = ahead.get(..NEAR).unwrap_or(ahead);
    let behind = changed.start.saturating_sub(NEAR);
    let after = || memchr(b'\n', ahead).map(|at| changed.end + at);
    let before = || memrchr(b'\n', bytes.get(behind..changed.start)?).map(|at| behind + at);
    match inside.or_else(after).or_else(before) {
        Some(newline) => ending_at(newline),
        None => match dominant_end(text) {
            LineEnd::None => LineEnd::Lf,
            end => end,
        },
    }
}

/// Length in `found` of its first `length` bytes counted with LF.
fn skip_lf(found: &str, length: usize) -> usize {
    let mut left = length;
    let mut bytes = found.bytes().enumerate().peekable();
    while left > 0 {
        let Some((_, byte)) = bytes.next() else { return found.len() };
        if !(byte == b'\r' && bytes.peek().is_some_and(|(_, next)| *next == b'\n')) {
            left -= 1;
        }
    }
    // A `\r\n` that follows stays whole, on the other side.
    bytes.next().map_or(found.len(), |(at, _)| at)
}

/// The same from the end; a `\r` before the last counted `\n` is counted with it.
fn skip_lf_back(found: &str, length: usize) -> usize {
    let bytes = found.as_bytes();
    let mut at = bytes.len();
    for _ in 0..length {
        let Some(previous) = at.checked_sub(1) else { return bytes.len() };
        at = previous;
        let is_break = bytes.get(at) == Some(&b'\n');
        if is_break && at.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\r') {
            at -= 1;
        }
    }
    bytes.len() - at
}

/// A text in which pieces with LF are looked for.
struct Ground<'a> {
    /// The text with LF only, when that matters; the text itself otherwise.
    text: Cow<'a, str>,
    /// Positions in `text` of each `\n` that is `\r\n` in the original, ascending.
    shortened: Vec<usize>,
}

impl<'a> Ground<'a> {
    fn of(text: &'a str, old: &str) -> Self {
        let breaks = memchr(b'\n', old.as_bytes()).is_some() && memmem::find(text.as_bytes(), b"\r\n").is_some();
        if !breaks {
            return Self { text: Cow::Borrowed(text), shortened: Vec::new() };
        }
        let returns = memmem::find_iter(text.as_bytes(), b"\r\n").enumerate();
        let shortened = returns.map(|(earlier, at)| at - earlier).collect();
        Self { text: with_lf(text), shortened }
    }

    /// The byte of the original text that a position in `text` came from; before the `\r` of a line break.
    fn original(&self, at: usize) -> usize {
        at + self.shortened.partition_point(|newline| *newline < at)
    }

    fn find(&self, old: &str, from: usize) -> Option<usize> {
        memmem::find(self.text.as_bytes().get(from..)?, old.as_bytes()).map(|at| from + at)
    }

    /// Counts every occurrence, overlapping ones too, in linear time; also the first places.
    fn count(&self, old: &str) -> (usize, Vec<usize>) {
        let old = old.as_bytes();
        let borders = borders(old);
        let border = |matched: usize| matched.checked_sub(1).and_then(|at| borders.get(at)).copied().unwrap_or(0);
        let (mut matched, mut count, mut places) = (0, 0, Vec::new());
        for (at, byte) in self.text.bytes().enumerate() {
            while matched > 0 && old.get(matched) != Some(&byte) {
                matched = border(matched);
            }
            if old.get(matched) == Some(&byte) {
                matched += 1;
            }
            if matched == old.len() {
                count += 1;
                if places.len() < LISTED {
                    places.push(at + 1 - matched);
                }
                matched = border(matched);
            }
        }
        (count, places)
    }
}

/// For each prefix, the length of its longest border (Knuth, Morris, Pratt).
fn borders(old: &[u8]) -> Vec<usize> {
    let mut borders: Vec<usize> = Vec::with_capacity(old.len());
    let mut matched = 0;
    for (at, byte) in old.iter().enumerate() {
        while matched > 0 && old.get(matched) != Some(byte) {
            matched = borders.get(matched - 1).copied().unwrap_or(0);
        }
        if at > 0 && old.get(matched) == Some(byte) {
            matched += 1;
        }
        borders.push(matched);
    }
    borders
}

#[cfg(test)]
mod tests;
