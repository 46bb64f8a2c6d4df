//! Resolves a given path to its canonical path. It opens nothing for reading.
//!
//! The surprising decision: an absolute link is outside even when its target lies inside, as the kernel's
//! `RESOLVE_BENEATH` has it. After a rename of a parent, such a link would escape.
//!
//! Most paths hold no link, and then one `openat2` that refuses links proves that the lexical form is the real one. The
//! rest is walked name by name, each opened from the handle before it.

use crate::beneath::{Opener, file_type, kernel_lookup};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use palanca_core::ports::FileErrorKind;

/// As many links as the kernel follows in one lookup.
const MOST_LINKS: usize = 40;
/// `NAME_MAX` of every file system in common use.
const LONGEST_NAME: usize = 255;
/// `PATH_MAX` without its NUL.
pub(crate) const LONGEST_PATH: usize = 4095;

/// What to do with a link in the last component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    Follow,
    Keep,
}

/// Why a path has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub(crate) kind: FileErrorKind,
    pub(crate) why: &'static str,
}

const fn lost(kind: FileErrorKind, why: &'static str) -> Lost {
    Lost { kind, why }
}

const OUTSIDE: Lost = lost(FileErrorKind::Outside, "");
const NOT_A_DIRECTORY: Lost = lost(FileErrorKind::Invalid, "a file is used as a directory");
const TOO_LONG: Lost = lost(FileErrorKind::Invalid, "a name or the whole path is too long");

/// The rest of an absolute path below `prefix`, compared component by component. A trailing slash is kept.
pub(crate) fn below<'a>(given: &'a str, prefix: &Path) -> Option<&'a str> {
    let mut rest = given;
    for component in prefix.components() {
        let std::path::Component::Normal(wanted) = component else { continue };
        loop {
            rest = rest.trim_start_matches('/');
            let (head, tail) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
            rest = tail;
            if head == "." {
                continue;
            }
            if head.as_bytes() != wanted.as_bytes() {
                return None;
            }
            break;
        }
    }
    Some(rest.trim_start_matches('/'))
}

/// The canonical path of `given`, which is relative to `directory`. Empty means the directory itself.
pub(crate) fn canonical(opener: Opener, directory: BorrowedFd<'_>, given: &str, last: Last) -> Result<PathBuf, Lost> {
    if given.len() > LONGEST_PATH || given.split('/').any(|name| name.len() > LONGEST_NAME) {
        return Err(TOO_LONG);
    }
    if opener == Opener::Kernel {
        let flags = if last == Last::Keep { OFlags::NOFOLLOW } else { OFlags::empty() };
        let shown = if given.is_empty() { "." } else { given };
        match kernel_lookup(directory, Path::new(shown), flags) {
            Ok(_) => return lexical(given).ok_or(OUTSIDE),
            Err(Errno::NOENT) if !given.split('/').any(|name| name == "..") => {
                return lexical(given).ok_or(OUTSIDE);
            }
            Err(Errno::XDEV) => return Err(OUTSIDE),
            // A link, a missing name before `..`, or something that the walk can explain better.
            Err(_) => {}
        }
    }
    Walk { directory, names: Vec::new(), current: None, links: 0, last }.run(given)
}

/// The path with `.`, `..` and doubled slashes taken out; none when it climbs out. True of the disk only where the
/// kernel has just said that no component is a link.
fn lexical(given: &str) -> Option<PathBuf> {
    let mut names: Vec<&str> = Vec::new();
    for name in given.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(PathBuf::from(names.join("/")))
}

struct Walk<'a> {
    directory: BorrowedFd<'a>,
    names: Vec<OsString>,
    /// The directory that `names` leads to; none for the start.
    current: Option<OwnedFd>,
    links: usize,
    last: Last,
}

