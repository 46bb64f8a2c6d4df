//! The search pattern: a regular expression or plain text, compiled once. Matching is linear in the size of the text, unless
//! a pattern looks around or back; the compiled size is limited, too. So no pattern can hang a search.

use super::Case;
use super::matcher::{Backtracking, LineMatcher, STEPS};
use grep_regex::RegexMatcherBuilder;

/// Bytes that a compiled pattern may take: `\w{1000}` fits, `(\w{1000}){1000}` does not.
const LARGEST: usize = 16 << 20;
/// Bytes for the states that are built while searching; when they are used up, matching goes on more slowly.
const STATES: usize = 64 << 20;
/// Bytes of a pattern.
const LONGEST: usize = 64 << 10;

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// A regular expression in the syntax of the `regex` crate: no back-references, no look-around.
    Regex,
    /// The same with both: such a pattern is matched by trying, within bounds.
    Backtracking,
    /// Text, taken as it is.
    Literal,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NeedleError {
    /// It is empty.
    #[error("the pattern is empty")]
    Empty,
    /// It spans lines; the search goes line by line.
    #[error("the pattern holds a line break, and the search goes line by line")]
    LineBreak,
    /// Too long, or too large once compiled.
    #[error("the pattern is too large")]
    TooLarge,
    /// It does not parse.
    #[error("{reason}")]
    Invalid {
        /// What is wrong, over several lines: the pattern, a mark below the place, and why.
        reason: String,
    },
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Needle {
    pub(super) matcher: LineMatcher,
}

impl Needle {
    /// Compiles a pattern. `^` and `$` stand for the ends of a line, whether it ends in LF or CRLF.
    ///
    /// # Errors
    /// See [`NeedleError`].
    pub fn new(pattern: &str, syntax: Syntax, case: Case) -> Result<Self, NeedleError> {
        if pattern.is_empty() {
            return Err(NeedleError::Empty);
        }
        if pattern.len() > LONGEST {
            return Err(NeedleError::TooLarge);
        }
        if pattern.contains(['\n', '\r']) {
            return Err(NeedleError::LineBreak);
        }
        let mut builder = RegexMatcherBuilder::new();
        builder
            .multi_line(true)
            .crlf(true)
            .case_insensitive(case == Case::Insensitive)
            .case_smart(case == Case::Smart)
            .fixed_strings(syntax == Syntax::Literal)
            .size_limit(LARGEST)
            .dfa_size_limit(STATES);
        let linear = builder.build(pattern).map(LineMatcher::Linear);
        let matcher = linear.or_else(|error| {
            let tried = (syntax == Syntax::Backtracking).then(|| backtracking(pattern, case)).flatten();
            tried.ok_or_else(|| explain(pattern, &error))
        })?;
        Ok(Self { matcher })
    }

    /// Whether the search ended before its end, because the pattern takes too many steps.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.matcher.gave_up()
    }
}

/// None where it is no pattern of this syntax either.
fn backtracking(pattern: &str, case: Case) -> Option<LineMatcher> {
    let is_insensitive = case == Case::Insensitive || (case == Case::Smart && !pattern.contains(char::is_uppercase));
    let regex = fancy_regex::RegexBuilder::new(pattern)
        .case_insensitive(is_insensitive)
        .backtrack_limit(STEPS)
        .delegate_size_limit(LARGEST)
        .delegate_dfa_size_limit(STATES)
        .build();
    regex.ok().map(|regex| LineMatcher::Backtracking(Backtracking::new(regex)))
}

fn explain(pattern: &str, error: &grep_regex::Error) -> NeedleError {
    use grep_regex::ErrorKind;
    match error.kind() {
        ErrorKind::NotAllowed(_) | ErrorKind::InvalidLineTerminator(_) => NeedleError::LineBreak,
        ErrorKind::Regex(reason) if reason.contains("size limit") => NeedleError::TooLarge,
        // The matcher's own words speak of a translated pattern; the parser's point into the one that was given.
        _ => NeedleError::Invalid {
            reason: regex::Regex::new(pattern).err().map_or_else(|| error.to_string(), |given| given.to_string()),
        },
    }
}

#[cfg(test)]
mod tests;
