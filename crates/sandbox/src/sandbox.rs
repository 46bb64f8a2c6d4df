//! The door itself: puts directory, environment and plan together, and hands the order to the engine.

mod attach;
mod author;
mod directory;
mod port;
mod profile;
mod run;
mod scratch;
mod start;

pub(crate) use author::Author;
pub(crate) use run::{DRAIN, first_of, streams};

use crate::background::Background;
use crate::engine::{Engine, Machine, Tasks};
use crate::environment::{self, Environment};
use crate::isolation::Isolation;
use crate::order::{Level, Order, Plan, Room, Terminal};
use crate::probe::{Best, Mechanism, Probe};
use crate::settings::{SandboxSettings, Searched};
use crate::spawn::{self, Spare};
use directory::Directories;
use futures_util::future::BoxFuture;
use palanca_core::call::Launch;
use palanca_core::ports::{
    Exit, Finished, ProcessError, ProcessErrorKind, ProcessStatus, Processes, Profile, RefusedWrite, Run,
    WorkspaceAccess, Written,
};
use parking_lot::Mutex;
use profile::Reach;
use scratch::Scratch;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tracing::field::Empty;
use tracing::{Instrument as _, debug_span};

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
    /// Keeps its thread.
    _engine: Engine,
}

/// What every program needs.
pub(crate) struct Shared {
    pub(crate) settings: SandboxSettings,
    environment: Environment,
    /// Of programs that only read.
    reading: Environment,
    directories: Directories,
    plan: Plan,
    machine: Arc<Machine>,
    pub(crate) tasks: Tasks,
    /// Who changes the workspace now.
    turn: Arc<Mutex<()>>,
    /// For the next program.
    spare: Spare,
    /// For the next one that only reads.
    reading_spare: Spare,
    /// Removed when the door goes.
    _scratch: Option<Scratch>,
}

impl Sandbox {
    /// Opens the door for a workspace, with an engine of its own.
    ///
    /// # Errors
    /// As [`Self::on`].
    pub fn new(settings: SandboxSettings) -> Result<Self, SandboxError> {
        Self::on(&Engine::new(), settings)
    }

    /// Opens the door for a workspace on an engine, whose first door starts its thread and one helper to see what this machine
    /// can do.
    ///
    /// # Errors
    /// A path that cannot be used, or less isolation than the settings ask for.
    pub fn on(engine: &Engine, mut settings: SandboxSettings) -> Result<Self, SandboxError> {
        let directories = Directories::open(&mut settings)?;
        let machine = engine.machine(&settings);
        let Best { level, supervised } = best(&settings, &machine)?;
        let mut environment = Environment::new(std::env::vars_os(), &settings);
        let mut plan = Plan {
            level,
            supervised,
            writable: vec![settings.workspace.clone()],
            home: None,
            links: settings.link.iter().cloned().collect(),
            read_only: settings.protected.iter().map(|path| settings.workspace.join(path)).collect(),
            masked: settings.hidden(),
            readable: settings.readable.iter().chain(&settings.roots).cloned().collect(),
            growing: settings.growing.clone(),
            unexecuted: Vec::new(),
            limits: settings.limits,
            layer: settings.layer.clone(),
        };
        let scratch = (level == Level::Filters).then(Scratch::create).transpose()?;
        if let Some(scratch) = &scratch {
            plan.writable.push(scratch.path().to_owned());
            plan.readable.extend(scratch.offer_git(&settings.helper)?);
            environment = environment.at(scratch.path().as_os_str(), scratch.path().as_os_str());
        }
        let mut reading = environment.clone().with(&settings.reading_variables);
        environment = environment.with(&environment::git::obeying(&settings));
        if level == Level::None {
            // Nothing else keeps a program that only reads from running one of the workspace.
            reading = reading.searching(settings.search_path(Searched::OutsideTheWorkspace));
        }
        if let Some(scratch) = &scratch {
            environment = environment.searching_first(scratch.path());
            reading = reading.searching_first(scratch.path());
        }
        let tasks = engine.tasks().map_err(SandboxError::Thread)?;
        let background = Background::new(&settings);
        let shared = Shared {
            settings,
            environment,
            reading,
            directories,
            plan,
            machine,
            tasks,
            turn: Arc::default(),
            spare: engine.spare(),
            reading_spare: engine.spare(),
            _scratch: scratch,
        };
        Ok(Self { shared: Arc::new(shared), background, _engine: engine.clone() })
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
            let (room, order) = self.shared.order(launch, &Profile::default())?;
            let job = run::Job {
                shared: Arc::clone(&self.shared),
                input,
                limits: run.limits,
                cancel: run.cancel.clone(),
                tail: run.tail.cloned(),
                author: Author::of(launch, &run.by).asking(run.questions),
            };
            let span = debug_span!("process", palanca.isolation = self.isolation(), process.exit.code = Empty);
            let ended = self.shared.tasks.run(job.run(room, order, launch.terminal)).instrument(span.clone()).await;
            if let Ok(Finished { exit: Exit::Code(code), .. }) = &ended {
                span.record("process.exit.code", code);
            }
            ended
        })
    }

    /// Ends the background programs of all owners, and returns them once nothing of them is left.
    pub async fn end_background(&self) -> Vec<ProcessStatus> {
        self.background.stop_all().await
    }

    /// Background programs that run now, of all owners.
    #[must_use]
    pub fn running(&self) -> usize {
        self.background.running()
    }
}

