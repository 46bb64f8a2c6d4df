//! Which workspace-relative paths are *secret* (never read, written or shown) and which are *protected* (readable, but
//! a write, delete or move would change what some program runs later). It never touches the disk and never resolves
//! links: callers pass the canonical path relative to the workspace root, so the folders above the workspace, which the
//! user chose, can never make a rule fire.
//!
//! The surprising decision: names are compared as the *most forgiving* file system would compare them (any case,
//! trailing dots and spaces dropped, alternate-stream suffix cut, backup suffixes peeled), because the same repository
//! is opened on all of them. Look-alike letters of other alphabets stay ordinary names: no file system folds those.

mod fold;
mod globs;
mod guarded;
mod index;
pub mod kept;
mod overlap;
mod rule;
mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use crate::git;
use globs::UserGlobs;
use index::Index;
pub use palanca_core::call::Access;
use palanca_core::ports::ClosedBy;

pub(crate) use fold::{name as folded_name, path as folded_path, text as folded_text};
pub use globs::PathRuleError;
pub use guarded::{Guarded, GuardedFiles};
pub use rule::PathRule;

/// The judgement of one path, with the rule that decided. Secret wins over protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathVerdict<'rules> {
    /// No rule objects.
    Allow,
    /// Holds credentials: refuse reads, writes and search hits; no approval can allow it, only configuration.
    Secret(&'rules PathRule),
    /// Decides what runs later: refuse, or ask a person, before a write. Only ever returned for [`Access::Write`].
    Protected(&'rules PathRule),
}

impl<'rules> PathVerdict<'rules> {
    /// The rule that decided, or `None` when the path is allowed.
    #[must_use]
    pub fn rule(&self) -> Option<&'rules PathRule> {
        match self {
            Self::Allow => None,
            Self::Secret(rule) | Self::Protected(rule) => Some(rule),
        }
    }
}

/// The built-in tables, compiled for the first path that is judged.
static SECRETS: LazyLock<Index> =
    LazyLock::new(|| Index::new(&[(table::SECRET, ClosedBy::Rule), (table::LOGINS, ClosedBy::Rule)]));
static PROTECTED: LazyLock<Index> =
    LazyLock::new(|| Index::new(&[(table::PROTECTED, ClosedBy::Rule), (table::OWN, ClosedBy::Own)]));

/// The built-in tables plus the user's own globs, compiled once and shared by every call of a session.
#[derive(Debug)]
pub struct PathRules {
    user: UserGlobs,
    guarded: Option<Arc<GuardedFiles>>,
    own: Vec<Own>,
}

/// Folders that tools fill with packages and what is built of them.
const PACKAGES: [&str; 4] = ["node_modules", "site-packages", "vendor", "target"];
/// More of them, where what is secret or starts programs by its name is kept as everywhere.
const BUILT: [&str; 8] = [".venv", "venv", "dist-packages", ".tox", ".nox", "build", "dist", ".next"];

/// The rule of the program's own places.
const OWN: &str = "protected.own-home";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    /// The place itself, or below it.
    Within,
    /// A folder above it.
    Above,
}

/// A folder or file of the program itself, with what is below it.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    components: Vec<Vec<u8>>,
    rule: PathRule,
}

impl PathRules {
    /// Compiles the rules.
    ///
    /// - `extra_deny`: globs that become secret. A glob without `/` is tried on every component; one with `/` on the
    ///   path from the workspace root. Naming a folder covers all below it. Always wins over `extra_allow`.
    /// - `extra_allow`: globs that a built-in rule may no longer refuse. They cover exactly what they match (`dir/**`
    ///   for a tree) and must name something: `*` and `**/*` are refused.
    /// - `own_home`: the program's own state directory when it lies inside the workspace, relative to its root.
    ///
    /// # Errors
    /// A glob that does not parse, an allow glob that names nothing, or a home that is not a plain relative path.
    pub fn new(extra_deny: &[String], extra_allow: &[String], own_home: Option<&Path>) -> Result<Self, PathRuleError> {
        Ok(Self {
            user: UserGlobs::new(extra_deny, extra_allow, &BTreeSet::new())?,
            guarded: None,
            own: own_home.map(Own::new).transpose()?.into_iter().collect(),
        })
    }

    /// The same rules with the user's own `secrets.deny` and `secrets.allow`. Of globs that are in `unvouched`, too, a
    /// refusal names the place and not the text.
    ///
    /// # Errors
    /// As [`PathRules::new`].
    pub fn naming(
        mut self,
        (deny, allow): (&[String], &[String]),
        unvouched: &BTreeSet<String>,
    ) -> Result<Self, PathRuleError> {
        self.user = UserGlobs::new(deny, allow, unvouched)?;
        Ok(self)
    }

    /// The same rules with more places that are the program's own: folders, or files that it reads as its user's word.
    /// Relative to the workspace's root.
    ///
    /// # Errors
    /// The first that is not a plain relative path.
    pub fn owning(mut self, places: &[PathBuf]) -> Result<Self, PathRuleError> {
        for place in places {
            self.own.push(Own::new(place)?);
        }
        Ok(self)
    }

    /// The program's own places, relative to the workspace's root.
    pub fn own(&self) -> impl Iterator<Item = &Path> {
        self.own.iter().map(|own| own.path.as_path())
    }

