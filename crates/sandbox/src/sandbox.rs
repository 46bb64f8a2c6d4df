//! The door itself: puts directory, environment and plan together, and hands the order to the thread that serves programs.
//!
//! Programs are served by one thread of the door's own and not by the caller's runtime, so that a background program is
//! read, and a time limit kept, while the caller does something else or nothing at all.

mod author;
mod directory;
mod engine;
mod run;
mod scratch;
mod start;

pub(crate) use author::Author;
pub(crate) use engine::{Engine, Leave};
pub(crate) use run::{DRAIN, first_of, streams};

use crate::background::Background;
use crate::environment::{self, Environment};
use crate::isolation::Isolation;
use crate::isolation::private::PrivateSettings;
use crate::order::{Level, Order, Plan, Room, Terminal};
use crate::probe::{Best, Mechanism, Probe, Remembered, best_level_by};
use crate::settings::{SandboxSettings, Searched};
use crate::spawn::{self, Spare};
use directory::Directories;
use futures_util::future::BoxFuture;
use palanca_core::Message;
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{
    By, Finished, Owner, Polled, ProcessError, ProcessErrorKind, ProcessStatus, Processes, RefusedWrite, Run, Undoable,
    Written,
};
use parking_lot::Mutex;
use scratch::Scratch;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is no door.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// This machine cannot keep programs in as strictly as the settings ask for.
    #[error("programs cannot be kept in as strictly as asked for: {0}")]
    Isolation(String),
    /// A path of the settings cannot be used.
    #[error("{path}: {reason}")]
    Path {
        /// As given.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// The thread that serves programs did not start.
    #[error("the thread for programs did not start: {0}")]
    Thread(std::io::Error),
}

/// Door 2 on a real machine. When it is dropped, everything that it started has ended.
pub struct Sandbox {
    shared: Arc<Shared>,
    background: Background,
    engine: Engine,
}

/// What every program needs.
pub(crate) struct Shared {
    pub(crate) settings: SandboxSettings,
    environment: Environment,
    /// Of programs that only read.
    reading: Environment,
    directories: Directories,
    plan: Plan,
    private: PrivateSettings,
    remembered: Option<Remembered>,
    /// Who changes the workspace now.
    turn: Arc<Mutex<()>>,
    /// For the next program.
    spare: Spare,
    /// Removed when the door goes.
    _scratch: Option<Scratch>,
}

impl Sandbox {
    /// Opens the door for a workspace. Starts one thread, and one helper to see what this machine can do.
    ///
    /// # Errors
    /// A path that cannot be used, or less isolation than the settings ask for.
    pub fn new(mut settings: SandboxSettings) -> Result<Self, SandboxError> {
        let directories = Directories::open(&mut settings)?;
        let state = settings.state_file.as_deref().and_then(Path::parent);
        let private = PrivateSettings::kept_in(state.map(Path::to_owned));
        let remembered = state.and_then(|state| Remembered::kept_in(state, &settings.helper));
        let Best { level, supervised } = best(&settings, &private, remembered.as_ref())?;
        let mut environment = Environment::new(std::env::vars_os(), &settings);
        let mut plan = Plan {
            level,
            supervised,
            writable: vec![settings.workspace.clone()],
            read_only: settings.protected.iter().map(|path| settings.workspace.join(path)).collect(),
            masked: settings.hidden(),
            readable: settings.readable.iter().chain(&settings.roots).cloned().collect(),
            growing: settings.growing.clone(),
            limits: settings.limits,
            layer: settings.layer.clone(),
        };
        let scratch = (level == Level::Filters).then(Scratch::create).transpose()?;
        if let Some(scratch) = &scratch {
            plan.writable.push(scratch.path().to_owned());
            plan.readable.extend(scratch.offer_git(&settings.helper)?);
            environment = environment.at(scratch.path().as_os_str(), scratch.path().as_os_str());
        }
        let mut reading = environment.clone().searching(settings.search_path(Searched::OutsideTheWorkspace));
        if let Some(scratch) = &scratch {
            environment = environment.searching_first(scratch.path());
            reading = reading.searching_first(scratch.path());
        }
        let engine = Engine::start().map_err(SandboxError::Thread)?;
        let background = Background::new(&settings);
        let shared = Shared {
            settings,
            environment,
            reading,
            directories,
            plan,
            private,
            remembered,
            turn: Arc::default(),
            spare: Spare::default(),
            _scratch: scratch,
        };
        Ok(Self { shared: Arc::new(shared), background, engine })
    }

