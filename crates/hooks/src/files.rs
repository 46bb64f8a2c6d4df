//! The files that a call concerns, by its effects: never by the name of the tool or of an argument.

use palanca_core::call::{CanonicalPath, Effect, Root};
use palanca_core::gate::CheckedCall;
use std::path::{Path, PathBuf};

/// At most this many files of one call are named to hooks.
const MOST: usize = 200;

/// The locations of the trees that contain a call's paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) workspace: PathBuf,
    pub(crate) roots: Vec<PathBuf>,
}

/// One file, as reported to hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Relative to the workspace, with `./` if the name would look like an option; absolute if it is elsewhere.
    pub(crate) shown: String,
    /// Below its tree.
    pub(crate) relative: PathBuf,
    /// Its absolute path.
    pub(crate) whole: PathBuf,
}

/// Queries on a call's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that it touches, changed ones first.
    Touched,
    /// Those that it or its commands wrote, and that exist afterwards.
    Written,
}

impl Places {
    pub(crate) fn files(&self, call: &CheckedCall, which: Which) -> Vec<File> {
        let written = call.effects().iter().filter_map(|effect| match effect {
            Effect::WriteFile { path, .. } => Some(path),
            Effect::Move { to, .. } => Some(to),
            _ => None,
        });
        let others = call.effects().iter().filter(|_| which == Which::Touched).flat_map(|effect| match effect {
            Effect::ReadFile(path) | Effect::ReadTree(path) | Effect::Delete(path) => Some(path),
            Effect::Move { from, .. } => Some(from),
            _ => None,
        });
        let by_programs = call.edited_by_programs().filter(|_| which == Which::Written);
        let by_programs =
            by_programs.filter(|delta| delta.after.is_some() || delta.from.is_some()).map(|delta| &delta.path);
        let mut files: Vec<File> = Vec::new();
        for path in written.chain(others).chain(by_programs).filter(|path| !path.relative().as_os_str().is_empty()) {
            let file = self.file(path);
            if files.len() < MOST && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    fn file(&self, path: &CanonicalPath) -> File {
        let tree = match path.root() {
            Root::Workspace => Some(self.workspace.as_path()),
            Root::ReadOnly(place) => self.roots.get(usize::from(place)).map(PathBuf::as_path),
        };
        let relative = path.relative().to_owned();
        let whole = tree.unwrap_or(Path::new("")).join(&relative);
        let shown = match path.root() {
            Root::Workspace => relative.to_string_lossy().into_owned(),
            Root::ReadOnly(_) => whole.to_string_lossy().into_owned(),
        };
        let shown = if shown.starts_with('-') { format!("./{shown}") } else { shown };
        File { shown, relative, whole }
    }
}
