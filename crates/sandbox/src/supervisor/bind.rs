//! Sockets: one with a path is a name, and every address is bound as it was read.

use super::act::{DONE, Reply, place};
use super::resolve::{Resolved, by_handle};
use super::zones::Zone;
use super::{Supervisor, raw};
use palanca_core::ports::{NameChange, NewName};
use rustix::fs::{AtFlags, statat};
use rustix::io::Errno;
use rustix::net::AddressFamily;
use rustix::net::sockopt::socket_domain;
use std::ffi::OsString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

/// The longest address of a unix socket, with its family.
const ADDRESS: u64 = 128;
/// The first port that needs no privilege.
const PORTS: u16 = 1024;

impl Supervisor {
    /// What a call names, as it is now.
    pub(super) fn socket_and_address(
        &self,
        socket: i32,
        (address, length): (u64, u64),
    ) -> Result<(OwnedFd, Vec<u8>), Errno> {
        let length = u32::try_from(length & 0xffff_ffff).unwrap_or(u32::MAX);
        if u64::from(length) > ADDRESS {
            return Err(Errno::INVAL);
        }
        let address = self.caller.bytes(address, length as usize)?;
        let socket = self.caller.take(socket)?;
        self.waits()?;
        Ok((socket, address))
    }

    /// Only the socket's own file is a matter of the workspace; the address is bound as it was read, because the program
    /// could change it after that. Ports that need a privilege are refused: it would be ours.
    pub(super) fn bind(&mut self, socket: i32, (address, length): (u64, u64)) -> Result<Reply, Errno> {
        let (socket, address) = self.socket_and_address(socket, (address, length))?;
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
        match statat(&spot.parent, &*spot.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => return Err(Errno::ADDRINUSE),
            Err(Errno::NOENT) if !spot.slash => {}
            Err(error) => return Err(error),
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
}
