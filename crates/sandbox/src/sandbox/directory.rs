//! Working directories: canonical paths become absolute ones, and a directory that was replaced meanwhile is refused.
//!
//! A path is walked from `/` and never through a link, and its root must be the directory that it was when the door opened.
//! Roots are recognised and not held open: a process may have doors for more workspaces than it may have descriptors.

use super::SandboxError;
use crate::order::Standing;
use crate::settings::SandboxSettings;
use crate::spawn::directory as refusal;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::ProcessError;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The roots, as they were when the door opened.
pub(super) struct Directories {
    workspace: Known,
    roots: Vec<Known>,
}

struct Known {
    path: PathBuf,
    standing: Standing,
}

const FLAGS: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Directories {
    /// Opens the roots, and writes their canonical paths into the settings.
    pub(super) fn open(settings: &mut SandboxSettings) -> Result<Self, SandboxError> {
        let know = |path: &mut PathBuf| {
            let known = canonical(path).and_then(|path| Ok(Known { standing: standing(walk(CWD, &path)?)?, path }));
            let known = known.map_err(|error| unusable(path, error))?;
            path.clone_from(&known.path);
            Ok(known)
        };
        let workspace = know(&mut settings.workspace)?;
        if workspace.path == Path::new("/") {
            return Err(unusable(&workspace.path, "the whole machine cannot be a workspace"));
        }
        let roots = settings.roots.iter_mut().map(know).collect::<Result<_, _>>()?;
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
        let there = walk(CWD, &root.path).map_err(|error| refusal(directory, error))?;
        if Standing::of(&there) != root.standing {
            return Err(refusal(directory, "another directory stands in its place"));
        }
        walk(&there, directory.relative()).map_err(|error| refusal(directory, error))?;
        Ok(root.path.join(directory.relative()))
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

fn standing(directory: OwnedFd) -> io::Result<Standing> {
    let standing = Standing::of(directory);
    standing.is_known().then_some(standing).ok_or_else(|| io::Error::other("the system does not say what it is"))
}

fn is_below(path: &Path) -> bool {
    let mut components = path.components().peekable();
    components.peek().is_some() && components.all(|component| matches!(component, Component::Normal(_)))
}

pub(super) fn canonical(path: &Path) -> io::Result<PathBuf> {
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
