//! Applying the hunks of one file to its text: all of them, or none.
//!
//! Lines that the patch does not touch keep every byte, line ends included. The surprising decision: a hunk that
//! matches byte for byte is taken literally, while one that matches only up to line ends adds its lines with the
//! file's own endings and leaves the end of the file as it was.

use std::ops::Range;

use serde::Serialize;

use super::anchor;
use super::failure::{
    ApplyError, EXPLAINED, FailureReason, HunkFailure, NearestPlace, clip, expected_lines, found_lines,
};
use super::index::Key;
use super::parsed::{Extent, Hunk, HunkLine, LineKind};
use super::place::{Aim, Ground, Miss, Placement, Sought, Whitespace, is_telling};
use super::write::Output;
use crate::edit::lines::{LineEnd, Lines};

/// A text with every hunk applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The new text.
    pub text: String,
    /// How each hunk fitted, in file order.
    pub hunks: Vec<HunkReport>,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
}

/// How one hunk fitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HunkReport {
    /// 1-based number within its section.
    pub hunk: usize,
    /// 1-based line of the old text where the hunk begins.
    pub line: usize,
    /// How many lines below (or, negative, above) the stated line that is; 0 without a stated line.
    pub offset: isize,
    /// How its lines had to be compared.
    pub whitespace: Whitespace,
    /// How many other places are the same; the first below the hunk's `@@` lines was taken.
    pub others: usize,
    /// Added lines were given the file's indentation.
    pub reindented: Reindented,
}

/// Whether added lines were changed to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Reindented {
    /// They are as the patch has them.
    No,
    /// Their indentation follows the lines around them.
    Yes,
}

/// Applies hunks to a text. `file` is only a name for messages.
///
/// # Errors
/// Every hunk that does not fit, with what stands there instead; no text is returned then.
pub fn apply(file: &str, text: &str, hunks: &[Hunk<'_>]) -> Result<Applied, ApplyError> {
    let lines = Lines::of(text);
    let mut run = Run {
        ground: Ground::of(&lines),
        placed: Vec::with_capacity(hunks.len()),
        taken: Vec::with_capacity(hunks.len()),
        offset: 0,
        explaining: true,
    };
    let mut failures = Vec::new();
    for hunk in in_file_order(hunks) {
        match run.place(hunk) {
            Ok(placed) => {
                run.taken.push(placed.at..placed.at + placed.covers);
                run.placed.push(placed);
            }
            Err(failure) => {
                failures.push(*failure);
                run.explaining = failures.len() < EXPLAINED;
            }
        }
    }
    if failures.is_empty() {
        Ok(Output::of(text, &lines).write(&run.placed))
    } else {
        Err(ApplyError { file: file.to_owned(), hunks: hunks.len(), failures })
    }
}

/// By stated line when every hunk has one: the order of hunks in a patch carries no meaning of its own.
fn in_file_order<'h, 'a>(hunks: &'h [Hunk<'a>]) -> Vec<&'h Hunk<'a>> {
    let mut order: Vec<_> = hunks.iter().collect();
    if hunks.iter().all(|hunk| hunk.stated.is_some()) {
        order.sort_by_key(|hunk| hunk.stated.map_or(0, |stated| stated.old_start));
    }
    order
}

/// A hunk and where it goes.
pub(super) struct Placed<'h> {
    pub(super) number: usize,
    /// The lines that are applied: without empty ones that only separate it from the next.
    pub(super) body: Vec<HunkLine<'h>>,
    /// 0-based first line that `body` covers.
    pub(super) at: usize,
    /// Lines of the old text that it covers.
    pub(super) covers: usize,
    /// 0-based line where it was expected.
    pub(super) stated: Option<usize>,
    pub(super) placement: Placement,
}

struct Run<'a, 'h> {
    ground: Ground<'a>,
    placed: Vec<Placed<'h>>,
    taken: Vec<Range<usize>>,
    /// How far the last hunk was from its stated line; the next one is expected to be as far.
    offset: isize,
    /// Looking for the nearest place takes longer than applying, so only the first failures get one.
    explaining: bool,
}

