//! Programs that run while nobody waits for them: whose they are, how many, for how long they are remembered.
//!
//! A name is 64 random bits, and a name of another owner looks like one that never was. A program that has ended keeps
//! what nobody read yet, until it is read and cleared or its time is over.

mod ledger;
mod session;

use crate::order::{Handed, Order, Room, Terminal};
use crate::output::Stream;
use crate::sandbox::{Author, Shared, streams};
use crate::settings::{BackgroundLimits, SandboxSettings};
use crate::spawn::{io_error, random_name};
use futures_util::future::join_all;
use ledger::Ledger;
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{By, Exit, Owner, ProcessError, ProcessErrorKind, ProcessStatus};
use parking_lot::{Mutex, MutexGuard};
use rustix::pipe::{PipeFlags, pipe_with};
use session::{Session, Voice};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use tracing::debug;

/// Ended programs remembered for each owner; the oldest are forgotten first.
const ENDED: usize = 50;

/// All background programs of one door.
pub(crate) struct Background {
    table: Arc<Table>,
}

struct Table {
    limits: BackgroundLimits,
    entries: Mutex<Entries>,
    ledger: Ledger,
}

#[derive(Default)]
struct Entries {
    sessions: Vec<Arc<Session>>,
    /// Those on their way, which count as running.
    starting: Vec<Owner>,
}

impl Background {
    /// Those that an earlier process of ours left behind are there from the beginning, as lost.
    pub(crate) fn new(settings: &SandboxSettings) -> Self {
        let limits = settings.background;
        let ledger = Ledger::new(settings.state_file.clone());
        let sessions = ledger.lost(limits.kept).into_iter().map(Session::lost).map(Arc::new).collect();
        let entries = Mutex::new(Entries { sessions, starting: Vec::new() });
        Self { table: Arc::new(Table { limits, entries, ledger }) }
    }

    /// Takes a place; the program itself starts with [`Start::run`].
    pub(crate) fn start(&self, shared: &Arc<Shared>, (launch, by): (&Launch, By<'_>)) -> Result<Start, ProcessError> {
        let limit = self.table.limits.programs;
        let mut entries = self.table.entries();
        let starting = entries.starting.iter().filter(|owner| *owner == by.owner).count();
        let running = entries.sessions.iter().filter(|session| session.is_of(by.owner) && session.runs()).count();
        if starting + running >= limit {
            return Err(
                ProcessError::new(ProcessErrorKind::TooMany, launch.command.to_string()).detail(limit.to_string())
            );
        }
        entries.starting.push(by.owner.clone());
        let place = Place { table: Arc::clone(&self.table), owner: by.owner.clone(), is_taken: true };
        Ok(Start { place, launch: launch.clone(), shared: Arc::clone(shared), author: Author::of(launch, &by) })
    }

    pub(crate) fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        self.table.entries().sessions.iter().filter(|session| session.is_of(owner)).map(|one| one.status()).collect()
    }

    pub(crate) fn find(&self, owner: &Owner, id: &ProcessId) -> Result<Arc<Session>, ProcessError> {
        let entries = self.table.entries();
        let found = entries.sessions.iter().find(|session| session.is_of(owner) && session.id() == id);
        found.cloned().ok_or_else(|| ProcessError::new(ProcessErrorKind::Unknown, id.to_string()))
    }

    pub(crate) fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        let session = self.find(owner, id)?;
        if session.runs() {
            return Err(ProcessError::new(ProcessErrorKind::Running, id.to_string()));
        }
        self.table.entries().sessions.retain(|one| one.id() != id);
        self.table.ledger.forgotten(id);
        Ok(())
    }

    pub(crate) fn running(&self) -> usize {
        self.table.entries().sessions.iter().filter(|session| session.runs()).count()
    }

    /// Ends all that run.
    pub(crate) async fn stop_all(&self) -> Vec<ProcessStatus> {
        let sessions = self.table.entries().sessions.clone();
        let running: Vec<_> = sessions.into_iter().filter(|session| session.runs()).collect();
        join_all(running.iter().map(|session| session.stop())).await;
        running.iter().map(|session| session.status()).collect()
    }

    /// Whatever still counted as running was ended with the door.
    pub(crate) fn close(&self) {
        for session in self.table.entries().sessions.iter().filter(|session| session.runs()) {
            self.table.ended(session, Exit::Killed);
        }
    }
}

