//! The form of a path rule: an entry of a table carries its own matching and non-matching examples, and a test walks
//! them all, so a rule cannot be added or changed without saying what it is for and what it must leave alone.

use palanca_core::ports::ClosedBy;
use std::borrow::Cow;

/// A rule as callers see it: a stable id, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRule {
    id: Cow<'static, str>,
    by: ClosedBy,
    examples: &'static str,
}

impl PathRule {
    pub(super) fn new(by: ClosedBy, id: impl Into<Cow<'static, str>>) -> Self {
        Self { id: id.into(), by, examples: "" }
    }

    pub(super) fn from_entry(by: ClosedBy, entry: &Entry) -> Self {
        Self { examples: entry.hits, ..Self::new(by, entry.id) }
    }

    /// Stable, dotted, e.g. `secret.dotenv`, `protected.git`; a user's glob is `secrets.deny(GLOB)`,
    /// `guardrails.sensitive_files(GLOB)` or `guardrails.protected_files(GLOB)`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whose rule it is.
    #[must_use]
    pub const fn by(&self) -> ClosedBy {
        self.by
    }

    /// Paths that the rule catches; empty for a rule that the user wrote.
    pub fn examples(&self) -> impl Iterator<Item = &'static str> {
        self.examples.split_whitespace()
    }
}

/// One row of a table; several names or paths stand between blanks. All patterns are lower case; paths are folded before they
/// are compared.
#[derive(Debug)]
pub(super) struct Entry {
    pub id: &'static str,
    pub shapes: &'static [Shape],
    /// Paths that must be caught by exactly this rule.
    pub hits: &'static str,
    /// Paths that look alike and must not be caught by this rule.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests walk them"))]
    pub misses: &'static str,
}

/// How a row recognises a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// The last component: `name`, `folder/name` directly inside that folder, or `start*end` with anything between.
    Names(&'static str),
    /// The part after the last dot of the last component; a bare `.ext` counts.
    Exts(&'static str),
    /// A component anywhere, or two successive ones (`folder/name`): the folder (or file) itself and everything below it.
    Dirs(&'static str),
    /// The last component is this, or ends with it after `-`, `_` or `.`.
    Words(&'static str),
    /// This stem alone or with an extension that holds data (`json`, `yaml`, …), never source or prose.
    DataFiles(&'static str),
    /// A family with rules of its own.
    Family(fn(&[u8]) -> bool),
}
