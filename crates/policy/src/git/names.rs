//! Which files of a repository decide what runs, by name. Names are folded first, as for every other rule on paths.

use crate::paths::folded_name;
use palanca_core::ports::{GitPart, GitPlace};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a path is to the repository that it lies in. `is_repository` is asked whether a folder has the structure of one.
#[must_use]
pub fn place(relative: &Path, is_repository: &dyn Fn(&Path) -> bool) -> GitPlace {
    let names: Vec<String> = relative.iter().map(folded_name).collect();
    let last = names.last().map(String::as_str).unwrap_or_default();
    // Of two readings the stricter one counts: a sample in `hooks/hooks` is a hook.
    names.iter().enumerate().fold(GitPlace::default(), |found, (depth, name)| {
        let above = names.get(..depth).unwrap_or_default();
        let part = match (name.as_str(), names.len() - depth - 1) {
            (".git", 0) => return found.max(GitPlace { part: GitPart::Repository, depth: depth + 1 }),
            ("config" | "config.worktree", 0) => GitPart::Config,
            ("hooks", 0) => GitPart::Hooks,
            // No hook begins with a dot; programs that copy give their temporary files such names.
            ("hooks", 1) if last.ends_with(".sample") || (last.starts_with('.') && last != ".git") => GitPart::Sample,
            ("hooks", _) => GitPart::Hook,
            ("info", 0) => GitPart::Info,
            ("info", 1) if last == "attributes" => GitPart::Fixed,
            // Git gives each further working tree one, in a folder of `worktrees`.
            ("commondir", 0) if !matches!(above, [.., up, _] if up == "worktrees") => GitPart::Fixed,
            _ => return found,
        };
        let folder: PathBuf = relative.iter().take(depth).collect();
        if is_by_name(above) || is_repository(&folder) { found.max(GitPlace { part, depth }) } else { found }
    })
}

/// A `.git`, and what lies below it but for names that branches and tags choose.
fn is_by_name(folder: &[String]) -> bool {
    let Some(git) = folder.iter().rposition(|name| name == ".git") else { return false };
    !folder.iter().skip(git + 1).any(|name| matches!(name.as_str(), "refs" | "logs" | "objects"))
}

/// Whether a new name can make a repository of its folder.
#[must_use]
pub fn completes(name: &OsStr) -> bool {
    matches!(folded_name(name).as_str(), "head" | "objects" | "refs" | "commondir")
}

/// Whether a name below a `.git` was chosen by a branch, a tag or a hash, so that no other rule on names fits.
pub(crate) fn is_named_by_git(relative: &Path) -> bool {
    let mut names = relative.iter().map(folded_name).skip_while(|name| name != ".git");
    names.any(|name| matches!(name.as_str(), "refs" | "logs" | "objects"))
}

/// Whether a path is a `.git`, lies in one, or is `.gitmodules`, from which git takes no program.
pub(crate) fn is_in_git(relative: &Path) -> bool {
    relative.iter().any(|name| folded_name(name) == ".git")
        || relative.file_name().is_some_and(|name| folded_name(name) == ".gitmodules")
}
