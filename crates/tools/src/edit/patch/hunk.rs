//! One hunk: its header and the lines that belong to it.
//!
//! The header's counts decide. When they cannot be true, the hunk is read again up to the next line that cannot belong
//! to it, and the difference is reported; a line without a sign in the middle of a hunk is never guessed at.

use super::error::{Format, PatchErrorKind};
use super::note::NoteKind;
use super::parsed::{Extent, Hunk, HunkLine, LineKind, Stated};
use super::scan::Source;
use crate::edit::lines::LineEnd;

/// No file has more lines than this; larger numbers are typing errors.
const MAX_LINE: usize = 1_000_000_000;

/// Reads `@@ -a[,b] +c[,d] @@`; `None` for a header without numbers.
pub(super) fn header(line: &str) -> Result<Option<Stated>, PatchErrorKind> {
    let rest = line.strip_prefix("@@").unwrap_or(line).trim_start();
    let numbered = rest.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let Some(rest) = numbered else { return Ok(None) };
    let bad = || PatchErrorKind::HunkHeader(line.to_owned());
    let (old_start, old_count, rest) = range(rest).ok_or_else(bad)?;
    let rest = rest.trim_start().strip_prefix('+').ok_or_else(bad)?;
    let (new_start, new_count, rest) = range(rest).ok_or_else(bad)?;
    if !rest.is_empty() && !rest.starts_with([' ', '@', '\t']) {
        return Err(bad());
    }
    Ok(Some(Stated { old_start, old_count, new_start, new_count }))
}

/// `start[,count]`, a missing count being 1.
fn range(text: &str) -> Option<(usize, usize, &str)> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(',') {
        None => Some((start, 1, rest)),
        Some(rest) => {
            let (count, rest) = number(rest)?;
            Some((start, count, rest))
        }
    }
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let value = digits.parse().ok().filter(|value| *value <= MAX_LINE)?;
    Some((value, rest))
}

/// A hunk and what was tolerated in it.
#[derive(Debug)]
pub(super) struct Read<'a> {
    pub(super) hunk: Hunk<'a>,
    /// The first line after the hunk.
    pub(super) next: usize,
    pub(super) notes: Vec<NoteKind>,
}

/// Reads the hunk whose header is line `at`. Errors carry the 0-based line they are about.
pub(super) fn read<'a>(source: &Source<'a>, at: usize) -> Result<Read<'a>, (usize, PatchErrorKind)> {
    let stated = header(source.text(at)).map_err(|kind| (at, kind))?;
    let counted = stated.and_then(|stated| Body::counted(source, at + 1, stated));
    let complete = |body: &Body<'_>| {
        let follows = source.change_follows(body.next) || source.is_context(body.next);
        source.is_mail_end(body.next) || !follows
    };
    let changes = |body: &Body<'_>| body.lines.iter().any(|line| line.kind != LineKind::Context);
    let tilde = |body: &Body<'_>| body.next < source.len() && source.text(body.next) == "~";
    let body = match counted.filter(complete) {
        Some(body) if changes(&body) && !tilde(&body) => body,
        _ if words(source, at + 1) => return Err((at, PatchErrorKind::OtherFormat(Format::Words))),
        Some(body) => body,
        None => Body::recounted(source, at + 1, stated)?,
    };
    if body.lines.is_empty() && stated.is_none_or(|stated| stated.old_count + stated.new_count > 0) {
        return Err((at, PatchErrorKind::EmptyBody));
    }
    let (next, restored) = (body.next, body.restored);
    let hunk = body.hunk(at, stated);
    let mut notes = Vec::new();
    match stated {
        None => notes.push(NoteKind::PositionMissing),
        Some(stated) => {
            let stated = (stated.old_count, stated.new_count);
            let actual = (hunk.old_count(), hunk.new_count());
            if stated != actual {
                notes.push(NoteKind::CountsCorrected { stated, actual });
            }
        }
    }
    if restored > 0 {
        notes.push(NoteKind::SpaceRestored { lines: restored });
    }
    Ok(Read { hunk, next, notes })
}

/// Recognises the output of `git diff --word-diff` from line `at` on, which has hunks but no signs: bracketed words and
/// no change, or lines with a lone `~`.
fn words(source: &Source<'_>, at: usize) -> bool {
    let bracketed = |text: &str| {
        let pairs = [("[-", "-]"), ("{+", "+}")];
        pairs.iter().any(|(open, close)| text.split_once(open).is_some_and(|(_, rest)| rest.contains(close)))
    };
    let lines = || (at..source.len()).take_while(|&at| !source.is_boundary(at)).map(|at| source.text(at));
    lines().any(|text| text == "~") || (!lines().any(|text| text.starts_with(['+', '-'])) && lines().any(bracketed))
}

