//! Connecting: what a socket's path leads to is judged like what is written, because whoever listens there acts on what it is
//! told. Sockets that take an address with each message cannot be made, so nothing else names one.

use super::act::{Reply, found, place};
use super::resolve::{Held, Resolved, by_handle, kind};
use super::{Supervisor, wait};
use palanca_core::ports::NameChange;
use rustix::fs::{FileType, Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::net::AddressFamily;
use rustix::net::sockopt::socket_domain;
use std::ffi::OsStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The bytes of a family.
const FAMILY: usize = 2;
/// Links followed at the end of a path.
const LINKS: u32 = 40;

impl Supervisor {
    /// Connects by the handle that was judged, or by the address as it was read: the program could change it after that.
    pub(super) fn connect(&mut self, socket: i32, address: (u64, u64)) -> Result<Reply, Errno> {
        let (socket, mut address) = self.socket_and_address(socket, address)?;
        let mut there = None;
        if socket_domain(&socket)? == AddressFamily::UNIX {
            let (family, name) = address.split_at_checked(FAMILY).ok_or(Errno::INVAL)?;
            match name.first() {
                None => return Err(Errno::INVAL),
                // Names without a path belong to the network that the program is in.
                Some(0) if self.zones.shares_network() => return Err(Errno::PERM),
                Some(0) => {}
                Some(_) => {
                    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                    let held = self.listening(Path::new(OsStr::from_bytes(name.get(..end).unwrap_or_default())))?;
                    address = [family, by_handle(held.handle.as_fd()).as_bytes(), &[0]].concat();
                    there = Some(held.handle);
                }
            }
        }
        wait::until_connected(&self.listener, self.id, (socket, address, there), self.identity.program())?;
        Ok(Reply::Later)
    }

    /// The socket at a path, if it is one of the workspace or the program's own.
    fn listening(&mut self, path: &Path) -> Result<Held, Errno> {
        let working = self.caller.held(libc::AT_FDCWD)?;
        let mut resolved = self.view.resolve(self.caller, working.as_fd(), path)?;
        for _ in 0..LINKS {
            let Resolved::Name(spot) = resolved else { return Err(Errno::CONNREFUSED) };
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let handle = openat(&spot.parent, &*spot.name, flags, Mode::empty())?;
            let stat = rustix::fs::fstat(&handle)?;
            match kind(&stat) {
                FileType::Symlink => resolved = self.view.follow(self.caller, &spot, handle.as_fd())?,
                FileType::Socket => {
                    let held = Held { handle, stat, spot: Some(spot) };
                    match self.asked_place(&held).map_err(|_| Errno::ACCESS)? {
                        Some((spot, path)) => {
                            self.ask(&NameChange::Attributes { at: place(spot, &path), found: found(&held.stat) })?;
                        }
                        // What is shown below a private folder is not private.
                        None if !self.view.is_private(&held.stat) => return Err(Errno::ACCESS),
                        None => {}
                    }
                    return Ok(held);
                }
                _ => return Err(Errno::CONNREFUSED),
            }
        }
        Err(Errno::LOOP)
    }
}
