//! Why hunks do not fit, with enough of both sides to repair the patch without reading the file again.

use std::fmt;

use serde::Serialize;

use super::index::{Key, Whitespace};
use super::place::Ground;
use crate::edit::nearest::closest_line;

/// Lines shown of either side.
const SHOWN: usize = 12;
/// Characters shown of one line.
const WIDTH: usize = 200;
/// Lines that vote for the nearest place, and the places that each may vote for.
const VOTES: (usize, usize) = (200, 32);
/// Failures of one file that are described in full.
pub(super) const EXPLAINED: usize = 5;

/// The hunks of one file that do not fit; nothing was applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApplyError {
    /// The file.
    pub file: String,
    /// How many hunks the patch has for it.
    pub hunks: usize,
    /// Those that do not fit, in file order.
    pub failures: Vec<HunkFailure>,
}

impl ApplyError {
    /// Whether every hunk's result is already there.
    #[must_use]
    pub fn already_applied(&self) -> bool {
        self.failures.len() == self.hunks
            && self.failures.iter().all(|failure| matches!(failure.reason, FailureReason::AlreadyApplied { .. }))
    }
}

/// One hunk that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HunkFailure {
    /// 1-based number within the file's section.
    pub hunk: usize,
    /// 1-based line of the patch with its header.
    pub patch_line: usize,
    /// Why.
    pub reason: FailureReason,
    /// The lines that the hunk wants to find (at most 12, each at most 200 characters).
    pub expected: Vec<String>,
    /// What stands at the stated line instead (same limits).
    pub found: Vec<NumberedLine>,
    /// The place that is most like it; only for the first five failures that are not found.
    pub nearest: Option<NearestPlace>,
}

/// Why a hunk does not fit. Lines are 1-based lines of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum FailureReason {
    /// Its old lines are nowhere in the file.
    #[error("its old lines are not in the file")]
    NotFound,
    /// They fit equally well in several places.
    #[error("its old lines fit equally well at lines {}; add context or correct the line number", first_of(lines))]
    Ambiguous {
        /// First line of each place.
        lines: Vec<usize>,
    },
    /// It wants lines that an earlier hunk has taken.
    #[error("it overlaps hunk {hunk}; join the two into one hunk")]
    Overlaps {
        /// The other hunk.
        hunk: usize,
    },
    /// Its lines are in the file, but before those of an earlier hunk.
    #[error("its lines are at line {line}, before those of hunk {hunk}; put the hunks in file order")]
    OutOfOrder {
        /// Where they are.
        line: usize,
        /// The earlier hunk.
        hunk: usize,
    },
    /// Its lines are in the file, but not below its `@@` lines, or not at the start or the end, as it says.
    #[error("its lines are at line {line}, not below its @@ lines or at the start or end of the file as it says")]
    Elsewhere {
        /// Where they are.
        line: usize,
    },
    /// What it would produce is already there.
    #[error("it is already applied at line {line}")]
    AlreadyApplied {
        /// Where.
        line: usize,
    },
    /// A line that its `@@` lines name is not in the file, or not below those before it.
    #[error("no line of the file reads {anchor:?}, as its @@ line says; copy that line from the file")]
    AnchorMissing {
        /// As the patch has it, at most 200 characters.
        anchor: String,
    },
    /// It only adds lines, and its header does not say after which line.
    #[error(
        "it only adds lines and does not say where; add context lines, or write \"@@ -LINE,0 +…\" to add after LINE"
    )]
    NoAnchor,
    /// Its header says that the file is empty.
    #[error(
        "its header says that the file is empty, but it has {lines} lines; add context lines, or write \"@@ -LINE,0 +…\""
    )]
    NotEmpty {
        /// Lines in the file.
        lines: usize,
    },
    /// It only adds lines, and the hunks before it are not where their headers say, so nothing tells its place.
    #[error("it only adds lines, and earlier hunks are {by} lines from where their headers say; add context lines")]
    Moved {
        /// How many lines below (or, negative, above).
        by: isize,
    },
    /// It adds lines after a line that the file does not have.
    #[error("it adds lines past the end; the file has {lines} lines")]
    PastEnd {
        /// Lines in the file.
        lines: usize,
    },
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberedLine {
    /// 1-based.
    pub line: usize,
    /// Without its ending, at most 200 characters.
    pub text: String,
}

