//! The lines of a patch and what each could be. It owns every test of the form "is this line a header?".
//!
//! The surprising decision: a `\r` at the end of a line is content, as git writes it for CRLF files, unless the header
//! lines have it too; then the whole patch went through a CRLF transport and the `\r` says nothing.

use crate::edit::lines::{LineEnd, Lines, split_end};

/// Lines that begin a section in git's extended format or in the output of `diff -r` and `svn diff`.
const SECTION_STARTS: [&str; 12] = [
    "diff ",
    "index ",
    "Index: ",
    "Only in ",
    "old mode ",
    "new mode ",
    "new file mode ",
    "deleted file mode ",
    "rename from ",
    "copy from ",
    "similarity index ",
    "dissimilarity index ",
];

/// Who put the `\r` there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returns {
    /// They belong to the patched file.
    Content,
    /// They belong to the patch as a text file.
    Transport,
}

/// The patch as lines.
#[derive(Debug)]
pub(super) struct Source<'a> {
    lines: Lines<'a>,
    pub(super) returns: Returns,
}

impl<'a> Source<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut source = Self { lines: Lines::of(text), returns: Returns::Content };
        let is_header = |at: usize| match source.lines.raw(at).as_bytes() {
            [b'@', b'@', b' ', b'-', ..] => true,
            [b'-', ..] => source.is_file_header(at),
            [b'*', ..] => source.is_envelope_mark(at),
            _ => false,
        };
        let mut headers = (0..source.len()).filter(|at| is_header(*at));
        let crlf = |at: usize| source.lines.end(at) == LineEnd::CrLf;
        let all = headers.next().is_some_and(crlf) && headers.all(crlf);
        drop(headers);
        if all {
            source.returns = Returns::Transport;
        }
        source
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// A line for reading headers: no ending, no `\r`.
    pub(super) fn text(&self, at: usize) -> &'a str {
        self.lines.text(at)
    }

    /// A line for reading content: with the ending that it means.
    pub(super) fn content(&self, at: usize) -> (&'a str, LineEnd) {
        let (text, end) = split_end(self.lines.raw(at));
        match (end, self.returns) {
            (LineEnd::CrLf, Returns::Transport) => match text.strip_suffix('\r') {
                Some(text) => (text, LineEnd::CrLf),
                None => (text, LineEnd::Lf),
            },
            (LineEnd::None, _) => (text, LineEnd::Lf),
            (end, _) => (text, end),
        }
    }

    /// A content line that is followed by `\ No newline at end of file`: a `\r` before the break is then a character.
    pub(super) fn unended(&self, at: usize) -> &'a str {
        let raw = self.lines.raw(at);
        let ends = if self.returns == Returns::Transport { "\r\n" } else { "\n" };
        raw.strip_suffix(ends).unwrap_or_else(|| raw.trim_end_matches('\n'))
    }

    fn has(&self, at: usize, prefix: &str) -> bool {
        at < self.len() && self.lines.raw(at).starts_with(prefix)
    }

    /// `--- NAME` with `+++ NAME` on the next line.
    pub(super) fn is_file_header(&self, at: usize) -> bool {
        self.has(at, "--- ") && self.has(at + 1, "+++ ")
    }

    /// One of the two header lines, directly before a hunk.
    pub(super) fn is_half_header(&self, at: usize) -> bool {
        (self.has(at, "+++ ") || self.has(at, "--- ")) && self.is_hunk_header(at + 1)
    }

    /// `@@`, alone or followed by a space.
    pub(super) fn is_hunk_header(&self, at: usize) -> bool {
        self.has(at, "@@ ") || (at < self.len() && self.text(at) == "@@")
    }

    /// The first line of an envelope.
    pub(super) fn is_envelope_mark(&self, at: usize) -> bool {
        self.has(at, "*** Begin Patch")
    }

    /// The last line of a mail from `git format-patch` before its signature, which may be any text.
    pub(super) fn is_mail_end(&self, at: usize) -> bool {
        at < self.len() && self.text(at) == "-- "
    }

    /// A markdown code fence.
    pub(super) fn is_fence(&self, at: usize) -> bool {
        self.has(at, "```") || self.has(at, "~~~")
    }

    /// The `-- ` that `git format-patch` puts before its version, at the end of a mail.
    fn is_signature(&self, at: usize) -> bool {
        matches!(self.text(at), "-- " | "--")
            && (at + 1 >= self.len()
                || self.text(at + 1).is_empty()
                || self.text(at + 1).starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Whether a hunk surely ends before this line.
    pub(super) fn is_boundary(&self, at: usize) -> bool {
        at >= self.len()
            || self.is_hunk_header(at)
            || self.is_fence(at)
            || self.is_file_header(at)
            || self.is_signature(at)
            || SECTION_STARTS.iter().any(|start| self.has(at, start))
    }

    /// A line with the sign of context, blank ones aside.
    pub(super) fn is_context(&self, at: usize) -> bool {
        self.has(at, " ") && !self.text(at).trim_ascii().is_empty()
    }

    /// An added or removed line, unless it reads like an item of a list in the prose around the patch.
    pub(super) fn is_change(&self, at: usize) -> bool {
        let bytes = self.text(at).as_bytes();
        matches!(bytes.first(), Some(b'+' | b'-')) && !self.is_bullet(at)
    }

    /// `- word`: one space and then text.
    pub(super) fn is_bullet(&self, at: usize) -> bool {
        let bytes = self.text(at).as_bytes();
        matches!(bytes.first(), Some(b'+' | b'-'))
            && bytes.get(1) == Some(&b' ')
            && bytes.get(2).is_some_and(|c| !c.is_ascii_whitespace())
    }

    /// Whether the lines from `at` on, up to the next boundary, hold another change.
    pub(super) fn change_follows(&self, at: usize) -> bool {
        let mut after_blank = false;
        for line in at..self.len() {
            if self.is_boundary(line) {
                return false;
            }
            match self.text(line).as_bytes().first() {
                Some(b'+' | b'-') if !after_blank || self.is_change(line) => return true,
                Some(b'+' | b'-') => return false,
                Some(b' ' | b'\t' | b'\\') => {}
                None => after_blank = true,
                Some(_) => return false,
            }
        }
        false
    }

    /// Like [`Self::change_follows`], but looks past lines that have no sign at all.
    pub(super) fn change_follows_anywhere(&self, at: usize) -> bool {
        (at..self.len()).take_while(|&line| !self.is_boundary(line)).any(|line| self.is_change(line))
    }
}
