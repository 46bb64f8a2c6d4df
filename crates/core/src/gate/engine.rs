//! The gate and its builder.

use super::changed::Unseen;
use super::network::NetworkAccess;
use super::subagents::{NoSubagents, Subagents};
use super::{ConfirmMode, Intake, RunMode, lanes::Lanes};
use crate::call::{ActKind, Cancel, Scope, Speaker};
use crate::message::{Catalogue, Message};
use crate::ports::{
    Acts, ApprovalRules, Artifacts, AsItIs, Asker, Channels, Clock, CommandReader, Doors, Files, Guard, Hook, Marker,
    NoAsker, NoFiles, NoProcesses, NoReader, NoRecorder, NoWeb, Past, Performers, Processes, Questions, Recorder,
    Redactor, SystemClock, Unkept, Web,
};
use crate::registry::Registry;
use std::borrow::Cow;
use std::sync::Arc;

/// Limits of every call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text in one result; more is cut in the middle. 1 MiB unless set.
    pub output_bytes: usize,
    /// Bytes of text above which a full output is stored as an artifact, if the gate has a store for it. 10,000 unless
    /// set.
    pub artifact_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { output_bytes: 1 << 20, artifact_bytes: 10_000 }
    }
}

/// The only way to run a tool. Built once per session; all methods take `&self` and may run concurrently.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{ConfirmMode, Gate, Registry};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
///
/// let registry = Registry::new();
/// let gate = Gate::builder(registry.into()).mode(ConfirmMode::Yolo).build();
/// let result = gate.execute("no_such_tool", serde_json::json!({})).await;
/// assert_eq!(result.code.as_deref(), Some("unknown_tool"));
/// # });
/// ```
///
/// With tools: [`stateful_tool.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/stateful_tool.rs); with a file
/// door and a guard: [`guard.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/guard.rs).
#[derive(Clone)]
pub struct Gate {
    pub(super) registry: Arc<Registry>,
    pub(super) files: Arc<dyn Files>,
    pub(super) processes: Arc<dyn Processes>,
    pub(super) web: Arc<dyn Web>,
    pub(super) subagents: Arc<dyn Subagents>,
    pub(super) doors: Doors,
    pub(super) reader: Arc<dyn CommandReader>,
    pub(super) guards: Vec<Arc<dyn Guard>>,
    pub(super) rules: Option<Arc<dyn ApprovalRules>>,
    pub(super) hooks: Vec<Arc<dyn Hook>>,
    pub(super) questions: Arc<dyn Questions>,
    pub(super) redactor: Arc<dyn Redactor>,
    pub(super) marker: Arc<dyn Marker>,
    pub(super) asker: Arc<dyn Asker>,
    pub(super) recorder: Arc<dyn Recorder>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) catalogue: Arc<dyn Catalogue>,
    pub(super) mode: ConfirmMode,
    pub(super) network: NetworkAccess,
    pub(super) run_mode: RunMode,
    pub(super) limits: Limits,
    pub(super) cancel: Cancel,
    pub(super) intake: Intake,
    pub(super) lanes: Arc<Lanes>,
    pub(super) unseen: Arc<Unseen>,
}

impl Gate {
    /// A gate over these tools. Defaults: no files, no programs, no network, not for programs either; every command is
    /// dangerous; no asker; questions and records are not stored; text is neither redacted nor marked;
    /// `confirm-sensitive`; real effects; the machine's clock; the registry's own catalogue ([`Registry::speaks`]).
    #[must_use]
    pub fn builder(registry: Arc<Registry>) -> GateBuilder {
        GateBuilder(Self {
            files: Arc::new(NoFiles::Closed),
            processes: Arc::new(NoProcesses),
            web: Arc::new(NoWeb),
            subagents: Arc::new(NoSubagents),
            doors: Doors::default(),
            reader: Arc::new(NoReader),
            guards: Vec::new(),
            rules: None,
            hooks: Vec::new(),
            questions: Arc::new(Unkept),
            redactor: Arc::new(AsItIs),
            marker: Arc::new(AsItIs),
            asker: Arc::new(NoAsker),
            recorder: Arc::new(NoRecorder),
            clock: Arc::new(SystemClock::default()),
            catalogue: Arc::new(Unset(Arc::clone(&registry))),
            mode: ConfirmMode::default(),
            network: NetworkAccess::default(),
            run_mode: RunMode::default(),
            limits: Limits::default(),
            cancel: Cancel::new(),
            intake: Intake::default(),
            lanes: Arc::default(),
            unseen: Arc::default(),
            registry,
        })
    }

