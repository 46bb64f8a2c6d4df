//! One background program: its unread output, and its input.

use super::ledger::LostProgram;
use crate::network;
use crate::order::Level;
use crate::output::{Capture, Stream, Unfinished, pump};
use crate::sandbox::{DRAIN, first_of};
use crate::spawn::{Running, Stop, watch};
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{Exit, Keep, Owner, Polled, ProcessError, ProcessErrorKind, ProcessStatus, Written};
use parking_lot::Mutex;
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Read at once; there may be hundreds of programs.
const CHUNK: usize = 16 << 10;
/// Remembered of what was sent.
const SPOKEN: usize = 32 << 10;
/// The longest that a write waits for a program to read.
const TAKEN: Duration = Duration::from_secs(10);

/// Our ends of a program's streams.
pub(super) enum Voice {
    Pipes { input: Stream, output: Stream },
    Terminal(Stream),
}

impl Voice {
    const fn input(&self) -> &Stream {
        match self {
            Self::Pipes { input, .. } => input,
            Self::Terminal(both) => both,
        }
    }

    const fn output(&self) -> &Stream {
        match self {
            Self::Pipes { output, .. } => output,
            Self::Terminal(both) => both,
        }
    }
}

pub(crate) struct Session {
    id: ProcessId,
    owner: Owner,
    command: String,
    pid: Option<i32>,
    started: Instant,
    /// How much older it is than this process of ours knows.
    before: Duration,
    /// Nothing for one that was lost.
    program: Option<Program>,
    state: Mutex<State>,
    stop: CancellationToken,
    ended: CancellationToken,
    /// Rung when there is something new to read.
    news: tokio::sync::Notify,
}

struct Program {
    launch: Launch,
    voice: Voice,
    /// One writer after the other.
    writing: tokio::sync::Mutex<()>,
}

struct State {
    output: Capture,
    spoken: String,
    exit: Option<(Exit, Instant)>,
    /// Not told yet.
    written: Written,
}

impl State {
    fn new(bytes: usize) -> Self {
        let keep = Keep { head: bytes / 4, tail: bytes - bytes / 4 };
        Self { output: Capture::new(keep, None), spoken: String::new(), exit: None, written: Written::default() }
    }
}

impl Session {
    pub(super) fn new(id: ProcessId, owner: Owner, (launch, pid): (Launch, Option<i32>), voice: Voice) -> Self {
        Self {
            id,
            owner,
            command: launch.command.to_string(),
            pid,
            started: Instant::now(),
            before: Duration::ZERO,
            program: Some(Program { launch, voice, writing: tokio::sync::Mutex::default() }),
            state: Mutex::new(State::new(0)),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            news: tokio::sync::Notify::new(),
        }
    }

    /// Keeps so many bytes between two looks.
    pub(super) fn keeping(self, bytes: usize) -> Self {
        Self { state: Mutex::new(State::new(bytes)), ..self }
    }

    /// One that an earlier process of ours left behind.
    pub(super) fn lost(lost: LostProgram) -> Self {
        let session = Self {
            id: lost.id,
            owner: lost.owner,
            command: lost.command,
            pid: lost.pid,
            started: Instant::now(),
            before: lost.age,
            program: None,
            state: Mutex::new(State::new(0)),
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            news: tokio::sync::Notify::new(),
        };
        session.set_ended(Exit::Lost);
        session
    }

    pub(crate) const fn id(&self) -> &ProcessId {
        &self.id
    }

    pub(super) const fn owner(&self) -> &Owner {
        &self.owner
    }

    pub(super) fn is_of(&self, owner: &Owner) -> bool {
        self.owner == *owner
    }

    /// What it changed: for the next look at it.
    pub(super) fn wrote(&self, written: Written) {
        self.state.lock().written = written;
        self.news.notify_waiters();
    }

    pub(super) fn runs(&self) -> bool {
        self.state.lock().exit.is_none()
    }

    /// Since it ended.
    pub(super) fn ended_for(&self) -> Option<Duration> {
        self.state.lock().exit.map(|(_, at)| at.elapsed())
    }

    /// Whether this was news.
    pub(super) fn set_ended(&self, exit: Exit) -> bool {
        let mut state = self.state.lock();
        let news = state.exit.is_none();
        state.exit.get_or_insert_with(|| (exit, Instant::now()));
        drop(state);
        self.ended.cancel();
        news
    }

