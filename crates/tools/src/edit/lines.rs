//! Lines of a text with their endings, by index. It owns where a line ends; it never changes a byte.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

/// How one line ends in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum LineEnd {
    /// The last line of a text without a final newline.
    None,
    /// `\n`
    #[default]
    Lf,
    /// `\r\n`
    CrLf,
}

impl LineEnd {
    /// The bytes of the ending.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

/// Splits a raw line (terminator included) into its text and its ending.
pub(crate) fn split_end(raw: &str) -> (&str, LineEnd) {
    match raw.strip_suffix('\n') {
        None => (raw, LineEnd::None),
        Some(body) => match body.strip_suffix('\r') {
            Some(text) => (text, LineEnd::CrLf),
            None => (body, LineEnd::Lf),
        },
    }
}

/// The ending that most lines of `text` have; `None` when there is no line break at all. A tie is `Lf`.
pub(crate) fn dominant_end(text: &str) -> LineEnd {
    let all = memchr_iter(b'\n', text.as_bytes()).count();
    let crlf = memmem::find_iter(text.as_bytes(), b"\r\n").count();
    match (all, crlf) {
        (0, _) => LineEnd::None,
        (all, crlf) if crlf * 2 > all => LineEnd::CrLf,
        _ => LineEnd::Lf,
    }
}

/// 1-based number of the line that holds byte `offset`.
pub(crate) fn line_number(text: &str, offset: usize) -> usize {
    let head = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    memchr_iter(b'\n', head).count() + 1
}

/// A text indexed by line. Indices are 0-based; out of range reads as an empty line, never a panic.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Byte offset of each line's start, then the length of the text.
    bounds: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut bounds = Vec::with_capacity(text.len() / 32 + 2);
        bounds.push(0);
        bounds.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if bounds.last() != Some(&text.len()) {
            bounds.push(text.len());
        }
        Self { text, bounds }
    }

    /// How many lines; a text that ends in a newline has no empty line after it.
    pub(crate) fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// How many bytes; of all lines together.
    pub(crate) const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The bytes of lines `range`, terminators included.
    pub(crate) fn span(&self, range: Range<usize>) -> &'a str {
        let at = |line: usize| self.bounds.get(line).copied().unwrap_or(self.text.len());
        self.text.get(at(range.start)..at(range.end)).unwrap_or("")
    }

    /// One line with its terminator.
    pub(crate) fn raw(&self, line: usize) -> &'a str {
        self.span(line..line + 1)
    }

    /// One line without its terminator.
    pub(crate) fn text(&self, line: usize) -> &'a str {
        split_end(self.raw(line)).0
    }

    /// How one line ends.
    pub(crate) fn end(&self, line: usize) -> LineEnd {
        split_end(self.raw(line)).1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a str> + '_ {
        (0..self.len()).map(|line| self.raw(line))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn only_newlines_end_lines() {
        let lines = Lines::of("a\r\nb\x0cc\u{2028}d\re\n\nlast");
        let all: Vec<_> = (0..lines.len()).map(|n| (lines.text(n), lines.end(n))).collect();
        assert_eq!(
            all,
            [("a", LineEnd::CrLf), ("b\x0cc\u{2028}d\re", LineEnd::Lf), ("", LineEnd::Lf), ("last", LineEnd::None)]
        );
        assert_eq!(Lines::of("").len(), 0);
        assert_eq!(Lines::of("\n").len(), 1);
        assert_eq!(lines.raw(9), "");
    }

    #[test]
    fn dominant_ending() {
        for (text, expected) in [
            ("", LineEnd::None),
            ("a", LineEnd::None),
            ("a\n", LineEnd::Lf),
            ("a\r\nb\r\nc\n", LineEnd::CrLf),
            ("a\r\nb\n", LineEnd::Lf),
        ] {
            assert_eq!(dominant_end(text), expected, "{text:?}");
        }
    }
}
