//! The reader of `*** Begin Patch` envelopes, the format that many models were trained on. It makes the same values of
//! them as the parser of diffs; what they do to files is decided by [`plan`](super::plan) alone.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: PATH            every line below starts with +
//! *** Delete File: PATH         nothing below
//! *** Update File: PATH
//! *** Move to: PATH             optional
//! @@ class A                    optional, several narrow the place down
//! @@ def f():
//!  context
//! -old
//! +new
//! *** End of File               optional: the lines above are the last ones
//! *** End Patch
//! ```
//!
//! What stands around the envelope (a fence, `apply_patch <<'EOF'`) is skipped. It refuses an envelope without its last
//! line, because half of one would be a smaller patch. The surprising decision: a line inside a hunk is a mark only when
//! it has no sign, so files may contain every mark of the format.

use super::error::{PatchError, PatchErrorKind};
use super::hunk::{self, Body};
use super::name;
use super::note::{Note, NoteKind};
use super::parsed::{Extent, FileChange, FilePatch, Hunk, HunkLine, LineKind};
use super::scan::Source;

/// The first line.
pub(super) const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const END_OF_FILE: &str = "*** End of File";
const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";

/// What an envelope says.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub(super) files: Vec<FilePatch<'a>>,
    pub(super) notes: Vec<Note>,
    /// The first line after it.
    pub(super) next: usize,
}

/// Reads the envelope whose first line is `at`.
pub(super) fn read<'a>(source: &Source<'a>, at: usize) -> Result<Read<'a>, PatchError> {
    let error = |line: usize, kind| PatchError { line: line + 1, file: None, hunk: None, kind };
    let directory = (0..at).find(|&line| source.text(line).trim_start().starts_with("cd "));
    if let Some(line) = directory {
        return Err(error(line, PatchErrorKind::Elsewhere(source.text(line).trim().to_owned())));
    }
    let end = end(source, at).ok_or_else(|| error(at, PatchErrorKind::EnvelopeEnd))?;
    let mut reader = Reader { source, end, at: at + 1, files: Vec::new(), notes: Vec::new() };
    while reader.at < end {
        reader.section()?;
    }
    match reader.files.is_empty() {
        true => Err(error(at, PatchErrorKind::NoHunks)),
        false => Ok(Read { files: reader.files, notes: reader.notes, next: end + 1 }),
    }
}

/// The last line of the envelope: the first such line without a sign, or the last of those that are indented.
fn end(source: &Source<'_>, at: usize) -> Option<usize> {
    let is_end = |line: &usize| source.text(*line).trim() == END;
    let plain = (at..source.len()).find(|line| is_end(line) && source.text(*line).starts_with('*'));
    plain.or_else(|| (at..source.len()).rev().find(is_end))
}

struct Reader<'s, 'a> {
    source: &'s Source<'a>,
    end: usize,
    at: usize,
    files: Vec<FilePatch<'a>>,
    notes: Vec<Note>,
}

