//! What git obeys in a repository, told from names and bytes alone: for judging what programs write.

use std::ffi::OsStr;
use std::path::Path;

/// What a path is to the repository that it lies in, the strictest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum GitPart {
    /// Nothing that decides what git runs.
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
    /// `commondir` or `info/attributes`: as they are.
    Fixed,
    /// Anything else in `hooks`.
    Hook,
}

/// A [`GitPart`], and how many components the path of its repository has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitPlace {
    /// What.
    pub part: GitPart,
    /// The length of the repository's path, in components; 0 is the workspace itself.
    pub depth: usize,
}

/// Rules on the files of repositories. The defaults know no git.
pub trait GitRules: Send + Sync {
    /// What a path is to its repository. `is_repository` is asked whether a folder has the structure of one.
    fn place(&self, _relative: &Path, _is_repository: &dyn Fn(&Path) -> bool) -> GitPlace {
        GitPlace::default()
    }

    /// Whether a new name can make a repository of its folder.
    fn completes(&self, _name: &OsStr) -> bool {
        false
    }

    /// The rule against replacing a configuration; `repository` is its folder, relative to the workspace.
    fn refuse_config(&self, _new: &[u8], _old: Option<&[u8]>, _repository: &Path) -> Option<String> {
        None
    }

    /// What a configuration makes git run or obey: keys and values.
    fn obeyed(&self, _config: &[u8]) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether a path is another one or lies below it. File systems that take several spellings for one name are among
    /// those that it may lie on.
    fn lies_below(&self, path: &Path, top: &Path) -> bool {
        path.starts_with(top)
    }
}

/// No rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGitRules;

impl GitRules for NoGitRules {}
