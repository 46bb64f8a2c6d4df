//! The gate of one command: tools, door, rules, person, records.

use super::asker::Terminal;
use super::processes::Deferred;
use super::rehearsal::{Plan, Rehearsal};
use super::state::State;
use super::{
    channels, commands, contracts, disk, guards, hooks, limits, net, rules, settings, state, store, subagents, toolset,
    words, writes,
};
use crate::args::{DryRun, Global};
use crate::exit::Failure;
use crate::render::stderr;
use palanca_agent::session::{Keeper, Session};
use palanca_agent::{Ledger, SubagentPool};
use palanca_config::Config;
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::ports::{Asker, Files, NoAsker, Processes, Questions, Recorder, SystemClock, Unkept};
use palanca_core::tool::Cancel;
use palanca_core::{Call, CallId, ConfirmMode, Gate, Message, Origin, RunMode, Scope, Toolset};
use palanca_files::{Disk, Journal, Overlay};
use palanca_policy::commands::CommandJudge;
use palanca_policy::paths::PathRules;
use palanca_store::Database;
use palanca_text::FluentCatalogue;
use std::path::PathBuf;
use std::sync::Arc;

/// Whether a person may be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// At the terminal, when there is one.
    Terminal,
    /// Never.
    Nobody,
}

/// Which session a command works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// None: single calls, of which the audit log knows.
    Nothing,
    /// A new one, where the configuration wants runs to be kept.
    New,
    /// One that was there before.
    Again(SessionId),
}

impl Keeping {
    const fn is_again(&self) -> bool {
        matches!(self, Self::Again(_))
    }

    fn session(&self) -> SessionId {
        match self {
            Self::Again(session) => session.clone(),
            Self::Nothing | Self::New => SessionId::new(uuid::Uuid::now_v7().to_string()),
        }
    }
}

/// What a command needs of its gate.
pub struct Needs {
    pub mode: ConfirmMode,
    pub asking: Asking,
    pub keeping: Keeping,
}

/// Everything that a command submits calls to.
pub struct App {
    pub gate: Arc<Gate>,
    pub toolset: Toolset,
    pub overlay: Option<Arc<Overlay>>,
    /// What a dry run would have done.
    pub plan: Option<Arc<Plan>>,
    pub catalogue: Arc<FluentCatalogue>,
    pub session: SessionId,
    /// The session that this command works on; not begun yet. None for single calls and dry runs.
    pub kept: Option<Arc<Session>>,
    /// The workspace as the doors know it.
    pub workspace: PathBuf,
    pub processes: Arc<dyn Processes>,
    /// What was changed, as it can be taken back.
    pub undo: Option<(Arc<Journal>, Arc<Disk>)>,
    recorder: Arc<dyn Recorder>,
    pub around: hooks::Wired,
    pub words: words::Words,
    /// The model, once it is needed.
    pub model: Arc<subagents::FoundModel>,
    /// Who works for the command's agent.
    pub pool: SubagentPool,
}

impl App {
    /// From now on calls may give tasks to subagents, which spend from this purse.
    pub fn takes_tasks(&self, ledger: Ledger, shown: subagents::Shown) {
        let (catalogue, redactor) = (Arc::clone(&self.catalogue), Arc::clone(&self.words.redactor));
        self.pool.begin(
            &self.gate,
            ledger,
            Arc::new(subagents::Lookout { catalogue, redactor, shown }),
            self.kept.clone(),
        );
    }

    /// After the last call: waits for subagents, and for hooks in the background, and says so if a call could not be recorded.
    pub async fn end(&self) {
        self.pool.end(subagents::PATIENCE).await;
        self.around.hooks.finish(hooks::PATIENCE).await;
        if !self.recorder.healthy() {
            let path = state::path().unwrap_or_default().join("audit.jsonl");
            stderr::warn(&Message::new("audit-not-written").with("path", path.display().to_string()));
        }
    }

    /// A call of this command.
    pub fn call(&self, id: CallId, tool: String, arguments: RawArguments) -> Call {
        Call { id, tool, arguments, origin: Origin::Person, scope: Scope::session(self.session.clone()) }
    }
}

/// Builds the gate.
///
/// # Errors
/// What is wrong with the workspace or the rules, exit code 3.
pub fn build(global: &Global, config: &Config, mode: ConfirmMode, asking: Asking) -> Result<App, Failure> {
    build_with(global, config, Needs { mode, asking, keeping: Keeping::Nothing })
}

