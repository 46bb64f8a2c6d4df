//! Door 2 as tools and the gate see it: programs are run to their end, or kept in the background and spoken to.
//!
//! A door starts exactly the [`Launch`] that was judged. Nothing that it starts survives its call, or, in the background,
//! this process; and no caller can reach a process of another owner.

use super::{Undoable, Written};
use crate::call::{BotId, CallId, Cancel, ChatId, Launch, ProcessId, Scope, SessionId};
use crate::message::Message;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::time::Duration;

mod error;
mod handle;
mod tail;

pub use error::{ProcessError, ProcessErrorKind};
pub(crate) use handle::ChangedFiles;
pub use handle::{NoProcesses, ProcessesHandle};
pub use tail::Tail;

/// Whose process it is. Two owners never see each other's. Written down by doors that remember across a crash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Owner {
    bot: Option<BotId>,
    chat: Option<ChatId>,
    /// Only where no bot is: an assistant's processes are its own across its sessions.
    session: Option<SessionId>,
}

impl Owner {
    /// The bot and the conversation that a call serves; without a bot, the session.
    #[must_use]
    pub fn of(scope: &Scope) -> Self {
        let session = scope.bot.is_none().then(|| scope.session.clone());
        Self { bot: scope.bot.clone(), chat: scope.chat.clone(), session }
    }
}

/// How much of a stream is kept: its beginning and its end. What lies between is counted, and spilled if the door can.
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

/// What bounds one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// Then it is ended, and what it printed so far is the result.
    pub time: Duration,
    /// Kept of each stream.
    pub keep: Keep,
}

/// What was kept of one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The beginning.
    pub head: Vec<u8>,
    /// The end; empty when the beginning is everything.
    pub tail: Vec<u8>,
    /// Bytes between them.
    pub omitted_bytes: u64,
    /// Line ends between them.
    pub omitted_lines: u64,
    /// Where the whole stream is kept, when something was left out and the door could keep it.
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
    /// By this signal, which was not ours.
    Signal(i32),
    /// Ended by us: its time was over.
    TimedOut,
    /// Ended by us, on request.
    Killed,
    /// Ended, with everything that it started: together they met this limit.
    Limited(LimitMet),
    /// Unknown: this process died meanwhile, and the program with it.
    Lost,
}

/// A limit that a program met, together with what it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitMet {
    /// Which.
    pub limit: ProgramLimit,
    /// How much there may be: bytes, or a number of processes.
    pub most: u64,
}

impl LimitMet {
    /// Which limit, of how much, and what to set.
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

/// What of the machine is limited for programs.
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
    /// Stdout; with a terminal, all that was shown.
    pub stdout: Captured,
    /// Stderr; empty with a terminal.
    pub stderr: Captured,
    /// How long it ran.
    pub time: Duration,
    /// What it changed, and what it was refused.
    pub written: Written,
    /// What else the door has to say to the model, after the output.
    pub notes: Vec<Message>,
}

/// A program in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessStatus {
    /// Its name here; not guessable.
    pub id: ProcessId,
    /// The command as it was judged.
    pub command: String,
    /// The process id on this machine, as far as it is known.
    pub pid: Option<i32>,
    /// Since it was started.
    pub age: Duration,
    /// How it ended; nothing while it runs.
    pub exit: Option<Exit>,
}

/// What a background program printed since it was last looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polled {
    /// The program.
    pub status: ProcessStatus,
    /// Stdout and stderr in the order in which they came.
    pub output: Captured,
    /// What it changed, and what it was refused: told once, after its end.
    pub written: Written,
    /// What else the door has to say to the model, after the output.
    pub notes: Vec<Message>,
}

/// A way to start programs. All methods take `&self` and may run side by side.
pub trait Processes: Send + Sync {
    /// One line on what keeps programs in, for questions: `full`, `filters`, `none`.
    fn isolation(&self) -> &'static str;

    /// Whether what programs change can be taken back. Quick: the answer is shown in a question.
    fn undoable(&self) -> Undoable {
        Undoable::No(Message::new("undo-not-kept"))
    }

    /// Whether a launch may start at all, as far as its words tell: asked before it is judged, so that no person is asked
    /// about what would be refused.
    ///
    /// # Errors
    /// A variable that this door passes to no program.
    fn check(&self, _launch: &Launch) -> Result<(), ProcessError> {
        Ok(())
    }

    /// Runs a program to its end. Dropping the future ends the program and everything that it started.
    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>>;

    /// As [`Self::run`], with these bytes on stdin and then its end. A program that does not read them is not waited for, and
    /// that is no error.
    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>>;

    /// Starts a program and leaves it in the background.
    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>>;

    /// The owner's background programs, oldest first, those that ended a short while ago included.
    fn list(&self, owner: &Owner) -> Vec<ProcessStatus>;

    /// What a program printed since the last time, and how it is.
    ///
    /// # Errors
    /// Unknown, or another owner's: both look the same to who asks.
    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError>;

    /// Returns when a program may have printed something since the last [`Self::poll`], or has ended; at once for one that is
    /// unknown. It may return too early, never too late.
    fn changed<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, ()>;

    /// Writes to a program's stdin, or its terminal. Ends when all bytes are taken.
    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>>;

    /// Ends a program and everything that it started; returns when nothing is left.
    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>>;

    /// Forgets a program that has ended.
    ///
    /// # Errors
    /// It still runs, is unknown, or another owner's.
    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError>;

    /// What a background program was started as and what was sent to it so far, as far as that is remembered: for judging
    /// the next input.
    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)>;
}

/// Who starts a program.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    /// Whose process it will be.
    pub owner: &'a Owner,
    /// The call that it is started by.
    pub call: &'a CallId,
    /// Whose step it is that what it changes becomes; without one nothing is kept for undo.
    pub session: Option<&'a SessionId>,
}

/// The circumstances of one run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Who runs it.
    pub by: By<'a>,
    /// What bounds it.
    pub limits: RunLimits,
    /// Ends it early.
    pub cancel: &'a Cancel,
    /// Receives its output as it arrives, if observed.
    pub tail: Option<&'a Tail>,
}
