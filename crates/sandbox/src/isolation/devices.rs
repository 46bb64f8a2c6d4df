//! Devices among a program's three streams. It removes none.
//!
//! A descriptor keeps the mount that it was opened through: by one of the host's `/dev/null` the mode of the host's
//! `/dev/null` can be changed, however read-only the one inside is. So such a stream is opened again, inside.

use rustix::fs::{FileType, Mode, OFlags, fcntl_getfl, fstat, open, stat};
use rustix::io::Errno;
use std::os::fd::OwnedFd;

/// The only devices that are there.
pub(crate) const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// The same three streams, of the root that is in force now.
pub(crate) fn of_the_room(stdio: [OwnedFd; 3]) -> Result<[OwnedFd; 3], Errno> {
    let [input, output, errors] = stdio;
    Ok([opened_again(input)?, opened_again(output)?, opened_again(errors)?])
}

/// A terminal stays what it is: its other end is outside, and there is no other way to it.
fn opened_again(stream: OwnedFd) -> Result<OwnedFd, Errno> {
    let about = fstat(&stream)?;
    if FileType::from_raw_mode(about.st_mode) != FileType::CharacterDevice {
        return Ok(stream);
    }
    let same = |name: &&&str| stat(**name).is_ok_and(|there| there.st_rdev == about.st_rdev);
    match DEVICES.iter().find(same) {
        Some(name) => {
            let kept = fcntl_getfl(&stream)? & (OFlags::RWMODE | OFlags::APPEND | OFlags::NONBLOCK);
            open(*name, kept | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty())
        }
        None => Ok(stream),
    }
}
