//! A temporary directory, and the real doors on it with the real path rules.

use palanca_core::ports::Files;
use palanca_files::{Disk, Overlay};
use palanca_policy::paths::PathRules;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A temporary folder, in memory where there is room: for tests that are about tries, not about disks.
#[must_use]
pub fn in_memory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let roomy = rustix::fs::statvfs(memory).is_ok_and(|room| room.f_bavail.saturating_mul(room.f_frsize) > 1 << 30);
    let folder = if roomy { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("a temporary folder")
}

/// A temporary workspace, in memory where there is room. It is one level below the temporary directory, so that a test can look next to it for escaped
/// files.
#[derive(Debug)]
pub struct TempWorkspace {
    around: tempfile::TempDir,
}

impl Default for TempWorkspace {
    fn default() -> Self {
        Self::new()
    }
}

impl TempWorkspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        let around = in_memory();
        fs::create_dir(around.path().join("workspace")).expect("the workspace");
        Self { around }
    }

    /// A workspace with these files.
    #[must_use]
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        for (path, content) in files {
            workspace.write(path, content);
        }
        workspace
    }

    /// Its path.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.around.path().join("workspace")
    }

    /// The directory around it, which no tool may touch.
    #[must_use]
    pub fn outside(&self) -> &Path {
        self.around.path()
    }

    /// Writes a file without the gate; missing directories are created.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("the parents");
        fs::write(path, content).expect("a file");
    }

    /// Creates a symbolic link at `path` to `target`, as given.
    #[cfg(unix)]
    pub fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.root().join(path)).expect("a link");
    }

    /// A file's bytes.
    #[must_use]
    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// A file's text.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path)).expect("UTF-8")
    }

    /// Whether something exists there; links are not followed.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.root().join(path).symlink_metadata().is_ok()
    }

    /// Every file with its bytes, in the workspace and in the directory around it, by path from there.
    #[must_use]
    pub fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.around.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let kind = path.symlink_metadata().expect("its kind");
                let name = path.strip_prefix(self.around.path()).expect("below").display().to_string();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() {
                    files.insert(name, fs::read(&path).expect("its content"));
                } else {
                    files.insert(name, b"(no regular file)".to_vec());
                }
            }
        }
        files
    }

    /// The door on it, with the built-in rules on secret and protected paths.
    #[must_use]
    pub fn door(&self) -> Arc<dyn Files> {
        let rules = PathRules::new(&[], &[], None).expect("the built-in rules");
        Arc::new(Disk::open(&self.root(), &[], Arc::new(rules)).expect("a door"))
    }

    /// The door for dry runs.
    #[must_use]
    pub fn overlay(&self) -> Arc<dyn Files> {
        Arc::new(Overlay::new(self.door()))
    }
}
