//! The names of one commit, as far as they are known: all of them, or directory by directory.
//!
//! The server is not trusted: a name that could escape, is invalid on a file system, occurs twice or is both a file and
//! a directory is skipped and counted.

use super::answer::{TreeEntry, is_object};
use palanca_core::ports::EntryKind;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The longest path and the longest name in it, in bytes, as elsewhere.
const LONGEST_PATH: usize = 4095;
const LONGEST_NAME: usize = 255;

/// One name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) size: u64,
    /// The object's name; empty for a directory that is only implied by paths in it.
    pub(super) object: String,
    pub(super) mode: u32,
}

impl Node {
    /// Whether a file of this size in an archive can be this one: unchanged, or with a `\r` before each `\n`.
    pub(super) const fn may_be(&self, size: u64) -> bool {
        size >= self.size && size <= self.size.saturating_mul(2)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    File,
    Directory,
    Link,
    Submodule,
}

impl NodeKind {
    pub(super) const fn entry(self) -> EntryKind {
        match self {
            Self::File => EntryKind::File,
            Self::Directory => EntryKind::Directory,
            Self::Link => EntryKind::Link,
            Self::Submodule => EntryKind::Special,
        }
    }
}

pub(super) type Directory = BTreeMap<String, Node>;

/// Directories by path; the root is the empty path.
#[derive(Default)]
pub(super) struct Tree {
    directories: HashMap<String, Arc<Directory>>,
    /// Whether every directory is known.
    complete: bool,
}

/// Whether this can be a path in a repository.
pub(super) fn is_plain(path: &str) -> bool {
    let name = |name: &str| {
        !matches!(name, "" | "." | "..") && name.len() <= LONGEST_NAME && !name.eq_ignore_ascii_case(".git")
    };
    path.len() <= LONGEST_PATH && !path.contains('\0') && path.split('/').all(name)
}

impl Tree {
    /// The complete tree, from paths in any order, and how many entries were skipped.
    pub(super) fn of_all(entries: Vec<TreeEntry>) -> (Self, usize) {
        let root = HashMap::from([(String::new(), Directory::new())]);
        let mut building = Building { directories: root, room: DERIVED };
        let odd = entries.into_iter().filter_map(|entry| (!building.add(entry)).then_some(())).count();
        let directories =
            building.directories.into_iter().map(|(path, directory)| (path, Arc::new(directory))).collect();
        (Self { directories, complete: true }, odd)
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    pub(super) fn get(&self, path: &str) -> Option<Arc<Directory>> {
        self.directories.get(path).cloned()
    }

    /// How many directories are known.
    pub(super) fn known(&self) -> usize {
        self.directories.len()
    }

    /// One directory, from the names in it.
    pub(super) fn learn(&mut self, path: &str, entries: Vec<TreeEntry>) -> Arc<Directory> {
        let mut directory = Directory::new();
        for entry in entries {
            if entry.path.contains('/') || !is_plain(&entry.path) || directory.contains_key(&entry.path) {
                continue;
            }
            if let Some(node) = node(&entry) {
                directory.insert(entry.path, node);
            }
        }
        let directory = Arc::new(directory);
        self.directories.insert(path.to_owned(), Arc::clone(&directory));
        directory
    }
}

fn node(entry: &TreeEntry) -> Option<Node> {
    let kind = match (entry.kind.as_str(), entry.mode.as_str()) {
        ("blob", "120000") => NodeKind::Link,
        ("blob", _) => NodeKind::File,
        ("tree", _) => NodeKind::Directory,
        ("commit", _) => NodeKind::Submodule,
        _ => return None,
    };
    let object = entry.sha.clone().filter(|name| is_object(name));
    // A submodule's object is never fetched, so any name is accepted.
    if object.is_none() && matches!(kind, NodeKind::File | NodeKind::Link) {
        return None;
    }
    let mode = match (kind, entry.mode.as_str()) {
        (NodeKind::Directory, _) | (_, "100755") => 0o755,
        _ => 0o644,
    };
    Some(Node { kind, size: entry.size.unwrap_or_default(), object: object.unwrap_or_default(), mode })
}

/// Limit on the path bytes of implied directories: a few long paths could imply millions.
const DERIVED: usize = 32 << 20;

struct Building {
    directories: HashMap<String, Directory>,
    room: usize,
}

impl Building {
    /// Whether the entry was added.
    fn add(&mut self, entry: TreeEntry) -> bool {
        let Some(node) = node(&entry).filter(|_| is_plain(&entry.path)) else { return false };
        let (parent, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        if !self.make(parent) {
            return false;
        }
        let is_directory = node.kind == NodeKind::Directory;
        let Some(directory) = self.directories.get_mut(parent) else { return false };
        match directory.get_mut(name) {
            // It was implied by an earlier entry in it.
            Some(known) if known.kind == NodeKind::Directory && is_directory && known.object.is_empty() => {
                *known = node
            }
            Some(_) => return false,
            None => {
                directory.insert(name.to_owned(), node);
            }
        }
        if is_directory {
            self.directories.entry(entry.path).or_default();
        }
        true
    }

    /// Adds a directory and its parents, unless a file is in the way.
    fn make(&mut self, path: &str) -> bool {
        if self.directories.contains_key(path) {
            return true;
        }
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !self.make(parent) || path.len() > self.room {
            return false;
        }
        let Some(above) = self.directories.get_mut(parent).filter(|above| !above.contains_key(name)) else {
            return false;
        };
        let node = Node { kind: NodeKind::Directory, size: 0, object: String::new(), mode: 0o755 };
        above.insert(name.to_owned(), node);
        self.directories.insert(path.to_owned(), Directory::new());
        self.room = self.room.saturating_sub(path.len());
        true
    }
}

#[cfg(test)]
mod tests;
