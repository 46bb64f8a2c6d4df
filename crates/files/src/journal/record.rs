//! The lines of the index.

use super::entry::{Entry, Stamp};
use data_encoding::HEXLOWER_PERMISSIVE;
use palanca_core::ports::{ContentHash, EntryKind};
use rustix::fs::Stat;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
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
// Nearly all of them are the largest one.
#[allow(clippy::large_enum_variant)]
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
    /// Other permissions on the same content. Written by earlier versions.
    Mode {
        path: Named,
        before: Kept,
        after: u32,
    },
    /// What a program, or an undo, made of a name. What is there now is not known where a folder around it moved later.
    Turn {
        path: Named,
        was: Entry,
        now: Option<Entry>,
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
            | Self::Mode { path, .. }
            | Self::Turn { path, .. } => (path, None),
            Self::Move { from, to } => (from, Some(to)),
        };
        let inner = match self {
            Self::DeleteTree { files, .. } => files.as_slice(),
            _ => &[],
        };
        std::iter::once(first).chain(second).chain(inner.iter().map(|file| &file.path))
    }

    /// From and to, of a file that only got another name.
    pub(crate) fn moved(&self) -> Option<(&Named, &Named)> {
        match self {
            Self::Turn { path, was: Entry::File(Kept { moved: Some(to), .. }), now: Some(Entry::Absent) } => {
                Some((path, to))
            }
            _ => None,
        }
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
            Self::Turn { path, was: Entry::File(was), now } if !was.kept && !only_attributes(was, now.as_ref()) => {
                Some(path.to_string())
            }
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
            Self::Turn { path, was, now } => match (was, now) {
                (Entry::File(was), Some(Entry::File(now))) if was.mode != now.mode && !was.kept => {
                    write!(f, "mode {path} {:o} -> {:o}", was.mode, now.mode)
                }
                (Entry::File(was), now) if only_attributes(was, now.as_ref()) => write!(f, "touch {path}"),
                (Entry::Folder { mode: was }, Some(Entry::Folder { mode })) => {
                    write!(f, "mode {path} {was:o} -> {mode:o}")
                }
                (_, Some(Entry::Link { target })) => write!(f, "link {path} -> {target}"),
                (Entry::Absent, Some(Entry::Folder { .. })) => write!(f, "make directory {path}"),
                (Entry::Absent, _) => write!(f, "create {path}"),
                (_, Some(Entry::Absent)) => write!(f, "delete {path}"),
                _ => write!(f, "write {path}"),
            },
        }
    }
}

/// Whether only permissions and times are different, so that no content was kept.
pub(crate) fn only_attributes(was: &Kept, now: Option<&Entry>) -> bool {
    let Some(Entry::File(now)) = now else { return false };
    let same = |(was, now): (Stamp, Stamp)| (was.inode, was.size) == (now.inode, now.size);
    !was.kept && was.stamp.zip(now.stamp).is_some_and(same)
}

/// The acts of a step for people: a file that was only moved is told once.
pub(crate) fn told(acts: &[Act]) -> Vec<String> {
    let arrived = arrived(acts);
    let tell = |act: &Act| match (act.moved(), act) {
        (Some((from, to)), _) => Some(format!("move {from} -> {to}")),
        (None, Act::Turn { path, was: Entry::Absent, .. }) if arrived.contains(path) => None,
        (None, act) => Some(act.to_string()),
    };
    acts.iter().filter_map(tell).collect()
}

/// The names under which files arrived that only got another name.
pub(crate) fn arrived(acts: &[Act]) -> HashSet<&Named> {
    acts.iter().filter_map(Act::moved).map(|(_, to)| to).collect()
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
    /// Where in [`super::shelf`], instead of under its hash; empty files need no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<String>,
    /// The name under which the same file, unchanged, was left: nothing else is kept of it then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) moved: Option<Named>,
    /// Which file it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stamp: Option<Stamp>,
    /// What it is to be in the end, where a later step had changed its time.
    #[serde(skip)]
    pub(crate) given: Option<Stamp>,
    /// How many names the file had; none for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<u64>,
}

impl Kept {
    pub(crate) fn unread(stat: &Stat) -> Self {
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        let names = Some(stat.st_nlink).filter(|names| *names > 1);
        let stamp = Some(Stamp::of(stat));
        Self {
            hash: None,
            size,
            mode: stat.st_mode & 0o777,
            kept: false,
            place: None,
            moved: None,
            stamp,
            given: None,
            names,
        }
    }

    /// Of a content of which only the hash is known.
    pub(crate) fn hashed(hash: Option<ContentHash>) -> Self {
        let hash = hash.map(|hash| hash.to_hex());
        Self { hash, size: 0, mode: 0, kept: false, place: None, moved: None, stamp: None, given: None, names: None }
    }

    /// Which file it is when everything that was planned so far is done.
    pub(crate) fn in_the_end(&self) -> Option<Stamp> {
        self.given.or(self.stamp)
    }

    pub(crate) fn digest(&self) -> Option<ContentHash> {
        parse_hash(self.hash.as_deref()?)
    }
}

pub(crate) fn parse_hash(hex: &str) -> Option<ContentHash> {
    let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).ok()?;
    bytes.try_into().ok().map(ContentHash::from_bytes)
}

/// A path. Names that are not UTF-8 are kept as their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
