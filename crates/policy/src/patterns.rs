//! Many regular expressions held against one text at once. Nothing here knows what a match means.
//!
//! The surprising decision: a text is first searched for the words that patterns cannot do without, all at once. Few texts
//! hold any of them, so ten thousand patterns cost one search for words and a handful of patterns.

mod words;

use aho_corasick::AhoCorasick;
use palanca_core::Message;
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::sync::OnceLock;
use words::needed;

/// How much memory one compiled pattern may take, in bytes.
const SIZE: usize = 1 << 20;

/// What is wrong with a pattern: which, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A pattern of nothing but blanks.
    #[error("{place}: the pattern is empty, which would match everything. Write a pattern, or remove the entry.")]
    Empty {
        /// Its key and its place in the list.
        place: String,
    },
    /// It does not compile.
    #[error(
        "{place}: the pattern '{pattern}' is not a usable regular expression: {detail}. Correct it; look-around and \
         back-references do not exist here."
    )]
    Unusable {
        /// Its key and its place in the list.
        place: String,
        /// As written.
        pattern: String,
        /// What the compiler said.
        detail: String,
    },
    /// Each compiles, and all of them together do not.
    #[error("{key}: {detail}")]
    Together {
        /// The list.
        key: String,
        /// What the compiler said.
        detail: String,
    },
}

impl PatternError {
    fn unusable(place: String, pattern: &str, error: &regex::Error) -> Self {
        Self::Unusable { place, pattern: pattern.to_owned(), detail: error.to_string() }
    }

    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Empty { place } => Message::new("guardrail-pattern-empty").with("place", place),
            Self::Unusable { place, pattern, detail } => Message::new("guardrail-pattern-unusable")
                .with("place", place)
                .with("pattern", pattern)
                .with("detail", detail),
            Self::Together { key, detail } => {
                Message::new("guardrail-patterns-together").with("key", key).with("detail", detail)
            }
        }
    }
}

/// How patterns are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Commands: any letter case.
    #[default]
    Commands,
    /// Written text: `^` and `$` at every line.
    Lines,
}

/// Beyond so many patterns whose words are there, all are tried at once.
const FEW: usize = 32;

/// Compiled patterns of one list, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns {
    sources: Vec<String>,
    reading: Reading,
    /// None of an empty list: even that takes longer to compile than most commands to judge.
    set: Option<RegexSet>,
    /// The words that patterns need, and whose they are; none for a short list, which is quick as it is.
    words: Option<(AhoCorasick, Vec<usize>)>,
    /// The patterns that need no word, by their place in the list.
    wordless: (Option<RegexSet>, Vec<usize>),
    /// Compiled when first needed: to say where a match is.
    each: Vec<OnceLock<Option<Regex>>>,
}

