//! Opens that block, without blocking other requests: a FIFO waiting for its reader, a file waiting for the holder of a
//! lease.

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

/// As it was asked for.
pub(super) fn set_blocking(opened: &OwnedFd, flags: OFlags) -> Result<(), Errno> {
    if flags.contains(OFlags::NONBLOCK) {
        return Ok(());
    }
    let now = fcntl_getfl(opened)?;
    fcntl_setfl(opened, now - OFlags::NONBLOCK)
}
