//! Resolves a program's path to an open folder and a name in it, in the program's own root. Links are followed here, one by
//! one, and never by the kernel; the resolved file is the one that is judged and changed.

use super::caller::Caller;
use super::request::At;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat, openat, openat2, statat};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

/// As the kernel: more links than this are a loop.
const LINKS: u32 = 40;
pub(super) const FOLDER: OFlags = OFlags::PATH.union(OFlags::CLOEXEC).union(OFlags::DIRECTORY);
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

    /// Whether this very file stands there.
    fn holds(&self, stat: &Stat) -> Result<bool, Errno> {
        match statat(&self.parent, &*self.name, AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT) {
            Ok(there) => Ok((there.st_dev, there.st_ino) == (stat.st_dev, stat.st_ino)),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The same, to be kept.
    pub(super) fn again(&self) -> Result<Self, Errno> {
        let parent = openat(&self.parent, ".", FOLDER, Mode::empty())?;
        Ok(Self { parent, folder: self.folder.clone(), name: self.name.clone(), slash: self.slash })
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

/// What the last part of a path means.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// A name, which need not be there.
    Named { slash: bool },
    /// A folder: a dot comes after it.
    Entered,
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

    /// Whether this lies in the program's own file system and not in one of the host's that is shown in it.
    pub(super) fn is_private(&self, stat: &Stat) -> bool {
        rustix::fs::fstat(&self.root).is_ok_and(|root| root.st_dev == stat.st_dev)
    }

    /// The folder and the name; a link in the last place stays what it is.
    pub(super) fn name(&self, caller: Caller, at: At) -> Result<Resolved, Errno> {
        match at {
            At::Path { directory, path, .. } => {
                let path = caller.path(path)?;
                if path.is_absolute() {
                    return self.resolve(caller, self.root.as_fd(), &path);
                }
                let from = caller.held(directory)?;
                if is_name(&path) {
                    // In the folder itself, as most are: nothing is on the way.
                    let folder = path_of(from.as_fd())?;
                    if !folder.starts_with("/proc") {
                        return Ok(Resolved::Name(Spot { parent: from, folder, name: path.into(), slash: false }));
                    }
                }
                self.resolve(caller, from.as_fd(), &path)
            }
            At::Descriptor(number) => Ok(Resolved::Descriptor(number)),
        }
    }

    /// As [`View::name`], from a folder, or from the root if the path says so.
    pub(super) fn resolve(&self, caller: Caller, from: BorrowedFd<'_>, path: &Path) -> Result<Resolved, Errno> {
        let slash = path.as_os_str().as_bytes().ends_with(b"/");
        let mut from = if path.is_absolute() { self.root.as_fd() } else { from };
        let mut rest = parts(path);
        let as_folder = ends_in_dots(path);
        if !rest.iter().any(|part| part == "..") && !as_folder {
            // Without links on the way the kernel finds the folder at once.
            let above = path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let above =
                above.strip_prefix("/").map_or(above, |rest| if rest == Path::new("") { Path::new(".") } else { rest });
            match openat2(from, above, FOLDER, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                Ok(parent) => {
                    let folder = path_of(parent.as_fd())?;
                    if let Some(name) = rest.pop_back() {
                        if !folder.starts_with("/proc") {
                            return Ok(Resolved::Name(Spot { parent, folder, name, slash }));
                        }
                        // What is the program's own there is known on the way from the top.
                        from = self.root.as_fd();
                        rest = parts(&folder.join(name));
                    }
                }
                Err(Errno::LOOP) => {}
                Err(error) => return Err(error),
            }
        }
        let last = if as_folder { Last::Entered } else { Last::Named { slash } };
        self.walk(caller, openat(from, ".", FOLDER, Mode::empty())?, (rest, last))
    }

    /// Where a link leads that was found at a name; what was spelled as a folder must be one there.
    pub(super) fn follow(&self, caller: Caller, spot: &Spot, link: BorrowedFd<'_>) -> Result<Resolved, Errno> {
        let mut target = target(link)?.into_os_string();
        if spot.slash {
            target.push("/");
        }
        self.resolve(caller, spot.parent.as_fd(), Path::new(&target))
    }

    fn root(&self) -> Result<OwnedFd, Errno> {
        openat(&self.root, ".", FOLDER, Mode::empty())
    }

    fn walk(
        &self,
        caller: Caller,
        mut parent: OwnedFd,
        (mut rest, last): (VecDeque<OsString>, Last),
    ) -> Result<Resolved, Errno> {
        let mut links = 0;
        loop {
            let Some(part) = rest.pop_front() else {
                let path = path_of(parent.as_fd())?;
                return Ok(Resolved::Folder(parent, path));
            };
            if may_be_own(&part) && path_of(parent.as_fd())? == Path::new("/proc") && is_own(caller, &part) {
                parent = match own_place(&mut rest)? {
                    Own::Descriptor(number) => {
                        let held = caller.held(number).map_err(|_| Errno::NOENT)?;
                        if rest.is_empty() {
                            return Ok(Resolved::Descriptor(number));
                        }
                        openat(held, ".", FOLDER, Mode::empty())?
                    }
                    Own::Working => caller.held(libc::AT_FDCWD)?,
                    Own::Root => self.root()?,
                };
                continue;
            }
            if part == ".." {
                // Above the root is the root.
                let above = openat(&parent, "..", FOLDER, Mode::empty())?;
                parent = if path_of(parent.as_fd())? == Path::new("/") { parent } else { above };
                continue;
            }
            if let (true, Last::Named { slash }) = (rest.is_empty(), last) {
                let folder = path_of(parent.as_fd())?;
                return Ok(Resolved::Name(Spot { parent, folder, name: part, slash }));
            }
            let next = openat(&parent, &*part, HOLD, Mode::empty())?;
            match kind(&rustix::fs::fstat(&next)?) {
                FileType::Directory => parent = next,
                FileType::Symlink => {
                    links += 1;
                    if links > LINKS {
                        return Err(Errno::LOOP);
                    }
                    let target = target(next.as_fd())?;
                    if target.is_absolute() {
                        parent = self.root()?;
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
                    let spot = self.spot_of(caller, &path, &stat)?;
                    return Ok(Held { handle, stat, spot });
                }
                Resolved::Name(spot) => {
                    let handle = openat(&spot.parent, &*spot.name, HOLD, Mode::empty())?;
                    let stat = rustix::fs::fstat(&handle)?;
                    if kind(&stat) != FileType::Symlink || (itself && !spot.slash) {
                        let is_folder = kind(&stat) == FileType::Directory;
                        return if spot.slash && !is_folder {
                            Err(Errno::NOTDIR)
                        } else {
                            Ok(Held { handle, stat, spot: Some(spot) })
                        };
                    }
                    resolved = self.follow(caller, &spot, handle.as_fd())?;
                }
            }
        }
        Err(Errno::LOOP)
    }

    /// What a descriptor stands for, by its name if it has one that leads to it.
    pub(super) fn held_by(&self, caller: Caller, number: i32) -> Result<Held, Errno> {
        let handle = caller.held(number)?;
        let stat = rustix::fs::fstat(&handle)?;
        let named = path_of(handle.as_fd()).ok().filter(|path| path.is_absolute() && stat.st_nlink > 0);
        let spot = named.map(|path| self.spot_of(caller, &path, &stat)).transpose()?.flatten();
        Ok(Held { spot, handle, stat })
    }

    /// The name at a canonical path, if this very file stands there.
    fn spot_of(&self, caller: Caller, path: &Path, stat: &Stat) -> Result<Option<Spot>, Errno> {
        match self.resolve(caller, self.root.as_fd(), path) {
            Ok(Resolved::Name(spot)) => Ok(spot.holds(stat)?.then_some(spot)),
            Ok(_) | Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

pub(super) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// Our own name of something held: for the calls that take no handle.
pub(super) fn by_handle(handle: BorrowedFd<'_>) -> String {
    format!("/proc/self/fd/{}", handle.as_raw_fd())
}

pub(super) fn path_of(handle: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    let path = rustix::fs::readlink(by_handle(handle), Vec::with_capacity(256))?;
    Ok(OsString::from_vec(path.into_bytes()).into())
}

/// Where a link leads, as it says.
fn target(link: BorrowedFd<'_>) -> Result<PathBuf, Errno> {
    let target = rustix::fs::readlinkat(link, "", Vec::with_capacity(256))?;
    Ok(OsString::from_vec(target.into_bytes()).into())
}

fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().filter_map(part).collect()
}

/// One name and nothing else.
fn is_name(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    !bytes.contains(&b'/') && !matches!(bytes, b"." | b"..")
}

/// Whether it means a folder by another name than its own.
fn ends_in_dots(path: &Path) -> bool {
    let bytes = path.as_os_str().as_bytes();
    let last = bytes.split(|byte| *byte == b'/').rfind(|part| !part.is_empty());
    matches!(last, None | Some(b"." | b".."))
}

fn may_be_own(part: &OsStr) -> bool {
    part == "self" || part == "thread-self" || part.as_bytes().iter().all(u8::is_ascii_digit)
}

fn is_own(caller: Caller, part: &OsStr) -> bool {
    part == "self"
        || part == "thread-self"
        || part.to_str().and_then(|part| part.parse().ok()).is_some_and(|number| caller.is_known_as(number))
}

enum Own {
    Descriptor(i32),
    Working,
    Root,
}

/// Where the links of a process in `/proc` lead; nothing else there is anybody's to change.
fn own_place(rest: &mut VecDeque<OsString>) -> Result<Own, Errno> {
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
        b"cwd" => Ok(Own::Working),
        b"root" => Ok(Own::Root),
        _ => Err(Errno::ROFS),
    }
}
