//! Door 2 as tools and the gate see it: programs are run to their end, kept in the background and given input, or spoken to
//! in a protocol.
//!
//! A door starts exactly the [`Launch`] that was judged. Nothing that it starts outlives its call or, in the
//! background, this process; no caller can reach another owner's process.

use super::{Undoable, Written};
use crate::call::{BotId, CallId, Cancel, ChatId, Launch, ProcessId, Scope, SessionId};
use crate::message::Message;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::time::Duration;

mod attached;
mod error;
mod handle;
mod questions;
mod tail;

pub use attached::{Attach, Attached, Ended, Input, Output, Profile, WorkspaceAccess};
pub use error::{ProcessError, ProcessErrorKind};
pub(crate) use handle::ChangedFiles;
use handle::closed;
pub use handle::{NoProcesses, ProcessesHandle};
pub(crate) use questions::WriteQuestionSender;
pub use questions::{AwaitedAnswer, WriteAnswer, WriteQuestion, WriteQuestions};
pub use tail::Tail;

/// The owner of a process. Owners never see each other's processes. Stored by doors that remember processes across a
/// crash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    bot: Option<BotId>,
    chat: Option<ChatId>,
    /// Only without a bot: an assistant owns its processes across its sessions.
    session: Option<SessionId>,
}

impl Owner {
    /// The bot and the conversation that a call serves; without a bot, the session.
    #[must_use]
    pub fn of(scope: &Scope) -> Self {
        let session = scope.bot.is_none().then(|| scope.session.clone());
        Self { bot: scope.bot.clone(), chat: scope.chat.clone(), session }
    }

    /// The process itself: for programs that serve all its conversations.
    #[must_use]
    pub const fn process() -> Self {
        Self { bot: None, chat: None, session: None }
    }
}

/// How much of a stream is kept: its beginning and its end. The middle is counted, and spilled if the door can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// Bytes from the beginning.
    pub head: usize,
    /// Bytes from the end.
    pub tail: usize,
}

impl Default for Keep {
    fn default() -> Self {
        Self { head: 128 << 10, tail: 64 << 10 }
    }
}

/// Limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// The time limit; the output so far is the result.
    pub time: Duration,
    /// How much of each stream is kept.
    pub keep: Keep,
}

/// The kept parts of one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The beginning.
    pub head: Vec<u8>,
    /// The end; empty if the beginning is everything.
    pub tail: Vec<u8>,
    /// Bytes between them.
    pub omitted_bytes: u64,
    /// Line ends between them.
    pub omitted_lines: u64,
    /// Where the full stream is stored, if something was left out and the door could store it.
    pub whole: Option<String>,
}

impl Captured {
    /// Bytes that the program wrote.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.omitted_bytes.saturating_add(length(&self.head)).saturating_add(length(&self.tail))
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal, which was not sent by us.
    Signal(i32),
    /// Ended by us at its time limit.
    TimedOut,
    /// Ended by us, on request.
    Killed,
    /// Ended, with everything that it started, because together they reached this limit.
    Limited(LimitMet),
    /// Unknown: our process died meanwhile, and the program with it.
    Lost,
}

/// A limit that a program reached, together with what it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitMet {
    /// Which.
    pub limit: ProgramLimit,
    /// The maximum: bytes, or a number of processes.
    pub most: u64,
}

impl LimitMet {
    /// Says which limit was reached, its size, and which key to set.
    #[must_use]
    pub fn message(&self) -> Message {
        let message = Message::new(match self.limit {
            ProgramLimit::Memory => "command-limit-memory",
            ProgramLimit::Processes => "command-limit-processes",
            ProgramLimit::Disk => "command-limit-disk",
        });
        match self.limit {
            ProgramLimit::Processes => message.with("most", self.most),
            ProgramLimit::Memory | ProgramLimit::Disk => message.with("mebibytes", self.most >> 20),
        }
    }
}

impl ProgramLimit {
    /// Its key in `commands.limits`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Processes => "processes",
            Self::Disk => "disk",
        }
    }
}

/// A resource that is limited for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgramLimit {
    /// Bytes of memory, the private `/tmp` included.
    Memory,
    /// Processes and threads.
    Processes,
    /// Bytes by which the free space of a file system may shrink.
    Disk,
}

/// A program that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How.
    pub exit: Exit,
    /// Stdout; with a terminal, everything shown.
    pub stdout: Captured,
    /// Stderr; empty with a terminal.
    pub stderr: Captured,
    /// How long it ran.
    pub time: Duration,
    /// Its changes, and its refused writes.
    pub written: Written,
    /// Further notes of the door for the model, shown after the output.
    pub notes: Vec<Message>,
}

