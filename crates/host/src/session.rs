//! A session: one conversation with its gate, its questions, its hooks, and what is kept of it.

pub mod desk;
mod enclosed;
pub mod hooks;
mod layered;
mod plan;
mod recall;
pub mod rules;
mod settings;

pub use enclosed::Enclosed;
pub use plan::Plan;
pub use settings::{Commands, Keeping, SessionSettings};

use crate::agent::words::Words;
use crate::agent::{Agent, bots, contracts, memory, soul, subagents};
use crate::drain::Live;
use crate::fault::Fault;
use crate::host::Host;
use crate::workspace::person::Person;
use layered::Rehearsal;
use palanca_agent::session::{Keeper, Session as KeptSession};
use palanca_agent::{Agent as Role, Instructions, Settings, SubagentPool, Turn};
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::gate::{GateBuilder, Intake};
use palanca_core::ports::{Processes, Questions, Recorder, SystemClock, Unkept};
use palanca_core::{Call, CallId, Gate, Message, Origin, RunMode, Scope, Toolset};
use palanca_files::{Disk, Journal, Overlay};
use palanca_models::Model;
use palanca_store::Database;
use palanca_text::FluentCatalogue;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// One conversation, to which calls are submitted.
pub struct Session {
    agent: Arc<Agent>,
    scope: Scope,
    questions: Arc<dyn Questions>,
    toolset: Toolset,
    gate: Arc<Gate>,
    recorder: Arc<dyn Recorder>,
    processes: Arc<dyn Processes>,
    overlay: Option<Arc<Overlay>>,
    plan: Option<Arc<Plan>>,
    kept: Option<Arc<KeptSession>>,
    job: Option<String>,
    around: hooks::Wired,
    pool: SubagentPool,
    /// As long as it is there, the end of the process waits for its calls.
    _live: Arc<Live>,
}

/// The doors of a dry run.
struct DryDoors {
    overlay: Arc<Overlay>,
    /// Where commands run; None where they are described.
    rehearsal: Option<Arc<Rehearsal>>,
}

/// What a session writes down of its calls.
struct Records {
    recorder: Arc<dyn Recorder>,
    plan: Option<Arc<Plan>>,
    /// Not begun yet.
    kept: Option<Arc<KeptSession>>,
    /// Keeps long texts.
    artifacts: Option<Arc<Database>>,
}

impl Session {
    /// A session of this agent. What is kept of it begins with the first turn.
    ///
    /// # Errors
    /// A hook that cannot be.
    pub fn new(agent: &Arc<Agent>, settings: SessionSettings) -> Result<Self, Fault> {
        let id = match &settings.keeping {
            Keeping::Again(session) => session.clone(),
            Keeping::Nothing | Keeping::New => SessionId::new(uuid::Uuid::now_v7().to_string()),
        };
        let mut scope = Scope::session(id);
        scope.bot = bots::id(&agent.config).map(Into::into);
        (scope.channel, scope.chat) = settings.chat.clone().unzip();
        let place = &agent.workspace;
        let dry = settings.dry_run.map(|commands| DryDoors::new(agent, commands, &scope));
        let records = Records::new(agent, &settings, &scope);
        agent.rules.take_up(&scope, &**place.host.notices());
        let mut gate = agent.gate.to_builder();
        match &dry {
            None => place.recover(&agent.config),
            Some(doors) => gate = doors.of(gate, agent)?,
        }
        let processes: Arc<dyn Processes> = match dry.as_ref().and_then(|doors| doors.rehearsal.clone()) {
            Some(rehearsal) => rehearsal,
            None => Arc::clone(&place.processes) as _,
        };
        let around = hooks::wire(
            &agent.config,
            hooks::Place {
                processes: Arc::clone(&processes),
                recorder: Arc::clone(&records.recorder),
                redactor: Arc::clone(&agent.words.redactor),
                catalogue: Arc::clone(&agent.catalogue),
                workspace: place.disk.workspace().to_owned(),
                session: scope.session.clone(),
                cancel: settings.cancel.clone(),
            },
            settings.dry_run.is_some(),
            &**place.host.notices(),
        )?;
        let pool =
            subagents::pool(&place.host, &agent.config, &agent.prices, &agent.model, &agent.catalogue, &around.hooks);
        let questions = questions(agent, settings.front);
        gate = gate
            .questions(Arc::clone(&questions))
            .asker(settings.asker)
            .subagents(Arc::new(pool.clone()))
            .recorder(Arc::clone(&records.recorder))
            .mode(settings.mode)
            .cancel(settings.cancel);
        gate = records.artifacts.into_iter().fold(gate, |gate, database| gate.artifacts(database));
        gate = around.hooks.around_calls().iter().fold(gate, |gate, hook| gate.hook(Arc::clone(hook)));
        if !around.gates.is_empty() {
            gate = gate.guard(around.gates.watch());
        }
        gate = records.kept.iter().fold(gate, |gate, kept| gate.guard(Arc::clone(kept) as _));
        gate = records.plan.iter().fold(gate, |gate, plan| gate.guard(Arc::clone(plan) as _));
        let gate = Arc::new(gate.intake(Intake::until(place.host.ending.closing.clone())).build());
        Ok(Self {
            _live: Live::new(&place.host, &scope, &gate, (&pool, &around.hooks)),
            gate,
            agent: Arc::clone(agent),
            scope,
            questions,
            toolset: agent.gate.registry().snapshot(),
            recorder: records.recorder,
            processes,
            overlay: dry.map(|doors| doors.overlay),
            plan: records.plan,
            kept: records.kept,
            job: settings.job,
            around,
            pool,
        })
    }

