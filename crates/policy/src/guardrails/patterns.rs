//! Many regular expressions held against one text at once. Nothing here knows what a match means.
//!
//! The surprising decision: a set is cut into small sets, each with the texts that one of its patterns needs. Most texts
//! contain none of them, so ten thousand patterns cost one search for words.

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::sync::OnceLock;

/// How much memory one compiled pattern may take, in bytes.
const SIZE: usize = 1 << 20;

/// What is wrong with a rule: which, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GuardrailError(pub String);

/// How patterns are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Commands: any letter case.
    Commands,
    /// Written text: `^` and `$` at every line.
    Lines,
}

/// Compiled patterns of one list, in its order.
#[derive(Debug)]
pub(super) struct Patterns {
    sources: Vec<String>,
    reading: Reading,
    set: RegexSet,
    /// Compiled when first needed: to say where a match is.
    each: Vec<OnceLock<Option<Regex>>>,
}

impl Patterns {
    /// Compiles a list; `key` is where it stands in the configuration, for errors.
    pub(super) fn new<'p>(
        key: &str,
        patterns: impl Iterator<Item = &'p String>,
        reading: Reading,
    ) -> Result<Self, GuardrailError> {
        let sources: Vec<String> = patterns.cloned().collect();
        if let Some(place) = sources.iter().position(|pattern| pattern.trim().is_empty()) {
            return Err(GuardrailError(format!(
                "{key}[{place}]: the pattern is empty, which would match everything. Write a pattern, or remove the entry."
            )));
        }
        let mut builder = RegexSetBuilder::new(&sources);
        match reading {
            Reading::Commands => builder.case_insensitive(true),
            Reading::Lines => builder.multi_line(true),
        };
        let set = builder.size_limit(SIZE.saturating_mul(sources.len().max(10))).build();
        let set = set.map_err(|error| {
            faulty(key, &sources, reading).unwrap_or_else(|| GuardrailError(format!("{key}: {error}")))
        })?;
        let each = sources.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { sources, reading, set, each })
    }

    /// The patterns that match somewhere, in the order of the list.
    pub(super) fn matching(&self, text: &str) -> impl Iterator<Item = usize> + use<> {
        self.set.matches(text).into_iter()
    }

    /// The first pattern of the list that matches somewhere.
    pub(super) fn first(&self, text: &str) -> Option<usize> {
        self.set.matches(text).iter().next()
    }

    /// The pattern as written.
    pub(super) fn source(&self, at: usize) -> &str {
        self.sources.get(at).map_or("", String::as_str)
    }

    /// One pattern alone.
    pub(super) fn one(&self, at: usize) -> Option<&Regex> {
        self.each.get(at)?.get_or_init(|| compile(self.source(at), self.reading).ok()).as_ref()
    }
}

fn compile(pattern: &str, reading: Reading) -> Result<Regex, regex::Error> {
    let mut builder = RegexBuilder::new(pattern);
    match reading {
        Reading::Commands => builder.case_insensitive(true),
        Reading::Lines => builder.multi_line(true),
    };
    builder.size_limit(SIZE).build()
}

fn faulty(key: &str, patterns: &[String], reading: Reading) -> Option<GuardrailError> {
    patterns.iter().enumerate().find_map(|(place, pattern)| {
        let error = compile(pattern, reading).err()?;
        Some(GuardrailError(format!(
            "{key}[{place}]: the pattern '{pattern}' is not a usable regular expression: {error}. Correct it; look-around \
             and back-references do not exist here."
        )))
    })
}