/// As [`build`], with all that a command may choose.
///
/// # Errors
/// As there.
pub fn build_with(global: &Global, config: &Config, needs: Needs) -> Result<App, Failure> {
    let session = needs.keeping.session();
    let wiring =
        Wiring { global, config, needs, session, catalogue: settings::catalogue(config), cancel: Cancel::new() };
    wiring.app(state::open(config))
}

/// What the parts of one gate are wired from.
struct Wiring<'a> {
    global: &'a Global,
    config: &'a Config,
    needs: Needs,
    session: SessionId,
    catalogue: Arc<FluentCatalogue>,
    cancel: Cancel,
}

/// The workspace, what may be done in it, and who reads the commands and the words of a call.
struct Ground {
    disk: Arc<Disk>,
    paths: Arc<PathRules>,
    reader: Arc<CommandJudge>,
    words: words::Words,
}

/// The doors of a command: the real ones, or those of a dry run.
struct Doors {
    files: Arc<dyn Files>,
    processes: Arc<dyn Processes>,
    run_mode: RunMode,
    overlay: Option<Arc<Overlay>>,
}

/// What a command writes down of its calls.
struct Records {
    recorder: Arc<dyn Recorder>,
    /// What a dry run would have done.
    plan: Option<Arc<Plan>>,
    /// The session that a run is kept in; not begun yet.
    kept: Option<Arc<Session>>,
    /// Keeps long texts.
    artifacts: Option<Arc<Database>>,
}

