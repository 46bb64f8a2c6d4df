//! The work itself: each request is resolved, judged, and done by the handles that were judged.

use super::request::{At, Request, Unit};
use super::resolve::{Held, Resolved, Spot, by_handle, kind};
use super::zones::Zone;
use super::{Supervisor, raw};
use palanca_core::ports::{Found, NameChange, NewName, Place, Step};
use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, RenameFlags, Stat, StatxAttributes, StatxFlags, Timespec, Timestamps,
    UTIME_NOW, Uid, XattrFlags, openat, statat,
};
use rustix::io::Errno;
use rustix::net::AddressFamily;
use rustix::net::sockopt::socket_domain;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// The longest value of an extended attribute.
const VALUE: u64 = 64 << 10;
/// The longest address of a unix socket, with its family.
const ADDRESS: u64 = 128;
/// The first port that needs no privilege.
const PORTS: u16 = 1024;

/// What the program gets.
pub(super) enum Reply {
    Value(i64),
    /// A descriptor; with the flags it was asked for.
    Hand(OwnedFd, i32),
    Continue,
    /// Somebody else answers.
    Later,
}

const DONE: Reply = Reply::Value(0);

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
                if kind(&held.stat) == FileType::Symlink {
                    return Err(Errno::OPNOTSUPP);
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
            Request::Umask => {
                self.masks.clear();
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

    fn remove(&mut self, at: At, flags: i32) -> Result<Reply, Errno> {
        if flags & !libc::AT_REMOVEDIR != 0 {
            return Err(Errno::INVAL);
        }
        let folder = flags & libc::AT_REMOVEDIR != 0;
        let spot = match self.view.name(self.caller, at)? {
            Resolved::Name(spot) => spot,
            Resolved::Folder(..) => return Err(if folder { Errno::INVAL } else { Errno::ISDIR }),
            Resolved::Descriptor(_) => return Err(Errno::PERM),
        };
        let stat = statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW)?;
        match (kind(&stat), folder) {
            (FileType::Directory, false) => return Err(Errno::ISDIR),
            (FileType::Directory, true) => {}
            (_, true) => return Err(Errno::NOTDIR),
            (_, false) if spot.slash => return Err(Errno::NOTDIR),
            _ => {}
        }
        let flags = if folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        let go = |spot: &Spot| rustix::fs::unlinkat(&spot.parent, &*spot.name, flags);
        match self.may_change(&spot)? {
            Zone::Free => go(&spot)?,
            Zone::Workspace(path) => {
                if folder && !is_empty(&spot)? {
                    return Err(Errno::NOTEMPTY);
                }
                let change = NameChange::Remove { at: place(&spot, &path), found: found(&stat) };
                self.change(&change, || go(&spot))?;
            }
        }
        Ok(DONE)
    }

    fn rename(&mut self, (from, to): (At, At), flags: u32) -> Result<Reply, Errno> {
        let flags = RenameFlags::from_bits_retain(flags);
        let (exchange, keep) = (flags.contains(RenameFlags::EXCHANGE), flags.contains(RenameFlags::NOREPLACE));
        let known = RenameFlags::EXCHANGE | RenameFlags::NOREPLACE;
        if !known.contains(flags) || (exchange && keep) {
            return Err(Errno::INVAL);
        }
        let (from, to) = (self.spot(from, Errno::BUSY)?, self.spot(to, Errno::BUSY)?);
        let stat = statat(&from.parent, &*from.name, AtFlags::SYMLINK_NOFOLLOW)?;
        let replaced = match statat(&to.parent, &*to.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(replaced) => Some(replaced),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(error),
        };
        let is_folder = |stat: &Stat| kind(stat) == FileType::Directory;
        match &replaced {
            Some(_) if keep => return Err(Errno::EXIST),
            None if exchange => return Err(Errno::NOENT),
            Some(replaced) if exchange && to.slash && !is_folder(replaced) => return Err(Errno::NOTDIR),
            _ if !is_folder(&stat) && (from.slash || (to.slash && !exchange)) => return Err(Errno::NOTDIR),
            _ => {}
        }
        let go = || rustix::fs::renameat_with(&from.parent, &*from.name, &to.parent, &*to.name, flags);
        let (one, other) = (self.may_change(&from)?, self.may_change(&to)?);
        let (from_path, to_path) = match (&one, &other) {
            (Zone::Workspace(from), Zone::Workspace(to)) => (from, to),
            (Zone::Free, Zone::Free) => return go().map(|()| DONE),
            _ => return Err(Errno::XDEV),
        };
        let same = |other: &Stat| (stat.st_dev, stat.st_ino) == (other.st_dev, other.st_ino);
        if replaced.as_ref().is_some_and(same) {
            // Two names of one file: the kernel does nothing either.
            return Ok(DONE);
        }
        let (from_place, to_place) = (place(&from, from_path), place(&to, to_path));
        let change = if exchange {
            let replaced = replaced.as_ref().ok_or(Errno::NOENT)?;
            NameChange::Exchange { one: (from_place, found(&stat)), other: (to_place, found(replaced)) }
        } else {
            if let Some(replaced) = &replaced {
                match (is_folder(&stat), is_folder(replaced)) {
                    (true, false) => return Err(Errno::NOTDIR),
                    (false, true) => return Err(Errno::ISDIR),
                    (true, true) if !is_empty(&to)? => return Err(Errno::NOTEMPTY),
                    _ => {}
                }
            }
            NameChange::Move {
                from: from_place,
                found: found(&stat),
                to: to_place,
                replaced: replaced.as_ref().map(found),
            }
        };
        self.change(&change, go).map(|()| DONE)
    }

    fn hard_link(&mut self, (from, to): (At, At), flags: i32) -> Result<Reply, Errno> {
        if flags & !(libc::AT_SYMLINK_FOLLOW | libc::AT_EMPTY_PATH) != 0 {
            return Err(Errno::INVAL);
        }
        let follows = flags & libc::AT_SYMLINK_FOLLOW != 0;
        let held = self.view.find(self.caller, self.meant(from, flags, !follows))?;
        let to = self.new_spot(to, NewName::File)?;
        if kind(&held.stat) == FileType::Directory {
            return Err(Errno::PERM);
        }
        let target = by_handle(held.handle.as_fd());
        let go = || rustix::fs::linkat(CWD, &target, &to.parent, &*to.name, AtFlags::SYMLINK_FOLLOW);
        let from = match &held.spot {
            Some(spot) => Some((spot, self.may_change(spot)?)),
            // Only what has no name yet.
            None if held.stat.st_nlink > 0 => return Err(Errno::ACCESS),
            None => None,
        };
        let path = match (&from, self.may_change(&to)?) {
            (Some((_, Zone::Free)) | None, Zone::Free) => return go().map(|()| DONE),
            (Some((_, Zone::Workspace(_))) | None, Zone::Workspace(path)) => path,
            _ => return Err(Errno::XDEV),
        };
        let from = match &from {
            Some((spot, Zone::Workspace(path))) => Some(place(spot, path)),
            _ => None,
        };
        let at = place(&to, &path);
        let change = NameChange::HardLink { from, found: found(&held.stat), to: at };
        self.change(&change, go)?;
        self.made_there(&to, &path);
        Ok(DONE)
    }

    fn link(&mut self, target: u64, at: At) -> Result<Reply, Errno> {
        let target = self.caller.path(target)?;
        let make = |spot: &Spot| rustix::fs::symlinkat(&target, &spot.parent, &*spot.name);
        self.new_name(at, NewName::Link(target.as_os_str()), make)
    }

    fn folder(&mut self, at: At, mode: u32) -> Result<Reply, Errno> {
        let mode = Mode::from_raw_mode(mode & 0o1777);
        self.new_name(at, NewName::Folder, |spot| rustix::fs::mkdirat(&spot.parent, &*spot.name, mode))
    }

    fn node(&mut self, at: At, mode: u32) -> Result<Reply, Errno> {
        let (new, kind) = match FileType::from_raw_mode(mode) {
            FileType::RegularFile | FileType::Unknown => (NewName::File, FileType::RegularFile),
            kind @ (FileType::Fifo | FileType::Socket) => (NewName::Special, kind),
            _ => return Err(Errno::PERM),
        };
        let mode = Mode::from_raw_mode(mode & 0o1777);
        self.new_name(at, new, |spot| rustix::fs::mknodat(&spot.parent, &*spot.name, kind, mode, 0))
    }

    /// Makes something where nothing is.
    fn new_name(
        &mut self,
        at: At,
        new: NewName<'_>,
        make: impl FnOnce(&Spot) -> Result<(), Errno>,
    ) -> Result<Reply, Errno> {
        let spot = self.new_spot(at, new)?;
        let zone = self.may_change(&spot)?;
        self.with_umask();
        match zone {
            Zone::Free => make(&spot)?,
            Zone::Workspace(path) => {
                self.change(&NameChange::Create { at: place(&spot, &path), new }, || make(&spot))?;
                self.made_there(&spot, &path);
            }
        }
        Ok(DONE)
    }

    /// Permissions, owner, times or extended attributes.
    fn attributes(&mut self, at: At, set: impl FnOnce(&Held) -> Result<(), Errno>) -> Result<Reply, Errno> {
        let held = self.view.find(self.caller, at)?;
        if let Some((spot, path)) = self.asked_place(&held)? {
            self.ask(&NameChange::Attributes { at: place(spot, &path), found: found(&held.stat) })?;
        }
        set(&held).map(|()| DONE)
    }

    fn set_times(&mut self, at: At, times: &Timestamps) -> Result<Reply, Errno> {
        self.attributes(at, |held| rustix::fs::utimensat(&held.handle, "", times, AtFlags::EMPTY_PATH))
    }

    /// Only the socket's own file is a matter of the workspace; the address is bound as it was read, because the program
    /// could change it after that. Ports that need a privilege are refused: it would be ours.
    fn bind(&mut self, socket: i32, (address, length): (u64, u64)) -> Result<Reply, Errno> {
        let length = u32::try_from(length & 0xffff_ffff).unwrap_or(u32::MAX);
        if u64::from(length) > ADDRESS {
            return Err(Errno::INVAL);
        }
        let address = self.caller.bytes(address, length as usize)?;
        let socket = self.caller.take(socket)?;
        let family = address.first_chunk().map(|family| u16::from_ne_bytes(*family));
        let name = address.get(2..).unwrap_or_default();
        if socket_domain(&socket)? != AddressFamily::UNIX {
            let port = name.first_chunk().map_or(0, |port| u16::from_be_bytes(*port));
            let privileged = (1..PORTS).contains(&port);
            return if privileged { Err(Errno::ACCESS) } else { raw::bind(socket.as_fd(), &address).map(|()| DONE) };
        }
        if family.map(i32::from) != Some(libc::AF_UNIX) || name.first().is_none_or(|first| *first == 0) {
            return raw::bind(socket.as_fd(), &address).map(|()| DONE);
        }
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        let path = OsString::from_vec(name.get(..end).unwrap_or_default().to_vec());
        let working = self.caller.held(libc::AT_FDCWD)?;
        let Resolved::Name(spot) = self.view.resolve(self.caller, working.as_fd(), Path::new(&path))? else {
            return Err(Errno::ADDRINUSE);
        };
        if statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(Errno::ADDRINUSE);
        }
        if spot.slash {
            return Err(Errno::NOENT);
        }
        let zone = self.may_change(&spot)?;
        self.with_umask();
        let make = || {
            rustix::process::chdir(by_handle(spot.parent.as_fd()))?;
            let family = u16::try_from(libc::AF_UNIX).unwrap_or_default().to_ne_bytes();
            let bound = raw::bind(socket.as_fd(), &[family.as_slice(), spot.name.as_bytes()].concat());
            rustix::process::chdir("/")?;
            bound
        };
        match zone {
            Zone::Free => make()?,
            Zone::Workspace(path) => {
                self.change(&NameChange::Create { at: place(&spot, &path), new: NewName::Special }, make)?;
                self.made_there(&spot, &path);
            }
        }
        Ok(DONE)
    }

    /// A name where nothing is.
    fn new_spot(&self, at: At, new: NewName<'_>) -> Result<Spot, Errno> {
        let spot = self.spot(at, Errno::EXIST)?;
        match statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST),
            Err(_) if spot.slash && new != NewName::Folder => Err(Errno::NOENT),
            Err(_) => Ok(spot),
        }
    }

    /// With the flags of the `*at` calls: the descriptor, where the path is empty and may be; `itself` is the link.
    fn meant(&self, at: At, flags: i32, itself: bool) -> At {
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

    /// A name to change; `folder` is the error where a folder is meant that has no name.
    fn spot(&self, at: At, folder: Errno) -> Result<Spot, Errno> {
        match self.view.name(self.caller, at)? {
            Resolved::Name(spot) => Ok(spot),
            Resolved::Folder(..) => Err(folder),
            Resolved::Descriptor(_) => Err(Errno::PERM),
        }
    }

    /// Where something that is there must be asked for; none where it is the program's own.
    pub(super) fn asked_place<'a>(&self, held: &'a Held) -> Result<Option<(&'a Spot, PathBuf)>, Errno> {
        let Some(spot) = &held.spot else {
            let own =
                held.stat.st_nlink == 0 || !matches!(kind(&held.stat), FileType::RegularFile | FileType::Directory);
            return if own { Ok(None) } else { Err(Errno::ACCESS) };
        };
        match self.may_change(spot)? {
            Zone::Workspace(path) => Ok(Some((spot, path))),
            Zone::Free => Ok(None),
        }
    }

    /// Asks, makes, and says when it did not work.
    fn change(&mut self, change: &NameChange<'_>, make: impl FnOnce() -> Result<(), Errno>) -> Result<(), Errno> {
        if self.ask(change)? == Step::Done {
            return Ok(());
        }
        // This thread lives among other mounts, where nothing covers the name.
        if uncovered(change).is_err() {
            self.failed(change);
            return Err(Errno::BUSY);
        }
        make().inspect_err(|_| self.failed(change))
    }

    fn made_there(&mut self, spot: &Spot, path: &Path) {
        if let Ok(stat) = statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
            self.made(&place(spot, path), found(&stat));
        }
    }

    fn attribute_name(&self, address: u64) -> Result<OsString, Errno> {
        self.caller.text(address, 256).map(OsString::from_vec)
    }

    fn times(&self, address: u64) -> Result<Timestamps, Errno> {
        if address == 0 {
            return Ok(now());
        }
        let numbers = self.numbers::<4>(address)?;
        let [access, access_nanos, change, change_nanos] = numbers;
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        Ok(Timestamps { last_access: time(access, access_nanos), last_modification: time(change, change_nanos) })
    }

    fn old_times(&self, address: u64, unit: Unit) -> Result<Timestamps, Errno> {
        if address == 0 {
            return Ok(now());
        }
        let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
        let (last_access, last_modification) = match unit {
            Unit::Seconds => {
                let [access, change] = self.numbers::<2>(address)?;
                (time(access, 0), time(change, 0))
            }
            Unit::Microseconds => {
                let [access, access_micros, change, change_micros] = self.numbers::<4>(address)?;
                let nanos =
                    |micros: i64| if (0..1_000_000).contains(&micros) { Ok(micros * 1000) } else { Err(Errno::INVAL) };
                (time(access, nanos(access_micros)?), time(change, nanos(change_micros)?))
            }
        };
        Ok(Timestamps { last_access, last_modification })
    }

    fn numbers<const N: usize>(&self, address: u64) -> Result<[i64; N], Errno> {
        let bytes = self.caller.bytes(address, N * 8)?;
        let mut numbers = [0; N];
        for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(8)) {
            *number = i64::from_ne_bytes(bytes.try_into().map_err(|_| Errno::FAULT)?);
        }
        Ok(numbers)
    }
}

