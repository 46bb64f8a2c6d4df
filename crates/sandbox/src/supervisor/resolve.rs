//! From a path as a program said it to a folder that is held open and a name in it, in the program's own root. Links are
//! followed here, one after the other, and never by the kernel; what is found is what is judged and what is changed.

use super::caller::Caller;
use super::request::At;
use rustix::fs::{Mode, OFlags, ResolveFlags, Stat, openat, openat2};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

/// As the kernel: more links than this are a loop.
const LINKS: u32 = 40;
const HOLD: OFlags = OFlags::PATH.union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// The root that the program sees.
#[derive(Debug)]
pub(super) struct View {
    root: OwnedFd,
}

/// A name in a folder; what stands there was not looked at.
#[derive(Debug)]
pub(super) struct Spot {
    pub(super) parent: OwnedFd,
    /// Canonical, as the program sees it.
    pub(super) folder: PathBuf,
    pub(super) name: OsString,
    /// It was spelled as a folder.
    pub(super) slash: bool,
}

impl Spot {
    /// Canonical, as the program sees it.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

/// Where a path leads.
#[derive(Debug)]
pub(super) enum Resolved {
    Name(Spot),
    /// A folder that has no name here: the root, `.` or `..`.
    Folder(OwnedFd, PathBuf),
    /// What the program has open, by its name in `/proc`.
    Descriptor(i32),
}

/// What stands at the end of a path, held by `O_PATH`.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) handle: OwnedFd,
    pub(super) stat: Stat,
    /// Its name; none for what has none, and for a folder that was named by `.`.
    pub(super) spot: Option<Spot>,
}

impl View {
    pub(super) fn new(root: OwnedFd) -> Self {
        Self { root }
    }

    /// The folder and the name; a link in the last place stays what it is.
    pub(super) fn name(&self, caller: Caller, at: At) -> Result<Resolved, Errno> {
        match at {
            At::Path { directory, path, .. } => self.resolve(caller, &full(caller, directory, &caller.path(path)?)?),
            At::Descriptor(number) => Ok(Resolved::Descriptor(number)),
        }
    }

    /// As [`View::name`], of a path that is absolute.
    pub(super) fn resolve(&self, caller: Caller, path: &Path) -> Result<Resolved, Errno> {
        let bytes = path.as_os_str().as_bytes();
        let slash = bytes.ends_with(b"/") || bytes.ends_with(b"/.");
        match self.straight(path, slash) {
            Err(Errno::LOOP) => {}
            other => return other,
        }
        self.walk(caller, path, slash)
    }

    /// Without links on the way the kernel finds the folder at once, and its canonical path is how it is spelled.
    fn straight(&self, path: &Path, slash: bool) -> Result<Resolved, Errno> {
        let canonical = lexical(path);
        if canonical.starts_with("/proc") {
            return Err(Errno::LOOP);
        }
        let as_folder = ends_in_dots(path);
        let (Some(folder), Some(name), false) = (canonical.parent(), canonical.file_name(), as_folder) else {
            return Ok(Resolved::Folder(self.folder(path)?, canonical));
        };
        // As it is spelled: `a/../b` needs an `a`.
        let spelled = path.parent().unwrap_or(folder);
        let parent = self.folder(spelled)?;
        Ok(Resolved::Name(Spot { parent, folder: folder.to_owned(), name: name.to_owned(), slash }))
    }

