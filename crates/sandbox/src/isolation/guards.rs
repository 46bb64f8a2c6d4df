//! Protected paths, present and absent: the mounts needed so that a program cannot change them, computed on the host before
//! any namespace exists.
//!
//! A mount keeps a path from being written, removed and renamed, but only itself: whoever renames a directory above it
//! takes the mount along and makes the path anew. So every directory between the writable one and the protected path is
//! held too. And a mount needs something to stand on. An absent path gets a *placeholder*: an empty directory with an
//! odd mode, even where a file would be expected, because removing an empty directory can never lose anything and `git`
//! does not see one. Only where `git` would stop at a directory it is a file that says nothing new. Several sandboxes may stand on the same placeholder: each holds a shared lock, and who ends as the
//! last removes it. After a SIGKILL of everything it stays until the next program is started there, which adopts it.
//!
//! What cannot be prevented: a process *outside* of the sandbox that replaces a protected file by renaming another over
//! it makes the kernel drop the mount, and the sandboxes that run then may write it.

use crate::enter::Failure;
use crate::order::Plan;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// The mode of a placeholder: sticky and not writable, as nothing is by chance. The umask may take bits away.
const MARK: u32 = 0o1555;
/// Files of a repository that `git` reads where they are, and what they say when they say nothing: the repository's shared
/// part is the repository itself; no setting.
const NEUTRAL: [(&str, &[u8; 2]); 2] = [("commondir", b".\n"), ("config.worktree", b"#\n")];
/// Links followed from one protected path.
const LINKS: u8 = 16;
/// Tries to get a placeholder that others make and remove at the same time.
const TRIES: u8 = 100;

/// How a path is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hold {
    /// It stays where it is; what is in it may change.
    Pin,
    /// A symbolic link: it is covered.
    Link,
    /// Nothing in it changes.
    Freeze,
}

/// All that is held for one program.
#[derive(Debug, Default)]
pub(crate) struct Guards {
    holds: BTreeMap<PathBuf, Hold>,
    placeholders: Vec<Placeholder>,
}

#[derive(Debug)]
struct Placeholder {
    parent: OwnedFd,
    name: OsString,
    /// Itself, with a shared lock.
    locked: OwnedFd,
}

enum Found {
    /// Ours: it may be removed at the end.
    Placeholder(Placeholder),
    /// Something was created there meanwhile.
    Other,
    /// This program cannot make anything there either, as long as the directory stays as it is.
    Refused,
}

impl Guards {
    /// Looks at every protected path of a plan, and makes the placeholders.
    pub(crate) fn prepare(plan: &Plan) -> Result<Self, Failure> {
        let mut guards = Self::default();
        for path in &plan.read_only {
            if let Err(failure) = guards.add(plan, path, LINKS) {
                guards.release();
                return Err(failure.on(path.display()));
            }
        }
        Ok(guards)
    }

    /// The same without placeholders: for what works on paths that are there.
    pub(crate) fn look(plan: &Plan) -> Result<Self, Failure> {
        let present = plan.read_only.iter().filter(|path| path.symlink_metadata().is_ok());
        let mut guards = Self::default();
        for path in present {
            guards.add(plan, path, LINKS).map_err(|failure| failure.on(path.display()))?;
        }
        guards.release();
        Ok(guards)
    }

    /// How this very path is held.
    pub(crate) fn hold_of(&self, path: &Path) -> Option<Hold> {
        self.holds.get(path).copied()
    }

    /// Whether something below this directory is held.
    pub(crate) fn any_below(&self, directory: &Path) -> bool {
        self.holds.keys().any(|path| path.starts_with(directory))
    }

    /// What to hold, outer paths first, and nothing below what is frozen.
    pub(crate) fn outermost(&self) -> impl Iterator<Item = (&Path, &Hold)> {
        let frozen = |path: &Path| {
            path.ancestors().skip(1).any(|above| self.holds.get(above).is_some_and(|hold| *hold == Hold::Freeze))
        };
        self.holds.iter().map(|(path, hold)| (path.as_path(), hold)).filter(move |(path, _)| !frozen(path))
    }

    /// Removes the placeholders that nobody else stands on. The handles stay: the last close of a directory that is
    /// gone is what takes time, and the end of this process does it as well.
    pub(crate) fn release(&mut self) {
        self.placeholders.iter().for_each(Placeholder::release);
    }

    fn hold(&mut self, path: &Path, hold: Hold) {
        let held = self.holds.entry(path.to_owned()).or_insert(hold);
        *held = hold.max(*held);
    }

