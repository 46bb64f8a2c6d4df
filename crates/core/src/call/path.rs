//! The canonical paths on which effects are judged.

use serde::Serialize;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// One of the directory trees that a file door holds open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// The workspace: read and written.
    Workspace,
    /// A further, read-only tree, by its position in the configuration.
    ReadOnly(u16),
}

/// The real location of something: below one root, without `.`, `..`, or links. Empty for the root itself.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::CanonicalPath;
/// use palanca::call::Root;
///
/// let folder = CanonicalPath::new(Root::Workspace, "src".into());
/// let file = folder.join("main.rs");
/// assert!(file.is_within(&folder));
/// assert_eq!(file.to_string(), "src/main.rs");
/// ```
#[derive(Clone, Debug, PartialOrd, Ord, Serialize)]
pub struct CanonicalPath {
    root: Root,
    relative: PathBuf,
}

impl CanonicalPath {
    /// Only a file door should construct these: it knows that no component is a link.
    #[must_use]
    pub const fn new(root: Root, relative: PathBuf) -> Self {
        Self { root, relative }
    }

    /// The tree.
    #[must_use]
    pub const fn root(&self) -> Root {
        self.root
    }

    /// The path below that tree.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// Whether `self` is `other` or below it.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.root == other.root && self.relative.starts_with(&other.relative)
    }

    /// This path with one more component.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> Self {
        Self { root: self.root, relative: self.relative.join(name) }
    }
}

/// As bytes, since there is only one way to write such a path: comparing it name by name, as [`Path`] does, would be
/// most of what it costs to find one among a call's effects.
impl PartialEq for CanonicalPath {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.relative.as_os_str() == other.relative.as_os_str()
    }
}

impl Eq for CanonicalPath {}

impl Hash for CanonicalPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.root, self.relative.as_os_str()).hash(state);
    }
}

/// `src/main.rs`; the workspace itself is `.`; other roots are shown as `root1:lib.txt`.
impl fmt::Display for CanonicalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Root::ReadOnly(number) = self.root {
            write!(f, "root{}:", number + 1)?;
        }
        if self.relative.as_os_str().is_empty() { f.write_str(".") } else { self.relative.display().fmt(f) }
    }
}