    /// Whether a launch's own variables may be set; asks for no open door.
    ///
    /// # Errors
    /// The first that may not, with the reason.
    pub fn check_variables(launch: &Launch) -> Result<(), ProcessError> {
        environment::check(launch)
    }

    /// How strictly programs are kept in.
    #[must_use]
    pub fn level(&self) -> Level {
        self.shared.plan.level
    }

    /// Whether every write of a program is asked for.
    #[must_use]
    pub fn supervises(&self) -> bool {
        self.shared.plan.supervised
    }

    /// One program from its start to its end.
    fn run_job<'a>(
        &'a self,
        launch: &'a Launch,
        input: Option<Vec<u8>>,
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async move {
            let (room, order) = self.shared.order(launch)?;
            let job = run::Job {
                shared: Arc::clone(&self.shared),
                input,
                limits: run.limits,
                cancel: run.cancel.clone(),
                tail: run.tail.cloned(),
                reapers: self.engine.tracker(),
                author: Author::of(launch, &run.by),
            };
            self.engine.run(job.run(room, order, launch.terminal)).await
        })
    }

    /// Background programs that run now, of all owners.
    #[must_use]
    pub fn running(&self) -> usize {
        self.background.running()
    }
}

/// Nothing is tried where nothing is asked for; only what is missing is looked at closely.
fn best(
    settings: &SandboxSettings,
    private: &PrivateSettings,
    remembered: Option<&Remembered>,
) -> Result<Best, SandboxError> {
    if settings.isolation == Isolation::Unsandboxed {
        return Ok(Best { level: Level::None, supervised: false });
    }
    let best = remembered.and_then(Remembered::best).unwrap_or_else(|| {
        // What the first program will need is found meanwhile.
        let best = best_level_by(&settings.helper, || drop(private.found()));
        remembered.iter().for_each(|remembered| remembered.learn(best));
        best
    });
    if let Some(level) = settings.isolation.level(best.level) {
        return Ok(Best { level, ..best });
    }
    let probe = Probe::by(&settings.helper);
    let level = settings.isolation.level(probe.level()).ok_or_else(|| {
        let findings = probe.findings().into_iter().map(|(name, found)| format!("{name}: {found}"));
        SandboxError::Isolation(findings.collect::<Vec<_>>().join("; "))
    })?;
    Ok(Best { level, supervised: probe.has(Mechanism::Supervisor) })
}

impl Shared {
    /// A program that only reads runs without a question, so no program of the workspace may run in its place.
    fn environment_of(&self, launch: &Launch) -> &Environment {
        let only_reads = self.settings.only_reads.as_ref().is_none_or(|judge| judge(launch));
        if only_reads { &self.reading } else { &self.environment }
    }

    /// Whether the workspace is looked at before and after a program, because writes are not intercepted meanwhile.
    fn sweeps(&self) -> bool {
        !self.plan.supervised && self.plan.level > Level::None
    }

    /// After a program whose writes were not asked for: what must not be there is taken away, and told.
    pub(crate) fn sweep(&self, before: &[PathBuf], program: &str) -> Written {
        if !self.sweeps() {
            return Written::default();
        }
        let workspace = &self.settings.workspace;
        let before = before.iter().filter_map(|path| path.strip_prefix(workspace).ok()).map(Path::to_owned);
        let taken = self.settings.writes.sweep(&before.collect::<Vec<_>>()).into_iter();
        let refused = taken.map(|error| RefusedWrite { error, program: program.to_owned() }).collect();
        Written { refused, ..Written::default() }
    }