/// A program in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Its id; not guessable.
    pub id: ProcessId,
    /// The command as it was judged.
    pub command: String,
    /// The process id on this machine, if known.
    pub pid: Option<i32>,
    /// Time since its start.
    pub age: Duration,
    /// How it ended; none while it runs.
    pub exit: Option<Exit>,
}

/// What a background program printed since the last poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// The program.
    pub status: ProcessStatus,
    /// Stdout and stderr in order of arrival.
    pub output: Captured,
    /// Its changes, and its refused writes: reported once, after its end.
    pub written: Written,
    /// Further notes of the door for the model, shown after the output.
    pub notes: Vec<Message>,
}

/// Starts programs. All methods take `&self` and may run concurrently. A door that only runs programs to their end leaves the
/// methods from [`Self::attach`] on as they are: they know no program.
pub trait Processes: Send + Sync {
    /// The isolation of programs, for questions: `full`, `filters`, `none`.
    fn isolation(&self) -> &'static str;

    /// Whether changes by programs can be undone. Fast, because the answer is shown in a question.
    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    /// Whether a launch may start at all, as far as its text tells: checked before it is judged, so that no person is
    /// asked about a launch that would be refused.
    ///
    /// # Errors
    /// A variable that this door passes to no program.
    fn check(&self, _launch: &Launch) -> Result<(), ProcessError> {
        Ok(())
    }

    /// The first program is expected soon: what has to be known of the machine for it is found out meanwhile, beside the caller.
    /// Returns at once, and starts nothing of the caller's.
    fn look_ahead(&self) {}

    /// Runs a program to its end. Dropping the future ends the program and everything that it started.
    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>>;

    /// As [`Self::run`], with these bytes on stdin, followed by end of file. A program that does not read them is not
    /// an error and is not waited for.
    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>>;

    /// Starts a program that is spoken to, for this caller alone: it is in no list, and nothing of it outlives the result, the
    /// cancellation or the door.
    fn attach<'a>(&'a self, launch: &'a Launch, _attach: Attach<'a>) -> BoxFuture<'a, Result<Attached, ProcessError>> {
        Box::pin(async { closed(&launch.command) })
    }

    /// Starts a program and leaves it in the background.
    fn start<'a>(&'a self, launch: &'a Launch, _by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async { closed(&launch.command) })
    }

    /// The owner's background programs, oldest first, recently ended ones included.
    fn list(&self, _owner: &Owner) -> Vec<ProcessStatus> {
        Vec::new()
    }

    /// A program's output since the last poll, and its status.
    ///
    /// # Errors
    /// Unknown, or another owner's: the caller cannot tell the two apart.
    fn poll(&self, _owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        closed(id)
    }

    /// Returns when a program may have printed something since the last [`Self::poll`], or has ended; immediately for
    /// an unknown one. It may return too early, never too late.
    fn changed<'a>(&'a self, _owner: &'a Owner, _id: &'a ProcessId) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    /// Writes to a program's stdin or terminal. Returns when all bytes are written.
    fn write<'a>(
        &'a self,
        _owner: &'a Owner,
        id: &'a ProcessId,
        _input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        Box::pin(async { closed(id) })
    }

    /// Ends a program and everything that it started; returns when nothing is left.
    fn kill<'a>(&'a self, _owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async { closed(id) })
    }

    /// Forgets a program that has ended.
    ///
    /// # Errors
    /// It is still running, unknown, or another owner's.
    fn clear(&self, _owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        closed(id)
    }

    /// The launch of a background program and its remembered input so far: for judging the next input.
    fn spoken(&self, _owner: &Owner, _id: &ProcessId) -> Option<(Launch, String)> {
        None
    }
}

/// Who starts a program.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// Whose process it will be.
    pub owner: &'a Owner,
    /// The call that starts it.
    pub call: &'a CallId,
    /// The session whose undo step its changes become; without one nothing is saved for undo.
    pub session: Option<&'a SessionId>,
}

/// The circumstances of one run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Who starts it.
    pub by: By<'a>,
    /// Its limits.
    pub limits: RunLimits,
    /// Ends it early.
    pub cancel: &'a Cancel,
    /// Receives its output as it arrives, if observed.
    pub tail: Option<&'a Tail>,
    /// Where it may ask for protected files while it runs, if somebody may be asked.
    pub questions: Option<&'a WriteQuestions>,
}
