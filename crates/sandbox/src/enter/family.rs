//! Without a process namespace: everything that the program will start becomes a family that can be signalled at once.
//!
//! Whoever walks through `/proc` to kill is too late for a program that forks and ends without pause. A Landlock domain
//! whose members can signal nobody outside makes `kill(-1)` mean "all of them": the kernel goes through its list while
//! nobody can be born, and who was about to fork finds the signal first. That is sent only after the kernel has refused,
//! before our eyes, a signal to a process of the same user outside of the domain.

use super::{Failure, raw};
use crate::isolation::rules::signal_each_other_only;
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, WaitOptions, test_kill_process, waitpid};
use std::os::fd::{AsFd, OwnedFd};

/// Whom a signal to everybody reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// This family.
    Family,
    /// The whole machine: it must not be sent.
    Everybody,
}

/// Makes this process the first of a family, where the kernel knows such.
pub(super) fn found() -> Result<Reach, Failure> {
    let (waiting, stranger) = stranger()?;
    let founded = signal_each_other_only();
    let refused = test_kill_process(stranger) == Err(Errno::PERM);
    drop(waiting);
    waitpid(Some(stranger), WaitOptions::empty()).map_err(Failure::at("family"))?;
    Ok(if founded.is_ok() && refused { Reach::Family } else { Reach::Everybody })
}

/// A process of this user that lives until the descriptor is closed.
fn stranger() -> Result<(OwnedFd, Pid), Failure> {
    let (end, waiting) = pipe_with(PipeFlags::CLOEXEC).map_err(Failure::at("family"))?;
    match raw::fork(0).map_err(Failure::at("family"))? {
        Some(stranger) => Ok((waiting, stranger)),
        None => {
            drop(waiting);
            until_closed(&end);
            std::process::exit(0)
        }
    }
}

/// A member that ends all the others when this process is gone without having ended them: then its end of the pipe, which
/// must be kept, is closed. It ends with the others when they are ended.
pub(super) fn heir() -> Result<OwnedFd, Failure> {
    let (end, alive) = pipe_with(PipeFlags::CLOEXEC).map_err(Failure::at("heir"))?;
    if raw::fork(0).map_err(Failure::at("heir"))?.is_some() {
        return Ok(alive);
    }
    // What the program's parent asks the others to do is not for this one.
    let ready = raw::block_signals().and_then(|()| raw::keep_alone(end.as_fd()));
    if let Ok(end) = ready {
        until_closed(&end);
        raw::kill(-1, libc::SIGKILL);
    }
    std::process::exit(0)
}

fn until_closed(end: &OwnedFd) {
    while rustix::io::read(end, &mut [0_u8; 1]) == Err(Errno::INTR) {}
}