    /// The same rules with the operator's guardrails on files. `secrets.allow` does not lift them.
    #[must_use]
    pub fn guarding(mut self, files: Arc<GuardedFiles>) -> Self {
        self.guarded = (!files.is_empty()).then_some(files);
        self
    }

    /// The operator's guardrails on files, as they are compiled here.
    #[must_use]
    pub fn guarded(&self) -> Arc<GuardedFiles> {
        self.guarded.clone().unwrap_or_default()
    }

    /// Judges one path relative to the workspace root. Names are judged as file names: a folder that happens to be
    /// called like a secret file is refused as an entry, but what lies in it is judged by its own name.
    #[must_use]
    pub fn judge(&self, relative: &Path, access: Access) -> PathVerdict<'_> {
        self.judge_where(relative, access, |guarded| guarded.find(Guarded::Protected, relative))
    }

    fn judge_where<'r>(
        &'r self,
        relative: &Path,
        access: Access,
        protecting: impl Fn(&'r GuardedFiles) -> Option<&'r PathRule>,
    ) -> PathVerdict<'r> {
        let bytes = relative.as_os_str().as_encoded_bytes();
        if let Some(rule) = self.user.denied(relative) {
            return PathVerdict::Secret(rule);
        }
        if let Some(rule) = self.guarded.as_ref().and_then(|guarded| guarded.find(Guarded::Sensitive, relative)) {
            return PathVerdict::Secret(rule);
        }
        if let Some(rule) = SECRETS.find(bytes) {
            return if self.user.allowed(relative) { PathVerdict::Allow } else { PathVerdict::Secret(rule) };
        }
        if access == Access::Write {
            if let Some(own) = self.own.iter().find(|own| own.touched(bytes) == Some(Touch::Within)) {
                return PathVerdict::Protected(&own.rule);
            }
            if let Some(rule) = self.guarded.as_deref().and_then(&protecting) {
                return PathVerdict::Protected(rule);
            }
            let listed = PROTECTED.find(bytes);
            if let Some(rule) = listed.filter(|_| !self.user.allowed(relative)) {
                return PathVerdict::Protected(rule);
            }
            if let Some(own) = self.own.iter().find(|own| own.touched(bytes).is_some()) {
                return PathVerdict::Protected(&own.rule);
            }
        }
        PathVerdict::Allow
    }

    /// Judges one path that a program changes. Inside a `.git` git itself is at work: which of its files decide what runs is
    /// judged by [`crate::git`]. A `pyvenv.cfg` is made with every Python environment, in which all else is free, too. Packages
    /// bring editors' settings and keys for their tests, which whoever installs them must be able to write: what they hold
    /// is run anyway, and a secret that is there already is hidden from programs. Nor do they bring the project's own files, which
    /// the operator protects by their kind.
    #[must_use]
    pub fn judge_program(&self, relative: &Path) -> PathVerdict<'_> {
        let verdict = self.judge_where(relative, Access::Write, |guarded| guarded.find_for_programs(relative));
        let free = match verdict.rule().map_or("", PathRule::id) {
            "protected.git" => git::is_in_git(relative),
            "protected.tool-start" => relative.file_name().is_some_and(|name| folded_name(name) == "pyvenv.cfg"),
            OWN | "protected.repository" => false,
            id if id.starts_with("protected.") => is_below(relative, &PACKAGES),
            id => id.starts_with("secret.") && (git::is_named_by_git(relative) || is_below(relative, &PACKAGES)),
        };
        if free { PathVerdict::Allow } else { verdict }
    }

    /// Every built-in rule, secret ones first: for `doctor` and the documentation.
    pub fn built_in(&self) -> impl Iterator<Item = &PathRule> {
        SECRETS.rules().chain(PROTECTED.rules())
    }
}

/// Whether it lies below a folder of one of these names.
fn is_below(relative: &Path, folders: &[&str]) -> bool {
    let mut above = relative.parent().unwrap_or(Path::new("")).iter();
    above.any(|part| folders.iter().any(|known| part == *known))
}

/// Whether others made it and a program put it there.
fn is_unpacked(relative: &Path) -> bool {
    is_below(relative, &PACKAGES) || is_below(relative, &BUILT)
}

impl Own {
    fn new(home: &Path) -> Result<Self, PathRuleError> {
        let plain = home.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        if !plain || home.as_os_str().is_empty() {
            return Err(PathRuleError::HomeNotRelative(home.display().to_string()));
        }
        let components = fold::components(home.as_os_str().as_encoded_bytes());
        let components = components.map(|part| fold::fold(part).into_owned()).collect();
        Ok(Self { path: home.to_owned(), components, rule: PathRule::new(ClosedBy::Own, OWN) })
    }

    /// Each folder above it counts too: moving a parent away and back would replace it.
    fn touched(&self, path: &[u8]) -> Option<Touch> {
        let mut own = self.components.iter();
        for part in fold::components(path) {
            match own.next() {
                None => return Some(Touch::Within),
                Some(expected) if *fold::fold(part) == **expected => {}
                Some(_) => return None,
            }
        }
        // The workspace root itself has no component; deleting a whole workspace is judged elsewhere.
        let touch = if own.next().is_some() { Touch::Above } else { Touch::Within };
        (!path.is_empty() && path != b".").then_some(touch)
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod corpus_tests;