    /// The one way to run a tool.
    #[must_use]
    pub const fn gate(&self) -> &Arc<Gate> {
        &self.gate
    }

    /// The tools that it was offered as it began.
    #[must_use]
    pub fn toolset(&self) -> &Toolset {
        &self.toolset
    }

    /// Its process.
    #[must_use]
    pub fn host(&self) -> &Arc<Host> {
        &self.agent.workspace.host
    }

    /// Its conversation.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Where its questions are kept, for a front end that brings answers to those of parked calls.
    #[must_use]
    pub const fn questions(&self) -> &Arc<dyn Questions> {
        &self.questions
    }

    /// The sentences of its language.
    #[must_use]
    pub fn catalogue(&self) -> &Arc<FluentCatalogue> {
        &self.agent.catalogue
    }

    /// What is taken out of and marked in texts.
    #[must_use]
    pub fn words(&self) -> &Words {
        &self.agent.words
    }

    /// The folder that it works in, absolute, without links.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.agent.workspace.disk.workspace()
    }

    /// The person's own programs, as its commands find them.
    #[must_use]
    pub fn person(&self) -> &Person {
        self.agent.workspace.processes.person()
    }

    /// The process door of its calls.
    #[must_use]
    pub const fn processes(&self) -> &Arc<dyn Processes> {
        &self.processes
    }

    /// Where a dry run's changes are.
    #[must_use]
    pub const fn overlay(&self) -> Option<&Arc<Overlay>> {
        self.overlay.as_ref()
    }

    /// What a dry run would have done.
    #[must_use]
    pub const fn plan(&self) -> Option<&Arc<Plan>> {
        self.plan.as_ref()
    }

    /// What is kept of it; None for single calls and dry runs. Not begun before its first turn.
    #[must_use]
    pub const fn kept(&self) -> Option<&Arc<KeptSession>> {
        self.kept.as_ref()
    }

    /// What was changed, as it can be taken back, and where.
    #[must_use]
    pub fn undo(&self) -> Option<(&Arc<Journal>, &Arc<Disk>)> {
        Some((self.agent.workspace.journal.as_ref()?, &self.agent.workspace.disk))
    }

    /// Its hooks and quality gates.
    #[must_use]
    pub const fn around(&self) -> &hooks::Wired {
        &self.around
    }

    /// The model of its agent.
    #[must_use]
    pub fn model(&self) -> &Arc<subagents::FoundModel> {
        &self.agent.model
    }

    /// Who works for it.
    #[must_use]
    pub const fn pool(&self) -> &SubagentPool {
        &self.pool
    }

    /// Settings for a turn of this session: its conversation, and the prices of its agent.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let (scope, prices, job) = (self.scope.clone(), self.agent.prices.clone(), self.job.clone());
        Settings { scope, prices, job, ..Settings::default() }
    }

    /// A turn of this session by a model in a role, with the session's hooks, subagents and quality gates. What is kept of the
    /// session must have [begun](KeptSession::begin) or been taken up.
    #[must_use]
    pub fn turn<'a>(&'a self, model: &'a dyn Model, role: &'a Role) -> Turn<'a> {
        self.turn_at(&self.gate, model, role)
    }

    /// A role as it is now: a bot is what its files say, and has `recalled` something. What cannot be told of its files is said when it is
    /// `first`.
    pub(crate) fn as_it_is<'r>(&self, role: &'r Role, first: bool, recalled: String) -> Cow<'r, Role> {
        let Instructions::Bot(bot) = &role.instructions else { return Cow::Borrowed(role) };
        let place = &self.agent.workspace;
        let notices = first.then(|| &**place.host.notices());
        let mut bot = soul::prompt(&self.agent.config, bot.mode, &*place.disk, notices);
        bot.soul.recalled = recalled;
        Cow::Owned(Role { instructions: Instructions::Bot(bot), ..role.clone() })
    }

    /// The same at a gate under the session's.
    pub(crate) fn turn_at<'a>(&'a self, gate: &'a Gate, model: &'a dyn Model, role: &'a Role) -> Turn<'a> {
        let turn = Turn::new(model, gate, role)
            .subagents(&self.pool)
            .catalogue(&*self.agent.catalogue)
            .cancel(gate.cancel().clone())
            .hooks(&self.around.hooks)
            .quality_gates(&self.around.gates)
            .settings(self.settings());
        match &self.kept {
            Some(kept) => turn.session(kept),
            None => turn,
        }
    }

    /// A call of this session by a person.
    #[must_use]
    pub fn call(&self, id: CallId, tool: String, arguments: RawArguments) -> Call {
        Call { id, tool, arguments, origin: Origin::Person, scope: self.scope.clone() }
    }

    /// After the last call: waits for subagents, and for hooks in the background, and says so if a call could not be recorded.
    pub async fn end(&self) {
        self.pool.end(subagents::PATIENCE).await;
        self.around.hooks.finish(hooks::PATIENCE).await;
        self.recorder.written().await;
        let host = self.host();
        if let (false, Some(state)) = (self.recorder.healthy(), &host.places().state) {
            let path = state.join("audit.jsonl").display().to_string();
            host.notices().warn(&Message::new("audit-not-written").with("path", path));
        }
    }

    /// Lets it go: nothing of it stays in memory. What is kept can be taken up by a further session of the same name.
    pub fn leave(self) {
        self.gate.leave(&self.scope);
    }
}

