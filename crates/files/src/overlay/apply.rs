//! Makes one change in a layer, under the same conditions as on the disk.

use super::entries;
use super::layer::{Content, LIMIT, Layer, Node, Seen};
use crate::errors::{changed, io_error, not_emptied};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{
    Change, Committed, ContentHash, EntryKind, Expect, FileError, FileErrorKind, Files, Metadata,
};
use std::io::Read;
use std::sync::Arc;
use std::time::SystemTime;

pub(super) fn apply(
    real: &dyn Files,
    layer: &mut Layer,
    change: &Change,
    committed: &mut Vec<Committed>,
) -> Result<(), FileError> {
    for path in change.paths() {
        if path.root() != Root::Workspace {
            return Err(FileError::new(FileErrorKind::ReadOnly, path.to_string()));
        }
        real.judge(path, Access::Write)?;
    }
    let mut applying = Applying { real, layer, committed };
    match change {
        Change::Write { path, content, expect, mode } => applying.write(path, content, (*expect, *mode)),
        Change::Delete { path, expect } => applying.delete(path, *expect),
        Change::Move { from, to } => applying.move_to(from, to),
        Change::MakeDirectory { path } => {
            applying.directory(path)?;
            applying.tell(path, None, None);
            Ok(())
        }
    }
}

struct Applying<'a> {
    real: &'a dyn Files,
    layer: &'a mut Layer,
    committed: &'a mut Vec<Committed>,
}

