//! FIFOs: whoever opens one for writing waits for a reader, and everybody else goes on meanwhile.

use super::raw::{self, Answer};
use super::resolve::by_handle;
use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Waiting at once, of all programs.
const MOST: usize = 64;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(2);

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// One that waits, counted.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers once there is a reader, or not at all when the program is gone. The thread has the rights of the one that starts it.
pub(super) fn for_a_reader(listener: &Arc<OwnedFd>, id: u64, (fifo, flags): (OwnedFd, OFlags)) -> Result<(), Errno> {
    if WAITING.fetch_add(1, Ordering::Relaxed) >= MOST {
        drop(Counted);
        return Err(Errno::NFILE);
    }
    let (listener, counted) = (Arc::clone(listener), Counted);
    let work = move || {
        let _counted = counted;
        while raw::still_waits(listener.as_fd(), id) {
            match rustix::fs::open(by_handle(fifo.as_fd()), flags | OFlags::NONBLOCK, Mode::empty()) {
                Err(Errno::NXIO) => std::thread::sleep(PAUSE),
                opened => {
                    let handed = opened.and_then(|opened| {
                        set_blocking(&opened, flags)?;
                        raw::hand((listener.as_fd(), id), opened.as_fd(), flags.bits().cast_signed())
                    });
                    if let Err(error) = handed {
                        // ignored: nobody waits any more.
                        let _ = raw::answer(listener.as_fd(), id, Answer::Error(error));
                    }
                    return;
                }
            }
        }
    };
    std::thread::Builder::new().name("palanca-fifo".to_owned()).spawn(work).map(drop).map_err(|_| Errno::AGAIN)
}

/// As it was asked for.
pub(super) fn set_blocking(opened: &OwnedFd, flags: OFlags) -> Result<(), Errno> {
    if flags.contains(OFlags::NONBLOCK) {
        return Ok(());
    }
    let now = fcntl_getfl(opened)?;
    fcntl_setfl(opened, now - OFlags::NONBLOCK)
}
