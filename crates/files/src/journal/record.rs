//! What the lines of the index say.

use palanca_core::ports::{ContentHash, EntryKind};
use rustix::fs::Stat;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// One commit, as the index keeps it: where, and what it does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) workspace: Named,
    pub(crate) acts: Vec<Act>,
    /// What a snapshot left out, by name; the first few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
}

impl Line {
    pub(crate) fn new(workspace: &Path, acts: Vec<Act>) -> Self {
        Self { workspace: workspace.into(), acts, without: Vec::new() }
    }
}

/// One change as it will have happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub(crate) enum Act {
    Write {
        path: Named,
        before: Option<Kept>,
        after: String,
    },
    Delete {
        path: Named,
        before: Kept,
    },
    DeleteTree {
        path: Named,
        kind: Kind,
        files: Vec<KeptFile>,
        directories: Vec<Named>,
        lost: usize,
    },
    Move {
        from: Named,
        to: Named,
    },
    MakeDirectory {
        path: Named,
    },
    /// A symbolic link that a program made, turned or removed: what it led to.
    Link {
        path: Named,
        before: Option<Named>,
        after: Option<Named>,
    },
    /// Other permissions on the same content.
    Mode {
        path: Named,
        before: Kept,
        after: u32,
    },
}

impl Act {
    /// The paths that it touches.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Named> {
        let (first, second) = match self {
            Self::Write { path, .. }
            | Self::Delete { path, .. }
            | Self::DeleteTree { path, .. }
            | Self::MakeDirectory { path }
            | Self::Link { path, .. }
            | Self::Mode { path, .. } => (path, None),
            Self::Move { from, to } => (from, Some(to)),
        };
        let inner = match self {
            Self::DeleteTree { files, .. } => files.as_slice(),
            _ => &[],
        };
        std::iter::once(first).chain(second).chain(inner.iter().map(|file| &file.path))
    }

    /// What cannot be given back because it was never kept.
    pub(crate) fn lost(&self) -> Option<String> {
        match self {
            Self::Write { path, before: Some(before), .. }
            | Self::Delete { path, before }
            | Self::Mode { path, before, .. }
                if !before.kept =>
            {
                Some(path.to_string())
            }
            Self::DeleteTree { path, lost, .. } if *lost > 0 => Some(path.to_string()),
            _ => None,
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write { path, before: None, .. } => write!(f, "create {path}"),
            Self::Write { path, .. } => write!(f, "write {path}"),
            Self::Delete { path, .. } | Self::DeleteTree { path, .. } => write!(f, "delete {path}"),
            Self::Move { from, to } => write!(f, "move {from} -> {to}"),
            Self::MakeDirectory { path } => write!(f, "make directory {path}"),
            Self::Link { path, after: Some(target), .. } => write!(f, "link {path} -> {target}"),
            Self::Link { path, after: None, .. } => write!(f, "delete {path}"),
            Self::Mode { path, before, after } => write!(f, "mode {path} {:o} -> {after:o}", before.mode),
        }
    }
}

/// What was removed as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Directory,
    Other,
}

impl From<EntryKind> for Kind {
    fn from(kind: EntryKind) -> Self {
        if kind == EntryKind::Directory { Self::Directory } else { Self::Other }
    }
}

/// A file of a removed tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptFile {
    pub(crate) path: Named,
    #[serde(flatten)]
    pub(crate) kept: Kept,
}

/// What is remembered of a file's content.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// None when the file was too large or could not be read.
    pub(crate) hash: Option<String>,
    pub(crate) size: u64,
    pub(crate) mode: u32,
    /// Whether the content itself is in the journal.
    pub(crate) kept: bool,
}

impl Kept {
    pub(crate) fn unread(stat: &Stat) -> Self {
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        Self { hash: None, size, mode: stat.st_mode & 0o777, kept: false }
    }

    pub(crate) fn digest(&self) -> Option<ContentHash> {
        parse_hash(self.hash.as_deref()?)
    }
}

pub(crate) fn parse_hash(hex: &str) -> Option<ContentHash> {
    let mut bytes = [0; 32];
    if hex.len() != 64 || !hex.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(ContentHash::from_bytes(bytes))
}

/// A path. Names that are not UTF-8 are kept as their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Named {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl From<&Path> for Named {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes { bytes: path.as_os_str().as_bytes().to_vec() },
        }
    }
}

impl From<&PathBuf> for Named {
    fn from(path: &PathBuf) -> Self {
        path.as_path().into()
    }
}

impl From<&Named> for PathBuf {
    fn from(named: &Named) -> Self {
        match named {
            Named::Text(text) => Self::from(text),
            Named::Bytes { bytes } => OsString::from_vec(bytes.clone()).into(),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PathBuf::from(self).display().fmt(f)
    }
}