/// A place that resembles what a hunk expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NearestPlace {
    /// 1-based line of the file where the hunk would begin.
    pub line: usize,
    /// How many of the expected lines stand there, white space at the ends aside.
    pub matching: usize,
    /// Of how many.
    pub of: usize,
    /// The first line that differs: what was expected, and what is there (`None` past the end).
    pub difference: Option<(String, Option<NumberedLine>)>,
}

pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

impl NearestPlace {
    /// Lines vote for the place where they would be at home; without a single vote, the most similar line decides.
    pub(super) fn find(ground: &Ground<'_>, wanted: &[Key<'_>], expected: Option<usize>) -> Option<Self> {
        let index = ground.index(Whitespace::Indentation)?;
        let numbers = index.numbers(wanted);
        let mut votes: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
        for (place, number) in numbers.iter().enumerate().take(VOTES.0) {
            let weight = wanted.get(place).map_or(0, |(text, _)| text.trim_ascii().len().min(40));
            for at in index.positions(*number).iter().take(VOTES.1) {
                if let Some(start) = at.checked_sub(place) {
                    *votes.entry(start).or_default() += weight;
                }
            }
        }
        let near = |start: usize| usize::MAX - expected.map_or(start, |expected| start.abs_diff(expected));
        let voted =
            votes.iter().filter(|(_, weight)| **weight > 0).max_by_key(|(start, weight)| (**weight, near(**start)));
        let start = match voted {
            Some((start, _)) => *start,
            None => {
                let (place, (text, _)) =
                    wanted.iter().enumerate().max_by_key(|(_, (text, _))| text.trim_ascii().len())?;
                let texts = (0..ground.lines.len()).map(|at| ground.lines.text(at));
                let (at, _) = closest_line(texts, text.trim_ascii())?;
                at.saturating_sub(place)
            }
        };
        let same = |place: usize, at: usize| {
            wanted.get(place..=place).is_some_and(|one| ground.matches_at(one, at, Whitespace::Indentation))
        };
        let of = wanted.len();
        let matching = (0..of).filter(|place| same(*place, start + place)).count();
        let difference = (0..of).find(|place| !same(*place, start + place)).map(|place| {
            let text = wanted.get(place).map_or("", |(text, _)| text);
            (clip(text), numbered(ground, start + place))
        });
        Some(Self { line: start + 1, matching, of, difference })
    }
}

fn numbered(ground: &Ground<'_>, at: usize) -> Option<NumberedLine> {
    (at < ground.lines.len()).then(|| NumberedLine { line: at + 1, text: clip(ground.lines.text(at)) })
}

/// The beginning of what a hunk wants.
pub(super) fn expected_lines(wanted: &[Key<'_>]) -> Vec<String> {
    wanted.iter().take(SHOWN).map(|(text, _)| clip(text)).collect()
}

/// What the file has at a place.
pub(super) fn found_lines(ground: &Ground<'_>, at: usize, count: usize) -> Vec<NumberedLine> {
    (at..at + count.clamp(1, SHOWN)).map_while(|at| numbered(ground, at)).collect()
}

fn first_of(lines: &[usize]) -> String {
    lines.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for HunkFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hunk {} (patch line {}): {}", self.hunk, self.patch_line, self.reason)?;
        if matches!(self.reason, FailureReason::NotFound) {
            f.write_str("\n  expected:")?;
            for line in &self.expected {
                write!(f, "\n    | {line}")?;
            }
            if !self.found.is_empty() {
                f.write_str("\n  the file has there:")?;
                for line in &self.found {
                    write!(f, "\n  {:>5} | {}", line.line, line.text)?;
                }
            }
        }
        let Some(nearest) = &self.nearest else { return Ok(()) };
        write!(f, "\n  nearest: line {}, where {} of {} lines match", nearest.line, nearest.matching, nearest.of)?;
        match &nearest.difference {
            Some((expected, Some(found))) => {
                write!(f, "; line {} differs:\n    expected {expected:?}\n    found    {:?}", found.line, found.text)
            }
            Some((expected, None)) => write!(f, "; the file ends where {expected:?} is expected"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.already_applied() {
            return write!(f, "the patch is already applied to {}: nothing was changed", self.file);
        }
        let (failed, hunks) = (self.failures.len(), self.hunks);
        write!(f, "{failed} of {hunks} hunks do not apply to {}; nothing was changed", self.file)?;
        for failure in self.failures.iter().take(EXPLAINED) {
            write!(f, "\n{failure}")?;
        }
        match self.failures.get(EXPLAINED..) {
            Some([first, ..]) => write!(f, "\nand {} more, from hunk {} on", failed - EXPLAINED, first.hunk),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for ApplyError {}
