//! How much one text may ask for, and the reasons that are given: both make a text dangerous, its size alone refuses it.
//!
//! Time is counted in steps, not in milliseconds: the same text always gets the same answer, on a busy machine, too.

use super::super::verdict::Reason;
use crate::Sentence;

/// Bytes of one text.
pub(super) const BYTES: usize = 64 * 1024;
/// Syntax nodes of one text and of everything that is read inside it: commands, words, expansions. So many at least, one
/// more for every four bytes, and so many at most. Of 688 scripts of a Debian system, the densest has one for every five.
const NODES: (u32, u32) = (768, 16_384);
/// Levels of anything inside anything.
pub(super) const DEPTH: u32 = 64;
/// Words that one text may expand to.
const WORDS: u32 = 32_768;
/// Commands that may come out.
const COMMANDS: u32 = 4_096;
/// Steps of folding: one for each word, loop pass or call, and one for each 32 characters that are copied. So many, and
/// one more for each byte of the text: a short text that asks for much is not an ordinary one.
const STEPS: u32 = 8_192;
/// Alternatives of one word or command.
pub(super) const ALTERNATIVES: usize = 256;
/// Problems that are kept; one is enough to decide.
const PROBLEMS: usize = 16;

/// A limit that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// The text is too long.
    Bytes,
    /// It has too many parts.
    Nodes,
    /// Its parts are nested too deep.
    Depth,
    /// Folding it takes too long.
    Time,
    /// It expands to too much.
    Expansion,
}

impl Limit {
    const fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Bytes => ("shell.limit.bytes", "shell-limit-bytes"),
            Self::Nodes => ("shell.limit.nodes", "shell-limit-nodes"),
            Self::Depth => ("shell.limit.depth", "shell-limit-depth"),
            Self::Time => ("shell.limit.time", "shell-limit-time"),
            Self::Expansion => ("shell.limit.expansion", "shell-limit-expansion"),
        }
    }
}

impl From<Limit> for Reason {
    fn from(limit: Limit) -> Self {
        let (rule, key) = limit.name();
        Self { rule: rule.into(), message: Sentence::new(key) }
    }
}

/// The answer of everything that may pass a limit.
pub(super) type Within<T> = Result<T, Limit>;

/// What could not be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The grammar does not allow this; what was seen near it.
    Syntax(String),
    /// Allowed, but not followed; its name.
    Construct(&'static str),
    /// A command or process substitution.
    Substitution,
    /// A character that does not show; its code point.
    Control(u32),
    /// It passes a limit.
    Limit(Limit),
}

impl From<&Problem> for Reason {
    fn from(problem: &Problem) -> Self {
        let (rule, message) = match problem {
            Problem::Syntax(near) => ("shell.syntax", Sentence::new("shell-syntax").with("near", near.as_str())),
            Problem::Construct(name) => {
                ("shell.unknown-construct", Sentence::new("shell-unknown-construct").with("what", *name))
            }
            Problem::Substitution => ("shell.substitution", Sentence::new("shell-substitution")),
            Problem::Limit(limit) => return Self::from(*limit),
            Problem::Control(code) => (
                "shell.control-character",
                Sentence::new("shell-control-character").with("code", format!("U+{code:04X}")),
            ),
        };
        Self { rule: rule.into(), message }
    }
}

/// What is left of every limit, and the problems so far.
#[derive(Debug)]
pub(super) struct Budget {
    nodes: u32,
    words: u32,
    commands: u32,
    steps: u32,
    problems: Vec<Problem>,
}

impl Budget {
    /// What a text of so many bytes may ask for.
    pub(super) fn of(bytes: usize) -> Self {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let (least, most) = NODES;
        Self {
            nodes: least.saturating_add(bytes / 4).min(most),
            words: WORDS,
            commands: COMMANDS,
            steps: STEPS.saturating_add(bytes),
            problems: Vec::new(),
        }
    }

    /// The same anew, for a text that passed a limit.
    pub(super) fn renewed(self, bytes: usize, limit: Limit) -> Self {
        let mut budget = Self { problems: self.problems, ..Self::of(bytes) };
        budget.problems.insert(0, Problem::Limit(limit));
        budget.problems.dedup();
        budget
    }

    /// One more node, this deep inside others: what is read again at every level costs more at each.
    pub(super) fn node(&mut self, depth: u32) -> Within<()> {
        take(&mut self.nodes, 1 + depth as usize / 8, Limit::Nodes)
    }

    pub(super) fn words(&mut self, count: usize) -> Within<()> {
        take(&mut self.words, count, Limit::Expansion)
    }

    pub(super) fn command(&mut self) -> Within<()> {
        take(&mut self.commands, 1, Limit::Expansion)
    }

    pub(super) fn step(&mut self) -> Within<()> {
        take(&mut self.steps, 1, Limit::Time)
    }

    /// Pays for copying so many characters.
    pub(super) fn copy(&mut self, characters: usize) -> Within<()> {
        take(&mut self.steps, characters / 32 + 1, Limit::Time)
    }

    /// Pays for one more text of this size; none may be longer than a text that is read.
    pub(super) fn text(&mut self, bytes: usize) -> Within<()> {
        if bytes > BYTES { Err(Limit::Expansion) } else { self.copy(bytes * 4) }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        if !self.has_enough_problems() && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Whether more problems would not be kept.
    pub(super) fn has_enough_problems(&self) -> bool {
        self.problems.len() >= PROBLEMS
    }

    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

fn take(left: &mut u32, count: usize, limit: Limit) -> Within<()> {
    let count = u32::try_from(count).map_err(|_| limit)?;
    *left = left.checked_sub(count).ok_or(limit)?;
    Ok(())
}

/// One level deeper.
pub(super) fn deeper(depth: u32) -> Within<u32> {
    if depth >= DEPTH { Err(Limit::Depth) } else { Ok(depth + 1) }
}