impl Walk<'_> {
    fn run(mut self, given: &str) -> Result<PathBuf, Lost> {
        let mut pending = VecDeque::new();
        enqueue(given.as_bytes(), &mut pending);
        while let Some(name) = pending.pop_front() {
            match name.as_bytes() {
                b"." => {}
                b".." => self.climb()?,
                _ => {
                    if let Some(path) = self.enter(name, &mut pending)? {
                        return Ok(path);
                    }
                }
            }
        }
        Ok(self.names.iter().collect())
    }

    /// Goes to the parent by walking down to it again: a handle for each level would not bear deep paths.
    fn climb(&mut self) -> Result<(), Lost> {
        self.names.pop().ok_or(OUTSIDE)?;
        if self.names.is_empty() {
            self.current = None;
            return Ok(());
        }
        let path: PathBuf = self.names.iter().collect();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        self.current = Some(Opener::Stepwise.open(self.directory, &path, flags).map_err(explain)?);
        Ok(())
    }

    /// Goes through one name. Returns the path when the walk is over.
    fn enter(&mut self, name: OsString, pending: &mut VecDeque<OsString>) -> Result<Option<PathBuf>, Lost> {
        let from = self.current.as_ref().map_or(self.directory, AsFd::as_fd);
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = match fs::openat(from, &*name, flags, Mode::empty()) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => {
                self.names.push(name);
                return self.missing(pending).map(Some);
            }
            Err(errno) => return Err(explain(errno)),
        };
        match file_type(&fs::fstat(&opened).map_err(explain)?) {
            FileType::Symlink if pending.is_empty() && self.last == Last::Keep => {
                self.names.push(name);
                Ok(Some(self.names.iter().collect()))
            }
            FileType::Symlink => {
                self.links += 1;
                if self.links > MOST_LINKS {
                    return Err(lost(FileErrorKind::Invalid, "its symbolic links form a loop"));
                }
                let target = fs::readlinkat(&opened, "", Vec::new()).map_err(explain)?;
                if target.as_bytes().starts_with(b"/") {
                    return Err(lost(FileErrorKind::Outside, "a link in it is absolute"));
                }
                enqueue(target.as_bytes(), pending);
                Ok(None)
            }
            FileType::Directory => {
                self.names.push(name);
                self.current = Some(opened);
                Ok(None)
            }
            _ if pending.is_empty() => {
                self.names.push(name);
                Ok(Some(self.names.iter().collect()))
            }
            // A patch may make a folder of a file. Whoever opens this learns that it is none yet.
            FileType::RegularFile if !pending.iter().any(|name| matches!(name.as_bytes(), b"." | b"..")) => {
                self.names.push(name);
                self.missing(pending).map(Some)
            }
            _ => Err(NOT_A_DIRECTORY),
        }
    }

    /// What comes after a name that is not there: more names that are not there either. `..` would need it to exist.
    fn missing(&mut self, pending: &VecDeque<OsString>) -> Result<PathBuf, Lost> {
        let mut climbs = false;
        for name in pending {
            match name.as_bytes() {
                b"." => {}
                b".." => {
                    climbs = true;
                    self.names.pop().ok_or(OUTSIDE)?;
                }
                bytes if bytes.len() > LONGEST_NAME => return Err(TOO_LONG),
                _ => self.names.push(name.clone()),
            }
        }
        if climbs {
            return Err(lost(FileErrorKind::NotFound, "a directory before `..` does not exist"));
        }
        Ok(self.names.iter().collect())
    }
}

/// Puts the names of `path` before what is pending. A trailing slash becomes `.`, which only a directory bears.
fn enqueue(path: &[u8], pending: &mut VecDeque<OsString>) {
    if path.ends_with(b"/") {
        pending.push_front(OsString::from("."));
    }
    for name in path.split(|byte| *byte == b'/').rev().filter(|name| !name.is_empty()) {
        pending.push_front(OsStr::from_bytes(name).to_owned());
    }
}

fn explain(errno: Errno) -> Lost {
    match errno {
        Errno::NOTDIR => NOT_A_DIRECTORY,
        Errno::NAMETOOLONG => TOO_LONG,
        Errno::LOOP => lost(FileErrorKind::Changed, "a link stands there now"),
        Errno::NOENT => lost(FileErrorKind::NotFound, ""),
        Errno::ACCESS | Errno::PERM => {
            lost(FileErrorKind::PermissionDenied, "a directory on the way may not be entered")
        }
        Errno::XDEV => OUTSIDE,
        Errno::MFILE | Errno::NFILE => lost(FileErrorKind::Io, "too many open files"),
        _ => lost(FileErrorKind::Io, "the system could not resolve it"),
    }
}
