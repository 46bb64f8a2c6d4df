//! A process door that starts nothing: programs end as a test says, and the door returns what it was asked to start.

use futures_util::future::BoxFuture;
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{
    Attach, Attached, By, Captured, Ended, Exit, Finished, Owner, Polled, ProcessError, ProcessErrorKind,
    ProcessStatus, Processes, Profile, Run, RunLimits, Tail,
};
use palanca_core::tool::{Cancel, FileDelta};
use parking_lot::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::io::DuplexStream;
use tokio::sync::oneshot;

/// Bytes that a stream of an attached program holds, like a pipe.
const PIPE: usize = 64 << 10;

/// The test's side of a program that is spoken to.
#[derive(Debug)]
pub struct FarEnd {
    /// What was started.
    pub launch: Launch,
    /// What it may reach.
    pub profile: Profile,
    /// Reads what is written to it.
    pub stdin: DuplexStream,
    /// What it prints.
    pub stdout: DuplexStream,
    /// Takes what it prints there.
    pub stderr: Tail,
    /// Cancelled when it is to end.
    pub stop: Cancel,
    end: oneshot::Sender<Ended>,
}

impl FarEnd {
    /// Ends it; what was printed can still be read.
    pub fn ends(self, ended: Ended) {
        // ignored: the caller is gone.
        let _ = self.end.send(ended);
    }
}

/// A program that was started in the background.
#[derive(Debug)]
struct Session {
    owner: Owner,
    launch: Launch,
    status: ProcessStatus,
    pending: Vec<u8>,
    sent: String,
}

#[derive(Debug, Default)]
struct State {
    ends: VecDeque<Result<Finished, ProcessError>>,
    changes: Vec<FileDelta>,
    launches: Vec<Launch>,
    fed: Vec<Vec<u8>>,
    limits: Vec<RunLimits>,
    sessions: Vec<Session>,
    attached: VecDeque<FarEnd>,
    begun: i32,
    looks_ahead: usize,
}

/// The door. A run ends with the next scripted result, or successfully without output if there is none. Sessions are
/// named `session-1`, `session-2`, … with process ids from 1001; they print and end when a test says so. A program that is
/// spoken to is played by the test, as its [`FarEnd`]; it is killed when that is dropped.
#[derive(Debug, Default)]
pub struct FakeProcesses {
    state: Mutex<State>,
}

/// A finished program with this output and exit.
#[must_use]
pub fn finished(exit: Exit, stdout: impl AsRef<[u8]>, stderr: impl AsRef<[u8]>) -> Finished {
    Finished {
        exit,
        stdout: captured(stdout),
        stderr: captured(stderr),
        time: Duration::from_millis(5),
        written: Default::default(),
        notes: Vec::new(),
    }
}

/// A fully captured stream.
#[must_use]
pub fn captured(bytes: impl AsRef<[u8]>) -> Captured {
    Captured { head: bytes.as_ref().to_vec(), ..Captured::default() }
}

impl FakeProcesses {
    /// A door whose runs end with these results, in order.
    #[must_use]
    pub fn these(ends: impl IntoIterator<Item = Finished>) -> Self {
        let door = Self::default();
        door.state().ends = ends.into_iter().map(Ok).collect();
        door
    }

    /// A door whose every run ends with exit code 0 and these two streams.
    #[must_use]
    pub fn printing(stdout: &str, stderr: &str) -> Self {
        Self::these(std::iter::repeat_n(finished(Exit::Code(0), stdout, stderr), 64))
    }

    /// Scripts the result of the next run without one.
    pub fn then(&self, end: Result<Finished, ProcessError>) {
        self.state().ends.push_back(end);
    }

    /// The next run changes these files.
    pub fn changes(&self, deltas: Vec<FileDelta>) {
        self.state().changes = deltas;
    }

    /// Every requested program, in order.
    #[must_use]
    pub fn launches(&self) -> Vec<Launch> {
        self.state().launches.clone()
    }

    /// How often it was told that a program may come.
    #[must_use]
    pub fn looks_ahead(&self) -> usize {
        self.state().looks_ahead
    }

    /// The stdin of each run that had one, in order.
    #[must_use]
    pub fn fed(&self) -> Vec<Vec<u8>> {
        self.state().fed.clone()
    }

    /// The limits of each run, in order.
    #[must_use]
    pub fn limits(&self) -> Vec<RunLimits> {
        self.state().limits.clone()
    }

    /// The next program that was attached, once there is one.
    #[must_use]
    pub fn attached(&self) -> Option<FarEnd> {
        self.state().attached.pop_front()
    }

    /// The session prints this.
    pub fn prints(&self, id: &str, bytes: impl AsRef<[u8]>) {
        self.session(id, |session| session.pending.extend_from_slice(bytes.as_ref()));
    }