/// Refuses to take a name away that something is mounted on.
fn uncovered(change: &NameChange<'_>) -> Result<(), Errno> {
    let free = |at: &Place<'_>| {
        let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
        match rustix::fs::statx(at.parent, at.name, flags, StatxFlags::empty()) {
            Ok(stat) if stat.stx_attributes.contains(StatxAttributes::MOUNT_ROOT) => Err(Errno::BUSY),
            _ => Ok(()),
        }
    };
    match change {
        NameChange::Remove { at, .. } => free(at),
        NameChange::Move { from, to, .. } => free(from).and_then(|()| free(to)),
        NameChange::Exchange { one: (one, _), other: (other, _) } => free(one).and_then(|()| free(other)),
        _ => Ok(()),
    }
}

fn now() -> Timestamps {
    let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
    Timestamps { last_access: now, last_modification: now }
}

fn not_a_link(held: &Held) -> Result<(), Errno> {
    if kind(&held.stat) == FileType::Symlink { Err(Errno::PERM) } else { Ok(()) }
}

fn is_empty(spot: &Spot) -> Result<bool, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let Ok(folder) = openat(&spot.parent, &*spot.name, flags, Mode::empty()) else { return Ok(true) };
    for entry in rustix::fs::Dir::read_from(folder)? {
        if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
            return Ok(false);
        }
    }
    Ok(true)
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
