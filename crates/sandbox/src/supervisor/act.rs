//! The work itself: each request is resolved, judged, and done by the handles that were judged.

use super::Supervisor;
use super::request::{At, Request};
use super::resolve::{Held, Spot, by_handle, kind};
use super::zones::Zone;
use palanca_core::ports::{Found, NameChange, NewName, Place, Step};
use rustix::fs::{AtFlags, CWD, FileType, Gid, Mode, OFlags, Stat, Timestamps, Uid, XattrFlags, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// The longest value of an extended attribute.
const VALUE: u64 = 64 << 10;

/// What the program gets.
pub(super) enum Reply {
    Value(i64),
    /// A descriptor; with the flags it was asked for.
    Hand(OwnedFd, i32),
    Continue,
    /// Another thread answers.
    Later,
}

pub(super) const DONE: Reply = Reply::Value(0);

impl Supervisor {
    pub(super) fn act(&mut self, request: Request) -> Result<Reply, Errno> {
        match request {
            Request::Open { at, flags, mode } => self.open(at, flags, mode),
            Request::Truncate { at, length } => self.truncate(at, length),
            Request::Remove { at, flags } => self.remove(at, flags),
            Request::Rename { from, to, flags } => self.rename((from, to), flags),
            Request::HardLink { from, to, flags } => self.hard_link((from, to), flags),
            Request::Link { target, at } => self.link(target, at),
            Request::Folder { at, mode } => self.folder(at, mode),
            Request::Node { at, mode } => self.node(at, mode),
            Request::Mode { at, mode } => self.attributes(at, |held| {
                match kind(&held.stat) {
                    FileType::Symlink => return Err(Errno::OPNOTSUPP),
                    // Such a file would run with its owner's rights for any user who starts it outside.
                    kind if kind != FileType::Directory && mode & (libc::S_ISUID | libc::S_ISGID) != 0 => {
                        return Err(Errno::PERM);
                    }
                    _ => {}
                }
                rustix::fs::chmodat(CWD, by_handle(held.handle.as_fd()), Mode::from_raw_mode(mode), AtFlags::empty())
            }),
            Request::Owner { at, ids: (user, group), flags } => {
                let id = |id: u32| (id != u32::MAX).then_some(id);
                let (user, group) = (id(user).map(Uid::from_raw), id(group).map(Gid::from_raw));
                self.attributes(self.meant_or_link(at, flags)?, |held| {
                    rustix::fs::chownat(&held.handle, "", user, group, AtFlags::EMPTY_PATH)
                })
            }
            Request::Times { at, times, flags } => {
                let times = self.times(times)?;
                self.set_times(self.meant_or_link(at, flags)?, &times)
            }
            Request::OldTimes { at, times, unit } => {
                let times = self.old_times(times, unit)?;
                self.set_times(at, &times)
            }
            Request::SetAttribute { at, name, value: (value, size), flags } => {
                let known = XattrFlags::CREATE | XattrFlags::REPLACE;
                let flags = XattrFlags::from_bits_retain(flags);
                if !known.contains(flags) {
                    return Err(Errno::INVAL);
                }
                if size > VALUE {
                    return Err(Errno::TOOBIG);
                }
                let name = self.attribute_name(name)?;
                let value = self.caller.bytes(value, usize::try_from(size).map_err(|_| Errno::TOOBIG)?)?;
                self.attributes(at, |held| {
                    not_a_link(held)?;
                    rustix::fs::setxattr(by_handle(held.handle.as_fd()), &*name, &value, flags)
                })
            }
            Request::RemoveAttribute { at, name } => {
                let name = self.attribute_name(name)?;
                self.attributes(at, |held| {
                    not_a_link(held)?;
                    rustix::fs::removexattr(by_handle(held.handle.as_fd()), &*name)
                })
            }
            Request::Bind { socket, address } => self.bind(socket, address),
            Request::Connect { socket, address } => self.connect(socket, address),
            Request::Umask => {
                self.masks.clear();
                self.changing = Some(self.caller.thread);
                Ok(Reply::Continue)
            }
        }
    }

    fn truncate(&mut self, at: At, length: u64) -> Result<Reply, Errno> {
        if length > i64::MAX.unsigned_abs() {
            return Err(Errno::INVAL);
        }
        let held = self.view.find(self.caller, at)?;
        match kind(&held.stat) {
            FileType::RegularFile => {}
            FileType::Directory => return Err(Errno::ISDIR),
            _ => return Err(Errno::INVAL),
        }
        if let Some((spot, path)) = self.asked_place(&held)? {
            let at = place(spot, &path);
            self.ask(&NameChange::Write { at, file: held.handle.as_fd(), found: found(&held.stat) })?;
        }
        let file = super::open::reopen(&held, OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NONBLOCK)?;
        rustix::fs::ftruncate(file, length).map(|()| DONE)
    }

    /// Permissions, owner, times or extended attributes.
    pub(super) fn attributes(&mut self, at: At, set: impl FnOnce(&Held) -> Result<(), Errno>) -> Result<Reply, Errno> {
        let held = self.view.find(self.caller, at)?;
        if let Some((spot, path)) = self.asked_place(&held)? {
            self.ask(&NameChange::Attributes { at: place(spot, &path), found: found(&held.stat) })?;
        }
        set(&held).map(|()| DONE)
    }

    fn set_times(&mut self, at: At, times: &Timestamps) -> Result<Reply, Errno> {
        self.attributes(at, |held| rustix::fs::utimensat(&held.handle, "", times, AtFlags::EMPTY_PATH))
    }

    /// A name where nothing is. Where that cannot be seen nothing is made: what is there would be taken for new.
    pub(super) fn new_spot(&self, at: At, new: NewName<'_>) -> Result<Spot, Errno> {
        let spot = self.spot(at, Errno::EXIST)?;
        match statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST),
            Err(Errno::NOENT) if spot.slash && new != NewName::Folder => Err(Errno::NOENT),
            Err(Errno::NOENT) => Ok(spot),
            Err(error) => Err(error),
        }
    }

    /// With the flags of the `*at` calls: the descriptor, where the path is empty and may be; `itself` is the link.
    pub(super) fn meant(&self, at: At, flags: i32, itself: bool) -> At {
        match at {
            At::Path { directory, path, .. }
                if flags & libc::AT_EMPTY_PATH != 0 && self.caller.text(path, 1).is_ok() =>
            {
                At::Descriptor(directory)
            }
            At::Path { directory, path, .. } => At::Path { directory, path, itself },
            open @ At::Descriptor(_) => open,
        }
    }

    /// As [`Supervisor::meant`], of the calls that follow a link unless told otherwise.
    fn meant_or_link(&self, at: At, flags: i32) -> Result<At, Errno> {
        if flags & !(libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH) != 0 {
            return Err(Errno::INVAL);
        }
        Ok(self.meant(at, flags, flags & libc::AT_SYMLINK_NOFOLLOW != 0))
    }

    /// Where something that is there must be asked for; none where it is the program's own.
    pub(super) fn asked_place<'a>(&self, held: &'a Held) -> Result<Option<(&'a Spot, PathBuf)>, Errno> {
        let Some(spot) = &held.spot else {
            self.waits()?;
            let own =
                held.stat.st_nlink == 0 || !matches!(kind(&held.stat), FileType::RegularFile | FileType::Directory);
            return if own { Ok(None) } else { Err(Errno::ACCESS) };
        };
        self.waits()?;
        match self.zones.of_held(held, spot)? {
            Zone::Workspace(path) => Ok(Some((spot, path))),
            Zone::Free => Ok(None),
        }
    }

    /// Asks, makes, and says when it did not work.
    pub(super) fn change(
        &mut self,
        change: &NameChange<'_>,
        make: impl FnOnce() -> Result<(), Errno>,
    ) -> Result<(), Errno> {
        if self.ask(change)? == Step::Done {
            return Ok(());
        }
        make().inspect_err(|_| self.failed(change))
    }

    fn attribute_name(&self, address: u64) -> Result<OsString, Errno> {
        self.caller.text(address, 256).map(OsString::from_vec)
    }
}

fn not_a_link(held: &Held) -> Result<(), Errno> {
    if kind(&held.stat) == FileType::Symlink { Err(Errno::PERM) } else { Ok(()) }
}

pub(super) fn place<'a>(spot: &'a Spot, path: &'a Path) -> Place<'a> {
    Place { path, parent: spot.parent.as_fd(), name: name(spot) }
}

fn name(spot: &Spot) -> &OsStr {
    &spot.name
}

#[allow(clippy::useless_conversion, reason = "narrower on other architectures")]
pub(super) fn found(stat: &Stat) -> Found {
    Found {
        device: stat.st_dev,
        inode: stat.st_ino,
        links: u64::from(stat.st_nlink),
        size: u64::try_from(stat.st_size).unwrap_or_default(),
        mode: stat.st_mode,
    }
}
