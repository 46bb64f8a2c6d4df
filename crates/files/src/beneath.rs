//! Opens canonical paths below a directory handle, without following links or leaving the directory: a link that was
//! swapped in after the path was judged is an error, not an escape.
//!
//! Where the kernel has `openat2` it does the whole walk in one race-free step. Where it has not (before Linux 5.6, or a
//! seccomp filter), the same is done component by component, each opened with `O_NOFOLLOW` from the handle before it.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::os::fd::AsRawFd;
use std::path::{Component, Path};

/// For reading a regular file. It never waits, because a file may have become a FIFO since it was looked at.
pub(crate) const READ: OFlags =
    OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// How often the kernel's "a rename was running, try again" is believed before the walk is done step by step.
const KERNEL_TRIES: usize = 64;

/// Which mechanism opens paths below a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opener {
    /// `openat2`.
    Kernel,
    /// One `openat` for each component.
    Stepwise,
}

/// Whether the walk may enter another file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mounts {
    Cross,
    Stay,
}

impl Opener {
    /// What this kernel offers.
    pub(crate) fn probe(directory: BorrowedFd<'_>) -> Self {
        match kernel(directory, Path::new("."), OFlags::PATH, Mode::empty(), strict(Mounts::Cross)) {
            Ok(_) => Self::Kernel,
            Err(_) => Self::Stepwise,
        }
    }

    /// Opens `relative`, which must be canonical. With `O_PATH | O_NOFOLLOW` a link in the last component is opened
    /// itself; anywhere else a link is `ELOOP`.
    pub(crate) fn open(self, directory: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
        self.open_within(directory, relative, flags, Mounts::Cross)
    }

    /// Opens a regular file for reading, and says what is known of it. None where it cannot be read, or something else
    /// stands there: that must not be opened to see what it is.
    pub(crate) fn open_file(self, directory: BorrowedFd<'_>, relative: &Path) -> Option<(OwnedFd, Stat)> {
        let is_file = |stat: &Stat| file_type(stat) == FileType::RegularFile;
        fs::statat(directory, relative, AtFlags::SYMLINK_NOFOLLOW).ok().filter(is_file)?;
        let file = self.open(directory, relative, READ).ok()?;
        let stat = fs::fstat(&file).ok().filter(is_file)?;
        Some((file, stat))
    }

    pub(crate) fn open_within(
        self,
        directory: BorrowedFd<'_>,
        relative: &Path,
        flags: OFlags,
        mounts: Mounts,
    ) -> Result<OwnedFd, Errno> {
        let flags = flags | OFlags::CLOEXEC;
        if self == Self::Kernel {
            let shown = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
            // Links are refused anyway; with `O_NOFOLLOW` one in place of a directory would only be "not a directory".
            let plain = if flags.contains(OFlags::DIRECTORY) { flags.difference(OFlags::NOFOLLOW) } else { flags };
            match kernel(directory, shown, plain, Mode::empty(), strict(mounts)) {
                Err(Errno::AGAIN) => {}
                other => return other,
            }
        }
        let opened = stepwise(directory, relative, flags)?;
        if mounts == Mounts::Stay {
            let same_device = fs::fstat(&opened)?.st_dev == fs::fstat(directory)?.st_dev;
            if !same_device || mount_of(opened.as_fd()) != mount_of(directory) {
                return Err(Errno::XDEV);
            }
        }
        Ok(opened)
    }
}

const fn strict(mounts: Mounts) -> ResolveFlags {
    let flags = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);
    match mounts {
        Mounts::Cross => flags,
        Mounts::Stay => flags.union(ResolveFlags::NO_XDEV),
    }
}

fn kernel(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
    mode: Mode,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    for _ in 0..KERNEL_TRIES {
        match fs::openat2(directory, relative, flags | OFlags::CLOEXEC, mode, resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            other => return other,
        }
    }
    Err(Errno::AGAIN)
}

/// For [`crate::locate`]: a path as it was given, `..` included, still without links.
pub(crate) fn kernel_lookup(directory: BorrowedFd<'_>, given: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    kernel(directory, given, flags | OFlags::PATH, Mode::empty(), strict(Mounts::Cross))
}

