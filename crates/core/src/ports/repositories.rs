//! What git obeys in a repository, by names and bytes alone: for judging writes of programs and file tools.

use super::PathRefusal;
use std::ffi::OsStr;
use std::path::Path;

/// The role of a path in its repository, the strictest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum GitPart {
    /// No influence on what git runs.
    #[default]
    Other,
    /// A `.git`, folder or file.
    Repository,
    /// The folder `info`.
    Info,
    /// `hooks/*.sample`, which git does not run.
    Sample,
    /// The folder `hooks`.
    Hooks,
    /// `config` or `config.worktree`.
    Config,
    /// `commondir` or `info/attributes`, which cannot be changed.
    Fixed,
    /// Anything else in `hooks`.
    Hook,
}

/// A [`GitPart`] and the depth of its repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitPlace {
    /// The role.
    pub part: GitPart,
    /// The length of the repository's path, in components; 0 is the workspace itself.
    pub depth: usize,
}

/// Rules on the files of repositories. The default methods know no git.
pub trait GitRules: Send + Sync {
    /// The role of a path in its repository. `is_repository` tells whether a folder has the structure of one.
    fn place(&self, _relative: &Path, _is_repository: &dyn Fn(&Path) -> bool) -> GitPlace {
        GitPlace::default()
    }

    /// Whether a new name can make a repository of its folder.
    fn completes(&self, _name: &OsStr) -> bool {
        false
    }

    /// The objection to replacing a configuration, if any; `repository` is its folder, relative to the workspace.
    fn refuse_config(&self, _new: &[u8], _old: Option<&[u8]>, _repository: &Path) -> Option<PathRefusal> {
        None
    }

    /// What a configuration makes git run or obey: keys and values.
    fn obeyed(&self, _config: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether a path equals another one or is below it, even on file systems that accept several spellings of a name.
    fn lies_below(&self, path: &Path, top: &Path) -> bool {
        path.starts_with(top)
    }
}

/// No rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGitRules;

impl GitRules for NoGitRules {}