    fn folder(&self, path: &Path) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_SYMLINKS;
        openat2(self.root.as_fd(), path, flags, Mode::empty(), resolve)
    }

    fn walk(&self, caller: Caller, path: &Path, slash: bool) -> Result<Resolved, Errno> {
        let mut rest = parts(path);
        let mut links = 0;
        let mut folder = PathBuf::from("/");
        let mut parent = self.folder(&folder)?;
        loop {
            let Some(part) = rest.pop_front() else { return Ok(Resolved::Folder(parent, folder)) };
            if folder == Path::new("/proc") && is_own(caller, &part) {
                match own_place(caller, &mut rest)? {
                    Own::Descriptor(number) if rest.is_empty() => return Ok(Resolved::Descriptor(number)),
                    Own::Descriptor(number) => folder = caller.directory(number)?,
                    Own::Folder(place) => folder = place,
                }
                parent = self.folder(&folder)?;
                continue;
            }
            if part == ".." {
                folder.pop();
                parent = self.folder(&folder)?;
                continue;
            }
            if rest.is_empty() {
                return Ok(Resolved::Name(Spot { parent, folder, name: part, slash }));
            }
            let next = openat(&parent, &*part, HOLD, Mode::empty())?;
            match kind(&rustix::fs::fstat(&next)?) {
                rustix::fs::FileType::Directory => {
                    folder.push(&part);
                    parent = next;
                }
                rustix::fs::FileType::Symlink => {
                    links += 1;
                    if links > LINKS {
                        return Err(Errno::LOOP);
                    }
                    let target = target(next.as_fd())?;
                    if target.is_absolute() {
                        folder = PathBuf::from("/");
                        parent = self.folder(&folder)?;
                    }
                    let mut before = parts(&target);
                    before.append(&mut rest);
                    rest = before;
                }
                _ => return Err(Errno::NOTDIR),
            }
        }
    }

    /// What stands at the end of a path; links are followed unless the path means the link itself.
    pub(super) fn find(&self, caller: Caller, at: At) -> Result<Held, Errno> {
        let itself = matches!(at, At::Path { itself: true, .. });
        let mut resolved = self.name(caller, at)?;
        for _ in 0..LINKS {
            match resolved {
                Resolved::Descriptor(number) => return self.held_by(caller, number),
                Resolved::Folder(handle, path) => {
                    let stat = rustix::fs::fstat(&handle)?;
                    return Ok(Held { handle, stat, spot: self.spot_of(caller, &path).ok() });
                }
                Resolved::Name(spot) => {
                    let handle = openat(&spot.parent, &*spot.name, HOLD, Mode::empty())?;
                    let stat = rustix::fs::fstat(&handle)?;
                    if kind(&stat) != rustix::fs::FileType::Symlink || (itself && !spot.slash) {
                        let is_folder = kind(&stat) == rustix::fs::FileType::Directory;
                        return if spot.slash && !is_folder {
                            Err(Errno::NOTDIR)
                        } else {
                            Ok(Held { handle, stat, spot: Some(spot) })
                        };
                    }
                    resolved = self.resolve(caller, &led_to(&spot, handle.as_fd())?)?;
                }
            }
        }
        Err(Errno::LOOP)
    }

    /// What a descriptor stands for, by its name if it has one that leads to it.
    pub(super) fn held_by(&self, caller: Caller, number: i32) -> Result<Held, Errno> {
        let handle = caller.descriptor(number)?;
        let stat = rustix::fs::fstat(&handle)?;
        let named = path_of(handle.as_fd()).ok().filter(|path| path.is_absolute() && stat.st_nlink > 0);
        let spot = named.and_then(|path| self.spot_of(caller, &path).ok());
        let same = |spot: &Spot| {
            let there = openat(&spot.parent, &*spot.name, HOLD, Mode::empty()).and_then(rustix::fs::fstat);
            there.is_ok_and(|there| (there.st_dev, there.st_ino) == (stat.st_dev, stat.st_ino))
        };
        Ok(Held { spot: spot.filter(same), handle, stat })
    }

    /// The name of what stands at a canonical path.
    fn spot_of(&self, caller: Caller, path: &Path) -> Result<Spot, Errno> {
        match self.resolve(caller, path)? {
            Resolved::Name(spot) => Ok(spot),
            _ => Err(Errno::NOENT),
        }
    }
}

/// Where a link at a name leads, from the root.
pub(super) fn led_to(spot: &Spot, link: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    Ok(spot.folder.join(target(link)?))
}

pub(super) fn kind(stat: &Stat) -> rustix::fs::FileType {
    rustix::fs::FileType::from_raw_mode(stat.st_mode)
}

/// Our own name of something held: for the calls that take no handle.
pub(super) fn by_handle(handle: BorrowedFd<'_>) -> String {
    format!("/proc/self/fd/{}", handle.as_raw_fd())
}

fn path_of(handle: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    let path = rustix::fs::readlink(by_handle(handle), Vec::with_capacity(256))?;
    Ok(OsString::from_vec(path.into_bytes()).into())
}

fn target(link: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    let target = rustix::fs::readlinkat(link, "", Vec::with_capacity(256))?;
    Ok(OsString::from_vec(target.into_bytes()).into())
}

/// From the root, `..` and links as they are spelled.
fn full(caller: Caller, directory: i32, path: &Path) -> Result<PathBuf, Errno> {
    if path.is_absolute() { Ok(path.to_owned()) } else { Ok(caller.directory(directory)?.join(path)) }
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().filter_map(part).collect()
}

/// Whether it means a folder by another name than its own.
fn ends_in_dots(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    let last = bytes.split(|byte| *byte == b'/').rfind(|part| !part.is_empty());
    matches!(last, None | Some(b"." | b".."))
}

fn lexical(path: &Path) -> PathBuf {
    let mut canonical = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => canonical.push(name),
            Component::ParentDir => {
                canonical.pop();
            }
            _ => {}
        }
    }
    canonical
}

fn is_own(caller: Caller, part: &OsStr) -> bool {
    part == "self"
        || part == "thread-self"
        || part.to_str().and_then(|part| part.parse().ok()).is_some_and(|number| caller.is_known_as(number))
}

enum Own {
    Descriptor(i32),
    Folder(PathBuf),
}

/// Where the links of a process in `/proc` lead; nothing else there is anybody's to change.
fn own_place(caller: Caller, rest: &mut VecDeque<OsString>) -> Result<Own, Errno> {
    let mut next = || rest.pop_front().ok_or(Errno::ISDIR);
    let mut first = next()?;
    if first == "task" {
        drop(next()?);
        first = next()?;
    }
    match first.as_bytes() {
        b"fd" => {
            let number = next()?;
            let number = number.to_str().and_then(|number| number.parse().ok()).ok_or(Errno::NOENT)?;
            Ok(Own::Descriptor(number))
        }
        b"cwd" => Ok(Own::Folder(caller.directory(libc::AT_FDCWD)?)),
        b"root" => Ok(Own::Folder(PathBuf::from("/"))),
        _ => Err(Errno::ROFS),
    }
}
