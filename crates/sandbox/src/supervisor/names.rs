//! Names: made, removed, moved, linked.

use super::Supervisor;
use super::act::{DONE, Reply, found, place};
use super::request::At;
use super::resolve::{Resolved, Spot, by_handle, kind};
use super::zones::Zone;
use palanca_core::ports::{NameChange, NewName};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, Stat, openat, statat};
use rustix::io::Errno;
use std::os::fd::AsFd;
use std::path::Path;

impl Supervisor {
    pub(super) fn remove(&mut self, at: At, flags: i32) -> Result<Reply, Errno> {
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
        self.zones.may_go(&spot, Some(&stat))?;
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

    pub(super) fn rename(&mut self, (from, to): (At, At), flags: u32) -> Result<Reply, Errno> {
        let flags = RenameFlags::from_bits_retain(flags);
        // Names are not exchanged, as on file systems that cannot: nobody needs it, and an undo could not tell what stood where.
        if !RenameFlags::NOREPLACE.contains(flags) {
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
            Some(_) if flags.contains(RenameFlags::NOREPLACE) => return Err(Errno::EXIST),
            _ if !is_folder(&stat) && (from.slash || to.slash) => return Err(Errno::NOTDIR),
            _ => {}
        }
        self.zones.may_go(&from, Some(&stat))?;
        self.zones.may_go(&to, replaced.as_ref())?;
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
        if let Some(replaced) = &replaced {
            match (is_folder(&stat), is_folder(replaced)) {
                (true, false) => return Err(Errno::NOTDIR),
                (false, true) => return Err(Errno::ISDIR),
                (true, true) if !is_empty(&to)? => return Err(Errno::NOTEMPTY),
                _ => {}
            }
        }
        let change = NameChange::Move {
            from: place(&from, from_path),
            found: found(&stat),
            to: place(&to, to_path),
            replaced: replaced.as_ref().map(found),
        };
        self.change(&change, go).map(|()| DONE)
    }

    pub(super) fn hard_link(&mut self, (from, to): (At, At), flags: i32) -> Result<Reply, Errno> {
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

    pub(super) fn link(&mut self, target: u64, at: At) -> Result<Reply, Errno> {
        let target = self.caller.path(target)?;
        let make = |spot: &Spot| rustix::fs::symlinkat(&target, &spot.parent, &*spot.name);
        self.new_name(at, NewName::Link(target.as_os_str()), make)
    }

    pub(super) fn folder(&mut self, at: At, mode: u32) -> Result<Reply, Errno> {
        let mode = Mode::from_raw_mode(mode & 0o1777);
        self.new_name(at, NewName::Folder, |spot| rustix::fs::mkdirat(&spot.parent, &*spot.name, mode))
    }

    pub(super) fn node(&mut self, at: At, mode: u32) -> Result<Reply, Errno> {
        let (new, kind) = match FileType::from_raw_mode(mode) {
            FileType::RegularFile | FileType::Unknown => (NewName::File, FileType::RegularFile),
            kind @ (FileType::Fifo | FileType::Socket) => (NewName::Special, kind),
            _ => return Err(Errno::PERM),
        };
        let mode = Mode::from_raw_mode(mode & 0o1777);
        self.new_name(at, new, |spot| rustix::fs::mknodat(&spot.parent, &*spot.name, kind, mode, 0))
    }

    /// Makes something where nothing is.
    pub(super) fn new_name(
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

    /// A name to change; `folder` is the error where a folder is meant that has no name.
    pub(super) fn spot(&self, at: At, folder: Errno) -> Result<Spot, Errno> {
        match self.view.name(self.caller, at)? {
            Resolved::Name(spot) => Ok(spot),
            Resolved::Folder(..) => Err(folder),
            Resolved::Descriptor(_) => Err(Errno::PERM),
        }
    }

    pub(super) fn made_there(&mut self, spot: &Spot, path: &Path) {
        if let Ok(stat) = statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
            self.made(&place(spot, path), found(&stat));
        }
    }
}

fn is_empty(spot: &Spot) -> Result<bool, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = match openat(&spot.parent, &*spot.name, flags, Mode::empty()) {
        // What may not be read may be removed all the same: the kernel sees whether it is empty.
        Err(Errno::ACCESS) => return Ok(true),
        opened => opened?,
    };
    for entry in rustix::fs::Dir::read_from(folder)? {
        if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
            return Ok(false);
        }
    }
    Ok(true)
}
