//! Walks over a repository: directory by directory, in path order, on one thread. Nothing is ignored: what is committed
//! is part of it, whatever its ignore files say.
//!
//! Content is asked for one by one as long as a walk opens few files, and as one archive from then on.

use super::door::GitHub;
use super::fault::Fault;
use super::tree::{Node, NodeKind};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{
    EntryContent, EntryOpener, FileError, FileErrorKind, Flow, RemoteFault, Visit, WalkEnd, WalkEntry, WalkOptions,
};
use std::io::Cursor;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(super) fn walk(
    door: &GitHub,
    start: &str,
    options: WalkOptions,
    visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
) -> Result<WalkEnd, FileError> {
    let opener = Opener { door, asked: AtomicUsize::new(0) };
    let mut end = WalkEnd::default();
    let mut left = vec![(start.to_owned(), 1)];
    while let Some((directory, depth)) = left.pop() {
        if depth > options.max_depth {
            continue;
        }
        let mut below = Vec::new();
        for (name, node) in door.session().directory(&directory)?.iter() {
            if options.hidden == Visit::Hide && name.starts_with('.') {
                continue;
            }
            let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            let entry = WalkEntry { path: Path::new(&path), kind: node.kind.entry(), depth, opener: &opener };
            end.seen += 1;
            match visit(&entry) {
                Flow::Stop => return Ok(end),
                Flow::Continue if node.kind == NodeKind::Directory => below.push((path, depth.saturating_add(1))),
                Flow::Continue | Flow::Skip => {}
            }
        }
        left.extend(below.into_iter().rev());
    }
    Ok(end)
}

struct Opener<'a> {
    door: &'a GitHub,
    /// Files that were asked for one by one.
    asked: AtomicUsize,
}

impl EntryOpener for Opener<'_> {
    fn open(&self, entry: &WalkEntry<'_>) -> Result<EntryContent, FileError> {
        let path = CanonicalPath::new(Root::Workspace, entry.path.to_owned());
        palanca_core::ports::Files::judge(self.door, &path, Access::Read)?;
        let given = path.to_string();
        let node = self.door.session().node(&given)?;
        if node.kind != NodeKind::File {
            return Err(FileError::new(FileErrorKind::Special, given));
        }
        if self.door.session().kept(&given).is_none() {
            self.ready(&given, &node)?;
        }
        let content = self.door.file(&given, &node)?;
        Ok(EntryContent { info: GitHub::describe(&node), content: Box::new(Cursor::new(content)) })
    }
}

impl Opener<'_> {
    /// Brings the archive when this is no longer one of a few files; says when there is none and these are too many.
    fn ready(&self, path: &str, node: &Node) -> Result<(), FileError> {
        let limits = &self.door.session().api.options().limits;
        if node.size > limits.file {
            return Err(Fault::too_large("file", node.size, limits.file).on(path));
        }
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked < limits.single {
            return Ok(());
        }
        match self.door.session().read_archive() {
            Err(fault) if fault.kind == RemoteFault::RateLimited || asked >= limits.most_single => {
                Err(fault.on(self.door.session().api.options().repository.as_str()))
            }
            Ok(()) if asked >= limits.most_single && self.door.session().kept(path).is_none() => {
                let fault = Fault::too_large("files, one by one", asked as u64 + 1, limits.most_single as u64);
                Err(fault.on(self.door.session().api.options().repository.as_str()))
            }
            _ => Ok(()),
        }
    }
}