    /// The tools of this gate.
    #[must_use]
    pub const fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The same gate, lanes included, for work that may be cancelled separately and may do less: `cancel` ends only its
    /// calls, and should be a child of this gate's token; the mode can only become stricter; `ceiling` judges in
    /// addition to the other guards.
    #[must_use]
    pub fn under(&self, cancel: Cancel, mode: ConfirmMode, ceiling: Option<Arc<dyn Guard>>) -> Self {
        let mut narrower = Self { cancel, mode: self.mode.stricter(mode), ..self.clone() };
        narrower.guards.extend(ceiling);
        narrower
    }

    /// A builder that begins with everything of this gate, lanes included: for a further session of the same agent.
    #[must_use]
    pub fn to_builder(&self) -> GateBuilder {
        GateBuilder(self.clone())
    }

    /// Who performs acts of this kind.
    pub(super) fn performer(&self, kind: ActKind) -> Option<&dyn Acts> {
        self.doors.get::<Performers>()?.of(kind)
    }

    /// Marks foreign text as in results, for text that reaches a model by other ways.
    #[must_use]
    pub fn mark(&self, text: &str, source: &str) -> String {
        self.marker.mark(text, source)
    }

    /// Takes secrets out as out of results, for text that is told or kept by other ways.
    #[must_use]
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redactor.redact(text)
    }

    /// Tells every guard what was said to the agent of a conversation: only trusted words are the user's.
    pub fn hear(&self, scope: &Scope, speaker: &Speaker, words: &str) {
        self.guards.iter().for_each(|guard| guard.heard(scope, speaker, words));
    }

    /// Continues a session that other gates judged before: every guard learns what it did.
    pub fn resume(&self, scope: &Scope, past: &Past) {
        self.guards.iter().for_each(|guard| guard.resume(scope, past));
        self.rules.iter().for_each(|rules| rules.resume(scope, past));
    }

    /// Lets a session go: every guard forgets it. For processes that outlive their sessions; one that goes on later is
    /// [resumed](Self::resume).
    pub fn leave(&self, scope: &Scope) {
        self.guards.iter().for_each(|guard| guard.leave(scope));
        self.rules.iter().for_each(|rules| rules.leave(scope));
        self.unseen.leave(&scope.session);
    }

    /// Ends every running call when cancelled.
    #[must_use]
    pub const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// A call may come soon: its doors prepare meanwhile ([`Processes::look_ahead`]). Returns at once.
    pub fn look_ahead(&self) {
        self.processes.look_ahead();
    }

    /// Whether its calls may begin, and whether any is under way.
    #[must_use]
    pub const fn intake(&self) -> &Intake {
        &self.intake
    }
}

/// No catalogue was given: uses the registry's, which may be set with its first tool, or else [`Message::plain`].
struct Unset(Arc<Registry>);

impl Catalogue for Unset {
    fn render(&self, message: &Message) -> String {
        self.0.words().map_or_else(|| message.plain(), |words| words.render(message))
    }
}

/// Builds a gate; see [`Gate::builder`] for the defaults.
///
/// Used in the examples of [`Gate`].
pub struct GateBuilder(Gate);

impl GateBuilder {
    /// The file door. In a dry run this must be an overlay.
    #[must_use]
    pub fn files(mut self, files: Arc<dyn Files>) -> Self {
        self.0.files = files;
        self
    }

    /// The process door.
    #[must_use]
    pub fn processes(mut self, processes: Arc<dyn Processes>) -> Self {
        self.0.processes = processes;
        self
    }

    /// The network door.
    #[must_use]
    pub fn web(mut self, web: Arc<dyn Web>) -> Self {
        self.0.web = web;
        self
    }

    /// The ways to reach people.
    #[must_use]
    pub fn channels(self, channels: Arc<dyn Channels>) -> Self {
        self.door(channels)
    }

