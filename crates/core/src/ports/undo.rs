//! The undo index: one line per commit, stored before the commit happens.

use crate::call::{CallId, SessionId};
use std::fmt;
use std::io;

/// The number of a line within its session. Later lines have higher numbers; withdrawn ones leave gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UndoNumber(pub u64);

/// One commit of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoLine {
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// The call that makes it.
    pub call: CallId,
    /// Where the changes happen and what each replaces; only the journal interprets it.
    pub body: String,
}

/// A session with lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoSession {
    /// The session.
    pub session: SessionId,
    /// How many commits it made.
    pub lines: u64,
    /// The last one, in milliseconds since 1970.
    pub last_ms: u64,
}

/// Stores the lines. Several processes may append to one session; each line is stored completely or not at all.
pub trait UndoIndex: Send + Sync + fmt::Debug {
    /// Stores the line of a commit that is about to happen. Once this returns, the line survives the death of the
    /// process.
    ///
    /// # Errors
    /// Why it cannot be stored; nothing may be changed then.
    fn append(&self, session: &SessionId, line: &UndoLine) -> io::Result<UndoNumber>;

    /// Withdraws the line of a commit that did not happen. Withdrawing a missing line succeeds.
    ///
    /// # Errors
    /// Why it stays. This is harmless: undo finds the files unchanged.
    fn withdraw(&self, session: &SessionId, number: UndoNumber) -> io::Result<()>;

    /// The lines of a session, oldest first; none for a session that made no commit.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn lines(&self, session: &SessionId) -> io::Result<Vec<(UndoNumber, UndoLine)>>;

    /// Every session with lines, the most recent change first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn sessions(&self) -> io::Result<Vec<UndoSession>>;
}
