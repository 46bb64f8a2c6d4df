//! The operator's guardrails on files: `guardrails.sensitive_files`, which cannot be read, and `guardrails.protected_files`,
//! which cannot be changed. Nothing lifts them: no allow list, no mode, no approval.
//!
//! The surprising decision: globs and paths are both folded first (letter case, trailing dots, alternate streams, characters
//! that some file systems ignore) and then compared exactly. That closes other spellings, and it keeps ten thousand plain
//! names a lookup in a table.

use super::globs::{PathRuleError, anchored, rule_name};
use super::overlap;
use super::rule::PathRule;
use super::{fold, is_unpacked};
use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use palanca_core::ports::ClosedBy;
use std::collections::BTreeSet;
use std::path::Path;

/// Which list is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarded {
    /// Files that cannot be read.
    Sensitive,
    /// Files that cannot be changed.
    Protected,
}

/// Compiled globs of both lists. A glob without `/` is tried on every component of a path, one with `/` on the path from the
/// workspace root. Naming a folder covers all below it.
#[derive(Debug, Default)]
pub struct GuardedFiles {
    sensitive: Option<List>,
    protected: Option<List>,
}

/// Globs of one key of the configuration, each a rule that also covers what lies below a folder.
#[derive(Debug)]
pub(super) struct List {
    set: GlobSet,
    /// Rooted and folded, in the order of the set.
    globs: Vec<String>,
    /// Those that have a `/`.
    placed: Vec<bool>,
    rules: Vec<PathRule>,
}

impl GuardedFiles {
    /// Compiles both lists. Globs that are in `unvouched`, too, are named by their place in the list.
    ///
    /// # Errors
    /// The first glob that does not parse, or is empty.
    pub fn new(
        sensitive: &[String],
        protected: &[String],
        unvouched: &BTreeSet<String>,
    ) -> Result<Self, PathRuleError> {
        Ok(Self {
            sensitive: List::new("guardrails.sensitive_files", ClosedBy::Operator, sensitive, unvouched)?,
            protected: List::new("guardrails.protected_files", ClosedBy::Operator, protected, unvouched)?,
        })
    }

    /// Whether no file is named at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sensitive.is_none() && self.protected.is_none()
    }

    /// The rule of a list that names a path.
    #[must_use]
    pub fn find(&self, list: Guarded, relative: &Path) -> Option<&PathRule> {
        self.list(list)?.find(relative)
    }

    /// The rule that protects a path from programs. A glob without `/` says which kind of file is protected in the project, not in
    /// what others made and a program unpacked there.
    #[must_use]
    pub fn find_for_programs(&self, relative: &Path) -> Option<&PathRule> {
        let list = self.protected.as_ref()?;
        list.find_among(relative, |at, named| list.placed.get(at) == Some(&true) || !is_unpacked(Path::new(named)))
    }

    /// The rule of a list whose files a shell pattern aims at: see `overlap` for what that means.
    #[must_use]
    pub fn aimed_at(&self, list: Guarded, pattern: &Path) -> Option<&PathRule> {
        self.list(list)?.aimed_at(pattern)
    }

    const fn list(&self, list: Guarded) -> Option<&List> {
        match list {
            Guarded::Sensitive => self.sensitive.as_ref(),
            Guarded::Protected => self.protected.as_ref(),
        }
    }
}

impl List {
    pub(super) fn new(
        key: &'static str,
        by: ClosedBy,
        globs: &[String],
        unvouched: &BTreeSet<String>,
    ) -> Result<Option<Self>, PathRuleError> {
        if globs.is_empty() {
            return Ok(None);
        }
        let bad = |glob: &str, error: &globset::Error| PathRuleError::bad_glob(key, glob, error);
        let mut set = GlobSetBuilder::new();
        let mut rooted = Vec::with_capacity(globs.len());
        for glob in globs {
            if glob.trim_matches(['/', '.', ' ']).is_empty() {
                return Err(PathRuleError::NamesNothing { list: key, glob: glob.clone() });
            }
            let pattern = fold::text(&anchored(glob));
            let compiled = GlobBuilder::new(&pattern).literal_separator(true).backslash_escape(true).build();
            set.add(compiled.map_err(|error| bad(glob, &error))?);
            rooted.push(pattern);
        }
        let placed = globs.iter().map(|glob| glob.contains('/')).collect();
        let rule = |glob| PathRule::new(by, rule_name(key, glob, unvouched));
        let set = set.build().map_err(|error| bad(error.glob().unwrap_or_default(), &error))?;
        Ok(Some(Self { set, globs: rooted, placed, rules: globs.iter().enumerate().map(rule).collect() }))
    }

    /// The path itself, or the nearest folder above it that is named.
    pub(super) fn find(&self, relative: &Path) -> Option<&PathRule> {
        self.find_among(relative, |_, _| true)
    }

    fn find_among(&self, relative: &Path, counts: impl Fn(usize, &str) -> bool) -> Option<&PathRule> {
        let folded = fold::path(relative.as_os_str().as_encoded_bytes());
        let mut rest = folded.as_str();
        let mut hits = Vec::new();
        while !rest.is_empty() {
            self.set.matches_candidate_into(&Candidate::new(rest), &mut hits);
            if let Some(hit) = hits.iter().find(|hit| counts(**hit, rest)) {
                return self.rules.get(*hit);
            }
            rest = rest.rsplit_once('/').map_or("", |(above, _)| above);
        }
        None
    }

    fn aimed_at(&self, pattern: &Path) -> Option<&PathRule> {
        let folded = fold::text(&pattern.to_string_lossy());
        let aim = overlap::Aim::new(&folded)?;
        let at = self.globs.iter().position(|glob| aim.meets(glob))?;
        self.rules.get(at)
    }
}
