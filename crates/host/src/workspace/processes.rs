//! The process door of a workspace: opened when a program is first started, because many processes start none.

use super::git::Personal;
use super::person::Person;
use super::{closed, writes};
use crate::places::Places;
use futures_util::future::BoxFuture;
use palanca_config::{Config, IsolationSetting};
use palanca_core::call::{Launch, ProcessId};
use palanca_core::ports::{
    Attach, Attached, By, CommandClass, CommandReader, Finished, Owner, Polled, ProcessError, ProcessErrorKind,
    ProcessStatus, Processes, Redactor, Run, Undoable,
};
use palanca_files::{Disk, KeepLimits, places as places_of};
use palanca_policy::paths::PathRules;
use palanca_policy::paths::kept::never_made;
use palanca_sandbox::{
    BackgroundLimits, Engine, Isolation, ProgramLimits, Sandbox, SandboxSettings, Spill, WriteLayer,
};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The rule of commands that the operator calls safe.
const OPERATORS_WORD: &str = "shell.rule.safe";

/// A door that opens on first use.
pub struct Deferred {
    settings: SandboxSettings,
    engine: Engine,
    disk: Arc<Disk>,
    person: Person,
    undo: Option<KeepLimits>,
    /// The state directory.
    state: Option<PathBuf>,
    /// The person's.
    home: Option<PathBuf>,
    door: OnceLock<Result<Sandbox, ProcessError>>,
}

impl Deferred {
    /// The door of this configuration, on an engine of its own.
    pub fn new(places: &Places, config: &Config, disk: Arc<Disk>) -> Self {
        let person = Person::of(config, &disk);
        let (settings, undo) = (sandbox_settings(places, config, &disk), writes::limits(config));
        let (engine, state, home) = (Engine::new(), places.state.clone(), places.home.clone());
        Self { settings, engine, disk, person, undo, state, home, door: OnceLock::new() }
    }

    /// The same on this engine, which other doors share.
    pub fn on(self, engine: &Engine) -> Self {
        Self { engine: engine.clone(), ..self }
    }

    /// The same, with programs of the workspace found by their bare names, but never by commands that this reader calls
    /// safe by itself, without the operator's word. Those write nothing, and obey nothing that starts a program.
    pub fn reading(mut self, reader: Arc<dyn CommandReader>) -> Self {
        self.settings.only_reads = Some(Arc::new(move |launch: &Launch| {
            let read = reader.read(launch);
            read.class == CommandClass::Safe && !read.parts.iter().any(|part| part.rule == OPERATORS_WORD)
        }));
        let neutral = palanca_policy::commands::neutral_variables();
        self.settings.reading_variables = neutral.map(|(name, value)| (name.into(), value.into())).collect();
        self
    }

    /// The person's own programs.
    pub const fn person(&self) -> &Person {
        &self.person
    }

    /// The same, with what is our own in the workspace kept from every program, also where it is not there yet.
    pub fn keeping(mut self, rules: &PathRules) -> Self {
        self.settings.protected.extend(rules.own().map(PathBuf::from));
        self
    }

    /// The same, with long output kept whole in the state directory, without secrets.
    pub fn spilling(mut self, redactor: Arc<dyn Redactor>) -> Self {
        self.settings.spill = self.state.as_ref().map(|state| Spill::new(state.join("output"), redactor));
        self
    }

    /// How it is set up, without what is closed in the workspace.
    fn settings(&self) -> SandboxSettings {
        let mut settings = self.settings.clone();
        self.person.shown_by(&mut settings);
        let personal = Personal { home: self.home.as_deref(), workspace: self.disk.workspace() };
        settings.git = Some(personal.read(|name| std::env::var_os(name).map(PathBuf::from)));
        settings
    }

    /// Opens it. For `doctor`, which wants to see it open.
    ///
    /// # Errors
    /// Why it does not open.
    pub fn open(&self) -> Result<&Sandbox, ProcessError> {
        self.door.get_or_init(|| self.make(None)).as_ref().map_err(Clone::clone)
    }

    /// Ends every background program of its door, and returns them.
    pub(crate) async fn end_background(&self) -> Vec<ProcessStatus> {
        match self.door.get() {
            Some(Ok(door)) => door.end_background().await,
            _ => Vec::new(),
        }
    }

    /// A further door, whose programs change the layer instead of the workspace.
    ///
    /// # Errors
    /// Why it does not open.
    pub fn under(&self, layer: WriteLayer) -> Result<Sandbox, ProcessError> {
        self.make(Some(layer))
    }

    fn make(&self, layer: Option<WriteLayer>) -> Result<Sandbox, ProcessError> {
        if let Some(own) = self.own_folder() {
            return Err(ProcessError::new(ProcessErrorKind::Exposed, own.display().to_string()));
        }
        let wrong = |error: &dyn Display| {
            ProcessError::new(ProcessErrorKind::Isolation, "the command").detail(error.to_string())
        };
        // What happens to a layer is taken back with it.
        let undo = self.undo.filter(|_| layer.is_none());
        let mut settings = self.settings();
        if layer.is_some() {
            settings.isolation = Isolation::Full;
            settings.state_file = None;
            settings.layer = layer;
        }
        // What the person's own tools keep closed is known already.
        let beside = self.settings.roots.iter().chain(&self.settings.readable).cloned();
        let writes = writes::writes(undo, &self.disk).beside(beside).map_err(|error| wrong(&error))?;
        settings.writes = Arc::new(if settings.layer.is_some() { writes.layered() } else { writes });
        Sandbox::on(&self.engine, settings).map_err(|error| wrong(&error))
    }