impl Patterns {
    /// Compiles a list; `key` is where it stands in the configuration, for errors.
    pub(crate) fn new<'p>(
        key: &str,
        patterns: impl Iterator<Item = &'p String>,
        reading: Reading,
    ) -> Result<Self, PatternError> {
        let sources: Vec<String> = patterns.cloned().collect();
        if let Some(place) = sources.iter().position(|pattern| pattern.trim().is_empty()) {
            return Err(PatternError::Empty { place: format!("{key}[{place}]") });
        }
        let unusable = |error: regex::Error| {
            let faulty = sources.iter().enumerate().find_map(|(place, pattern)| {
                let place = || format!("{key}[{place}]");
                compile(pattern, reading).err().map(|error| PatternError::unusable(place(), pattern, &error))
            });
            faulty.unwrap_or_else(|| PatternError::Together { key: key.to_owned(), detail: error.to_string() })
        };
        let set = set_of(&sources, reading).map_err(unusable)?;
        let (mut words, mut whose, mut wordless) = (Vec::new(), Vec::new(), Vec::new());
        for (at, source) in sources.iter().enumerate() {
            match needed(source) {
                Some(word) => {
                    words.push(word);
                    whose.push(at);
                }
                None => wordless.push(at),
            }
        }
        let without: Vec<&String> = wordless.iter().filter_map(|at| sources.get(*at)).collect();
        let wordless = (set_of(&without, reading).map_err(unusable)?, wordless);
        // ignored: without it every pattern is tried, which is slower and no less right.
        let search = if sources.len() > FEW { AhoCorasick::new(&words).ok() } else { None };
        let each = sources.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { words: search.map(|search| (search, whose)), wordless, sources, reading, set, each })
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The patterns that match somewhere, in the order of the list.
    pub(crate) fn matching(&self, text: &str) -> Vec<usize> {
        let Some(candidates) = self.candidates(text) else { return matches(self.set.as_ref(), text) };
        let (set, places) = &self.wordless;
        let wordless = matches(set.as_ref(), text);
        let mut found: Vec<usize> = wordless.into_iter().filter_map(|at| places.get(at).copied()).collect();
        found.extend(candidates.into_iter().filter(|at| self.one(*at).is_some_and(|one| one.is_match(text))));
        found.sort_unstable();
        found
    }

    /// The patterns whose words are in the text; none when they are many, or words are not looked for.
    fn candidates(&self, text: &str) -> Option<Vec<usize>> {
        let (search, whose) = self.words.as_ref()?;
        let plain = plain(text);
        let mut candidates = Vec::new();
        for hit in search.find_overlapping_iter(&plain) {
            let at = *whose.get(hit.pattern().as_usize())?;
            if !candidates.contains(&at) {
                candidates.push(at);
                if candidates.len() > FEW {
                    return None;
                }
            }
        }
        Some(candidates)
    }

    /// The first pattern of the list that matches somewhere.
    pub(crate) fn first(&self, text: &str) -> Option<usize> {
        self.matching(text).first().copied()
    }

    /// The pattern as written.
    pub(crate) fn source(&self, at: usize) -> &str {
        self.sources.get(at).map_or("", String::as_str)
    }

    /// One pattern alone.
    pub(crate) fn one(&self, at: usize) -> Option<&Regex> {
        self.each.get(at)?.get_or_init(|| compile(self.source(at), self.reading).ok()).as_ref()
    }
}

/// In small letters; two further characters are small letters to a pattern that takes any letter case.
fn plain(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    if small.is_ascii() { small } else { small.replace('\u{17F}', "s").replace('\u{212A}', "k") }
}

fn matches(set: Option<&RegexSet>, text: &str) -> Vec<usize> {
    set.map(|set| set.matches(text).into_iter().collect()).unwrap_or_default()
}

fn set_of(patterns: &[impl AsRef<str>], reading: Reading) -> Result<Option<RegexSet>, regex::Error> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut builder = RegexSetBuilder::new(patterns);
    builder.case_insensitive(reading == Reading::Commands).multi_line(reading == Reading::Lines);
    builder.size_limit(SIZE.saturating_mul(patterns.len().max(10))).build().map(Some)
}

/// Compiles one pattern on commands; `place` names where it stands.
pub(crate) fn one(place: String, pattern: &str) -> Result<Regex, PatternError> {
    if pattern.trim().is_empty() {
        return Err(PatternError::Empty { place });
    }
    compile(pattern, Reading::Commands).map_err(|error| PatternError::unusable(place, pattern, &error))
}

fn compile(pattern: &str, reading: Reading) -> Result<Regex, regex::Error> {
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(reading == Reading::Commands).multi_line(reading == Reading::Lines);
    builder.size_limit(SIZE).build()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use proptest::prelude::*;

    const TEXTS: [&str; 6] =
        ["GIT PUSH origin17", "eval (x)", "a\nimport os\n", "", "\u{212A}ill me plea\u{17F}e", "push.it"];

    proptest! {
        // Each compiles some fifty patterns.
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn looking_for_words_first_changes_no_answer(
            patterns in proptest::collection::vec("(git|push|kill|please|eval|import os|[a-z]{1,4}|\\PC)([?*+]|\\{0,2\\}|\\\\s\\+|\\.|)((push|ori|\\(x\\)|[psx]|\\|a)[?+]?|)", 40..60),
            reading in prop_oneof![Just(Reading::Commands), Just(Reading::Lines)],
        ) {
            let patterns: Vec<String> = patterns.into_iter().filter(|one| compile(one, reading).is_ok() && !one.trim().is_empty()).collect();
            let compiled = Patterns::new("x", patterns.iter(), reading).unwrap();
            for text in TEXTS {
                let expected = matches(compiled.set.as_ref(), text);
                prop_assert_eq!(compiled.matching(text), expected, "{:?} in {:?}", text, patterns);
            }
        }
    }
}