    /// Who performs the acts of one kind.
    #[must_use]
    pub fn acts(self, kind: ActKind, performer: Arc<dyn Acts>) -> Self {
        let performers = self.0.doors.get::<Performers>().cloned().unwrap_or_default().with(kind, performer);
        self.door(Arc::new(performers))
    }

    /// The port behind a door that the gate does not consult itself; tools get it as a
    /// [`Handle`](crate::ports::Handle) of that type.
    #[must_use]
    pub fn door<P: ?Sized + Send + Sync + 'static>(mut self, port: Arc<P>) -> Self {
        self.0.doors.set(port);
        self
    }

    /// The store for long outputs.
    #[must_use]
    pub fn artifacts(self, artifacts: Arc<dyn Artifacts>) -> Self {
        self.door(artifacts)
    }

    /// The port that runs subagents.
    #[must_use]
    pub fn subagents(mut self, subagents: Arc<dyn Subagents>) -> Self {
        self.0.subagents = subagents;
        self
    }

    /// The reader that analyses commands before they are judged.
    #[must_use]
    pub fn reader(mut self, reader: Arc<dyn CommandReader>) -> Self {
        self.0.reader = reader;
        self
    }

    /// Adds a guard; all are asked, and the strictest verdict wins.
    #[must_use]
    pub fn guard(mut self, guard: Arc<dyn Guard>) -> Self {
        self.0.guards.push(guard);
        self
    }

    /// The rules on effects: asked like every guard, and extended by answers of "always".
    #[must_use]
    pub fn rules(mut self, rules: Arc<dyn ApprovalRules>) -> Self {
        self.0.rules = Some(rules);
        self
    }

    /// The store for open questions.
    #[must_use]
    pub fn questions(mut self, questions: Arc<dyn Questions>) -> Self {
        self.0.questions = questions;
        self
    }

    /// The redactor for results and records.
    #[must_use]
    pub fn redactor(mut self, redactor: Arc<dyn Redactor>) -> Self {
        self.0.redactor = redactor;
        self
    }

    /// The marker for foreign text.
    #[must_use]
    pub fn marker(mut self, marker: Arc<dyn Marker>) -> Self {
        self.0.marker = marker;
        self
    }

    /// Adds a hook after the existing ones.
    #[must_use]
    pub fn hook(mut self, hook: Arc<dyn Hook>) -> Self {
        self.0.hooks.push(hook);
        self
    }

    /// The asker that answers questions.
    #[must_use]
    pub fn asker(mut self, asker: Arc<dyn Asker>) -> Self {
        self.0.asker = asker;
        self
    }

    /// The recorder.
    #[must_use]
    pub fn recorder(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.0.recorder = recorder;
        self
    }

    /// The source of time.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.0.clock = clock;
        self
    }

    /// The language of results.
    #[must_use]
    pub fn catalogue(mut self, catalogue: Arc<dyn Catalogue>) -> Self {
        self.0.catalogue = catalogue;
        self
    }

    /// When a person is asked.
    #[must_use]
    pub fn mode(mut self, mode: ConfirmMode) -> Self {
        self.0.mode = mode;
        self
    }

    /// Whether programs may have the network.
    #[must_use]
    pub fn program_network(mut self, network: NetworkAccess) -> Self {
        self.0.network = network;
        self
    }

    /// Whether effects are real.
    #[must_use]
    pub fn run_mode(mut self, run_mode: RunMode) -> Self {
        self.0.run_mode = run_mode;
        self
    }

    /// Limits of every call.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// The token that cancels everything.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.0.cancel = cancel;
        self
    }

    /// Whether calls may begin; always, unless set.
    #[must_use]
    pub fn intake(mut self, intake: Intake) -> Self {
        self.0.intake = intake;
        self
    }

    /// The lanes of the workspace, where several gates work in it: their commands and writes wait for each other.
    #[must_use]
    pub fn lanes(mut self, lanes: Arc<Lanes>) -> Self {
        self.0.lanes = lanes;
        self
    }

    /// The gate.
    #[must_use]
    pub fn build(self) -> Gate {
        self.0
    }
}
