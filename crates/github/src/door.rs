//! [`GitHub`] as an implementation of the file port.

use super::api::Api;
use super::fault::Fault;
use super::links;
use super::options::GitHubOptions;
use super::session::Session;
use super::tree::{Node, NodeKind};
use super::walk;
use bytes::Bytes;
use palanca_core::call::{Access, CanonicalPath, Root};
use palanca_core::ports::http::Http;
use palanca_core::ports::{
    Change, ChangeOrigin, Committed, Entry, EntryKind, FileError, FileErrorKind, Files, Flow, Metadata, OpenFile,
    PathRules, RemoteFault, WalkEnd, WalkEntry, WalkOptions,
};
use std::io::Cursor;
use std::sync::Arc;

/// The first bytes of a Git LFS pointer.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// The maximum length of a pointer.
const LONGEST_POINTER: usize = 1024;

/// A repository on GitHub, read only, at one commit.
///
/// Methods that read block until the API has answered; they may be called from any thread.
pub struct GitHub {
    session: Session,
    rules: Arc<dyn PathRules>,
}

impl GitHub {
    /// A door on this repository. No request is sent yet. `http` must reach the API's address and the archives'
    /// address, and should reach nothing else.
    #[must_use]
    pub fn new(options: GitHubOptions, http: Arc<dyn Http>, rules: Arc<dyn PathRules>) -> Self {
        Self { session: Session::new(Arc::new(Api::new(http, options))), rules }
    }

    /// Another door on the same repository that sees its current state. The two share a cache: unchanged answers do not
    /// count against the rate limit.
    #[must_use]
    pub fn renewed(&self) -> Self {
        Self { session: Session::new(Arc::clone(&self.session.api)), rules: Arc::clone(&self.rules) }
    }

    /// The commit that this door sees.
    ///
    /// # Errors
    /// A problem with the repository.
    pub fn commit_seen(&self) -> Result<Arc<str>, FileError> {
        self.session.commit()
    }

    pub(super) const fn session(&self) -> &Session {
        &self.session
    }

    pub(super) const fn describe(node: &Node) -> Metadata {
        Metadata::timeless(node.kind.entry(), node.size, node.mode)
    }

    /// A file's content, unless the repository has only a pointer.
    pub(super) fn file(&self, path: &str, node: &Node) -> Result<Bytes, FileError> {
        let content = self.session.content(path, node)?;
        if content.len() <= LONGEST_POINTER && content.starts_with(POINTER) {
            let text = String::from_utf8_lossy(&content);
            let size = text.lines().find(|line| line.starts_with("size ")).unwrap_or_default();
            return Err(Fault::new(RemoteFault::Pointer, size).on(path));
        }
        Ok(content)
    }
}

impl std::fmt::Debug for GitHub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GitHub").field("options", self.session.api.options()).finish_non_exhaustive()
    }
}

/// The path in the repository; the root is empty.
fn given(path: &CanonicalPath) -> Result<&str, FileError> {
    let outside = || FileError::new(FileErrorKind::Outside, path.to_string());
    if path.root() != Root::Workspace {
        return Err(outside());
    }
    path.relative().to_str().ok_or_else(outside)
}

impl Files for GitHub {
    fn root(&self) -> String {
        format!("github:{}", self.session.api.options().repository)
    }

    fn locate(&self, path: &str) -> Result<CanonicalPath, FileError> {
        Ok(CanonicalPath::new(Root::Workspace, links::resolve(&self.session, path)?))
    }

    fn judge(&self, path: &CanonicalPath, access: Access) -> Result<(), FileError> {
        given(path)?;
        if let Some(refusal) = self.rules.refuse(path.relative(), access) {
            return Err(refusal.on(path.to_string()));
        }
        match access {
            Access::Read => Ok(()),
            Access::Write => Err(FileError::new(FileErrorKind::ReadOnly, path.to_string())),
        }
    }

    fn info(&self, path: &CanonicalPath) -> Result<Metadata, FileError> {
        let given = given(path)?;
        if given.is_empty() {
            self.session.directory("")?;
            return Ok(Metadata::timeless(EntryKind::Directory, 0, 0o755));
        }
        self.session.node(given).map(|node| Self::describe(&node))
    }

    fn open(&self, path: &CanonicalPath) -> Result<OpenFile, FileError> {
        self.judge(path, Access::Read)?;
        let given = given(path)?;
        if given.is_empty() {
            return Err(FileError::new(FileErrorKind::IsDirectory, path.to_string()));
        }
        let node = self.session.node(given)?;
        let content = match node.kind {
            NodeKind::File => self.file(given, &node)?,
            NodeKind::Directory => return Err(FileError::new(FileErrorKind::IsDirectory, given)),
            NodeKind::Submodule => return Err(Fault::new(RemoteFault::Submodule, "").on(given)),
            NodeKind::Link => {
                let target = links::target(&self.session, given, &node)?.unwrap_or_default();
                return Err(Fault::new(RemoteFault::Link, target).on(given));
            }
        };
        Ok(OpenFile { path: path.clone(), info: Self::describe(&node), content: Box::new(Cursor::new(content)) })
    }

    fn entries(&self, path: &CanonicalPath) -> Result<Vec<Entry>, FileError> {
        let directory = self.session.directory(given(path)?)?;
        Ok(directory.iter().map(|(name, node)| Entry { name: name.clone(), kind: node.kind.entry() }).collect())
    }

    fn walk(
        &self,
        path: &CanonicalPath,
        options: WalkOptions,
        visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
    ) -> Result<WalkEnd, FileError> {
        walk::walk(self, given(path)?, options, visit)
    }

    fn commit(&self, changes: &[Change], _origin: &ChangeOrigin) -> Result<Vec<Committed>, FileError> {
        let first = changes.first().and_then(|change| change.paths().next());
        Err(FileError::new(FileErrorKind::ReadOnly, first.map(ToString::to_string).unwrap_or_default()))
    }
}
