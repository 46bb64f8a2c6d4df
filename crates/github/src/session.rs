//! The state of one door: its commit, the names, the contents. Everything is fetched on first use and cached.

use super::answer::{CommitAnswer, ContentAnswer, RepositoryAnswer, TreeAnswer, is_object, parse};
use super::api::{Api, encode};
use super::archive;
use super::contents::Contents;
use super::fault::Fault;
use super::line::Line;
use super::object::{blob_name, blob_of};
use super::tree::{Directory, Node, NodeKind, Tree};
use bytes::Bytes;
use futures_util::StreamExt as _;
use palanca_core::ports::{FileError, FileErrorKind, RemoteFault};
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::mpsc::channel;

/// Number of buffered pieces of an archive.
const WAITING: usize = 32;

pub(super) struct Session {
    pub(super) api: Arc<Api>,
    line: Line,
    /// The commit, once it is known.
    commit: Mutex<Option<Arc<str>>>,
    tree: Mutex<Tree>,
    contents: Mutex<Contents>,
    archive: Mutex<ArchiveState>,
}

enum ArchiveState {
    Untried,
    /// It was read, and what fits is cached.
    Read,
    /// It failed, and retrying would not help.
    Failed(Fault),
}

/// Whether a file of the archive matches the known names.
enum Place {
    Known(Node),
    /// Its directory has not been fetched yet.
    Unknown,
    Nothing,
}

impl Session {
    pub(super) fn new(api: Arc<Api>) -> Self {
        Self {
            api,
            line: Line::default(),
            commit: Mutex::default(),
            tree: Mutex::default(),
            contents: Mutex::default(),
            archive: Mutex::new(ArchiveState::Untried),
        }
    }

    fn get(&self, rest: String) -> Result<Bytes, Fault> {
        let api = Arc::clone(&self.api);
        self.line.run(async move { api.get(&rest).await })
    }

    fn repository(&self) -> &str {
        self.api.options().repository.as_str()
    }

    /// The commit that this session sees, with its names.
    pub(super) fn commit(&self) -> Result<Arc<str>, FileError> {
        let mut known = self.commit.lock();
        if let Some(commit) = &*known {
            return Ok(Arc::clone(commit));
        }
        let (commit, tree) = self.pin()?;
        *self.tree.lock() = tree;
        let commit: Arc<str> = commit.into();
        *known = Some(Arc::clone(&commit));
        Ok(commit)
    }

    fn pin(&self) -> Result<(String, Tree), FileError> {
        let on = |fault: Fault| fault.on(self.repository());
        // Always requested first: otherwise a missing repository could not be distinguished from a missing branch.
        let repository: RepositoryAnswer = self.get(String::new()).and_then(|body| parse(&body)).map_err(on)?;
        let reference = self.api.options().reference.clone().unwrap_or(repository.default_branch);
        let answered = self.get(format!("/commits/{}", encode(&reference))).and_then(|body| parse(&body));
        let commit: CommitAnswer = answered.map_err(|fault| match fault.kind {
            RemoteFault::Missing | RemoteFault::NoSuchRef => on(Fault::new(RemoteFault::NoSuchRef, reference)),
            _ => on(fault),
        })?;
        let of_tree = commit.commit.and_then(|commit| commit.tree).map(|tree| tree.sha);
        let root = of_tree.unwrap_or_else(|| commit.sha.clone());
        if !is_object(&commit.sha) || !is_object(&root) {
            return Err(on(Fault::malformed("the name of the commit")));
        }
        let whole: TreeAnswer =
            self.get(format!("/git/trees/{root}?recursive=1")).and_then(|body| parse(&body)).map_err(on)?;
        let limit = self.api.options().limits.names;
        if whole.tree.len() > limit {
            return Err(on(Fault::too_large("names", whole.tree.len() as u64, limit as u64)));
        }
        let tree = if whole.truncated {
            let mut tree = Tree::default();
            let top: TreeAnswer = self.get(format!("/git/trees/{root}")).and_then(|body| parse(&body)).map_err(on)?;
            tree.learn("", top.tree);
            tree
        } else {
            Tree::of_all(whole.tree).0
        };
        Ok((commit.sha, tree))
    }

    /// The names in a directory.
    pub(super) fn directory(&self, path: &str) -> Result<Arc<Directory>, FileError> {
        self.commit()?;
        if let Some(known) = self.tree.lock().get(path) {
            return Ok(known);
        }
        let node = self.node(path)?;
        match node.kind {
            NodeKind::Directory => {}
            NodeKind::Submodule => return Err(Fault::new(RemoteFault::Submodule, "").on(path)),
            NodeKind::File | NodeKind::Link => return Err(FileError::new(FileErrorKind::NotADirectory, path)),
        }
        let (known, complete) = {
            let tree = self.tree.lock();
            (tree.known(), tree.is_complete())
        };
        let most = self.api.options().limits.directories;
        if complete || node.object.is_empty() {
            return Err(FileError::new(FileErrorKind::NotFound, path));
        }
        if known >= most {
            return Err(Fault::too_large("directories", known as u64 + 1, most as u64).on(path));
        }
        let answer: Result<TreeAnswer, Fault> =
            self.get(format!("/git/trees/{}", node.object)).and_then(|body| parse(&body));
        let answer = answer.map_err(|fault| fault.on(path))?;
        if answer.truncated {
            return Err(Fault::too_large("directory", answer.tree.len() as u64 + 1, answer.tree.len() as u64).on(path));
        }
        Ok(self.tree.lock().learn(path, answer.tree))
    }