    /// Ends the session with this result.
    pub fn ends(&self, id: &str, exit: Exit) {
        self.session(id, |session| session.status.exit = Some(exit));
    }

    /// Everything written to the session.
    #[must_use]
    pub fn sent(&self, id: &str) -> String {
        self.session(id, |session| session.sent.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn session<T>(&self, id: &str, work: impl FnOnce(&mut Session) -> T) -> T {
        let mut state = self.state();
        let session = state.sessions.iter_mut().find(|session| session.status.id.as_str() == id);
        work(session.unwrap_or_else(|| panic!("no session '{id}' was started")))
    }

    fn owned<T>(
        &self,
        owner: &Owner,
        id: &ProcessId,
        work: impl FnOnce(&mut Session) -> Result<T, ProcessError>,
    ) -> Result<T, ProcessError> {
        let mut state = self.state();
        let session = state.sessions.iter_mut().find(|session| session.owner == *owner && session.status.id == *id);
        session.map_or_else(|| Err(error(ProcessErrorKind::Unknown, id)), work)
    }
}

fn error(kind: ProcessErrorKind, id: &ProcessId) -> ProcessError {
    ProcessError::new(kind, id.as_str())
}

impl Processes for FakeProcesses {
    fn isolation(&self) -> &'static str {
        "full"
    }

    fn look_ahead(&self) {
        self.state().looks_ahead += 1;
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        let mut state = self.state();
        state.launches.push(launch.clone());
        state.limits.push(run.limits);
        let mut end = state.ends.pop_front().unwrap_or_else(|| Ok(finished(Exit::Code(0), "", "")));
        if let Ok(finished) = &mut end {
            finished.written.changed.append(&mut state.changes);
        }
        Box::pin(async move { end })
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.state().fed.push(input.to_vec());
        self.run(launch, run)
    }

    fn changed<'a>(&'a self, _owner: &'a Owner, _id: &'a ProcessId) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn attach<'a>(&'a self, launch: &'a Launch, attach: Attach<'a>) -> BoxFuture<'a, Result<Attached, ProcessError>> {
        let ((input, stdin), (stdout, output)) = (tokio::io::duplex(PIPE), tokio::io::duplex(PIPE));
        let (stderr, stop, (end, ended)) = (Tail::default(), attach.cancel.child_token(), oneshot::channel());
        let (launch, profile) = (launch.clone(), attach.profile.clone());
        let attached = Attached::new((Box::new(input), Box::new(output)), stderr.clone(), stop.clone(), async {
            ended.await.unwrap_or(Ended { exit: Exit::Killed, written: Default::default() })
        });
        let mut state = self.state();
        state.launches.push(launch.clone());
        state.attached.push_back(FarEnd { launch, profile, stdin, stdout, stderr, stop, end });
        Box::pin(async move { Ok(attached) })
    }

    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        let mut state = self.state();
        state.launches.push(launch.clone());
        state.begun += 1;
        let status = ProcessStatus {
            id: ProcessId::new(format!("session-{}", state.begun)),
            command: launch.command.to_string(),
            pid: Some(1000 + state.begun),
            age: Duration::from_secs(3),
            exit: None,
        };
        state.sessions.push(Session {
            owner: by.owner.clone(),
            launch: launch.clone(),
            status: status.clone(),
            pending: Vec::new(),
            sent: String::new(),
        });
        Box::pin(async move { Ok(status) })
    }

    fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        let state = self.state();
        state.sessions.iter().filter(|session| session.owner == *owner).map(|session| session.status.clone()).collect()
    }

    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        self.owned(owner, id, |session| {
            Ok(Polled {
                status: session.status.clone(),
                output: captured(std::mem::take(&mut session.pending)),
                written: Default::default(),
                notes: Vec::new(),
            })
        })
    }

    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        let written = self.owned(owner, id, |session| {
            if session.status.exit.is_some() {
                return Err(error(ProcessErrorKind::Ended, id));
            }
            session.sent.push_str(&String::from_utf8_lossy(input));
            Ok(input.len())
        });
        Box::pin(async move { written })
    }

    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        let killed = self.owned(owner, id, |session| {
            session.status.exit.get_or_insert(Exit::Killed);
            Ok(session.status.clone())
        });
        Box::pin(async move { killed })
    }

    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        self.owned(owner, id, |session| match session.status.exit {
            None => Err(error(ProcessErrorKind::Running, id)),
            Some(_) => Ok(()),
        })?;
        self.state().sessions.retain(|session| session.status.id != *id);
        Ok(())
    }

    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)> {
        self.owned(owner, id, |session| Ok((session.launch.clone(), session.sent.clone()))).ok()
    }
}
