//! The environment of every hook: the process door, the recorder, the observer; and the only way to run an operator's
//! program.
//!
//! The program runs in the workspace with the door's own isolation and short list of variables. It is not judged, because
//! the operator configured it; it is recorded.

use crate::event::Event;
use crate::files::Places;
use crate::occasion;
use palanca_core::call::{CallId, CanonicalPath, Launch, Root, Scope, SessionId, Shell, Stage};
use palanca_core::message::{Catalogue, Keys, Message};
use palanca_core::ports::{
    AsItIs, By, Clock, Finished, Keep, NoRecorder, Owner, ProcessError, Processes, Recorder, Redactor, Run, RunLimits,
    StageDecision, StageRecord, SystemClock,
};
use palanca_core::tool::Cancel;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// Characters of a command in the records.
const SHOWN: usize = 200;

/// How one hook or quality gate ended, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunVerdict {
    /// It passed.
    Passed,
    /// It refused, or objected to something that had already happened.
    Blocked(String),
    /// It did not work.
    Failed(Message),
}

/// One ended run of a hook or a quality gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// The event, or `quality_gate`.
    pub event: &'a str,
    /// How it ended.
    pub verdict: RunVerdict,
    /// How long it took.
    pub time: Duration,
}

/// Observes hooks. Called from the run's task: it must return at once.
pub trait Watcher: Send + Sync {
    /// A hook has ended.
    fn ended(&self, run: &HookRun<'_>);
}

/// No observer.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatcher;

impl Watcher for NoWatcher {
    fn ended(&self, _run: &HookRun<'_>) {}
}

/// The surroundings of hooks.
#[derive(Clone)]
pub struct Around {
    pub(crate) processes: Arc<dyn Processes>,
    pub(crate) recorder: Arc<dyn Recorder>,
    pub(crate) redactor: Arc<dyn Redactor>,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) watcher: Arc<dyn Watcher>,
    pub(crate) places: Places,
    pub(crate) session: SessionId,
    pub(crate) cancel: Cancel,
    /// Hooks that were told to have no program.
    pub(crate) not_there: Arc<Mutex<HashSet<String>>>,
    owner: Owner,
}

/// One program to run.
pub(crate) struct Program<'a> {
    pub(crate) command: &'a str,
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) input: &'a [u8],
    pub(crate) time: Duration,
    pub(crate) keep: Keep,
    pub(crate) call: &'a CallId,
    pub(crate) cancel: &'a Cancel,
}

/// One record to write.
pub(crate) struct Note<'a> {
    pub(crate) stage: Stage,
    pub(crate) call: &'a str,
    pub(crate) tool: &'a str,
    pub(crate) name: &'a str,
    pub(crate) verdict: StageDecision,
    pub(crate) evidence: String,
}

impl Around {
    /// Hooks of this session, started through this door, in the workspace at this absolute path. By default nothing is
    /// recorded or observed, and messages are keys.
    #[must_use]
    pub fn new(processes: Arc<dyn Processes>, workspace: PathBuf, session: SessionId) -> Self {
        // A separate owner: no tool of the session sees the long-lived programs of its hooks.
        let owner = Owner::of(&Scope::session(SessionId::new(format!("hooks of {session}"))));
        Self {
            processes,
            recorder: Arc::new(NoRecorder),
            redactor: Arc::new(AsItIs),
            catalogue: Arc::new(Keys),
            clock: Arc::new(SystemClock::default()),
            watcher: Arc::new(NoWatcher),
            places: Places { workspace, roots: Vec::new() },
            session,
            cancel: Cancel::new(),
            not_there: Arc::default(),
            owner,
        }
    }

    /// The read-only trees, in the order of the configuration.
    #[must_use]
    pub fn roots(mut self, roots: Vec<PathBuf>) -> Self {
        self.places.roots = roots;
        self
    }

    /// The recorder, and the redactor for hook inputs and records.
    #[must_use]
    pub fn recording(mut self, recorder: Arc<dyn Recorder>, redactor: Arc<dyn Redactor>) -> Self {
        self.recorder = recorder;
        self.redactor = redactor;
        self
    }

    /// The language of messages.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Arc<dyn Catalogue>) -> Self {
        self.catalogue = catalogue;
        self
    }

    /// The observer.
    #[must_use]
    pub fn watcher(mut self, watcher: Arc<dyn Watcher>) -> Self {
        self.watcher = watcher;
        self
    }

    /// Ends hooks of calls when cancelled.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The workspace as text.
    pub(crate) fn workspace(&self) -> String {
        self.places.workspace.to_string_lossy().into_owned()
    }

    pub(crate) fn by<'a>(&'a self, call: &'a CallId) -> By<'a> {
        By { owner: &self.owner, call, session: None }
    }

    pub(crate) const fn owner(&self) -> &Owner {
        &self.owner
    }

    /// The start of a program in the workspace.
    pub(crate) fn launch(&self, command: &str, mut variables: Vec<(String, String)>) -> Launch {
        occasion::add(&mut variables, "WORKSPACE", &self.workspace());
        variables.sort();
        variables.dedup_by(|one, other| one.0 == other.0);
        let directory = CanonicalPath::new(Root::Workspace, PathBuf::new());
        Launch { environment: variables, ..Launch::script(Shell::Sh, command, directory) }
    }

    pub(crate) async fn run(&self, program: Program<'_>) -> Result<Finished, ProcessError> {
        let launch = self.launch(program.command, program.variables);
        let limits = RunLimits { time: program.time, keep: program.keep };
        // What it changes is a step of the session, and is undone with the rest.
        let by = By { session: Some(&self.session), ..self.by(program.call) };
        let run = Run { by, limits, cancel: program.cancel, tail: None, questions: None };
        self.processes.run_fed(&launch, program.input, run).await
    }

    /// Records a hook's answer.
    pub(crate) fn note(&self, note: &Note<'_>) {
        let at = self.clock.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let evidence = self.redactor.redact(&note.evidence);
        self.recorder.stages(&[StageRecord {
            at_ms: u64::try_from(at.as_millis()).unwrap_or(u64::MAX),
            session: self.session.as_str(),
            call: note.call,
            tool: note.tool,
            stage: note.stage,
            verdict: note.verdict,
            rule: Some(note.name),
            evidence: Some(&evidence),
            effects: &[],
            digest: None,
        }]);
    }

    pub(crate) fn render(&self, message: &Message) -> String {
        self.catalogue.render(message)
    }
}

/// The stage that an event's records belong to.
pub(crate) const fn stage(event: Event) -> Stage {
    if event.can_block() { Stage::PreHooks } else { Stage::PostHooks }
}

/// `exit 0 after 12 ms: ruff check a.py`
pub(crate) fn evidence(command: &str, how: &str, time: Duration) -> String {
    format!("{how} after {} ms: {}", time.as_millis(), occasion::first(command, SHOWN))
}