impl Applying<'_> {
    fn tell(&mut self, path: &CanonicalPath, before: Option<ContentHash>, after: Option<ContentHash>) {
        self.committed.push(Committed { path: path.clone(), before, after });
    }

    /// What stands at a path; none when nothing does.
    fn info(&self, path: &CanonicalPath) -> Result<Option<Metadata>, FileError> {
        let info = match self.layer.seen(path) {
            Ok(Seen::Real) => self.real.info(path),
            Ok(Seen::Node(node)) => node.info(self.real),
            Err(error) => Err(error),
        };
        match info {
            Ok(info) => Ok(Some(info)),
            Err(error) if error.kind == FileErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn hash(&self, path: &CanonicalPath) -> Result<ContentHash, FileError> {
        read(self.real, self.layer, path).map(|content| ContentHash::of_bytes(&content))
    }

    fn write(
        &mut self,
        path: &CanonicalPath,
        content: &[u8],
        (expect, mode): (Expect, Option<u32>),
    ) -> Result<(), FileError> {
        not_the_root(path)?;
        let mut old = self.info(path)?;
        if old.as_ref().is_some_and(|info| info.kind == EntryKind::Directory) && self.emptied(path)? {
            self.layer.remove(path);
            old = None;
        }
        let before = match &old {
            None => None,
            Some(info) => {
                only_regular(path, info)?;
                if expect == Expect::Absent {
                    return Err(FileError::new(FileErrorKind::Exists, path.to_string()));
                }
                Some(self.hash(path)?)
            }
        };
        match (expect, before) {
            (Expect::Content(_), None) => return Err(changed(path, "it is gone")),
            (Expect::Content(wanted), Some(found)) if wanted != found => {
                return Err(changed(path, "its content is not what was read; read it again"));
            }
            _ => {}
        }
        self.parent(path)?;
        let mode = mode.or(old.map(|info| info.mode)).unwrap_or(0o644) & 0o777;
        let node = Node::File { content: Content::Memory(Arc::from(content)), mode, modified: SystemTime::now() };
        self.layer.insert(path.clone(), node);
        self.layer.within_limit(None).map_err(|error| FileError { path: path.to_string(), ..error })?;
        self.tell(path, before, Some(ContentHash::of_bytes(content)));
        Ok(())
    }

    /// Whether the same commit removed all that was in a directory.
    fn emptied(&self, path: &CanonicalPath) -> Result<bool, FileError> {
        let inside = |one: &Committed| one.after.is_none() && one.path != *path && one.path.is_within(path);
        if !self.committed.iter().any(inside) {
            return Ok(false);
        }
        let mut left = tree(self.real, self.layer, path)?.into_iter();
        let held = |folder: &CanonicalPath| self.committed.iter().any(|one| one.path.is_within(folder));
        match left.find(|(path, kind)| *kind != EntryKind::Directory || !held(path)) {
            None => Ok(true),
            Some((left, _)) => Err(not_emptied(path, &left, self.real)),
        }
    }

    fn delete(&mut self, path: &CanonicalPath, expect: Expect) -> Result<(), FileError> {
        not_the_root(path)?;
        let info = self.info(path)?.ok_or_else(|| FileError::new(FileErrorKind::NotFound, path.to_string()))?;
        let before = if info.kind == EntryKind::File { self.hash_if_read(path, expect)? } else { None };
        match expect {
            Expect::Absent => return Err(FileError::new(FileErrorKind::Exists, path.to_string())),
            Expect::Content(wanted) if before != Some(wanted) => {
                return Err(changed(path, "its content is not what was read; read it again"));
            }
            Expect::Content(_) | Expect::Anything => {}
        }
        if info.kind == EntryKind::Directory {
            for (path, _) in tree(self.real, self.layer, path)? {
                self.real.judge(&path, Access::Write)?;
            }
        }
        self.layer.remove(path);
        self.tell(path, before, None);
        Ok(())
    }

    /// A file that is too large to be read may still be removed, if its content has no precondition.
    fn hash_if_read(&self, path: &CanonicalPath, expect: Expect) -> Result<Option<ContentHash>, FileError> {
        match self.hash(path) {
            Err(error) if expect == Expect::Anything && !matches!(error.kind, FileErrorKind::Secret(_)) => Ok(None),
            hashed => hashed.map(Some),
        }
    }

    fn move_to(&mut self, from: &CanonicalPath, to: &CanonicalPath) -> Result<(), FileError> {
        not_the_root(from)?;
        if self.info(to)?.is_some() {
            return Err(FileError::new(FileErrorKind::Exists, to.to_string()));
        }
        if to.is_within(from) {
            return Err(FileError::new(FileErrorKind::Invalid, to.to_string())
                .detail("a directory cannot be moved into itself"));
        }
        let info = self.info(from)?.ok_or_else(|| FileError::new(FileErrorKind::NotFound, from.to_string()))?;
        let mut moved = vec![(from.clone(), info.kind)];
        if info.kind == EntryKind::Directory {
            moved.extend(tree(self.real, self.layer, from)?);
        }
        let mut nodes = Vec::with_capacity(moved.len());
        for (old, kind) in moved {
            let inside = old.relative().strip_prefix(from.relative()).unwrap_or(old.relative());
            let new = if inside.as_os_str().is_empty() { to.clone() } else { to.join(inside) };
            self.real.judge(&old, Access::Write)?;
            self.real.judge(&new, Access::Write)?;
            nodes.push((new, self.node(&old, kind)?));
        }
        let hash = if info.kind == EntryKind::File { self.hash_if_read(from, Expect::Anything)? } else { None };
        self.parent(to)?;
        self.layer.remove(from);
        for (path, node) in nodes {
            self.layer.insert(path, node);
        }
        self.tell(from, hash, None);
        self.tell(to, None, hash);
        Ok(())
    }

    /// What stands at a path, as it can stand elsewhere.
    fn node(&self, path: &CanonicalPath, kind: EntryKind) -> Result<Node, FileError> {
        match self.layer.seen(path)? {
            Seen::Node(node) => Ok(node.clone()),
            Seen::Real => Ok(match kind {
                EntryKind::File => {
                    let info = self.real.info(path)?;
                    Node::File {
                        content: Content::Real(path.clone()),
                        mode: info.mode,
                        modified: info.modified.unwrap_or(SystemTime::UNIX_EPOCH),
                    }
                }
                EntryKind::Directory => Node::Directory,
                other => Node::Other(other),
            }),
        }
    }

    fn parent(&mut self, path: &CanonicalPath) -> Result<(), FileError> {
        let parent = path.relative().parent().unwrap_or(path.relative()).to_owned();
        self.directory(&CanonicalPath::new(path.root(), parent))
            .map_err(|error| FileError { path: path.to_string(), ..error })
    }

    fn directory(&mut self, path: &CanonicalPath) -> Result<(), FileError> {
        match self.info(path)? {
            Some(info) if info.kind == EntryKind::Directory => Ok(()),
            Some(_) => Err(FileError::new(FileErrorKind::NotADirectory, path.to_string())),
            None => {
                self.parent(path)?;
                self.layer.insert(path.clone(), Node::Directory);
                Ok(())
            }
        }
    }
}

fn not_the_root(path: &CanonicalPath) -> Result<(), FileError> {
    if path.relative().as_os_str().is_empty() {
        return Err(FileError::new(FileErrorKind::Invalid, path.to_string())
            .detail("the workspace itself cannot be written, moved or removed"));
    }
    Ok(())
}

fn only_regular(path: &CanonicalPath, info: &Metadata) -> Result<(), FileError> {
    let kind = match info.kind {
        EntryKind::File => return Ok(()),
        EntryKind::Directory => FileErrorKind::IsDirectory,
        EntryKind::Link => return Err(changed(path, "a link stands there now; look again before changing it")),
        EntryKind::Special => FileErrorKind::Special,
    };
    Err(FileError::new(kind, path.to_string()))
}

/// Everything below a directory as the layer shows it.
pub(super) fn tree(
    real: &dyn Files,
    layer: &Layer,
    path: &CanonicalPath,
) -> Result<Vec<(CanonicalPath, EntryKind)>, FileError> {
    let mut found = Vec::new();
    let mut pending = vec![path.clone()];
    while let Some(directory) = pending.pop() {
        for entry in entries(real, layer, &directory)? {
            let path = directory.join(entry.name);
            if entry.kind == EntryKind::Directory {
                pending.push(path.clone());
            }
            found.push((path, entry.kind));
        }
    }
    Ok(found)
}

/// The content at a path as the layer shows it; at most as much as an overlay holds.
pub(super) fn read(real: &dyn Files, layer: &Layer, path: &CanonicalPath) -> Result<Vec<u8>, FileError> {
    match layer.seen(path)? {
        Seen::Node(Node::File { content: Content::Memory(bytes), .. }) => Ok(bytes.to_vec()),
        Seen::Node(Node::File { content: Content::Real(there), .. }) => read_real(real, there),
        _ => read_real(real, path),
    }
}

pub(super) fn read_real(real: &dyn Files, path: &CanonicalPath) -> Result<Vec<u8>, FileError> {
    let file = real.open(path)?;
    let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX);
    if file.info.size > limit {
        return Err(FileError::new(FileErrorKind::TooLarge, path.to_string())
            .detail(format!("a dry run reads files of at most {} MiB", LIMIT >> 20)));
    }
    let mut content = Vec::with_capacity(usize::try_from(file.info.size).unwrap_or_default());
    file.content.take(limit).read_to_end(&mut content).map_err(|error| io_error(&error, path))?;
    Ok(content)
}
