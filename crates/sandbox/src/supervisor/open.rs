//! Opening for writing or creating: the file is found first and judged, then opened by the handle that was found.

use super::act::{Reply, found, place};
use super::request::At;
use super::resolve::{Held, Resolved, Spot, by_handle, kind};
use super::zones::Zone;
use super::{Supervisor, wait};
use palanca_core::ports::{NameChange, NewName, Step};
use rustix::fs::{FileType, Mode, OFlags, openat};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

/// Tries to create or to find a name that others make and remove at the same time; also the links followed at its end.
const TRIES: u32 = 40;
/// Of what is there already these say nothing any more.
const MAKING: OFlags = OFlags::CREATE.union(OFlags::EXCL).union(OFlags::NOFOLLOW);
/// Never ours to get: a terminal, and what a start would inherit.
const ALWAYS: OFlags = OFlags::CLOEXEC.union(OFlags::NOCTTY);

/// How it was asked for.
#[derive(Clone, Copy)]
struct Asked {
    flags: OFlags,
    mode: Mode,
}

impl Supervisor {
    pub(super) fn open(&mut self, at: At, flags: i32, mode: u32) -> Result<Reply, Errno> {
        let asked = Asked { flags: OFlags::from_bits_retain(flags.cast_unsigned()), mode: Mode::from_raw_mode(mode) };
        let opened = if asked.flags.contains(OFlags::TMPFILE) {
            self.unnamed(at, asked)?
        } else if let Some(opened) = self.opened(at, asked)? {
            opened
        } else {
            return Ok(Reply::Later);
        };
        Ok(Reply::Hand(opened, flags))
    }

    /// None if another process opens it later.
    fn opened(&mut self, at: At, asked: Asked) -> Result<Option<OwnedFd>, Errno> {
        let creates = asked.flags.contains(OFlags::CREATE);
        if creates && asked.flags.contains(OFlags::DIRECTORY) {
            return Err(Errno::INVAL);
        }
        let mut resolved = self.view.name(self.caller, at)?;
        for _ in 0..TRIES {
            let spot = match resolved {
                Resolved::Name(spot) if creates && spot.slash => return Err(Errno::ISDIR),
                Resolved::Name(spot) => spot,
                Resolved::Folder(..) => return Err(Errno::ISDIR),
                Resolved::Descriptor(number) => {
                    let held = self.view.held_by(self.caller, number)?;
                    return self.again(held, asked);
                }
            };
            match openat(&spot.parent, &*spot.name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
                Err(Errno::NOENT) if creates => match self.create(&spot, asked) {
                    Err(Errno::EXIST) if !asked.flags.contains(OFlags::EXCL) => resolved = Resolved::Name(spot),
                    created => return created.map(Some),
                },
                Err(error) => return Err(error),
                Ok(_) if creates && asked.flags.contains(OFlags::EXCL) => return Err(Errno::EXIST),
                Ok(handle) => {
                    let stat = rustix::fs::fstat(&handle)?;
                    if kind(&stat) != FileType::Symlink {
                        if spot.slash && kind(&stat) != FileType::Directory {
                            return Err(Errno::NOTDIR);
                        }
                        return self.again(Held { handle, stat, spot: Some(spot) }, asked);
                    }
                    if asked.flags.contains(OFlags::NOFOLLOW) && !spot.slash {
                        return Err(Errno::LOOP);
                    }
                    resolved = self.view.follow(self.caller, &spot, handle.as_fd())?;
                }
            }
        }
        Err(Errno::LOOP)
    }

    fn create(&mut self, spot: &Spot, asked: Asked) -> Result<OwnedFd, Errno> {
        let path = self.may_change(spot)?;
        let flags = asked.flags | OFlags::CREATE | OFlags::EXCL | ALWAYS;
        self.with_umask();
        let make = |flags| openat(&spot.parent, &*spot.name, flags, asked.mode);
        let Zone::Workspace(path) = path else { return make(flags) };
        let change = NameChange::Create { at: place(spot, &path), new: NewName::File };
        let step = self.ask(&change)?;
        let made = make(if step == Step::Empty { flags - OFlags::RWMODE } else { flags });
        match made.as_ref().map(rustix::fs::fstat) {
            Ok(Ok(stat)) => self.made(&place(spot, &path), found(&stat)),
            // It is there.
            Ok(Err(_)) => {}
            Err(_) => self.failed(&change),
        }
        let made = made?;
        if step == Step::Empty && flags.intersects(OFlags::RWMODE) {
            // Where there can be no draft the empty file stays, open for reading.
            return Ok(self.draft(spot, made.as_fd(), flags).unwrap_or(made));
        }
        Ok(made)
    }