impl Wiring<'_> {
    fn app(self, state: State) -> Result<App, Failure> {
        let config = self.config;
        let ground = self.ground(state.journal.as_ref())?;
        let doors = self.doors(&ground)?;
        let records = self.records(&state, &ground.words);
        let registry = Arc::new(toolset::registry(config)?);
        let taint = &ground.words.taint;
        taint.declarations().check(&registry.snapshot()).map_err(|error| Failure::said(&error.message()))?;
        let workspace = ground.disk.workspace().to_owned();
        let book = rules::empty(config, workspace.clone(), Arc::clone(&ground.paths));
        let book = rules::book(config, book, state.database.as_ref(), &self.session)?;
        taint.trust(Arc::clone(&book) as _);
        let around = self.hooks(&ground, &doors, &records)?;
        let model = Arc::new(subagents::FoundModel::new(config, &self.catalogue));
        let pool = subagents::pool(config, &model, &self.catalogue, &around.hooks)?;
        let gate = Gate::builder(Arc::clone(&registry))
            .files(doors.files)
            .processes(Arc::clone(&doors.processes))
            .web(net::door(config)?)
            .channels(Arc::new(channels::set(config)?))
            .reader(ground.reader)
            .asker(self.asker())
            .questions(self.questions(state.database, &ground.words))
            .rules(book)
            .subagents(Arc::new(pool.clone()))
            .recorder(Arc::clone(&records.recorder))
            .catalogue(Arc::clone(&self.catalogue) as _)
            .mode(self.needs.mode)
            .program_network(commands::network(config))
            .run_mode(doors.run_mode)
            .limits(limits::gate(config))
            .cancel(self.cancel.clone());
        let gate = records.artifacts.into_iter().fold(gate, |gate, database| gate.artifacts(database));
        let gate = around.hooks.around_calls().iter().fold(gate, |gate, hook| gate.hook(Arc::clone(hook)));
        let gate = ground.words.add(guards::add(gate, config, &ground.paths, &workspace)?);
        let gate = records.kept.iter().fold(gate, |gate, kept| gate.guard(Arc::clone(kept) as _));
        let gate = records.plan.iter().fold(gate, |gate, plan| gate.guard(Arc::clone(plan) as _));
        Ok(App {
            toolset: registry.snapshot(),
            gate: Arc::new(gate.build()),
            overlay: doors.overlay,
            plan: records.plan,
            catalogue: self.catalogue,
            session: self.session,
            kept: records.kept,
            workspace,
            processes: doors.processes,
            undo: state.journal.map(|journal| (journal, ground.disk)),
            recorder: records.recorder,
            around,
            words: ground.words,
            model,
            pool,
        })
    }

    fn ground(&self, journal: Option<&Arc<Journal>>) -> Result<Ground, Failure> {
        let paths = disk::path_rules(self.global, self.config)?;
        let mut disk = disk::under(self.config, Arc::clone(&paths))?;
        if let Some(journal) = journal {
            disk = disk.with_journal(Arc::clone(journal));
        }
        let disk = Arc::new(disk);
        let reader = Arc::new(commands::judge(self.config, &disk)?);
        guards::warn(self.global, self.config);
        Ok(Ground { disk, paths, reader, words: words::Words::new(self.config)? })
    }

    fn doors(&self, ground: &Ground) -> Result<Doors, Failure> {
        let (config, disk) = (self.config, &ground.disk);
        let processes = Deferred::new(config, Arc::clone(disk)).keeping(&ground.paths).spilling(&ground.words.redactor);
        let processes = Arc::new(processes.reading(Arc::clone(&ground.reader) as _));
        if !self.global.is_dry() {
            writes::writes(writes::limits(config), disk).recover();
            let files = contracts::source(config, Arc::clone(disk) as _, &ground.paths)?;
            return Ok(Doors { files, processes, run_mode: RunMode::Real, overlay: None });
        }
        let overlay = Arc::new(Overlay::new(Arc::clone(disk) as _));
        let rehearsal = match self.global.dry_run {
            Some(DryRun::Commands) => Rehearsal::open(disk, &overlay, &processes, &self.session)?,
            _ => None,
        };
        let (processes, run_mode): (Arc<dyn Processes>, _) = match rehearsal {
            Some(rehearsal) => (Arc::new(rehearsal), RunMode::Rehearsal),
            None => (processes, RunMode::DryRun),
        };
        let files = contracts::source(config, Arc::clone(&overlay) as _, &ground.paths)?;
        Ok(Doors { files, processes, run_mode, overlay: Some(overlay) })
    }

    fn records(&self, state: &State, words: &words::Words) -> Records {
        let keeping = &self.needs.keeping;
        let plan = self.global.is_dry().then(|| Arc::new(Plan::new(Arc::clone(&state.recorder))));
        let recorder = plan.as_ref().map_or(Arc::clone(&state.recorder), |plan| Arc::clone(plan) as _);
        let wanted = self.config.sessions.auto_save || keeping.is_again();
        let artifacts = state.database.clone().filter(|_| wanted);
        let begun = artifacts.as_ref().filter(|_| *keeping != Keeping::Nothing && !self.global.is_dry());
        let kept = begun.map(|database| {
            let keeper = Keeper {
                store: Arc::clone(database) as _,
                redactor: Arc::clone(&words.redactor),
                clock: Arc::new(SystemClock::default()),
            };
            let kept = Session::new(keeper, Scope::session(self.session.clone()));
            kept.stop_with(self.cancel.clone());
            Arc::new(kept)
        });
        let recorder = kept.as_ref().map_or(Arc::clone(&recorder), |kept| kept.recorder(recorder));
        Records { recorder, plan, kept, artifacts }
    }

    fn hooks(&self, ground: &Ground, doors: &Doors, records: &Records) -> Result<hooks::Wired, Failure> {
        let place = hooks::Place {
            processes: Arc::clone(&doors.processes),
            recorder: Arc::clone(&records.recorder),
            redactor: Arc::clone(&ground.words.redactor),
            catalogue: Arc::clone(&self.catalogue),
            workspace: ground.disk.workspace().to_owned(),
            session: self.session.clone(),
            cancel: self.cancel.clone(),
            shown: hooks::Shown::Every,
        };
        hooks::wire(self.global, self.config, place)
    }

    fn asker(&self) -> Arc<dyn Asker> {
        match self.needs.asking {
            Asking::Terminal => Arc::new(Terminal::new(Arc::clone(&self.catalogue), self.cancel.clone())),
            Asking::Nobody => Arc::new(NoAsker),
        }
    }

    /// Where questions are kept; without a place for them only this command knows them.
    fn questions(&self, database: Option<Arc<Database>>, words: &words::Words) -> Arc<dyn Questions> {
        let Some(database) = database else { return Arc::new(Unkept) };
        let desk = store::desk(database, self.config, store::Front::Terminal);
        Arc::new(desk.redactor(Arc::clone(&words.redactor)))
    }
}