fn stepwise(directory: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut components = relative.components().peekable();
    if components.peek().is_none() {
        return fs::openat(directory, ".", flags, Mode::empty());
    }
    let mut current: Option<OwnedFd> = None;
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else { return Err(Errno::XDEV) };
        let from = current.as_ref().map_or(directory, AsFd::as_fd);
        if components.peek().is_none() {
            return fs::openat(from, name, flags | OFlags::NOFOLLOW, Mode::empty())
                .map_err(|errno| link_or(errno, from, name));
        }
        let next = fs::openat(
            from,
            name,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .map_err(|errno| link_or(errno, from, name))?;
        current = Some(next);
    }
    Err(Errno::NOENT)
}

/// The number of the mount that a handle was opened through: a bind mount has its file system's device, but its own number.
fn mount_of(handle: BorrowedFd<'_>) -> Option<String> {
    let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", handle.as_raw_fd())).ok()?;
    told.lines().find(|line| line.starts_with("mnt_id:")).map(str::to_owned)
}

/// `O_DIRECTORY` reports a link as `ENOTDIR`; the callers tell links from files.
fn link_or(errno: Errno, directory: BorrowedFd<'_>, name: &OsStr) -> Errno {
    if errno == Errno::NOTDIR
        && fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| file_type(&stat) == FileType::Symlink)
    {
        return Errno::LOOP;
    }
    errno
}

pub(crate) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// Opens for reading what an `O_PATH` handle points at, so that what was looked at is what is read. Never blocks on a
/// FIFO, because callers have seen that it is a regular file and it cannot become anything else.
pub(crate) fn reopen(handle: BorrowedFd<'_>, directory: BorrowedFd<'_>, relative: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut name = [0_u8; 32];
    let link = proc_link(handle.as_raw_fd(), &mut name);
    match fs::open(link, flags, Mode::empty()) {
        // No /proc here.
        Err(Errno::NOENT | Errno::LOOP) => open_again(handle, directory, relative),
        other => other,
    }
}

/// Opens by name, and makes sure that it is still the file that was looked at.
fn open_again(handle: BorrowedFd<'_>, directory: BorrowedFd<'_>, relative: &Path) -> Result<OwnedFd, Errno> {
    let again = Opener::probe(directory).open(directory, relative, READ)?;
    let (seen, opened) = (fs::fstat(handle)?, fs::fstat(&again)?);
    if (seen.st_dev, seen.st_ino) == (opened.st_dev, opened.st_ino) { Ok(again) } else { Err(Errno::LOOP) }
}

/// `/proc/self/fd/N` without an allocation: this is on the path of every file that a search opens.
fn proc_link(fd: i32, buffer: &mut [u8; 32]) -> &str {
    use std::io::Write;
    let mut rest = &mut buffer[..];
    // ignored: prefix and ten digits fit into 32 bytes.
    let _ = write!(rest, "/proc/self/fd/{fd}");
    let free = rest.len();
    let written = buffer.len() - free;
    buffer.get(..written).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Whether every component is an ordinary name: nothing else may reach the disk after judging.
pub(crate) fn is_canonical(relative: &Path) -> bool {
    let bytes = relative.as_os_str().as_encoded_bytes();
    bytes.is_empty()
        || bytes
            .split(|byte| *byte == b'/')
            .all(|name| !matches!(name, b"" | b"." | b"..") && name.len() <= 255 && !name.contains(&0))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

    use super::*;

    #[test]
    fn without_proc_a_file_is_opened_by_name_only_while_it_is_the_same() {
        let top = tempfile::tempdir().unwrap();
        let name = Path::new("f");
        std::fs::write(top.path().join(name), "x").unwrap();
        let directory = fs::open(top.path(), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        let handle = fs::openat(&directory, name, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty()).unwrap();
        assert!(open_again(handle.as_fd(), directory.as_fd(), name).is_ok());
        std::fs::rename(top.path().join(name), top.path().join("g")).unwrap();
        std::fs::write(top.path().join(name), "y").unwrap();
        assert_eq!(open_again(handle.as_fd(), directory.as_fd(), name).err(), Some(Errno::LOOP));
        std::fs::remove_file(top.path().join(name)).unwrap();
        std::os::unix::fs::symlink("g", top.path().join(name)).unwrap();
        assert_eq!(open_again(handle.as_fd(), directory.as_fd(), name).err(), Some(Errno::LOOP));
    }

    #[test]
    fn only_ordinary_names_are_canonical() {
        for (path, wanted) in [
            ("", true),
            ("a", true),
            ("a/..b/c.", true),
            ("..", false),
            ("a/./b", false),
            ("a//b", false),
            ("/a", false),
            ("a/", false),
        ] {
            assert_eq!(is_canonical(Path::new(path)), wanted, "{path}");
        }
    }
}
