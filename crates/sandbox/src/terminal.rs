//! Terminals: the pair that a program with a terminal gets. Input is echoed as on any terminal, because programs that
//! want it otherwise say so themselves; output has `\r\n` line ends for the same reason.

use palanca_core::call::TerminalSize;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::io;
use std::os::fd::OwnedFd;

/// Our side and the program's.
pub(crate) struct Terminal {
    pub(crate) ours: OwnedFd,
    pub(crate) theirs: OwnedFd,
}

impl Terminal {
    /// Opened by its descriptor and not by its name, which a foreign mount of `/dev/pts` could answer.
    pub(crate) fn open(size: TerminalSize) -> io::Result<Self> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let ours = openpt(flags)?;
        grantpt(&ours)?;
        unlockpt(&ours)?;
        let theirs = ioctl_tiocgptpeer(&ours, flags)?;
        tcsetwinsize(&theirs, Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 })?;
        Ok(Self { ours, theirs })
    }
}