    pub(crate) fn status(&self) -> ProcessStatus {
        let exit = self.state.lock().exit;
        ProcessStatus {
            id: self.id.clone(),
            command: self.command.clone(),
            pid: self.pid,
            age: self.before + self.started.elapsed(),
            exit: exit.map(|(exit, _)| exit),
        }
    }

    /// Returns the unread output. After its end, none follows.
    pub(crate) fn poll(&self, level: Level) -> Polled {
        let mut state = self.state.lock();
        let rest = if state.exit.is_none() { Unfinished::Kept } else { Unfinished::Given };
        let output = state.output.drain(rest);
        drop(state);
        let written = std::mem::take(&mut self.state.lock().written);
        let status = self.status();
        let network = self.program.as_ref().map(|program| (level, program.launch.network));
        let notes = network.and_then(|ours| network::note(ours, status.exit, &[&output])).into_iter().collect();
        Polled { status, output, written, notes }
    }

    /// Returns when there may be something new to read, or nothing ever again.
    pub(crate) async fn changed(&self) {
        tokio::select! {
            () = self.news.notified() => {}
            () = self.ended.cancelled() => {}
        }
    }

    /// Serves it until it has ended and all its output is read.
    pub(super) async fn live(&self, mut running: Running, grace: Duration) -> Exit {
        let Some(program) = &self.program else { return Exit::Lost };
        let asked = async {
            self.stop.cancelled().await;
            Stop::Asked
        };
        let mut pumps = pin!(pump(program.voice.output(), CHUNK, |bytes| {
            self.state.lock().output.push(bytes);
            self.news.notify_one();
        }));
        let mut drained = false;
        let exit = first_of(watch(&mut running, asked, grace), pumps.as_mut(), &mut drained).await;
        if !drained {
            // ignored: another process holds the other end; the output so far is all there is.
            let _ = timeout(DRAIN, pumps).await;
        }
        exit
    }

    /// Ends it, and returns when it has ended.
    pub(crate) async fn stop(&self) {
        self.stop.cancel();
        self.ended.cancelled().await;
    }

    pub(crate) async fn write(&self, input: &[u8]) -> Result<usize, ProcessError> {
        let ended = || ProcessError::new(ProcessErrorKind::Ended, self.id.to_string());
        let program = self.program.as_ref().filter(|_| self.runs()).ok_or_else(ended)?;
        let mut taken = 0;
        let writing = async {
            let _turn = program.writing.lock().await;
            // Before it is taken: what a program may have read must be known when the next input is judged.
            self.remember(input);
            tokio::select! {
                biased;
                written = program.voice.input().write_all(input, &mut taken) => written,
                () = self.ended.cancelled() => Err(io::ErrorKind::BrokenPipe.into()),
            }
        };
        match timeout(TAKEN, writing).await {
            Ok(Ok(())) => Ok(taken),
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(ended()),
            Ok(Err(error)) => Err(crate::spawn::io_error(self.id.as_str(), &error)),
            Err(_) => Err(ProcessError::new(ProcessErrorKind::Io, self.id.to_string()).detail(format!(
                "the program read {taken} of {} bytes in {} seconds",
                input.len(),
                TAKEN.as_secs()
            ))),
        }
    }

    fn remember(&self, input: &[u8]) {
        let mut state = self.state.lock();
        state.spoken.push_str(&String::from_utf8_lossy(input));
        let over = state.spoken.len().saturating_sub(SPOKEN);
        if over > 0 {
            let cut = state.spoken.ceil_char_boundary(over);
            let rest = state.spoken.get(cut..).unwrap_or_default();
            // The rest of a cut line would read as another command.
            let line = if state.spoken.as_bytes().get(cut.wrapping_sub(1)) == Some(&b'\n') {
                0
            } else {
                rest.find('\n').map_or(rest.len(), |end| end + 1)
            };
            state.spoken.drain(..cut + line);
        }
    }

    pub(crate) fn spoken(&self) -> Option<(Launch, String)> {
        let program = self.program.as_ref().filter(|_| self.runs())?;
        Some((program.launch.clone(), self.state.lock().spoken.clone()))
    }
}
