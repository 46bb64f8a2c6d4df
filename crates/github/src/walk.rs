//! Walks over a repository: directory by directory, in path order, on one thread. Ignore files have no effect:
//! everything committed is included. Directories below the start that are too large or unreadable are named at the end.
//!
//! Content is fetched individually while a walk opens few files, and then as one archive.

use super::door::GitHub;
use super::fault::Fault;
use super::tree::{Node, NodeKind};
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::{
    EntryContent, EntryOpener, FileError, FileErrorKind, Flow, Inclusion, RemoteFault, Visit, WalkEnd, WalkEntry,
    WalkOptions,
};
use std::io::Cursor;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of directories named.
const MOST_UNREADABLE: usize = 20;

pub(super) fn walk(
    door: &GitHub,
    start: &str,
    options: WalkOptions,
    visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
) -> Result<WalkEnd, FileError> {
    let opener = Opener { door, asked: AtomicUsize::new(0), archive: OnceLock::new() };
    let mut end = WalkEnd::default();
    let mut left = vec![(start.to_owned(), 1)];
    while let Some((directory, depth)) = left.pop() {
        if depth > options.max_depth {
            continue;
        }
        let mut below = Vec::new();
        let names = match door.session().directory(&directory) {
            Ok(names) => names,
            Err(error) if directory != start && is_of_one_directory(error.kind) => {
                if end.unreadable.len() < MOST_UNREADABLE {
                    end.unreadable.push(format!("{directory}: {}", error.detail));
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        for (name, node) in names.iter() {
            if options.hidden == Visit::Hide && name.starts_with('.') {
                continue;
            }
            let path = if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            let (path_of, kind) = (Path::new(&path), node.kind.entry());
            let entry = WalkEntry { path: path_of, kind, depth, inclusion: Inclusion::Included, opener: &opener };
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

const fn is_of_one_directory(kind: FileErrorKind) -> bool {
    use RemoteFault as R;
    matches!(kind, FileErrorKind::Remote(R::TooLarge | R::Malformed | R::Missing))
}

struct Opener<'a> {
    door: &'a GitHub,
    /// Number of files fetched individually.
    asked: AtomicUsize,
    /// How the archive ended; a walk tries it once.
    archive: OnceLock<Result<(), Fault>>,
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
        self.ready(&given, &node)?;
        let content = self.door.file(&given, &node)?;
        Ok(EntryContent { info: GitHub::describe(&node), content: Box::new(Cursor::new(content)) })
    }
}

impl Opener<'_> {
    /// Fetches the archive after the first few files. Beyond the limit, a file that is not in the archive is left out.
    fn ready(&self, path: &str, node: &Node) -> Result<(), FileError> {
        let session = self.door.session();
        session.allow_size(path, node.size)?;
        if session.kept(node).is_some() {
            return Ok(());
        }
        let limits = &session.api.options().limits;
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked < limits.single {
            return Ok(());
        }
        let archive = self.archive.get_or_init(|| session.read_archive());
        match archive {
            Err(fault) if fault.kind == RemoteFault::RateLimited => {
                Err(fault.clone().on(session.api.options().repository.as_str()))
            }
            _ if asked < limits.most_single || session.kept(node).is_some() => Ok(()),
            _ => {
                let reason = archive.as_ref().err().map(|fault| fault.detail.clone()).unwrap_or_default();
                Err(Fault::new(RemoteFault::LeftOut, reason).on(path))
            }
        }
    }
}