#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) lines: Vec<HunkLine<'a>>,
    pub(super) next: usize,
    /// Context lines that had lost their space.
    pub(super) restored: usize,
    /// Those of them that stand at the end and are empty.
    soft_tail: usize,
}

impl<'a> Body<'a> {
    pub(super) fn starting(at: usize, capacity: usize) -> Self {
        Self { lines: Vec::with_capacity(capacity), next: at, restored: 0, soft_tail: 0 }
    }

    /// The hunk with these lines, whose header is line `at`.
    pub(super) fn hunk(self, at: usize, stated: Option<Stated>) -> Hunk<'a> {
        Hunk {
            number: 0,
            patch_line: at + 1,
            stated,
            anchors: Vec::new(),
            extent: Extent::Anywhere,
            soft_tail: self.soft_tail,
            lines: self.lines,
        }
    }

    /// Takes exactly as many lines as the header says; `None` when the lines do not allow it.
    fn counted(source: &Source<'a>, at: usize, stated: Stated) -> Option<Self> {
        let (mut old, mut new) = (stated.old_count, stated.new_count);
        let left = source.len().saturating_sub(at);
        let mut body = Self::starting(at, old.saturating_add(new).min(left));
        while old > 0 || new > 0 {
            if body.next >= source.len() {
                return None;
            }
            match body.take(source)? {
                Some(LineKind::Context) => {
                    old = old.checked_sub(1)?;
                    new = new.checked_sub(1)?;
                }
                Some(LineKind::Removed) => old = old.checked_sub(1)?,
                Some(LineKind::Added) => new = new.checked_sub(1)?,
                None => {}
            }
        }
        if body.next < source.len() && source.text(body.next).starts_with('\\') {
            body.take(source)?;
        }
        // The header counts them as context.
        body.soft_tail = 0;
        Some(body)
    }

    /// Takes every line up to the next one that cannot belong to a hunk. A line without a sign may be the next paragraph,
    /// but not where the header promises more old lines.
    fn recounted(source: &Source<'a>, at: usize, stated: Option<Stated>) -> Result<Self, (usize, PatchErrorKind)> {
        let mut body = Self::starting(at, 16);
        while !source.is_boundary(body.next) {
            if body.soft_tail > 0 && source.is_bullet(body.next) {
                break;
            }
            if body.take(source).is_none() {
                let old = body.lines.iter().filter(|line| line.kind != LineKind::Added).count();
                let promised = body.soft_tail == 0 && stated.is_some_and(|stated| old < stated.old_count);
                if promised || source.change_follows_anywhere(body.next) {
                    let text = source.text(body.next).to_owned();
                    return Err((body.next, PatchErrorKind::Unsigned(text)));
                }
                break;
            }
        }
        body.drop_tail();
        Ok(body)
    }

    /// Empty lines before the end separate the patch from what follows; as context they would only get in the way.
    pub(super) fn drop_tail(&mut self) {
        self.lines.truncate(self.lines.len() - self.soft_tail);
        self.restored -= self.soft_tail;
        self.soft_tail = 0;
    }

    /// Takes one line: its kind, `Some(None)` for a marker, `None` when the line has no sign.
    pub(super) fn take(&mut self, source: &Source<'a>) -> Option<Option<LineKind>> {
        let (line, end) = source.content(self.next);
        let mut restored = false;
        let (kind, text) = match line.as_bytes().first() {
            Some(b'+') => (LineKind::Added, line.get(1..)?),
            Some(b'-') => (LineKind::Removed, line.get(1..)?),
            Some(b' ') => (LineKind::Context, line.get(1..)?),
            Some(b'\\') => {
                if let Some(last) = self.lines.last_mut()
                    && last.end != LineEnd::None
                {
                    last.text = source.unended(self.next - 1).get(1..).unwrap_or("");
                    last.end = LineEnd::None;
                }
                self.next += 1;
                return Some(None);
            }
            None | Some(b'\t') => {
                restored = true;
                (LineKind::Context, line)
            }
            Some(_) => return None,
        };
        self.lines.push(HunkLine { kind, text, end });
        self.next += 1;
        self.restored += usize::from(restored);
        self.soft_tail = if restored && text.is_empty() { self.soft_tail + 1 } else { 0 };
        Some(Some(kind))
    }
}
