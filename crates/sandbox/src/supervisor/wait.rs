//! What blocks, without blocking other requests: a FIFO waiting for its reader, a file waiting for the holder of a lease, a
//! socket waiting for who listens.

use super::raw::{self, Answer};
use super::resolve::by_handle;
use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// Waiting at once, of one program.
const MOST: usize = 64;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// Answers once it can be opened, or not at all when the program is gone. The thread has the rights of the one that starts it.
pub(super) fn until_opened(listener: &Arc<OwnedFd>, id: u64, (file, flags): (OwnedFd, OFlags)) -> Result<(), Errno> {
    if Arc::weak_count(listener) >= MOST {
        return Err(Errno::NFILE);
    }
    // Whoever waits keeps no listener open: once the supervisor is gone the kernel fails all questions.
    let listener = Arc::downgrade(listener);
    let work = move || {
        while let Some(listener) = listener.upgrade().filter(|listener| raw::still_waits(listener.as_fd(), id)) {
            match rustix::fs::open(by_handle(file.as_fd()), flags | OFlags::NONBLOCK, Mode::empty()) {
                Err(Errno::NXIO | Errno::AGAIN) => {
                    drop(listener);
                    std::thread::sleep(PAUSE);
                }
                opened => {
                    let handed = opened.and_then(|opened| {
                        set_blocking(&opened, flags)?;
                        raw::hand((listener.as_fd(), id), opened, flags.bits().cast_signed())
                    });
                    if let Err(error) = handed {
                        // ignored: the caller no longer waits.
                        let _ = raw::answer(listener.as_fd(), id, Answer::Error(error));
                    }
                    return;
                }
            }
        }
    };
    std::thread::Builder::new().name("palanca-waits".to_owned()).spawn(work).map(drop).map_err(|_| Errno::AGAIN)
}

/// Answers once it is connected, or not. What is held stays so until then.
pub(super) fn until_connected(
    listener: &Arc<OwnedFd>,
    id: u64,
    (socket, address, held): (OwnedFd, Vec<u8>, Option<OwnedFd>),
    program: Option<(u32, u32)>,
) -> Result<(), Errno> {
    if Arc::weak_count(listener) >= MOST {
        return Err(Errno::AGAIN);
    }
    let listener = Arc::downgrade(listener);
    let work = move || {
        let own = program.map_or(Ok(()), raw::become_for_good);
        let connected = own.and_then(|()| raw::connect(socket.as_fd(), &address));
        drop((held, socket));
        if let Some(listener) = listener.upgrade() {
            let answer = connected.map_or_else(Answer::Error, |()| Answer::Value(0));
            // ignored: the caller no longer waits.
            let _ = raw::answer(listener.as_fd(), id, answer);
        }
    };
    std::thread::Builder::new().name("palanca-connects".to_owned()).spawn(work).map(drop).map_err(|_| Errno::AGAIN)
}

/// As it was asked for.
pub(super) fn set_blocking(opened: &OwnedFd, flags: OFlags) -> Result<(), Errno> {
    if flags.contains(OFlags::NONBLOCK) {
        return Ok(());
    }
    let now = fcntl_getfl(opened)?;
    fcntl_setfl(opened, now - OFlags::NONBLOCK)
}
