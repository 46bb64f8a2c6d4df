//! Hears that somebody has written to the database, in this process or another, without asking it.

use super::Database;
use rustix::fd::OwnedFd;
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::unix::AsyncFd;

/// The descriptor through which the kernel tells of writes: one for each database, because a user may have few.
#[derive(Default)]
pub(super) struct Told(OnceLock<Option<OwnedFd>>);

impl Told {
    fn again(&self) -> Option<OwnedFd> {
        let made = || inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok();
        self.0.get_or_init(made).as_ref()?.try_clone().ok()
    }
}

/// Hears of every write that begins after it was made.
pub(crate) struct Listener {
    told: Option<AsyncFd<OwnedFd>>,
    /// Every write goes here first.
    log: PathBuf,
}

impl Database {
    /// Listens from now on. Inside a runtime.
    pub(crate) fn listen(&self) -> Listener {
        let log = self.path().with_file_name(format!("{}-wal", super::FILE_NAME));
        let listener = Listener { told: self.told.again().and_then(registered), log };
        let is_watched = listener.watch();
        Listener { told: listener.told.filter(|_| is_watched), ..listener }
    }
}

#[allow(unsafe_code, reason = "the runtime has no safe way to wait for the kernel's notifications")]
fn registered(told: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    // SAFETY: an owned descriptor names the same open file until it is dropped, and it is never taken out of here.
    unsafe { AsyncFd::register(told) }.ok()
}

impl Listener {
    /// Whether it hears at all: where it does not, whoever waits must look.
    pub(crate) const fn hears(&self) -> bool {
        self.told.is_some()
    }

    /// Ends when somebody writes, a moment before the rows are seen. Whoever hears nothing waits for ever.
    pub(crate) async fn written(&self) {
        let Some(told) = &self.told else { return std::future::pending().await };
        if let Ok(mut ready) = told.readable().await {
            let mut events = [0; 4096];
            while rustix::io::read(told.get_ref(), &mut events).is_ok_and(|bytes| bytes > 0) {}
            ready.clear_ready();
            // The log may be another file since.
            self.watch();
        }
    }

    fn watch(&self) -> bool {
        let flags = WatchFlags::MODIFY | WatchFlags::ATTRIB | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
        self.told.as_ref().is_some_and(|told| inotify::add_watch(told.get_ref(), &self.log, flags).is_ok())
    }
}

/// How often to look where no write is heard.
const LOOK: Duration = Duration::from_millis(500);
/// A write is heard a moment before its rows are seen; so much later they are.
const SEEN: Duration = Duration::from_millis(20);

/// Tells of writes to the database, in this process or another, for whoever shows what is in it.
pub struct Writes {
    database: Arc<Database>,
    listener: Listener,
    /// What was heard may not have been seen yet: one more look follows.
    heard: bool,
}

impl Database {
    /// Listens to writes from now on. Inside a runtime.
    #[must_use]
    pub fn writes(self: &Arc<Self>) -> Writes {
        Writes { database: Arc::clone(self), listener: self.listen(), heard: true }
    }
}

impl Writes {
    /// Ends when something may have been written since the last time, and its rows can be read. Where no write can be heard, such as
    /// before the first one of all, it ends from time to time.
    pub async fn next(&mut self) {
        if !self.listener.hears() {
            tokio::time::sleep(LOOK).await;
            self.listener = self.database.listen();
            self.heard = true;
            return;
        }
        if self.heard {
            self.heard = tokio::time::timeout(LOOK, self.listener.written()).await.is_ok();
        } else {
            self.listener.written().await;
            self.heard = true;
        }
        if self.heard {
            tokio::time::sleep(SEEN).await;
        }
    }
}
