//! Working directories: canonical paths become absolute ones, and a directory that was replaced meanwhile is refused.
//!
//! A path is walked twice, from the root that was opened first and from `/`, and never through a link; both ways must
//! lead to the same directory.

use super::SandboxError;
use crate::settings::SandboxSettings;
use crate::spawn::directory as refusal;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::ProcessError;
use rustix::fs::{CWD, Mode, OFlags, fstat, open, openat};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The roots, held open.
pub(super) struct Directories {
    workspace: Held,
    roots: Vec<Held>,
}

struct Held {
    path: PathBuf,
    handle: OwnedFd,
}

const FLAGS: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Directories {
    /// Opens the roots, and writes their canonical paths into the settings.
    pub(super) fn open(settings: &mut SandboxSettings) -> Result<Self, SandboxError> {
        let hold = |path: &mut PathBuf| {
            let held = canonical(path).and_then(|path| Ok(Held { handle: open(&path, FLAGS, Mode::empty())?, path }));
            let held = held.map_err(|error| unusable(path, error))?;
            path.clone_from(&held.path);
            Ok(held)
        };
        let workspace = hold(&mut settings.workspace)?;
        if workspace.path == Path::new("/") {
            return Err(unusable(&workspace.path, "the whole machine cannot be a workspace"));
        }
        let roots = settings.roots.iter_mut().map(hold).collect::<Result<_, _>>()?;
        if let Some(path) = settings.protected.iter().find(|path| !is_below(path)) {
            return Err(unusable(path, "a protected path must be relative to the workspace and inside it"));
        }
        for paths in [&mut settings.readable, &mut settings.path] {
            // What is not there cannot be read.
            paths.retain(|path| canonical(path).map_or_else(|error| error.kind() != io::ErrorKind::NotFound, |_| true));
        }
        for path in settings.readable.iter_mut().chain(&mut settings.path).chain(&mut settings.masked) {
            let found = existing(path).map_err(|error| unusable(path, error))?;
            if found == Path::new("/") {
                return Err(unusable(path, "the whole machine cannot be shown or hidden"));
            }
            *path = found;
        }
        let own = settings.spill.iter().map(|spill| &spill.directory).chain(&settings.state_file);
        for path in own {
            if existing(path).map_err(|error| unusable(path, error))?.starts_with(&workspace.path) {
                return Err(unusable(path, "it must not be in the workspace, which programs may change"));
            }
        }
        Ok(Self { workspace, roots })
    }

    /// The absolute path of a directory that is what it was when it was judged.
    pub(super) fn check(&self, directory: &CanonicalPath) -> Result<PathBuf, ProcessError> {
        let root = match directory.root() {
            Root::Workspace => Some(&self.workspace),
            Root::ReadOnly(number) => self.roots.get(usize::from(number)),
        };
        let root = root.ok_or_else(|| refusal(directory, "there is no such root"))?;
        let absolute = root.path.join(directory.relative());
        let same = || -> io::Result<bool> {
            let below = fstat(walk(root.handle.as_fd(), directory.relative())?)?;
            let named = fstat(walk(CWD, &absolute)?)?;
            Ok((below.st_dev, below.st_ino) == (named.st_dev, named.st_ino))
        };
        match same() {
            Ok(true) => Ok(absolute),
            Ok(false) => Err(refusal(directory, "another directory stands in its place")),
            Err(error) => Err(refusal(directory, error)),
        }
    }
}

/// Opens one component after the other, none of which may be a link.
fn walk(from: impl AsFd, path: &Path) -> io::Result<OwnedFd> {
    let mut at = openat(from, if path.is_absolute() { "/" } else { "." }, FLAGS, Mode::empty())?;
    for component in path.components() {
        match component {
            Component::Normal(name) => at = openat(&at, name, FLAGS, Mode::empty())?,
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir | Component::Prefix(_) => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    Ok(at)
}

fn is_below(path: &Path) -> bool {
    let mut components = path.components().peekable();
    components.peek().is_some() && components.all(|component| matches!(component, Component::Normal(_)))
}

fn canonical(path: &Path) -> io::Result<PathBuf> {
    if path.is_absolute() { path.canonicalize() } else { Err(io::Error::other("the path must be absolute")) }
}

/// Where it is, or would be: what exists of it without links, then the rest.
fn existing(path: &Path) -> io::Result<PathBuf> {
    match (canonical(path), path.parent(), path.file_name()) {
        (Err(error), Some(parent), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            Ok(existing(parent)?.join(name))
        }
        (found, ..) => found,
    }
}

fn unusable(path: &Path, reason: impl ToString) -> SandboxError {
    SandboxError::Path { path: path.to_owned(), reason: reason.to_string() }
}