impl<'h> Run<'_, 'h> {
    /// First line that no earlier hunk covers.
    fn from(&self) -> usize {
        self.placed.last().map_or(0, |last| last.at + last.covers)
    }

    fn place(&mut self, hunk: &'h Hunk<'h>) -> Result<Placed<'h>, Box<HunkFailure>> {
        let full = side(&hunk.lines, LineKind::Added);
        if full.is_empty() {
            return self.insert(hunk);
        }
        let stated = hunk.stated.map(|stated| stated.old_start.saturating_sub(1));
        let (aim, from) = self.bounds(hunk, &full)?;
        let expected = match aim {
            Aim::Stated(at) | Aim::Chosen(at) => Some(at),
            Aim::Anywhere => stated.map(|stated| stated.saturating_add_signed(self.offset)),
        };
        if let Some(at) = expected
            && at < from
            && self.ground.matches_at(&full, at, Whitespace::LineEnds)
        {
            return Err(self.failure(hunk, &full, self.refused(at, full.len()), expected));
        }
        let (placement, tail) = match self.find(hunk, aim, from) {
            Ok(found) => found,
            Err(Miss::Several(places)) => {
                let lines = places.into_iter().map(|at| at + 1).collect();
                return Err(self.failure(hunk, &full, FailureReason::Ambiguous { lines }, expected));
            }
            Err(Miss::Nowhere) => {
                let reason = self.why_nowhere(hunk, &full);
                return Err(self.failure(hunk, &full, reason, expected));
            }
        };
        let body = hunk.lines.get(..hunk.lines.len() - tail).unwrap_or_default().to_vec();
        let placed =
            Placed { number: hunk.number, body, at: placement.at, covers: full.len() - tail, stated, placement };
        let wrong = self.repeated(&placed).map(|line| FailureReason::AlreadyApplied { line });
        match wrong.or_else(|| self.one_sided(&placed).then_some(FailureReason::Elsewhere { line: placed.at + 1 })) {
            Some(reason) => Err(self.failure(hunk, &full, reason, expected)),
            None => {
                self.offset = stated.map_or(self.offset, |stated| signed(placed.at) - signed(stated));
                Ok(placed)
            }
        }
    }

    /// The place of a hunk with old lines, and how many empty ones at its end were only separators.
    fn find(&self, hunk: &Hunk<'_>, aim: Aim, from: usize) -> Result<(Placement, usize), Miss> {
        let taken = if hunk.stated.is_some() { self.taken.as_slice() } else { &[] };
        let find = |lines| self.ground.find(&Sought { lines, taken, from }, aim);
        match find(side(&hunk.lines, LineKind::Added)) {
            Err(Miss::Nowhere) if hunk.soft_tail > 0 => {
                let short =
                    side(hunk.lines.get(..hunk.lines.len() - hunk.soft_tail).unwrap_or_default(), LineKind::Added);
                if short.is_empty() { Err(Miss::Nowhere) } else { find(short).map(|place| (place, hunk.soft_tail)) }
            }
            found => found.map(|place| (place, 0)),
        }
    }

    /// Where a hunk with old lines is looked for: what decides between places, and the first line that it may take.
    fn bounds(&self, hunk: &Hunk<'_>, full: &[Key<'_>]) -> Result<(Aim, usize), Box<HunkFailure>> {
        let from = self.from();
        if hunk.extent == Extent::EndOfFile {
            let lines = self.ground.lines;
            let last = lines.len().saturating_sub(full.len());
            let blank = (0..last).rev().take_while(|back| lines.text(back + full.len()).trim_ascii().is_empty());
            return Ok((Aim::Chosen(last), from.max(last - blank.count())));
        }
        if hunk.anchors.is_empty() {
            return Ok(match hunk.stated {
                Some(stated) if self.offset == 0 => (Aim::Stated(stated.old_start.saturating_sub(1)), from),
                _ => (Aim::Anywhere, from),
            });
        }
        let homes = anchor::homes(&self.ground, &hunk.anchors).map_err(|anchor| self.lost_anchor(hunk, anchor))?;
        let from = from.max(homes.first().copied().unwrap_or(0));
        match self.ground.find(&Sought { lines: full.to_vec(), taken: &[], from }, Aim::Anywhere) {
            Ok(place) => Ok((Aim::Chosen(place.at), from)),
            Err(Miss::Nowhere) => Ok((homes.first().map_or(Aim::Anywhere, |home| Aim::Chosen(*home)), from)),
            Err(Miss::Several(places)) => match anchor::firsts(&homes, &places).as_slice() {
                [one] => Ok((Aim::Chosen(*one), from)),
                several => {
                    let lines = several.iter().map(|at| at + 1).collect();
                    Err(self.failure(hunk, full, FailureReason::Ambiguous { lines }, None))
                }
            },
        }
    }

    fn lost_anchor(&self, hunk: &Hunk<'_>, anchor: &str) -> Box<HunkFailure> {
        self.failure(hunk, &[(anchor, LineEnd::Lf)], FailureReason::AnchorMissing { anchor: clip(anchor) }, None)
    }

    /// A hunk without old lines goes after the line that its header names.
    fn insert(&mut self, hunk: &'h Hunk<'h>) -> Result<Placed<'h>, Box<HunkFailure>> {
        let count = self.ground.lines.len();
        let after = match hunk.stated {
            _ if hunk.extent == Extent::EndOfFile => Ok(count),
            None if count == 0 => Ok(0),
            Some(stated) if count == 0 && stated.old_start <= 1 => Ok(0),
            Some(stated) if stated.old_count > 0 => Err(FailureReason::NoAnchor),
            Some(stated) if stated.old_start > count => Err(FailureReason::PastEnd { lines: count }),
            Some(stated) if stated.old_start == 0 && hunk.extent != Extent::StartOfFile => {
                Err(FailureReason::NotEmpty { lines: count })
            }
            Some(_) if self.offset != 0 => Err(FailureReason::Moved { by: self.offset }),
            Some(stated) if stated.old_start < self.from() => Err(self.refused(stated.old_start, 0)),
            Some(stated) => Ok(stated.old_start),
            None => Err(FailureReason::NoAnchor),
        };
        let at = after.map_err(|reason| self.failure(hunk, &[], reason, None))?;
        let placement = Placement { at, whitespace: Whitespace::LineEnds, others: 0 };
        Ok(Placed { number: hunk.number, body: hunk.lines.clone(), at, covers: 0, stated: Some(at), placement })
    }

    /// The earlier hunk that covers some of these lines, or the last one before them.
    fn refused(&self, at: usize, covers: usize) -> FailureReason {
        let other = self.placed.iter().find(|other| at < other.at + other.covers && other.at < at + covers.max(1));
        match (other, self.placed.last()) {
            (Some(other), _) => FailureReason::Overlaps { hunk: other.number },
            (None, Some(last)) => FailureReason::OutOfOrder { line: at + 1, hunk: last.number },
            (None, None) => FailureReason::Elsewhere { line: at + 1 },
        }
    }

    fn why_nowhere(&self, hunk: &Hunk<'_>, full: &[Key<'_>]) -> FailureReason {
        if let Some(at) = self.ground.everywhere(full, 0, Whitespace::LineEnds).first() {
            return self.refused(*at, full.len());
        }
        let produced: Vec<Key<'_>> = side(&hunk.lines, LineKind::Removed);
        match self.ground.everywhere(&produced, 0, Whitespace::LineEnds).first() {
            Some(at) if is_telling(&produced) => FailureReason::AlreadyApplied { line: at + 1 },
            _ => FailureReason::NotFound,
        }
    }

    /// Finds an insertion that matched only because it has context on one side, where its lines already stand on the
    /// other. A complete diff never looks so, except at the ends of a file, where nothing is on the other side.
    fn repeated(&self, placed: &Placed<'_>) -> Option<usize> {
        let is_added = |line: &&HunkLine<'_>| line.kind == LineKind::Added;
        if placed.body.iter().any(|line| line.kind == LineKind::Removed) {
            return None;
        }
        let added: Vec<Key<'_>> = placed.body.iter().filter(is_added).map(|line| (line.text, line.end)).collect();
        let one_run = |run: usize| run == added.len() && run < placed.body.len();
        let at = if one_run(placed.body.iter().rev().take_while(is_added).count()) {
            placed.at + placed.covers
        } else if one_run(placed.body.iter().take_while(is_added).count()) {
            placed.at.checked_sub(added.len())?
        } else {
            return None;
        };
        (is_telling(&added) && self.ground.matches_at(&added, at, Whitespace::LineEnds)).then_some(at + 1)
    }

    /// Whether an insertion is not where its header says and lacks the context that a complete diff has there: without
    /// context above it belongs to the start of the file, without context below it to the end.
    fn one_sided(&self, placed: &Placed<'_>) -> bool {
        let is_added = |line: Option<&HunkLine<'_>>| line.is_some_and(|line| line.kind == LineKind::Added);
        let not_at_start = is_added(placed.body.first()) && placed.stated == Some(0);
        let not_at_end = is_added(placed.body.last()) && placed.at + placed.covers < self.ground.lines.len();
        placed.stated.is_some_and(|stated| stated != placed.at)
            && !placed.body.iter().any(|line| line.kind == LineKind::Removed)
            && (not_at_start || not_at_end)
    }

    fn failure(
        &self,
        hunk: &Hunk<'_>,
        wanted: &[Key<'_>],
        reason: FailureReason,
        at: Option<usize>,
    ) -> Box<HunkFailure> {
        let lost = self.explaining && matches!(reason, FailureReason::NotFound | FailureReason::AnchorMissing { .. });
        Box::new(HunkFailure {
            hunk: hunk.number,
            patch_line: hunk.patch_line,
            expected: expected_lines(wanted),
            found: at.map_or_else(Vec::new, |at| found_lines(&self.ground, at, wanted.len())),
            nearest: if lost { NearestPlace::find(&self.ground, wanted, at) } else { None },
            reason,
        })
    }
}

pub(super) fn signed(line: usize) -> isize {
    isize::try_from(line).unwrap_or(isize::MAX)
}

/// The lines of one side of a hunk: all but those of kind `without`.
fn side<'a>(lines: &[HunkLine<'a>], without: LineKind) -> Vec<Key<'a>> {
    lines.iter().filter(|line| line.kind != without).map(|line| (line.text, line.end)).collect()
}