impl<'a> Reader<'_, 'a> {
    fn text(&self, at: usize) -> &'a str {
        if at < self.end { self.source.text(at) } else { END }
    }

    fn note(&mut self, at: usize, kind: NoteKind) {
        self.notes.push(Note { line: at + 1, kind });
    }

    /// Reads one `*** … File:` section, or skips an empty line between two of them.
    fn section(&mut self) -> Result<(), PatchError> {
        let (start, line) = (self.at, self.text(self.at).trim());
        self.at += 1;
        if line.is_empty() || line == END_OF_FILE {
            return Ok(());
        }
        let failed = |kind| PatchError { line: start + 1, file: None, hunk: None, kind };
        let (change, hunks) = if let Some(path) = line.strip_prefix(ADD) {
            let path = path_of(path).map_err(failed)?;
            let hunks = self.added(start, &path)?;
            (FileChange::Create { path }, hunks)
        } else if let Some(path) = line.strip_prefix(DELETE) {
            (FileChange::Delete { path: path_of(path).map_err(failed)? }, Vec::new())
        } else if let Some(path) = line.strip_prefix(UPDATE) {
            let path = path_of(path).map_err(failed)?;
            let to = self.text(self.at).trim().strip_prefix(MOVE).map(path_of).transpose().map_err(failed)?;
            self.at += usize::from(to.is_some());
            let hunks = self.hunks(&path)?;
            if hunks.is_empty() && to.is_none() {
                let kind = PatchErrorKind::NoChange;
                return Err(PatchError { line: start + 1, file: Some(path), hunk: None, kind });
            }
            match to.filter(|to| *to != path) {
                Some(to) => (FileChange::Rename { from: path, to }, hunks),
                None => (FileChange::Modify { path }, hunks),
            }
        } else {
            return Err(failed(PatchErrorKind::EnvelopeLine(line.to_owned())));
        };
        self.files.push(FilePatch { change, mode: None, hunks, patch_line: start + 1 });
        Ok(())
    }

    /// The lines of a new file: one hunk, or none when it is to be empty.
    fn added(&mut self, start: usize, path: &str) -> Result<Vec<Hunk<'a>>, PatchError> {
        let mut body = Body::starting(self.at, 16);
        while body.next < self.end {
            let line = self.text(body.next);
            let blank = line.trim().is_empty();
            if !blank && !line.starts_with('+') {
                if line.trim_start().starts_with("*** ") {
                    break;
                }
                let kind = PatchErrorKind::UnsignedAddition(line.to_owned());
                return Err(PatchError { line: body.next + 1, file: Some(path.to_owned()), hunk: None, kind });
            }
            body.take(self.source);
        }
        self.at = body.next;
        // Empty lines at the end separate this section from the next; elsewhere they have only lost their sign.
        while body.lines.last().is_some_and(|line| line.kind == LineKind::Context) {
            body.lines.pop();
        }
        let sign = |line: &mut HunkLine<'a>| line.kind = LineKind::Added;
        body.lines.iter_mut().for_each(sign);
        let hunk = Hunk { number: 1, soft_tail: 0, ..body.hunk(start, None) };
        Ok(if hunk.lines.is_empty() { Vec::new() } else { vec![hunk] })
    }

    /// The hunks of an update, up to the next section.
    fn hunks(&mut self, path: &str) -> Result<Vec<Hunk<'a>>, PatchError> {
        let mut hunks = Vec::new();
        while self.at < self.end {
            let line = self.text(self.at);
            let loose = hunks.is_empty() && line.starts_with(['+', '-', ' ']);
            if line.starts_with("@@") || loose {
                let number = hunks.len() + 1;
                let failed =
                    |(at, kind)| PatchError { line: at + 1, file: Some(path.to_owned()), hunk: Some(number), kind };
                hunks.extend(self.hunk(number).map_err(failed)?);
            } else if line.trim().is_empty() {
                self.at += 1;
            } else {
                break;
            }
        }
        Ok(hunks)
    }

    /// One hunk: its `@@` lines, which the first one may lack, and its body. `None` when it changes nothing.
    fn hunk(&mut self, number: usize) -> Result<Option<Hunk<'a>>, (usize, PatchErrorKind)> {
        let start = self.at;
        let (mut anchors, mut stated) = (Vec::new(), None);
        while let Some(rest) = self.text(self.at).strip_prefix("@@") {
            stated = hunk::header(self.text(self.at)).map_err(|kind| (self.at, kind))?.or(stated);
            let rest = rest.trim_end().trim_end_matches("@@").trim_end();
            if stated.is_none() && !matches!(rest.trim(), "" | "...") {
                anchors.push(rest.strip_prefix(' ').unwrap_or(rest));
            }
            self.at += 1;
        }
        let mut body = Body::starting(self.at, 16);
        while body.next < self.end && !self.text(body.next).starts_with("@@") {
            if body.take(self.source).is_some() {
                continue;
            }
            let line = self.text(body.next);
            if line.starts_with("*** ") {
                break;
            }
            return Err((body.next, PatchErrorKind::Unsigned(line.to_owned())));
        }
        self.at = body.next;
        let last = self.text(self.at).trim_end() == END_OF_FILE;
        if self.text(self.at).starts_with("*** ") {
            body.drop_tail();
        }
        self.at += usize::from(last);
        if body.lines.is_empty() {
            return Err((start, PatchErrorKind::EmptyBody));
        }
        let mut hunk = Hunk { number, anchors, ..body.hunk(start, stated) };
        if last {
            hunk.extent = Extent::EndOfFile;
        } else if hunk.old_count() == 0 && hunk.anchors.is_empty() && stated.is_none() {
            hunk.extent = Extent::EndOfFile;
            self.note(start, NoteKind::Appended);
        }
        if hunk.lines.iter().all(|line| line.kind == LineKind::Context) {
            self.note(start, NoteKind::EmptyHunk);
            return Ok(None);
        }
        Ok(Some(hunk))
    }
}

/// The path after a mark. It has no prefix.
fn path_of(rest: &str) -> Result<String, PatchErrorKind> {
    name::accept(name::tidy(rest.trim()), rest)
}