impl Table {
    /// What is remembered now.
    fn entries(&self) -> MutexGuard<'_, Entries> {
        let mut entries = self.entries.lock();
        entries.sessions.retain(|session| session.ended_for().is_none_or(|time| time < self.limits.kept));
        entries
    }

    /// From here on it is an entry, and no longer a start: at no moment is it counted as both.
    fn add(&self, session: Arc<Session>, mut place: Place) {
        let mut entries = self.entries();
        place.give_back(&mut entries);
        let owner = session.owner().clone();
        entries.sessions.push(session);
        let ended = |one: &Arc<Session>| one.is_of(&owner) && !one.runs();
        let mut over = entries.sessions.iter().filter(|one| ended(one)).count().saturating_sub(ENDED);
        entries.sessions.retain(|one| {
            let goes = over > 0 && ended(one);
            over -= usize::from(goes);
            !goes
        });
    }

    fn ended(&self, session: &Session, exit: Exit) {
        if session.set_ended(exit) {
            self.ledger.ended(session.id());
            debug!(palanca.process = session.id().as_str(), "background program ended");
        }
    }
}

/// A place among an owner's programs, given back when the start is over, however it went.
struct Place {
    table: Arc<Table>,
    owner: Owner,
    is_taken: bool,
}

impl Place {
    fn give_back(&mut self, entries: &mut Entries) {
        let place = entries.starting.iter().position(|owner| *owner == self.owner);
        if let (true, Some(place)) = (std::mem::take(&mut self.is_taken), place) {
            entries.starting.swap_remove(place);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_taken {
            let table = Arc::clone(&self.table);
            self.give_back(&mut table.entries.lock());
        }
    }
}

/// A start under way. Dropping it ends what was started.
pub(crate) struct Start {
    place: Place,
    launch: Launch,
    shared: Arc<Shared>,
    author: Author,
}

impl Start {
    pub(crate) async fn run(self, room: Room, order: Order) -> Result<ProcessStatus, ProcessError> {
        let failed = |error: io::Error| io_error(&self.launch.command.to_string(), &error);
        let name = random_name("proc_").map_err(failed)?;
        let (theirs, voice) = voice(&self.launch, order.terminal).map_err(failed)?;
        let (supervisor, supervision) = self.shared.supervise(&room, &self.author)?;
        let handed = Handed { stdio: theirs, supervisor };
        let running = self.shared.start(&room, (&order, handed)).await?;
        self.shared.prepare(&room);
        let table = Arc::clone(&self.place.table);
        let session = Session::new(ProcessId::new(name), self.place.owner.clone(), (self.launch, running.pid), voice)
            .keeping(table.limits.bytes);
        let session = Arc::new(session);
        let status = session.status();
        table.ledger.started(session.owner(), &status);
        debug!(palanca.process = status.id.as_str(), "background program started");
        table.add(Arc::clone(&session), self.place);
        let grace = self.shared.settings.grace;
        let shared = self.shared;
        let tasks = shared.tasks.clone();
        tasks.leave(async move {
            let mut ending = Ending { table, session, exit: Exit::Lost };
            ending.exit = ending.session.live(running, grace).await;
            ending.session.wrote(shared.written(supervision, (room, order)).await);
        });
        Ok(status)
    }
}

/// Writes the end down, whatever happens to the task.
struct Ending {
    table: Arc<Table>,
    session: Arc<Session>,
    exit: Exit,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.table.ended(&self.session, self.exit);
    }
}

/// The program's descriptors, and our ends: both outputs are one pipe, which keeps the order in which they came.
fn voice(launch: &Launch, terminal: Terminal) -> io::Result<([OwnedFd; 3], Voice)> {
    if terminal == Terminal::Controlling {
        let streams = streams(launch.terminal)?;
        return Ok((streams.theirs, Voice::Terminal(streams.stdout)));
    }
    let (input, ours) = pipe_with(PipeFlags::CLOEXEC)?;
    let (output, theirs) = pipe_with(PipeFlags::CLOEXEC)?;
    let voice = Voice::Pipes { input: Stream::new(ours)?, output: Stream::new(output)? };
    Ok(([input, theirs.try_clone()?, theirs], voice))
}
