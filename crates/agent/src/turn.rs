//! The loop: call the model, run its calls, return the results, until it has finished or a limit ends the run.
//!
//! It owns the order of things and nothing else: the gate judges and runs calls, [`History`] holds the conversation, the
//! limits are counted in `budget`. Whatever ends a run, every call that the model made has exactly one result in the
//! history when it ends.

mod arguments;
mod ask;
mod batch;
mod course;
mod done;
mod ending;
mod halt;
mod hooks;
mod ids;
mod inbox;
mod offered;
mod resume;
mod room;
mod subagents;
mod traced;

use crate::agents::Agent;
use crate::answer::AnswerForm;
use crate::budget::{Ledger, Limits};
use crate::context::{Allowance, Calls, ContextLimits, History};
use crate::event::{Event, Level, NoSink, Sink};
use crate::prompt::{self, Section, system_prompt};
use crate::report::RunReport;
use crate::session::{CallEnded, Entry, Notice, Session, State};
use crate::subagent::SubagentPool;
pub use arguments::arguments_line;
use course::Course;
pub use inbox::Inbox;
use offered::Offered;
use palanca_core::call::{Part, Scope, SessionId, Speaker, TaskId};
use palanca_core::message::{Catalogue, Keys, Message};
use palanca_core::tool::Cancel;
use palanca_core::{Gate, ToolResult, Toolset};
use palanca_hooks::{Hooks, QualityGates};
use palanca_models::{Delivery, Message as Said, Model, ModelError, Prices};
pub use resume::Resumption;
use tracing::Instrument as _;

/// What may be set for one run; every part has a default.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the run may use.
    pub limits: Limits,
    /// The account that the run spends from. Its limits of tokens, dollars and time hold, then, and not those of `limits`;
    /// a `limits.timeout` that ends earlier holds, too. None: an account of its own, from `limits`. An agent that works for
    /// another one gets a [`Ledger::child`] of that one's account; a session that goes on, [`Ledger::going_on`].
    pub ledger: Option<Ledger>,
    /// What tokens cost.
    pub prices: Prices,
    /// Whether answers come in pieces or whole.
    pub delivery: Delivery,
    /// Where the calls belong.
    pub scope: Scope,
    /// Further pieces of the system prompt, in order.
    pub sections: Vec<Section>,
    /// Position in the subagent tree. None for the first agent.
    pub worker: Option<Worker>,
    /// The job that was due and is being done. None where somebody has asked for it.
    pub job: Option<String>,
    /// For a subagent: the tools of its parent. Defaults to the registered ones.
    pub toolset: Option<Toolset>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            ledger: None,
            prices: Prices::default(),
            delivery: Delivery::default(),
            scope: Scope::session(SessionId::new("run")),
            sections: Vec::new(),
            worker: None,
            job: None,
            toolset: None,
        }
    }
}

/// A subagent's place among the agents of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The task that it works on.
    pub task: TaskId,
    /// 1 for a task of the first agent.
    pub depth: u8,
}

/// How a run ended: the report, and the error where the model was the reason (its kind decides the exit code).
#[derive(Clone, Debug)]
pub struct Ended {
    /// For people and programs.
    pub report: RunReport,
    /// The model's answer, as far as it came: what it said last, unless tool calls followed it. None where a run ended before
    /// there was one; `report.output` says why, then.
    pub answer: Option<String>,
    /// Why the model could not be used.
    pub error: Option<ModelError>,
}

/// A model, a gate and an agent, ready to work on a task.
///
/// The gate should be this run's own: its cancel token is cancelled when the run is cut short, so that tools really end, and
/// a gate whose token is cancelled runs nothing more. A gate that serves later runs too needs one built for each.
pub struct Turn<'a> {
    model: &'a dyn Model,
    gate: &'a Gate,
    agent: &'a Agent,
    catalogue: &'a dyn Catalogue,
    sink: &'a dyn Sink,
    cancel: Cancel,
    settings: Settings,
    hooks: Option<&'a Hooks>,
    gates: Option<&'a QualityGates>,
    session: Option<&'a Session>,
    pool: Option<&'a SubagentPool>,
    speaker: Speaker,
    message: Option<String>,
    enclosed: Vec<Part>,
    inbox: Option<&'a Inbox>,
}

impl<'a> Turn<'a> {
    /// By default there is no observer, only the agent's steps are limited, and messages show as keys.
    #[must_use]
    pub fn new(model: &'a dyn Model, gate: &'a Gate, agent: &'a Agent) -> Self {
        Self {
            model,
            gate,
            agent,
            catalogue: &Keys,
            sink: &NoSink,
            cancel: Cancel::new(),
            settings: Settings::default(),
            hooks: None,
            gates: None,
            session: None,
            pool: None,
            speaker: Speaker::User,
            message: None,
            enclosed: Vec::new(),
            inbox: None,
        }
    }

    /// Who gives the task; the user unless said otherwise. A stranger's words are marked as foreign text, and are never the user's.
    #[must_use]
    pub fn speaker(mut self, speaker: Speaker) -> Self {
        self.speaker = speaker;
        self
    }

    /// Which message of a channel the task is, or the last one of it: kept with it, so that the message is known again.
    #[must_use]
    pub fn message(mut self, message: Option<String>) -> Self {
        self.message = message;
        self
    }