    /// Opens what is there.
    fn again(&mut self, held: Held, asked: Asked) -> Result<Option<OwnedFd>, Errno> {
        let flags = (asked.flags - MAKING) | ALWAYS;
        let writes = flags.intersects(OFlags::WRONLY | OFlags::RDWR | OFlags::TRUNC);
        match kind(&held.stat) {
            FileType::Directory => Err(Errno::ISDIR),
            FileType::Socket => Err(Errno::NXIO),
            _ if asked.flags.contains(OFlags::DIRECTORY) => Err(Errno::NOTDIR),
            FileType::CharacterDevice => self.device(&held, flags).map(Some),
            FileType::Fifo => self.fifo(held, flags),
            FileType::RegularFile => {
                // A file without a name is the program's own.
                match self.asked_place(&held)? {
                    Some((spot, path)) if writes => {
                        let at = place(spot, &path);
                        self.ask(&NameChange::Write { at, file: held.handle.as_fd(), found: found(&held.stat) })?;
                    }
                    // What is not there to be read is not there through us.
                    Some((spot, _)) if self.zones.is_masked(&spot.path()) => return Err(Errno::ACCESS),
                    _ => {}
                }
                self.patiently(held, flags)
            }
            _ => Err(Errno::ACCESS),
        }
    }

    /// A file of no name, to get one later: only then is there something to judge.
    fn unnamed(&mut self, at: At, asked: Asked) -> Result<OwnedFd, Errno> {
        let held = self.view.find(self.caller, at)?;
        let spot = held.spot.as_ref().ok_or(Errno::ACCESS)?;
        self.waits()?;
        self.zones.of_held(&held, spot)?;
        self.with_umask();
        openat(&held.handle, ".", asked.flags | ALWAYS, asked.mode)
    }

    /// Only the harmless ones, and terminals; never one that lies in the workspace.
    fn device(&mut self, held: &Held, flags: OFlags) -> Result<OwnedFd, Errno> {
        if held.spot.as_ref().is_some_and(|spot| spot.path() == Path::new("/dev/tty")) {
            return self.own_terminal(flags);
        }
        let known = |spot: &Spot| self.zones.is_device(&spot.path()) || self.zones.of_name(spot) == Ok(Zone::Free);
        // What has no name here was handed to the program when it was started.
        let may = held.spot.as_ref().is_none_or(known) || self.caller.belongs_to(held.stat.st_rdev);
        if may { reopen(held, flags) } else { Err(Errno::ACCESS) }
    }

    /// The terminal that the program belongs to, as one of its first descriptors has it: opened by its common name it would
    /// be ours.
    fn own_terminal(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        for number in 0..3 {
            let Ok(held) = self.view.held_by(self.caller, number) else { continue };
            if kind(&held.stat) == FileType::CharacterDevice && self.caller.belongs_to(held.stat.st_rdev) {
                return reopen(&held, flags);
            }
        }
        Err(Errno::NXIO)
    }

    fn fifo(&mut self, held: Held, flags: OFlags) -> Result<Option<OwnedFd>, Errno> {
        if let Some(spot) = &held.spot
            && let Zone::Workspace(path) = self.may_change(spot)?
        {
            self.ask(&NameChange::Attributes { at: place(spot, &path), found: found(&held.stat) })?;
        }
        self.patiently(held, flags)
    }

    /// The other end of a FIFO may come late, and who has a lease on a file may keep it for long: that is waited for beside
    /// everything else.
    fn patiently(&self, held: Held, flags: OFlags) -> Result<Option<OwnedFd>, Errno> {
        match reopen(&held, flags | OFlags::NONBLOCK) {
            Err(Errno::NXIO | Errno::AGAIN) if !flags.contains(OFlags::NONBLOCK) => {
                wait::until_opened(&self.listener, self.id, (held.handle, flags))?;
                Ok(None)
            }
            opened => {
                let opened = opened?;
                wait::set_blocking(&opened, flags)?;
                Ok(Some(opened))
            }
        }
    }
}

/// Opens what is held.
pub(super) fn reopen(held: &Held, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::fs::open(by_handle(held.handle.as_fd()), flags, Mode::empty())
}