    /// The state directory, when it lies in the workspace: the home folder is one, as a workspace.
    fn own_folder(&self) -> Option<PathBuf> {
        let own = places_of(self.state.as_ref()?).ok()?.pop()?;
        own.starts_with(self.disk.workspace()).then_some(own)
    }

    /// The door, unless nobody has opened it: then it knows no program.
    fn opened(&self, id: &ProcessId) -> Result<&Sandbox, ProcessError> {
        let door = self.door.get().and_then(|door| door.as_ref().ok());
        door.ok_or_else(|| ProcessError::new(ProcessErrorKind::Unknown, id.to_string()))
    }
}

impl Processes for Deferred {
    fn isolation(&self) -> &'static str {
        self.open().map_or("none", Processes::isolation)
    }

    fn undoable(&self) -> Undoable {
        match self.open() {
            Ok(door) => door.undoable(),
            Err(_) => self.settings.writes.undoable(),
        }
    }

    fn check(&self, launch: &Launch) -> Result<(), ProcessError> {
        Sandbox::check_variables(launch)
    }

    fn look_ahead(&self) {
        self.engine.look_ahead(&self.settings);
    }

    fn run<'a>(&'a self, launch: &'a Launch, run: Run<'a>) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async move { self.person.explaining(launch, self.open()?.run(launch, run).await) })
    }

    fn run_fed<'a>(
        &'a self,
        launch: &'a Launch,
        input: &'a [u8],
        run: Run<'a>,
    ) -> BoxFuture<'a, Result<Finished, ProcessError>> {
        Box::pin(async move { self.person.explaining(launch, self.open()?.run_fed(launch, input, run).await) })
    }

    fn attach<'a>(&'a self, launch: &'a Launch, attach: Attach<'a>) -> BoxFuture<'a, Result<Attached, ProcessError>> {
        Box::pin(async move { self.person.explaining_missing(launch, self.open()?.attach(launch, attach).await) })
    }

    fn start<'a>(&'a self, launch: &'a Launch, by: By<'a>) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move { self.person.explaining_missing(launch, self.open()?.start(launch, by).await) })
    }

    /// Opens the door: programs that a crash lost are known only to an open one.
    fn list(&self, owner: &Owner) -> Vec<ProcessStatus> {
        self.open().map(|door| door.list(owner)).unwrap_or_default()
    }

    fn poll(&self, owner: &Owner, id: &ProcessId) -> Result<Polled, ProcessError> {
        Ok(self.person.explaining_polled(self.open()?.poll(owner, id)?))
    }

    fn changed<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(door) = self.opened(id) {
                door.changed(owner, id).await;
            }
        })
    }

    fn write<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a ProcessId,
        input: &'a [u8],
    ) -> BoxFuture<'a, Result<usize, ProcessError>> {
        Box::pin(async move { self.opened(id)?.write(owner, id, input).await })
    }

    fn kill<'a>(&'a self, owner: &'a Owner, id: &'a ProcessId) -> BoxFuture<'a, Result<ProcessStatus, ProcessError>> {
        Box::pin(async move { self.opened(id)?.kill(owner, id).await })
    }

    fn clear(&self, owner: &Owner, id: &ProcessId) -> Result<(), ProcessError> {
        self.open()?.clear(owner, id)
    }

    fn spoken(&self, owner: &Owner, id: &ProcessId) -> Option<(Launch, String)> {
        self.opened(id).ok()?.spoken(owner, id)
    }
}

/// What a sandbox of this workspace is told.
pub fn sandbox_settings(places: &Places, config: &Config, disk: &Disk) -> SandboxSettings {
    let commands = &config.commands;
    let isolation = match commands.isolation {
        _ if commands.unsandboxed => Isolation::Unsandboxed,
        IsolationSetting::Best => Isolation::Best,
        IsolationSetting::Full => Isolation::Full,
    };
    let mut settings = SandboxSettings::new(disk.workspace(), isolation);
    settings.link = disk.link().map(PathBuf::from);
    settings.roots = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    settings.protected = never_made().map(PathBuf::from).collect();
    settings.masked = places.own().cloned().collect();
    settings.closed = Some(closed::told(config));
    settings.readable = commands.readable.iter().map(PathBuf::from).collect();
    settings.path = settings.readable.iter().map(|folder| folder.join("bin")).collect();
    settings.environment.clone_from(&commands.environment);
    settings.state_file = places.state.as_ref().map(|state| state.join("processes.jsonl"));
    let (limits, usual) = (&commands.limits, ProgramLimits::default());
    settings.limits = ProgramLimits {
        memory: limits.memory.map_or(usual.memory, |mebibytes| mebibytes.saturating_mul(1 << 20)),
        processes: limits.processes.into(),
        disk: limits.disk.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
    };
    let limits = &config.process_tools;
    settings.background = BackgroundLimits {
        programs: limits.max_sessions as usize,
        kept: Duration::from_millis(limits.finished_ttl_ms),
        bytes: usize::try_from(limits.max_output_chars).unwrap_or(usize::MAX),
    };
    settings
}
