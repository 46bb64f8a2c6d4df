//! Holds a pattern against a line: in time linear to the line, or, where a pattern looks around or back, by trying.
//!
//! Trying may take for ever, so it has a number of steps for each line and a time for the whole search. Beyond either it gives
//! up, everywhere at once: what was found until then would pass for everything.

use grep_matcher::{ByteSet, LineMatchKind, LineTerminator, Match, Matcher, NoCaptures};
use grep_regex::RegexMatcher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Steps back for one line.
pub(super) const STEPS: usize = 100_000;
/// For a whole search.
const TIME: Duration = Duration::from_secs(10);

/// A pattern, compiled.
#[derive(Clone, Debug)]
pub(super) enum LineMatcher {
    Linear(RegexMatcher),
    Backtracking(Backtracking),
}

/// One that tries. Its copies give up together.
#[derive(Clone, Debug)]
pub(super) struct Backtracking {
    regex: Arc<fancy_regex::Regex>,
    begun: Instant,
    gave_up: Arc<AtomicBool>,
}

/// It took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern takes too many steps")]
pub(super) struct GaveUp;

impl Backtracking {
    pub(super) fn new(regex: fancy_regex::Regex) -> Self {
        Self { regex: Arc::new(regex), begun: Instant::now(), gave_up: Arc::default() }
    }

    fn find(&self, haystack: &[u8], at: usize) -> Result<Option<Match>, GaveUp> {
        if self.gave_up.load(Ordering::Relaxed) || self.begun.elapsed() > TIME {
            return Err(self.give_up());
        }
        let text = String::from_utf8_lossy(haystack);
        // Bytes that are no text are longer as text.
        let within = |at: usize| at.min(haystack.len());
        match self.regex.find_from_pos(&*text, at) {
            Ok(found) => Ok(found.map(|found| Match::new(within(found.start()), within(found.end())))),
            Err(_) => Err(self.give_up()),
        }
    }

    fn give_up(&self) -> GaveUp {
        self.gave_up.store(true, Ordering::Relaxed);
        GaveUp
    }
}

impl LineMatcher {
    /// Whether it gave up, so that what was found is not everything.
    pub(super) fn gave_up(&self) -> bool {
        matches!(self, Self::Backtracking(pattern) if pattern.gave_up.load(Ordering::Relaxed))
    }
}

/// The first of them never fails.
fn found<T>(result: Result<T, grep_matcher::NoError>) -> Result<T, GaveUp> {
    result.map_err(|_| GaveUp)
}

impl Matcher for LineMatcher {
    type Captures = NoCaptures;
    type Error = GaveUp;

    fn find_at(&self, haystack: &[u8], at: usize) -> Result<Option<Match>, GaveUp> {
        match self {
            Self::Linear(matcher) => found(matcher.find_at(haystack, at)),
            Self::Backtracking(pattern) => pattern.find(haystack, at),
        }
    }

    fn new_captures(&self) -> Result<NoCaptures, GaveUp> {
        Ok(NoCaptures::new())
    }

    fn is_match_at(&self, haystack: &[u8], at: usize) -> Result<bool, GaveUp> {
        match self {
            Self::Linear(matcher) => found(matcher.is_match_at(haystack, at)),
            Self::Backtracking(pattern) => pattern.find(haystack, at).map(|found| found.is_some()),
        }
    }

    fn shortest_match_at(&self, haystack: &[u8], at: usize) -> Result<Option<usize>, GaveUp> {
        match self {
            Self::Linear(matcher) => found(matcher.shortest_match_at(haystack, at)),
            Self::Backtracking(pattern) => pattern.find(haystack, at).map(|found| found.map(|found| found.end())),
        }
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        match self {
            Self::Linear(matcher) => matcher.non_matching_bytes(),
            Self::Backtracking(_) => None,
        }
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Self::Linear(matcher) => matcher.line_terminator(),
            Self::Backtracking(_) => None,
        }
    }

    fn find_candidate_line(&self, haystack: &[u8]) -> Result<Option<LineMatchKind>, GaveUp> {
        match self {
            Self::Linear(matcher) => found(matcher.find_candidate_line(haystack)),
            Self::Backtracking(_) => Ok(self.shortest_match_at(haystack, 0)?.map(LineMatchKind::Confirmed)),
        }
    }
}