    fn add(&mut self, plan: &Plan, path: &Path, links: u8) -> Result<(), Failure> {
        let above = plan.writable.iter().filter(|root| path.starts_with(root));
        let Some(root) = above.max_by_key(|root| root.components().count()) else { return Ok(()) };
        let rest = path.strip_prefix(root).unwrap_or(Path::new(""));
        let mut names = rest.components().peekable();
        let mut current = root.clone();
        if names.peek().is_none() {
            self.hold(root, Hold::Freeze);
        }
        while let Some(name) = names.next() {
            let Component::Normal(name) = name else { return Err(Failure::new("protect", "not a plain path")) };
            let next = current.join(name);
            match rustix::fs::lstat(&next) {
                Err(Errno::NOENT) => return self.add_absent(plan, (&current, name), path, links),
                Err(error) => return Err(Failure::at("protect")(error)),
                Ok(about) => match kind(&about) {
                    FileType::Symlink => {
                        self.hold(&next, Hold::Link);
                        return match (links.checked_sub(1), target(&current, &next)) {
                            (Some(links), Some(target)) => {
                                self.add(plan, &target.join(names.collect::<PathBuf>()), links)
                            }
                            _ => Ok(()),
                        };
                    }
                    _ if is_marked(&about) => return self.add_absent(plan, (&current, name), path, links),
                    FileType::Directory if names.peek().is_some() => self.hold(&next, Hold::Pin),
                    _ => {
                        self.hold(&next, Hold::Freeze);
                        return Ok(());
                    }
                },
            }
            current = next;
        }
        Ok(())
    }

    fn add_absent(&mut self, plan: &Plan, at: (&Path, &OsStr), path: &Path, links: u8) -> Result<(), Failure> {
        let (parent, name) = at;
        let absent = parent.join(name);
        if self.holds.get(&absent) == Some(&Hold::Freeze) {
            return Ok(());
        }
        match placeholder(parent, name).map_err(Failure::at("placeholder"))? {
            Found::Placeholder(placeholder) => {
                self.placeholders.push(placeholder);
                self.hold(&absent, Hold::Freeze);
                Ok(())
            }
            Found::Refused => {
                self.hold(parent, Hold::Freeze);
                Ok(())
            }
            Found::Other => match links.checked_sub(1) {
                Some(links) => self.add(plan, path, links),
                None => Err(Failure::new("protect", "it changes all the time")),
            },
        }
    }
}

impl Placeholder {
    fn release(&self) {
        // Another process uses it, and removes it.
        if rustix::fs::flock(&self.locked, FlockOperation::NonBlockingLockExclusive).is_err() {
            return;
        }
        let (Ok(ours), Ok(there)) =
            (rustix::fs::fstat(&self.locked), rustix::fs::statat(&self.parent, &self.name, AtFlags::SYMLINK_NOFOLLOW))
        else {
            return;
        };
        if (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino) && is_marked(&there) {
            let flags = if kind(&there) == FileType::Directory { AtFlags::REMOVEDIR } else { AtFlags::empty() };
            // Not empty any more: somebody outside uses it, and then it is theirs.
            let _ = rustix::fs::unlinkat(&self.parent, &self.name, flags);
        }
    }
}

fn placeholder(parent: &Path, name: &OsStr) -> Result<Found, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let parent = rustix::fs::open(parent, flags | OFlags::DIRECTORY | OFlags::PATH, Mode::empty())?;
    let neutral = NEUTRAL.iter().find(|(file, _)| name == *file);
    let neutral = neutral.filter(|_| rustix::fs::statat(&parent, "HEAD", AtFlags::SYMLINK_NOFOLLOW).is_ok());
    for _ in 0..TRIES {
        let made = match neutral {
            Some((_, text)) => make_file(&parent, name, text),
            None => rustix::fs::mkdirat(&parent, name, Mode::from_raw_mode(MARK)),
        };
        match made {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => return Ok(Found::Refused),
            Err(error) => return Err(error),
        }
        let locked = match rustix::fs::openat(&parent, name, flags, Mode::empty()) {
            Ok(locked) => locked,
            Err(Errno::NOENT) => continue,
            Err(_) => return Ok(Found::Other),
        };
        // Whoever removes it holds it alone for a moment; then it has no name any more.
        rustix::fs::flock(locked.as_fd(), FlockOperation::LockShared)?;
        let about = rustix::fs::fstat(&locked)?;
        if !is_marked(&about) {
            return Ok(Found::Other);
        }
        if about.st_nlink > 0 {
            return Ok(Found::Placeholder(Placeholder { parent, name: name.to_owned(), locked }));
        }
    }
    Ok(Found::Other)
}

fn make_file(parent: &OwnedFd, name: &OsStr, text: &[u8; 2]) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let file = rustix::fs::openat(parent, name, flags, Mode::from_raw_mode(MARK & !0o111))?;
    rustix::io::write(&file, text).map(drop)
}

fn kind(about: &Stat) -> FileType {
    FileType::from_raw_mode(about.st_mode)
}

fn is_marked(about: &Stat) -> bool {
    let ours = match kind(about) {
        FileType::Directory => true,
        FileType::RegularFile => about.st_size <= 2,
        _ => false,
    };
    ours && about.st_mode & 0o7222 == MARK & 0o7222
}

/// Where a link leads, also when nothing is there.
fn target(directory: &Path, link: &Path) -> Option<PathBuf> {
    if let Ok(there) = std::fs::canonicalize(link) {
        return Some(there);
    }
    let written = directory.join(std::fs::read_link(link).ok()?);
    let parent = std::fs::canonicalize(written.parent()?).ok()?;
    Some(parent.join(written.file_name()?))
}

#[cfg(test)]
mod tests;
