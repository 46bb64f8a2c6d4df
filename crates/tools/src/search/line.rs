//! One line of a result: displayable text, in full or truncated.

use std::ops::Range;

/// A line of a file, without its line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 1.
    pub number: u64,
    /// What is not UTF-8 is replaced.
    pub text: String,
    /// Why it is shown.
    pub role: Role,
    /// Whether `text` is all of it.
    pub cut: Cut,
}

/// Why a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It matches.
    Hit,
    /// It stands near one that does.
    Context,
}

/// Which ends of a long line are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// None: the line is whole.
    Whole,
    /// The start.
    Start,
    /// The end.
    End,
    /// Both.
    Both,
}

impl Cut {
    /// What stands for the missing start and end.
    pub(super) const fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::Whole => ("", ""),
            Self::Start => ("…", ""),
            Self::End => ("", "…"),
            Self::Both => ("…", "…"),
        }
    }
}

impl Line {
    /// At most `limit` characters of a line, around the bytes in `around` when that is not the beginning.
    pub(super) fn new((number, role): (u64, Role), bytes: &[u8], limit: usize, around: Option<Range<usize>>) -> Self {
        let bytes = without_break(bytes);
        // A byte is a character at most, so most lines need no counting.
        if bytes.len() <= limit {
            let text = String::from_utf8_lossy(bytes).into_owned();
            return Self { number, text, role, cut: Cut::Whole };
        }
        let text = String::from_utf8_lossy(bytes);
        let total = text.chars().count();
        if total <= limit {
            return Self { number, text: text.into_owned(), role, cut: Cut::Whole };
        }
        let first = around.map_or(0, |range| first_shown(bytes, range, limit)).min(total.saturating_sub(limit));
        let text: String = text.chars().skip(first).take(limit).collect();
        let cut = match (first > 0, first.saturating_add(limit) < total) {
            (false, _) => Cut::End,
            (true, true) => Cut::Both,
            (true, false) => Cut::Start,
        };
        Self { number, text, role, cut }
    }
}

/// The character to begin with so that the match is seen with some of what stands before it.
fn first_shown(bytes: &[u8], range: Range<usize>, limit: usize) -> usize {
    let count = |end: usize| String::from_utf8_lossy(bytes.get(..end).unwrap_or(bytes)).chars().count();
    if count(range.end) <= limit { 0 } else { count(range.start).saturating_sub(limit / 4) }
}

fn without_break(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

#[cfg(test)]
mod tests;