/// Nothing is tried where nothing is asked for; only what is missing is looked at closely.
fn best(settings: &SandboxSettings, machine: &Machine) -> Result<Best, SandboxError> {
    if settings.isolation == Isolation::Unsandboxed {
        return Ok(Best { level: Level::None, supervised: false });
    }
    let best = machine.best();
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
    /// A program that only reads runs without a question, so nothing of the workspace may run in its place, or by a file
    /// that it obeys, and nothing is changed.
    fn only_reading(&self, plan: &mut Plan) {
        let (workspace, roots) = (&self.settings.workspace, &self.settings.roots);
        let brought = |path: &&PathBuf| roots.contains(path) || path.starts_with(workspace);
        plan.unexecuted = plan.readable.iter().filter(brought).chain([workspace]).cloned().collect();
        plan.growing.clear();
    }

    /// Whether the workspace is looked at before and after a program, because writes are not intercepted meanwhile.
    fn sweeps(&self, plan: &Plan) -> bool {
        !plan.supervised
            && !plan.only_reads()
            && plan.level > Level::None
            && plan.writable.contains(&self.settings.workspace)
    }

    /// After a program whose writes were not asked for: what must not be there is taken away, and told.
    fn sweep(&self, before: &[PathBuf], program: &str) -> Written {
        let workspace = &self.settings.workspace;
        let before = before.iter().filter_map(|path| path.strip_prefix(workspace).ok()).map(Path::to_owned);
        let taken = self.settings.writes.sweep(&before.collect::<Vec<_>>()).into_iter();
        let refused = taken.map(|error| RefusedWrite { error, program: program.to_owned(), declined: None }).collect();
        Written { refused, ..Written::default() }
    }

    /// What the helper is told. Fails before anything is started.
    pub(crate) fn order(&self, launch: &Launch, profile: &Profile) -> Result<(Room, Order), ProcessError> {
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
        let Reach { mut plan, further } = self.reach(profile)?;
        let only_reads = self.settings.only_reads.as_ref().map(|judge| judge(launch));
        if only_reads == Some(true) {
            self.only_reading(&mut plan);
        }
        let closed = self.settings.writes.closed(&further);
        plan.masked.extend(closed.map_err(|error| spawn::io_error("the closed files", &error))?.masked);
        if !plan.supervised {
            // What is masked stays where it is, and so do the folders above it.
            plan.read_only.extend(plan.masked.iter().cloned());
        }
        if self.sweeps(&plan) {
            let workspace = &self.settings.workspace;
            plan.read_only.extend(self.settings.writes.protected().iter().map(|path| workspace.join(path)));
        }
        if plan.level > Level::None {
            plan.masked.extend(self.machine.private());
        }
        let environment = if only_reads == Some(false) { &self.environment } else { &self.reading };
        let environment = match plan.home() {
            Some(home) => environment.clone().living_in(home).of(launch)?,
            None => environment.of(launch)?,
        };
        let directory = self.directories.check(&launch.directory)?;
        let order = Order {
            argv: argv.into_iter().map(Into::into).collect(),
            directory: if profile.workspace == WorkspaceAccess::None { "/".into() } else { directory },
            terminal: if launch.terminal.is_some() { Terminal::Controlling } else { Terminal::None },
            environment,
        };
        Ok((Room::new(plan, launch.network, &order.environment), order))
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let shared = Arc::clone(&self.shared);
        self.shared.tasks.end(move || {
            shared.spare.close();
            shared.reading_spare.close();
        });
        self.background.close();
    }
}