    /// What was sent with the task: parts as in [`enclosed`](crate::session::enclosed). What is stored is kept without its bytes.
    #[must_use]
    pub fn enclosed(mut self, parts: Vec<Part>) -> Self {
        self.enclosed = parts;
        self
    }

    /// Where words arrive while the run works.
    #[must_use]
    pub const fn inbox(mut self, inbox: &'a Inbox) -> Self {
        self.inbox = Some(inbox);
        self
    }

    /// The operator's programs around this run. Those around calls are the gate's.
    #[must_use]
    pub fn hooks(mut self, hooks: &'a Hooks) -> Self {
        self.hooks = Some(hooks);
        self
    }

    /// What must succeed before the model may call its work done.
    #[must_use]
    pub fn quality_gates(mut self, gates: &'a QualityGates) -> Self {
        self.gates = Some(gates);
        self
    }

    /// Where everything is kept as it happens. What cannot be kept ends the run.
    #[must_use]
    pub fn session(mut self, session: &'a Session) -> Self {
        self.session = Some(session);
        self
    }

    /// Who works for this agent: their answers become part of the conversation.
    #[must_use]
    pub fn subagents(mut self, pool: &'a SubagentPool) -> Self {
        self.pool = Some(pool);
        self
    }

    /// The language of everything that is not the model's.
    #[must_use]
    pub fn catalogue(mut self, catalogue: &'a dyn Catalogue) -> Self {
        self.catalogue = catalogue;
        self
    }

    /// Who watches.
    #[must_use]
    pub fn sink(mut self, sink: &'a dyn Sink) -> Self {
        self.sink = sink;
        self
    }

    /// Cancelled by a person: the model's answer is cut off, running tools are stopped, and the run ends in order.
    /// The gate's token may be this one or a child of it.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Limits, prices and the rest.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Works on the task until it is done or a limit is reached. The history grows by what was said; a later run may go on
    /// with it.
    pub async fn run(&self, history: &mut History, task: &str) -> Ended {
        self.go(history, Resumption::default(), Some(task)).await
    }

    /// Takes up a session as it was left: its open calls first, then the new task where there is one, then on with the
    /// loop. Returns the conversation, too.
    pub async fn resume(&self, limits: ContextLimits, state: State, task: Option<&str>) -> (Ended, History) {
        let resumption = Resumption::of(&state);
        let calls = if state.open.is_empty() { Calls::Ended } else { Calls::Open };
        let mut history = History::restored(limits, state.conversation, calls, self.catalogue);
        let ended = self.go(&mut history, resumption, task).await;
        (ended, history)
    }

    async fn go(&self, history: &mut History, resumption: Resumption, task: Option<&str>) -> Ended {
        let _underway = self.gate.intake().begin();
        let span = traced::turn(self);
        let ended = self.work(history, resumption, task).instrument(span.clone()).await;
        traced::turn_ended(&span, &ended);
        ended
    }

    async fn work(&self, history: &mut History, resumption: Resumption, task: Option<&str>) -> Ended {
        let (offered, missing) = Offered::new(self.agent, self.registered());
        self.say_what_is_missing(&offered, missing);
        history.instruct(self.system(&offered));
        Course::new(self, history, offered, resumption).run(task).await
    }

    /// What the agent's tools are chosen from: a subagent's never change.
    fn registered(&self) -> Toolset {
        self.settings.toolset.clone().unwrap_or_else(|| self.gate.registry().snapshot())
    }

    fn system(&self, offered: &Offered) -> String {
        let system = system_prompt(&self.agent.instructions, &offered.toolset, &self.settings.sections);
        match self.agent.answer {
            AnswerForm::Json => format!("{system}\n\n{}", prompt::json()).trim_start().to_owned(),
            AnswerForm::Text => system,
        }
    }

    fn say_what_is_missing(&self, offered: &Offered, missing: Vec<String>) {
        for tool in missing {
            self.notice(
                Level::Warning,
                Message::new("agent-tool-skipped").with("agent", &self.agent.name).with("tool", tool),
            );
        }
        if offered.toolset.is_empty() {
            self.notice(Level::Warning, Message::new("agent-no-tools").with("agent", &self.agent.name));
        }
    }

    /// Keeps a row where rows are kept.
    fn keep(&self, entry: impl FnOnce() -> Entry) {
        if let Some(session) = self.session {
            session.keep(&entry());
        }
    }

    /// Waits until what was kept is stored, where rows are kept.
    async fn stored(&self) {
        if let Some(session) = self.session {
            session.stored().await;
        }
    }

    /// What the model is told of a result, kept before it is told.
    fn keep_result(&self, result: &ToolResult, allowance: &Allowance) -> Said {
        let ended = CallEnded::of(result, allowance.told(result, self.catalogue));
        let said = ended.said();
        self.keep(|| Entry::CallEnded(ended));
        said
    }

    fn notice(&self, level: Level, message: Message) {
        self.keep(|| {
            let warning = level == Level::Warning;
            Entry::Notice(Notice { warning, text: self.catalogue.render(&message) })
        });
        self.sink.event(&Event::Notice { level, message });
    }
}
