//! A state directory that is gone after the test.

use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{Question, Questions as _, RedactStream, Redactor, UndoLine, wait};
use palanca_store::{Database, Desk};
use palanca_testkit::FakeClock;
use std::borrow::Cow;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub const HOUR: Duration = Duration::from_secs(3600);

pub struct Home {
    folder: tempfile::TempDir,
    pub clock: Arc<FakeClock>,
    made: AtomicUsize,
}

impl Home {
    pub fn new() -> Self {
        Self::within(tempfile::tempdir().unwrap())
    }

    pub fn in_memory() -> Self {
        Self::within(palanca_testkit::in_memory())
    }

    fn within(folder: tempfile::TempDir) -> Self {
        Self { folder, clock: Arc::default(), made: AtomicUsize::new(0) }
    }

    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    pub fn file(&self) -> PathBuf {
        self.state().join("palanca.db")
    }

    /// A connection of its own: to the others it is like that of another process.
    pub fn database(&self) -> Arc<Database> {
        Arc::new(Database::lazy(&self.state()))
    }

    /// A desk with a connection of its own, at which time stands still.
    pub fn desk(&self) -> Desk {
        Desk::new(self.database(), HOUR).clock(Arc::clone(&self.clock) as _).person("ana").workspace("/w")
    }

    /// A database of its own.
    pub fn fresh(&self) -> Database {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        Database::lazy(&self.folder.path().join(number.to_string()))
    }

    /// A desk on a database of its own.
    pub fn fresh_desk(&self, ttl: Duration) -> Desk {
        Desk::new(Arc::new(self.fresh()), ttl)
    }

    /// This test binary again, as another process in which one ignored test runs.
    pub fn child(&self, test: &str) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", test])
            .env("STORE_STATE", self.state())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// The state directory of a child.
pub fn given() -> Option<PathBuf> {
    std::env::var_os("STORE_STATE").map(PathBuf::from)
}

pub fn opened(desk: &Desk) -> Question {
    let mut question = palanca_testkit::questions::question(1);
    wait(desk.open(&mut question)).unwrap();
    question
}

pub fn line(body: &str) -> UndoLine {
    UndoLine { at_ms: 1, call: CallId::new("c"), body: body.to_owned() }
}

pub fn session() -> SessionId {
    SessionId::new("s")
}

/// Takes out one word.
pub struct Hides(pub &'static str);

impl Redactor for Hides {
    fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.contains(self.0) { Cow::Owned(text.replace(self.0, "[hidden]")) } else { Cow::Borrowed(text) }
    }

    fn stream(&self) -> Box<dyn RedactStream> {
        palanca_core::ports::AsItIs.stream()
    }
}
