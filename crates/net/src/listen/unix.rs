//! The file of a Unix socket: made with its final mode, never in place of anything but a dead socket of this user, and
//! removed at the end.

use super::options::Exposure;
use rustix::fs::{self, CWD, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::geteuid;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf, absolute};

const BACKLOG: i32 = 1024;

pub(super) struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    /// The listener does not block. `AddrInUse`: somebody listens there, or begins to at this moment; `AlreadyExists`:
    /// something else is there.
    pub(super) fn bind(path: &Path, exposure: Exposure) -> io::Result<(UnixListener, Self)> {
        let path = absolute(path)?;
        let folder = path.parent().ok_or(Errno::INVAL)?;
        // Two that begin at once must not take each other's new socket for a dead one.
        let folder = fs::open(folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        fs::flock(&folder, FlockOperation::NonBlockingLockExclusive).map_err(|fault| match fault {
            Errno::WOULDBLOCK => Errno::ADDRINUSE,
            other => other,
        })?;
        make_room(&path)?;
        let socket = new_socket()?;
        // Linux makes the file with the mode of the socket, so at no moment has it another.
        let mode = if exposure == Exposure::Local { 0o600 } else { 0o666 };
        fs::fchmod(&socket, Mode::from_raw_mode(mode))?;
        net::bind(&socket, &SocketAddrUnix::new(&path)?)?;
        let file = Self { id: id(&fs::lstat(&path)?), path };
        if exposure == Exposure::Open {
            // The process's mask took bits away.
            fs::chmodat(CWD, &file.path, Mode::from_raw_mode(mode), fs::AtFlags::empty())?;
        }
        net::listen(&socket, BACKLOG)?;
        Ok((UnixListener::from(socket), file))
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if fs::lstat(&self.path).is_ok_and(|found| id(&found) == self.id) {
            // ignored: a socket that is left behind is dead, and the next listener replaces it.
            let _ = fs::unlink(&self.path);
        }
    }
}

fn id(of: &Stat) -> (u64, u64) {
    (of.st_dev, of.st_ino)
}

fn new_socket() -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    Ok(net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?)
}

/// Removes a dead socket of this user.
fn make_room(path: &Path) -> io::Result<()> {
    let found = match fs::lstat(path) {
        Err(Errno::NOENT) => return Ok(()),
        found => found?,
    };
    if FileType::from_raw_mode(found.st_mode) != FileType::Socket || found.st_uid != geteuid().as_raw() {
        return Err(Errno::EXIST.into());
    }
    match net::connect(&new_socket()?, &SocketAddrUnix::new(path)?) {
        Err(Errno::CONNREFUSED) => Ok(fs::unlink(path)?),
        Err(Errno::NOENT) => Ok(()),
        // A full queue answers, too.
        Ok(()) | Err(Errno::AGAIN | Errno::INPROGRESS) => Err(Errno::ADDRINUSE.into()),
        // A socket of another kind.
        Err(_) => Err(Errno::EXIST.into()),
    }
}
