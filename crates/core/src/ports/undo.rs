//! The undo index: one line per commit, stored before the commit happens.

use crate::call::{CallId, SessionId};
use std::fmt;
use std::io;

/// Names a line within its session. Later lines have higher numbers; numbers of withdrawn lines may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UndoNumber(pub u64);

/// One commit of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoLine {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The call that makes it.
    pub call: CallId,
    /// Where the changes happen, and what each replaces, as the journal writes them; opaque to others.
    pub body: String,
}

/// One session that has lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoSession {
    /// The session.
    pub session: SessionId,
    /// How many commits it made.
    pub lines: u64,
    /// The last one, in milliseconds since 1970.
    pub last_ms: u64,
}

/// Keeps the lines. Several processes may append to one session; each line is kept whole or not at all.
pub trait UndoIndex: Send + Sync + fmt::Debug {
    /// Keeps the line of a commit that is about to happen. Once this returns the line survives the death of the process.
    ///
    /// # Errors
    /// Why it cannot be kept; nothing may be changed then.
    fn append(&self, session: &SessionId, line: &UndoLine) -> io::Result<UndoNumber>;

    /// Takes back the line of a commit that did not happen after all. One that is gone is withdrawn already.
    ///
    /// # Errors
    /// Why it stays. That does no harm: undo finds the files as they were before.
    fn withdraw(&self, session: &SessionId, number: UndoNumber) -> io::Result<()>;

    /// The lines of a session, oldest first; none for a session that made no commit.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn lines(&self, session: &SessionId) -> io::Result<Vec<(UndoNumber, UndoLine)>>;

    /// Every session that has lines, the one that changed something last first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn sessions(&self) -> io::Result<Vec<UndoSession>>;
}
