//! The form of a path rule: an entry of a table carries its own matching and non-matching examples, and a test walks
//! them all, so a rule cannot be added or changed without saying what it is for and what it must leave alone.

use std::borrow::Cow;

/// A rule as callers see it: a stable id and the reason to show to people and models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathRule {
    id: Cow<'static, str>,
    reason: Cow<'static, str>,
    examples: &'static [&'static str],
    look_alikes: &'static [&'static str],
}

impl PathRule {
    pub(super) fn new(id: impl Into<Cow<'static, str>>, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { id: id.into(), reason: reason.into(), examples: &[], look_alikes: &[] }
    }

    pub(super) fn from_entry(entry: &Entry) -> Self {
        Self { examples: entry.hits, look_alikes: entry.misses, ..Self::new(entry.id, entry.reason) }
    }

    /// Stable, dotted, e.g. `secret.dotenv`, `protected.git`; a user's glob is `secrets.deny(GLOB)`,
    /// `guardrails.sensitive_files(GLOB)` or `guardrails.protected_files(GLOB)`.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// One clause in plain English that completes "refused because …".
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Paths that the rule catches; empty for a rule that the user wrote.
    #[must_use]
    pub fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    /// Paths that look alike and are not caught.
    #[must_use]
    pub fn look_alikes(&self) -> &'static [&'static str] {
        self.look_alikes
    }
}

/// One row of a table. All patterns are lower case; paths are folded before they are compared.
#[derive(Debug)]
pub(super) struct Entry {
    pub id: &'static str,
    pub reason: &'static str,
    pub shapes: &'static [Shape],
    /// Paths that must be caught by exactly this rule.
    pub hits: &'static [&'static str],
    /// Paths that look alike and must not be caught by this rule.
    pub misses: &'static [&'static str],
}

/// How a row recognises a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// The last component.
    Name(&'static str),
    /// The last component, directly inside a folder of this name.
    In(&'static str, &'static str),
    /// The part after the last dot of the last component; a bare `.ext` counts.
    Ext(&'static str),
    /// A component anywhere: the folder (or file) itself and everything below it.
    Dir(&'static str),
    /// Two successive components anywhere, and everything below the second.
    DirIn(&'static str, &'static str),
    /// The last component starts and ends like this, whatever is between.
    Affix(&'static str, &'static str),
    /// The last component is this, or ends with it after `-`, `_` or `.`.
    Word(&'static str),
    /// This stem alone or with an extension that holds data (`json`, `yaml`, …), never source or prose.
    DataFile(&'static str),
    /// A family with rules of its own.
    Family(fn(&[u8]) -> bool),
}
