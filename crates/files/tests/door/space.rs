//! A workspace with things outside that must stay unseen and unchanged.

use palanca_core::call::{Access, CallId, CanonicalPath, SessionId};
use palanca_core::ports::{
    Change, ChangeOrigin, Committed, ContentHash, Expect, FileError, FileErrorKind, Files, PathRefusal, PathRules,
};
use palanca_files::Disk;
use palanca_policy::paths::PathRules as Policy;
use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

pub const SECRET: &str = "SECRETMARK";

/// Nothing is closed.
pub struct Open;

impl PathRules for Open {
    fn refuse(&self, _relative: &Path, _access: Access) -> Option<PathRefusal> {
        None
    }
}

/// The rules that the product ships.
pub fn policy() -> Arc<dyn PathRules> {
    Arc::new(Policy::new(&[], &[], Some(Path::new(".palanca"))).unwrap())
}

pub struct Space {
    pub top: TempDir,
}

impl Space {
    pub fn new() -> Self {
        Self::within(tempfile::tempdir().unwrap())
    }

    pub fn in_memory() -> Self {
        Self::within(palanca_testkit::in_memory())
    }

    fn within(top: TempDir) -> Self {
        let space = Self { top };
        for (path, content) in [
            ("ws/README.md", "# read me\n"),
            ("ws/src/main.rs", "fn main() {}\n"),
            ("ws/src/lib.rs", "//! lib\n"),
            ("ws/docs/guide.md", "guide\n"),
            ("ws/a b/space name.txt", "spaces\n"),
            ("ws/uni/\u{e9}.txt", "accent\n"),
            ("ws/deep/x/y/z.txt", "deep\n"),
            ("ws/sub/in.txt", "inside\n"),
            ("ws/.git/config", "[core]\n"),
            ("ws/.git/hooks/pre-commit.sample", "#!/bin/sh\n"),
            ("ws-evil/secret.txt", SECRET),
            ("outside/secret.txt", SECRET),
            ("outside/plain.txt", SECRET),
            ("outside/in.txt", SECRET),
            ("outside/README.md", SECRET),
            ("outside/dir/f.txt", SECRET),
            ("ro/lib.txt", "library\n"),
        ] {
            let path = space.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        space
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.top.path().join(relative)
    }

    pub fn ws(&self) -> PathBuf {
        self.path("ws")
    }

    pub fn disk(&self) -> Disk {
        Disk::open(&self.ws(), &[], Arc::new(Open)).unwrap()
    }

    pub fn put(&self, relative: &str, content: impl AsRef<[u8]>) {
        let path = self.ws().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub fn link(&self, name: &str, target: impl AsRef<Path>) {
        let path = self.ws().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub fn content(&self, relative: &str) -> String {
        String::from_utf8(std::fs::read(self.ws().join(relative)).unwrap()).unwrap()
    }

    pub fn exists(&self, relative: &str) -> bool {
        self.ws().join(relative).symlink_metadata().is_ok()
    }

    /// Everything that is not the workspace: names, contents, modes.
    pub fn outside(&self) -> BTreeMap<PathBuf, String> {
        let mut seen = BTreeMap::new();
        for name in std::fs::read_dir(self.top.path()).unwrap() {
            let path = name.unwrap().path();
            if path.file_name().unwrap() != "ws" {
                snapshot(&path, &mut seen);
            }
        }
        seen
    }

    /// Everything in the workspace.
    pub fn inside(&self) -> BTreeMap<PathBuf, String> {
        let mut seen = BTreeMap::new();
        snapshot(&self.ws(), &mut seen);
        seen
    }

    /// Names that a commit left behind anywhere in the workspace.
    pub fn leftovers(&self) -> Vec<PathBuf> {
        let is_leftover = |path: &&PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".palanca-");
        self.inside().keys().filter(is_leftover).cloned().collect()
    }
}

fn snapshot(path: &Path, seen: &mut BTreeMap<PathBuf, String>) {
    let metadata = path.symlink_metadata().unwrap();
    let shown = if metadata.is_symlink() {
        format!("-> {}", std::fs::read_link(path).unwrap().display())
    } else if metadata.is_file() && metadata.len() < 1 << 20 {
        format!("{:o} {}", metadata.mode(), String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()))
    } else {
        format!("{:o}", metadata.mode())
    };
    seen.insert(path.to_owned(), shown);
    if metadata.is_dir() {
        for name in std::fs::read_dir(path).into_iter().flatten() {
            snapshot(&name.unwrap().path(), seen);
        }
    }
}

pub fn origin() -> ChangeOrigin {
    ChangeOrigin { session: SessionId::from("s1"), call: CallId::from("c1") }
}

pub fn at(door: &dyn Files, path: &str) -> CanonicalPath {
    door.locate(path).unwrap()
}

pub fn write(path: &CanonicalPath, content: impl AsRef<[u8]>, expect: Expect) -> Change {
    Change::Write { path: path.clone(), content: content.as_ref().to_vec(), expect, mode: None }
}

pub fn delete(path: &CanonicalPath) -> Change {
    Change::Delete { path: path.clone(), expect: Expect::Anything }
}

pub fn hash(content: impl AsRef<[u8]>) -> ContentHash {
    ContentHash::of_bytes(content.as_ref())
}

pub fn commit(door: &dyn Files, changes: &[Change]) -> Result<Vec<Committed>, FileError> {
    door.commit(changes, &origin())
}

/// As a tool reads: located, opened, at most 1 MiB.
pub fn read(door: &dyn Files, path: &str) -> Result<Vec<u8>, FileError> {
    let file = door.open(&door.locate(path)?)?;
    if file.info.size > 1 << 20 {
        return Err(FileError::new(FileErrorKind::TooLarge, path));
    }
    let mut content = Vec::new();
    file.content.take(1 << 20).read_to_end(&mut content).unwrap();
    Ok(content)
}

pub fn kind<T: std::fmt::Debug>(result: Result<T, FileError>) -> FileErrorKind {
    result.unwrap_err().kind
}
