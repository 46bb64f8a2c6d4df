//! Whether a change makes a repository that git would obey, or alters one: the same judge for programs and for file tools.
//!
//! A folder is a repository by its structure, whoever made which part of it. So what stood there before is judged when the
//! last part arrives, and what arrives later is judged by its place.

mod config;
mod tree;

use crate::disk::Disk;
use crate::errors::{file_error, says_absent};
pub(crate) use config::{Config, fill, put};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{
    ClosedBy, EntryKind, FileError, FileErrorKind, GitPart, GitPlace, GitRules, PathRefusal, Place,
};
use rustix::fs::{AtFlags, FileType, OFlags, statat};
use rustix::io::Errno;
use std::cell::RefCell;
use std::path::Path;

pub(crate) use tree::Names;

/// Judges one change at a time.
#[derive(Debug, Default)]
pub(crate) struct Repositories {
    /// Configurations that the change under judgement puts to use where they are.
    used: Vec<Config>,
    /// What the change under judgement depends on and could not be seen.
    blind: RefCell<Vec<FileError>>,
}

impl Repositories {
    /// Another change is judged from here on.
    pub(crate) fn begin(&mut self) {
        self.used.clear();
        self.blind.take();
    }

    /// What the change depends on and could not be seen.
    pub(crate) fn unseen(&self) -> Vec<FileError> {
        self.blind.take()
    }

    pub(crate) fn could_not_see(&self, error: FileError) {
        self.blind.borrow_mut().push(error);
    }

    /// Puts copies of what was judged in place of the configurations that the change puts to use.
    ///
    /// # Errors
    /// What was judged is different now, or the system's.
    pub(crate) fn settle(&mut self, disk: &Disk) -> Result<(), FileError> {
        std::mem::take(&mut self.used).into_iter().try_for_each(|config| config.replace_by_copy(disk))
    }

    pub(crate) fn place(&self, disk: &Disk, path: &Path) -> GitPlace {
        disk.rules().git().place(path, &|folder| self.seen(is_repository(disk, folder)))
    }

    /// What a name can make a repository of, must not start anything.
    ///
    /// # Errors
    /// It would.
    pub(crate) fn complete(&mut self, disk: &Disk, at: &Place<'_>) -> Result<(), FileError> {
        let folder = at.path.parent().unwrap_or(Path::new(""));
        let has = |name: &str| at.name.eq_ignore_ascii_case(name) || self.seen(exists(at, name));
        let completes = disk.rules().git().completes(at.name);
        if !completes || self.seen(is_repository(disk, folder)) || !is_complete(&has) {
            return Ok(());
        }
        for name in ["config", "config.worktree"] {
            if self.seen(exists(at, name)) {
                let found = Config { path: folder.join(name), used_at: folder.to_owned(), old: None, inode: None };
                found.judge(disk)?;
                self.used.push(found);
            }
        }
        let harmless = match statat(at.parent, "hooks", AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => disk
                .names(&folder.join("hooks"))?
                .iter()
                .all(|(name, kind)| *kind == EntryKind::File && name.as_encoded_bytes().ends_with(b".sample")),
            Ok(_) => false,
            Err(Errno::NOENT) => true,
            Err(errno) => return Err(file_error(errno, folder.join("hooks").display())),
        };
        if harmless && !self.seen(exists(at, "info/attributes")) {
            return Ok(());
        }
        Err(protected(at.path, ClosedBy::GitRepository, "git.repository"))
    }

    /// What was found; remembers why it could not be.
    fn seen(&self, found: Result<bool, FileError>) -> bool {
        found.unwrap_or_else(|error| {
            self.could_not_see(error);
            false
        })
    }
}

/// Whether a path goes through a name that can make a repository of its folder.
pub(crate) fn may_complete(rules: &dyn GitRules, path: &Path) -> bool {
    path.iter().any(|name| rules.completes(name))
}

/// Whether a folder of the workspace has the structure of a repository.
pub(crate) fn is_repository(disk: &Disk, folder: &Path) -> Result<bool, FileError> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW;
    let path = |name: &str| CanonicalPath::new(Root::Workspace, folder.join(name));
    let blind = RefCell::new(None);
    let complete = is_complete(&|name| match disk.open_beneath(&path(name), flags) {
        Ok(_) => true,
        Err(error) if says_absent(&error) => false,
        Err(error) => {
            blind.borrow_mut().get_or_insert(error);
            false
        }
    });
    blind.into_inner().map_or(Ok(complete), Err)
}

/// The structure that git looks for: a repository of its own, or one that shares another's.
fn is_complete(has: &dyn Fn(&str) -> bool) -> bool {
    (has("objects") && has("refs")) || (has("HEAD") && has("commondir"))
}

fn exists(at: &Place<'_>, name: &str) -> Result<bool, FileError> {
    match statat(at.parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Ok(true),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(false),
        Err(errno) => Err(file_error(errno, at.path.with_file_name(name).display())),
    }
}

pub(crate) fn protected(path: &Path, by: ClosedBy, detail: impl Into<String>) -> FileError {
    FileError::new(FileErrorKind::Protected(by), path.display().to_string()).detail(detail)
}

/// What git does with this part of a repository is against changing it.
pub(crate) fn of_part(part: GitPart) -> PathRefusal {
    let (by, rule) = match part {
        GitPart::Config => (ClosedBy::GitInPlace, "git.config.in-place"),
        GitPart::Sample | GitPart::Hooks | GitPart::Hook => (ClosedBy::GitHook, "git.hook"),
        GitPart::Other | GitPart::Repository | GitPart::Info | GitPart::Fixed => (ClosedBy::Rule, "git.own"),
    };
    PathRefusal { kind: FileErrorKind::Protected(by), rule: rule.to_owned() }
}