impl DryDoors {
    fn new(agent: &Agent, commands: Commands, scope: &Scope) -> Self {
        let place = &agent.workspace;
        let overlay = Arc::new(Overlay::new(Arc::clone(&place.disk) as _));
        let rehearsal = match commands {
            Commands::Described => None,
            Commands::Layered => Rehearsal::open(place, &overlay, scope).map(Arc::new),
        };
        Self { overlay, rehearsal }
    }

    /// The gate behind these doors.
    fn of(&self, gate: GateBuilder, agent: &Agent) -> Result<GateBuilder, Fault> {
        let overlay = Arc::clone(&self.overlay) as _;
        let gate = memory::nowhere(gate.files(contracts::source(&agent.config, overlay, &agent.workspace.paths)?));
        Ok(match &self.rehearsal {
            None => gate.run_mode(RunMode::DryRun),
            Some(rehearsal) => gate.run_mode(RunMode::Rehearsal).processes(Arc::clone(rehearsal) as _),
        })
    }
}

impl Records {
    fn new(agent: &Agent, settings: &SessionSettings, scope: &Scope) -> Self {
        let (place, keeping) = (&agent.workspace, &settings.keeping);
        let plan = settings.dry_run.map(|_| Arc::new(Plan::new(Arc::clone(&place.recorder))));
        let recorder = plan.as_ref().map_or_else(|| Arc::clone(&place.recorder), |plan| Arc::clone(plan) as _);
        let wanted = agent.config.sessions.auto_save || matches!(keeping, Keeping::Again(_));
        let artifacts = place.database.clone().filter(|_| wanted);
        let begun = artifacts.as_ref().filter(|_| *keeping != Keeping::Nothing && settings.dry_run.is_none());
        let kept = begun.map(|database| {
            let keeper = Keeper {
                store: Arc::clone(database) as _,
                redactor: Arc::clone(&agent.words.redactor),
                clock: Arc::new(SystemClock::default()),
            };
            let kept = KeptSession::new(keeper, scope.clone());
            kept.stop_with(settings.cancel.clone());
            Arc::new(kept)
        });
        let recorder = kept.as_ref().map_or_else(|| Arc::clone(&recorder), |kept| kept.recorder(Arc::clone(&recorder)));
        Self { recorder, plan, kept, artifacts }
    }
}

/// Where questions are kept; without a place for them only this session knows them.
fn questions(agent: &Agent, front: &str) -> Arc<dyn Questions> {
    let Some(database) = agent.workspace.database.clone() else { return Arc::new(Unkept) };
    let desk = desk::desk(database, &agent.config, front);
    Arc::new(desk.redactor(Arc::clone(&agent.words.redactor)))
}