    /// The entry at a path other than the root.
    pub(super) fn node(&self, path: &str) -> Result<Node, FileError> {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let missing = || FileError::new(FileErrorKind::NotFound, path);
        let directory = self.directory(parent).map_err(|error| match error.kind {
            FileErrorKind::NotADirectory | FileErrorKind::NotFound => missing(),
            _ => error,
        })?;
        directory.get(name).cloned().ok_or_else(missing)
    }

    pub(super) fn kept(&self, node: &Node) -> Option<Bytes> {
        self.contents.lock().get(&node.object)
    }

    /// The content of a file or a link, by one request unless it is cached.
    pub(super) fn content(&self, path: &str, node: &Node) -> Result<Bytes, FileError> {
        self.allow_size(path, node.size)?;
        if let Some(kept) = self.kept(node) {
            return Ok(kept);
        }
        let content = self.asked_for(path, node).map_err(|fault| match fault.kind {
            // The names are known, so this concerns one content and not the repository.
            RemoteFault::Missing => Fault::new(RemoteFault::Unreadable, "HTTP 404").on(path),
            RemoteFault::Malformed => Fault::new(RemoteFault::Unreadable, fault.detail).on(path),
            RemoteFault::TooLarge => FileError::new(FileErrorKind::TooLarge, path).detail(fault.detail),
            _ => fault.on(path),
        })?;
        self.contents.lock().keep(&node.object, &content, self.api.options().limits.kept);
        Ok(content)
    }

    pub(super) fn allow_size(&self, path: &str, size: u64) -> Result<(), FileError> {
        let limit = self.api.options().limits.file;
        if size <= limit {
            return Ok(());
        }
        Err(FileError::new(FileErrorKind::TooLarge, path).detail(format!("{size} > {limit}")))
    }

    fn asked_for(&self, path: &str, node: &Node) -> Result<Bytes, Fault> {
        let body = match self.get(format!("/git/blobs/{}", node.object)) {
            // By path, for a server without an object of that name.
            Err(fault) if fault.kind == RemoteFault::Missing => {
                let commit = self.commit.lock().clone().unwrap_or_default();
                self.get(format!("/contents/{}?ref={commit}", encode(path)))?
            }
            answered => answered?,
        };
        let answer: ContentAnswer = parse(&body)?;
        drop(body);
        let content = answer.bytes()?;
        if blob_name(&content, &node.object) != node.object {
            return Err(Fault::malformed("its hash is not the one in the tree"));
        }
        Ok(content.into())
    }

    /// Caches the contents of the whole repository, once.
    pub(super) fn read_archive(&self) -> Result<(), Fault> {
        let mut state = self.archive.lock();
        match &*state {
            ArchiveState::Read => return Ok(()),
            ArchiveState::Failed(fault) => return Err(fault.clone()),
            ArchiveState::Untried => {}
        }
        let read = self.fetch_archive();
        *state = match &read {
            Ok(()) => ArchiveState::Read,
            Err(fault) if matches!(fault.kind, RemoteFault::RateLimited | RemoteFault::Unavailable) => {
                ArchiveState::Untried
            }
            Err(fault) => ArchiveState::Failed(fault.clone()),
        };
        read
    }

    fn fetch_archive(&self) -> Result<(), Fault> {
        let commit = self.commit.lock().clone().unwrap_or_default();
        let (sender, receiver) = channel(WAITING);
        let api = Arc::clone(&self.api);
        let time = api.options().time.saturating_mul(4);
        let limits = api.options().limits;
        let head = self.line.run({
            let commit = Arc::clone(&commit);
            async move { api.stream(&format!("/tarball/{commit}")).await }
        })?;
        self.line.spawn(async move {
            let mut body = head.body;
            let pump = async {
                while let Some(piece) = body.next().await {
                    // The reader has stopped: the archive was too large, or broken.
                    if sender.send(piece).await.is_err() {
                        break;
                    }
                }
            };
            // ignored: an archive that takes too long ends early, and its reader reports that it is truncated.
            let _ = tokio::time::timeout(time, pump).await;
        })?;
        let wants = |path: &str, size: u64| match self.place(path) {
            Place::Known(node) => node.may_be(size),
            Place::Unknown => true,
            Place::Nothing => false,
        };
        let keep = |path: &str, file: Bytes| {
            let proven = match self.place(path) {
                Place::Known(node) => blob_of(file, &node.object).map(|blob| (node.object, blob)),
                Place::Unknown => Some((blob_name(&file, &commit), file)),
                Place::Nothing => None,
            };
            if let Some((object, blob)) = proven {
                self.contents.lock().fill(&object, blob, limits.kept);
            }
        };
        // A separate thread, because blocking on a receiver is not allowed inside a runtime.
        let fill = || archive::read(receiver, &limits, wants, keep);
        let read = std::thread::scope(|scope| scope.spawn(fill).join());
        read.unwrap_or_else(|_| Err(Fault::malformed("archive")))
    }

    fn place(&self, path: &str) -> Place {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let tree = self.tree.lock();
        match tree.get(parent) {
            Some(directory) => match directory.get(name) {
                Some(node) if node.kind == NodeKind::File => Place::Known(node.clone()),
                _ => Place::Nothing,
            },
            None if tree.is_complete() => Place::Nothing,
            None => Place::Unknown,
        }
    }
}
