//! Applying the hunks of one file to its text: all of them, or none.
//!
//! Lines that the patch does not touch keep every byte, line ends included. The surprising decision: a hunk that
//! matches byte for byte is taken literally, while one that matches only up to line ends adds its lines with the
//! file's own endings and leaves the end of the file as it was.

use serde::Serialize;

use super::anchor;
use super::failure::{
    ApplyError, EXPLAINED, FailureReason, HunkFailure, NearestPlace, clip, expected_lines, found_lines,
};
use super::index::Key;
use super::parsed::{Extent, Hunk, HunkLine, LineKind};
use super::place::{Fuzz, Ground, Miss, Placement, Sought, Whitespace};
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
    /// What had to be overlooked.
    pub fuzz: Fuzz,
    /// How many other places are identical; the nearest was taken.
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
    let mut run =
        Run { ground: Ground::of(&lines), placed: Vec::with_capacity(hunks.len()), offset: 0, explaining: true };
    let mut failures = Vec::new();
    for hunk in in_file_order(hunks) {
        match run.place(hunk) {
            Ok(placed) => run.placed.push(placed),
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
    /// The lines that are applied: without context that was given up.
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
        let full = wanted(&hunk.lines);
        if full.lines.is_empty() {
            return self.insert(hunk);
        }
        let stated = hunk.stated.map(|stated| stated.old_start.saturating_sub(1));
        let (expected, from) = self.bounds(hunk, &full)?;
        if let Some(at) = expected
            && at < from
            && self.ground.matches_at(&full.lines, at, Whitespace::LineEnds)
        {
            return Err(self.failure(hunk, &full, self.taken(at, full.lines.len()), expected));
        }
        let found = self.ground.strict(&full, expected, from).map(|place| (place, 0));
        let found = match found {
            Err(Miss::Nowhere) if hunk.soft_tail > 0 => self.without_tail(hunk, (expected, from)),
            Err(Miss::Nowhere) => self.ground.fuzzy(&full, expected, from).map(|place| (place, 0)),
            other => other,
        };
        let (placement, tail) = match found {
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
        let end = hunk.lines.len() - tail - placement.fuzz.trailing;
        let body = hunk.lines.get(placement.fuzz.leading..end).unwrap_or_default().to_vec();
        let at = placement.at + placement.fuzz.leading;
        let covers = full.lines.len() - tail - placement.fuzz.leading - placement.fuzz.trailing;
        if let Some(stated) = stated {
            self.offset = signed(placement.at) - signed(stated);
        }
        let placed = Placed { number: hunk.number, body, at, covers, stated, placement };
        match self.repeated(&placed) {
            Some(line) => Err(self.failure(hunk, &full, FailureReason::AlreadyApplied { line }, expected)),
            None => Ok(placed),
        }
    }

    /// Where a hunk with old lines is looked for: the line where it is expected, and the first one that it may take.
    fn bounds(&self, hunk: &Hunk<'_>, full: &Sought<'_>) -> Result<(Option<usize>, usize), Box<HunkFailure>> {
        let from = self.from();
        if hunk.extent == Extent::EndOfFile {
            let lines = self.ground.lines;
            let last = lines.len().saturating_sub(full.lines.len());
            let blank = (0..last).rev().take_while(|back| lines.text(back + full.lines.len()).trim_ascii().is_empty());
            return Ok((Some(last), from.max(last - blank.count())));
        }
        if hunk.anchors.is_empty() {
            let stated = hunk.stated.map(|stated| stated.old_start.saturating_sub(1));
            return Ok((stated.map(|stated| stated.saturating_add_signed(self.offset)), from));
        }
        let homes = anchor::homes(&self.ground, &hunk.anchors).map_err(|anchor| self.lost_anchor(hunk, anchor))?;
        let from = from.max(homes.first().copied().unwrap_or(0));
        let places = match self.ground.strict(full, None, from) {
            Err(Miss::Nowhere) => self.ground.fuzzy(full, None, from),
            other => other,
        };
        match places {
            Ok(place) => Ok((Some(place.at), from)),
            Err(Miss::Nowhere) => Ok((homes.first().copied(), from)),
            Err(Miss::Several(places)) => match anchor::firsts(&homes, &places).as_slice() {
                [one] => Ok((Some(*one), from)),
                several => {
                    let lines = several.iter().map(|at| at + 1).collect();
                    Err(self.failure(hunk, full, FailureReason::Ambiguous { lines }, None))
                }
            },
        }
    }

    fn lost_anchor(&self, hunk: &Hunk<'_>, anchor: &str) -> Box<HunkFailure> {
        let wanted = Sought { lines: vec![(anchor, LineEnd::Lf)], leading: 0, trailing: 0 };
        self.failure(hunk, &wanted, FailureReason::AnchorMissing { anchor: clip(anchor) }, None)
    }

    /// Tries again without the empty lines at the hunk's end, which may only separate it from what follows.
    fn without_tail(
        &self,
        hunk: &Hunk<'h>,
        (expected, from): (Option<usize>, usize),
    ) -> Result<(Placement, usize), Miss> {
        let end = hunk.lines.len() - hunk.soft_tail;
        let short = wanted(hunk.lines.get(..end).unwrap_or_default());
        if short.lines.is_empty() {
            return Err(Miss::Nowhere);
        }
        match self.ground.strict(&short, expected, from) {
            Err(Miss::Nowhere) => self.ground.fuzzy(&short, expected, from),
            other => other,
        }
        .map(|place| (place, hunk.soft_tail))
    }

    /// A hunk without old lines goes after the line that its header names.
    fn insert(&mut self, hunk: &'h Hunk<'h>) -> Result<Placed<'h>, Box<HunkFailure>> {
        let count = self.ground.lines.len();
        let after = match hunk.stated {
            _ if count == 0 => 0,
            _ if hunk.extent == Extent::EndOfFile => count,
            Some(stated) if stated.old_count == 0 => stated.old_start,
            _ => return Err(self.failure(hunk, &wanted(&[]), FailureReason::NoAnchor, None)),
        };
        if after > count {
            return Err(self.failure(hunk, &wanted(&[]), FailureReason::PastEnd { lines: count }, None));
        }
        let at = if after == 0 { 0 } else { after.saturating_add_signed(self.offset).min(count) };
        if at < self.from() {
            return Err(self.failure(hunk, &wanted(&[]), self.taken(at, 0), None));
        }
        let fuzz = Fuzz { whitespace: Whitespace::LineEnds, leading: 0, trailing: 0 };
        let placement = Placement { at, fuzz, others: 0 };
        Ok(Placed { number: hunk.number, body: hunk.lines.clone(), at, covers: 0, stated: Some(after), placement })
    }

    /// The earlier hunk that covers some of these lines, or the last one before them.
    fn taken(&self, at: usize, covers: usize) -> FailureReason {
        let other = self.placed.iter().find(|other| at < other.at + other.covers && other.at < at + covers.max(1));
        match (other, self.placed.last()) {
            (Some(other), _) => FailureReason::Overlaps { hunk: other.number },
            (None, Some(last)) => FailureReason::OutOfOrder { line: at + 1, hunk: last.number },
            (None, None) => FailureReason::Elsewhere { line: at + 1 },
        }
    }

    fn why_nowhere(&self, hunk: &Hunk<'_>, full: &Sought<'_>) -> FailureReason {
        if let Some(at) = self.ground.everywhere(&full.lines, 0, Whitespace::LineEnds).first() {
            return self.taken(*at, full.lines.len());
        }
        let produced: Vec<Key<'_>> = side(&hunk.lines, LineKind::Removed);
        let telling = produced.iter().any(|(text, _)| text.chars().any(char::is_alphanumeric));
        match self.ground.everywhere(&produced, 0, Whitespace::LineEnds).first() {
            Some(at) if telling => FailureReason::AlreadyApplied { line: at + 1 },
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
        let telling = added.iter().any(|(text, _)| text.chars().any(char::is_alphanumeric));
        (telling && self.ground.matches_at(&added, at, Whitespace::LineEnds)).then_some(at + 1)
    }

    fn failure(
        &self,
        hunk: &Hunk<'_>,
        wanted: &Sought<'_>,
        reason: FailureReason,
        at: Option<usize>,
    ) -> Box<HunkFailure> {
        let lost = self.explaining && matches!(reason, FailureReason::NotFound | FailureReason::AnchorMissing { .. });
        Box::new(HunkFailure {
            hunk: hunk.number,
            patch_line: hunk.patch_line,
            expected: expected_lines(wanted),
            found: at.map_or_else(Vec::new, |at| found_lines(&self.ground, at, wanted.lines.len())),
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

fn wanted<'a>(lines: &[HunkLine<'a>]) -> Sought<'a> {
    let context = |line: &&HunkLine<'_>| line.kind == LineKind::Context;
    Sought {
        lines: side(lines, LineKind::Added),
        leading: lines.iter().take_while(context).count(),
        trailing: lines.iter().rev().take_while(context).count(),
    }
}