    /// What the helper is told. Fails before anything is started.
    pub(crate) fn order(&self, launch: &Launch) -> Result<(Room, Order), ProcessError> {
        let argv = launch.command.argv();
        if argv.first().is_none_or(String::is_empty) {
            return Err(ProcessError::new(ProcessErrorKind::NoProgram, "").detail("the command is empty"));
        }
        if argv.iter().any(|argument| argument.contains('\0')) {
            return Err(ProcessError::new(ProcessErrorKind::NoProgram, launch.command.to_string())
                .detail("an argument contains NUL"));
        }
        if !launch.writes.is_empty() && self.plan.level > Level::None && !self.plan.supervised {
            let detail = "this kernel cannot ask for each write, so protected files stay closed to every command";
            return Err(ProcessError::new(ProcessErrorKind::Isolation, launch.command.to_string()).detail(detail));
        }
        let closed = self.settings.writes.closed().map_err(|error| spawn::io_error("the closed files", &error))?;
        let mut masked: Vec<PathBuf> = self.plan.masked.iter().cloned().chain(closed.masked).collect();
        let mut read_only = self.plan.read_only.clone();
        if !self.plan.supervised {
            // What is masked stays where it is, and so do the folders above it.
            read_only.extend(masked.iter().cloned());
        }
        if self.sweeps() {
            let workspace = &self.settings.workspace;
            read_only.extend(self.settings.writes.protected().iter().map(|path| workspace.join(path)));
        }
        if self.plan.level > Level::None {
            masked.extend(self.private.found());
        }
        let environment = self.environment_of(launch).of(launch)?;
        let plan = Plan { masked, read_only, ..self.plan.clone() };
        let order = Order {
            argv: argv.into_iter().map(Into::into).collect(),
            directory: self.directories.check(&launch.directory)?,
            terminal: if launch.terminal.is_some() { Terminal::Controlling } else { Terminal::None },
            environment,
        };
        Ok((Room::new(plan, launch.network, &order.environment), order))
    }
}

impl Processes for Sandbox {
    fn undoable(&self) -> Undoable {
        if self.supervises() {
            self.shared.settings.writes.undoable()
        } else {
            Undoable::No(Message::new("undo-unsupervised"))
        }
    }

    fn isolation(&self) -> &'static str {
        match self.level() {
            Level::Full => "full",
            Level::Filters => "filters",
            Level::None => "none",
        }
    }

    fn check(&self, launch: &Launch) -> Result<(), ProcessError> {
        Self::check_variables(launch)
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.run_job(launch, None, run)
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        self.run_job(launch, Some(input.to_vec()), run)
    }

    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move {
            let (room, order) = self.shared.order(launch)?;
            let start = self.background.start(&self.engine, &self.shared, (launch, by))?;
            self.engine.run(start.run(room, order)).await
        })
    }

    fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        self.background.list(owner)
    }

    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        self.background.find(owner, id).map(|session| session.poll())
    }

    fn changed<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(session) = self.background.find(owner, id) {
                session.changed().await;
            }
        })
    }

    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        Box::pin(async move {
            let session = self.background.find(owner, id)?;
            let input = input.to_vec();
            self.engine.run(async move { session.write(&input).await }).await
        })
    }

    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move {
            let session = self.background.find(owner, id)?;
            session.stop().await;
            Ok(session.status())
        })
    }

    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        self.background.clear(owner, id)
    }

    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)> {
        self.background.find(owner, id).ok().and_then(|session| session.spoken())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let runtime = self.engine.enter();
        self.shared.spare.close();
        drop(runtime);
        self.engine.stop();
        self.background.close();
    }
}

/// The error of a call whose thread is gone.
pub(crate) fn closed() -> ProcessError {
    spawn::io_error("", &std::io::Error::other("the door for programs is closed"))
}
