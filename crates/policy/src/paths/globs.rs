//! The user's own path globs: `secrets.deny` adds, `secrets.allow` takes back what a built-in rule refuses. Deny always
//! wins over allow, and an allow glob must name something, so that no single star can switch the tables off.

use palanca_core::Message;
use palanca_core::ports::ClosedBy;
use std::collections::BTreeSet;
use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::guarded::List;
use super::rule::PathRule;

/// A path rule that cannot be compiled. The text names the list, the glob and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathRuleError {
    /// The glob does not parse.
    #[error("{list}: \"{glob}\" is not a valid glob ({reason}); write one such as \"fixtures/*.pem\"")]
    BadGlob {
        /// The configuration key that holds the glob.
        list: &'static str,
        /// The glob as written.
        glob: String,
        /// What the parser said.
        reason: String,
    },
    /// The glob is made of separators and dots.
    #[error("{list}: \"{glob}\" names nothing; write one such as \"fixtures/*.pem\"")]
    NamesNothing {
        /// The configuration key that holds the glob.
        list: &'static str,
        /// The glob as written.
        glob: String,
    },
    /// An allow glob without a single literal letter or digit would switch every rule off.
    #[error("secrets.allow: \"{0}\" names nothing and would allow every secret; name the file or the folder")]
    AllowsEverything(String),
    /// The program's home must be given relative to the workspace.
    #[error("\"{0}\" is not a plain path relative to the workspace; pass the home only when it lies inside")]
    HomeNotRelative(String),
}

impl PathRuleError {
    pub(super) fn bad_glob(list: &'static str, glob: &str, error: &globset::Error) -> Self {
        Self::BadGlob { list, glob: glob.to_owned(), reason: error.kind().to_string() }
    }

    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::BadGlob { list, glob, reason } => {
                Message::new("paths-bad-glob").with("list", *list).with("glob", glob).with("detail", reason)
            }
            Self::NamesNothing { list, glob } => {
                Message::new("paths-glob-names-nothing").with("list", *list).with("glob", glob)
            }
            Self::AllowsEverything(glob) => Message::new("paths-allows-everything").with("glob", glob),
            Self::HomeNotRelative(home) => Message::new("paths-home-not-relative").with("path", home),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct UserGlobs {
    deny: Option<List>,
    allow: Option<GlobSet>,
}

impl UserGlobs {
    pub(super) fn new(deny: &[String], allow: &[String], unvouched: &BTreeSet<String>) -> Result<Self, PathRuleError> {
        if let Some(wide) = allow.iter().find(|glob| !glob.chars().any(char::is_alphanumeric)) {
            return Err(PathRuleError::AllowsEverything(wide.clone()));
        }
        let allow = (!allow.is_empty()).then(|| exact("secrets.allow", allow)).transpose()?;
        Ok(Self { deny: List::new("secrets.deny", ClosedBy::Rule, deny, unvouched)?, allow })
    }

    pub(super) fn denied(&self, relative: &Path) -> Option<&PathRule> {
        self.deny.as_ref()?.find(relative)
    }

    pub(super) fn allowed(&self, relative: &Path) -> bool {
        self.allow.as_ref().is_some_and(|set| set.is_match(relative))
    }
}

/// `key(glob)`, or `key[place]` for a glob from an untrusted file.
pub(super) fn rule_name(key: &str, (at, glob): (usize, &String), unvouched: &BTreeSet<String>) -> String {
    if unvouched.contains(glob) { format!("{key}[{at}]") } else { format!("{key}({glob})") }
}

/// Nothing but what they name themselves, in any letter case.
fn exact(list: &'static str, globs: &[String]) -> Result<GlobSet, PathRuleError> {
    let bad = |glob: &str, error: &globset::Error| PathRuleError::bad_glob(list, glob, error);
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let compiled = GlobBuilder::new(&anchored(glob)).case_insensitive(true).literal_separator(true).build();
        set.add(compiled.map_err(|error| bad(glob, &error))?);
    }
    set.build().map_err(|error| bad(error.glob().unwrap_or_default(), &error))
}

/// A glob without a separator means "at any depth", as in ignore files; leading `./` and `/` mean the workspace root.
pub(super) fn anchored(glob: &str) -> String {
    let trimmed = glob.trim_end_matches('/');
    let from_root = trimmed.strip_prefix("./").or(trimmed.strip_prefix('/'));
    match from_root {
        Some(path) => path.to_owned(),
        None if trimmed.contains('/') => trimmed.to_owned(),
        None => format!("**/{trimmed}"),
    }
}
