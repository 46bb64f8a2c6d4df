//! Regular expressions of the operator, in any letter case and of bounded size.

use super::RuleError;
use regex::{Regex, RegexBuilder};

/// How much memory one compiled pattern may take, in bytes.
const SIZE: usize = 1 << 20;

/// One pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Regex);

impl Pattern {
    /// Compiles one pattern; `place` names where it stands, for the error.
    pub(super) fn new(place: &str, pattern: &str) -> Result<Self, RuleError> {
        if pattern.trim().is_empty() {
            return Err(RuleError::EmptyPattern { place: place.to_owned() });
        }
        let built = RegexBuilder::new(pattern).case_insensitive(true).size_limit(SIZE).build();
        built.map(Self).map_err(|error| RuleError::Pattern {
            place: place.to_owned(),
            pattern: pattern.to_owned(),
            detail: error.to_string(),
        })
    }

    pub(super) fn finds(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    pub(super) fn source(&self) -> &str {
        self.0.as_str()
    }
}

/// Compiles all patterns of one setting.
pub(super) fn compile(place: &str, patterns: &[String]) -> Result<Vec<Pattern>, RuleError> {
    patterns.iter().map(|pattern| Pattern::new(place, pattern)).collect()
}
