//! The changes of an overlay on top of the real files, path by path.

use palanca_core::call::CanonicalPath;
use palanca_core::ports::{Change, EntryKind, FileError, FileErrorKind, Files, Metadata};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

/// Bytes of content that an overlay holds.
pub(super) const LIMIT: usize = 256 << 20;

/// What stands at one path instead of the real thing.
#[derive(Clone, Debug)]
pub(super) enum Node {
    File {
        content: Content,
        mode: u32,
        modified: SystemTime,
    },
    /// Made here: nothing real below it is visible.
    Directory,
    /// A link or special file that was moved here.
    Other(EntryKind),
    /// Nothing, nor anything below.
    Gone,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Memory(Arc<[u8]>),
    /// That of a real file, which was moved.
    Real(CanonicalPath),
}

impl Node {
    pub(super) fn kind(&self) -> Option<EntryKind> {
        match self {
            Self::File { .. } => Some(EntryKind::File),
            Self::Directory => Some(EntryKind::Directory),
            Self::Other(kind) => Some(*kind),
            Self::Gone => None,
        }
    }

    /// Whether it is this very one, as far as can be told without reading.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { content, mode, .. }, Self::File { content: others, mode: their, .. }) => {
                mode == their
                    && match (content, others) {
                        (Content::Memory(one), Content::Memory(other)) => Arc::ptr_eq(one, other),
                        (Content::Real(one), Content::Real(other)) => one == other,
                        _ => false,
                    }
            }
            (Self::Other(one), Self::Other(other)) => one == other,
            (Self::Directory, Self::Directory) | (Self::Gone, Self::Gone) => true,
            _ => false,
        }
    }

    pub(super) fn info(&self, real: &dyn Files) -> Result<Metadata, FileError> {
        match self {
            Self::File { content: Content::Memory(bytes), mode, modified } => Ok(Metadata {
                kind: EntryKind::File,
                size: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                modified: Some(*modified),
                changed: None,
                inode: 0,
                mode: *mode,
            }),
            Self::File { content: Content::Real(there), .. } => real.info(there),
            Self::Directory => Ok(Metadata::timeless(EntryKind::Directory, 0, 0o755)),
            Self::Other(kind) => Ok(Metadata::timeless(*kind, 0, 0o644)),
            Self::Gone => Err(FileError::new(FileErrorKind::NotFound, "")),
        }
    }
}

/// What a path shows.
pub(super) enum Seen<'a> {
    Real,
    Node(&'a Node),
}

/// All nodes. Paths sort so that a directory is followed by what is below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    nodes: BTreeMap<CanonicalPath, Node>,
    bytes: usize,
}

impl Layer {
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn get(&self, path: &CanonicalPath) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// What stands at a path; an ancestor decides where the path itself was not touched.
    pub(super) fn seen(&self, path: &CanonicalPath) -> Result<Seen<'_>, FileError> {
        if let Some(node) = self.nodes.get(path) {
            return match node {
                Node::Gone => Err(FileError::new(FileErrorKind::NotFound, path.to_string())),
                node => Ok(Seen::Node(node)),
            };
        }
        for ancestor in path.relative().ancestors().skip(1) {
            let above = CanonicalPath::new(path.root(), ancestor.to_owned());
            match self.nodes.get(&above) {
                None => {}
                Some(Node::File { .. } | Node::Other(_)) => {
                    return Err(FileError::new(FileErrorKind::NotADirectory, above.to_string()));
                }
                Some(Node::Directory | Node::Gone) => {
                    return Err(FileError::new(FileErrorKind::NotFound, path.to_string()));
                }
            }
        }
        Ok(Seen::Real)
    }

    /// The nodes below a path, without its own.
    pub(super) fn below<'a>(&'a self, path: &'a CanonicalPath) -> impl Iterator<Item = (&'a CanonicalPath, &'a Node)> {
        self.nodes.range(path..).take_while(|(found, _)| found.is_within(path)).filter(move |(found, _)| *found != path)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (&CanonicalPath, &Node)> {
        self.nodes.iter()
    }

    pub(super) fn insert(&mut self, path: CanonicalPath, node: Node) {
        self.bytes = self.bytes.saturating_add(weight(&node));
        if let Some(old) = self.nodes.insert(path, node) {
            self.bytes = self.bytes.saturating_sub(weight(&old));
        }
    }

    /// Nothing is left at a path, nor below it.
    pub(super) fn remove(&mut self, path: &CanonicalPath) {
        let below: Vec<CanonicalPath> = self.below(path).map(|(found, _)| found.clone()).collect();
        for found in below {
            if let Some(old) = self.nodes.remove(&found) {
                self.bytes = self.bytes.saturating_sub(weight(&old));
            }
        }
        self.insert(path.clone(), Node::Gone);
    }

    /// Before a change that is made for itself.
    pub(super) fn has_room_for(&self, change: &Change) -> Result<(), FileError> {
        let more = if let Change::Write { content, .. } = change { content.len() } else { 0 };
        Self::at_most(self.bytes.saturating_add(more), Some(change))
    }

    pub(super) fn within_limit(&self, first: Option<&Change>) -> Result<(), FileError> {
        Self::at_most(self.bytes, first)
    }

    fn at_most(bytes: usize, first: Option<&Change>) -> Result<(), FileError> {
        if bytes <= LIMIT {
            return Ok(());
        }
        let path = first.and_then(|change| change.paths().next()).map_or(String::new(), ToString::to_string);
        Err(FileError::new(FileErrorKind::TooLarge, path)
            .detail(format!("a dry run holds at most {} MiB of changes", LIMIT >> 20)))
    }
}

fn weight(node: &Node) -> usize {
    match node {
        Node::File { content: Content::Memory(bytes), .. } => bytes.len(),
        _ => 0,
    }
}
