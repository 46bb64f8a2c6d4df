//! The gate of one command: tools, door, rules, person, records.

use super::asker::Terminal;
use super::processes::Deferred;
use super::rehearsal::{self, Plan};
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
    /// The model, once somebody needs it.
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
    let Needs { mode, asking, keeping } = needs;
    let state = state::open(config);
    let paths = disk::path_rules(global, config)?;
    let mut disk = disk::under(config, Arc::clone(&paths))?;
    let journal = state.journal;
    if let Some(journal) = &journal {
        disk = disk.with_journal(Arc::clone(journal));
    }
    let disk = Arc::new(disk);
    let reader = Arc::new(commands::judge(config, &disk)?);
    guards::warn(global, config);
    let workspace = disk.workspace().to_owned();
    let undo = journal.map(|journal| (journal, Arc::clone(&disk)));
    let words = words::Words::new(config)?;
    let processes = Deferred::new(config, Arc::clone(&disk)).keeping(&paths).spilling(&words.redactor);
    let processes = Arc::new(processes.reading(Arc::clone(&reader) as _));
    if !global.is_dry() {
        writes::writes(writes::limits(config), &disk).recover();
    }
    let session = keeping.session();
    let Doors { files, processes, run_mode, overlay } = doors(global, config, (disk, processes), &session)?;
    let files = contracts::source(config, files, &paths)?;
    let plan = overlay.as_ref().map(|_| Arc::new(Plan::new(Arc::clone(&state.recorder))));
    let recorder = plan.as_ref().map_or(state.recorder, |plan| Arc::clone(plan) as _);
    let sessions = state.database.clone().filter(|_| config.sessions.auto_save || keeping.is_again());
    let begun = sessions.as_ref().filter(|_| keeping != Keeping::Nothing && !global.is_dry());
    let kept = begun.map(|database| kept(database, &words, &session));
    let recorder = kept.as_ref().map_or(Arc::clone(&recorder), |kept| kept.recorder(recorder));
    let catalogue = settings::catalogue(config);
    let cancel = Cancel::new();
    let asker = asker(asking, &catalogue, &cancel);
    let registry = Arc::new(toolset::registry(config)?);
    words.taint.declarations().check(&registry.snapshot()).map_err(|error| Failure::said(&error.message()))?;
    let book = rules::book(config, (workspace.clone(), Arc::clone(&paths)), state.database.as_ref(), &session)?;
    words.taint.trust(Arc::clone(&book) as _);
    let questions = questions(state.database, config, &words);
    let around = hooks::wire(
        global,
        config,
        hooks::Place {
            processes: Arc::clone(&processes),
            recorder: Arc::clone(&recorder),
            redactor: Arc::clone(&words.redactor),
            catalogue: Arc::clone(&catalogue),
            workspace: workspace.clone(),
            session: session.clone(),
            cancel: cancel.clone(),
            shown: hooks::Shown::Every,
        },
    )?;
    let model = Arc::new(subagents::FoundModel::new(config, &catalogue));
    let pool = subagents::pool(
        config,
        (Arc::clone(&model), limits::prices(config, &*catalogue)?),
        &catalogue,
        Arc::clone(&around.hooks),
    );
    let gate = Gate::builder(Arc::clone(&registry))
        .files(files)
        .processes(Arc::clone(&processes))
        .web(net::door(config)?)
        .channels(Arc::new(channels::set(config)?))
        .reader(reader)
        .asker(asker)
        .questions(questions)
        .rules(book)
        .subagents(Arc::new(pool.clone()))
        .recorder(Arc::clone(&recorder))
        .catalogue(Arc::clone(&catalogue) as _)
        .mode(mode)
        .program_network(commands::network(config))
        .run_mode(run_mode)
        .limits(limits::gate(config))
        .cancel(cancel.clone());
    if let Some(kept) = &kept {
        kept.stop_with(cancel);
    }
    let gate = match &sessions {
        Some(database) => gate.artifacts(Arc::clone(database) as _),
        None => gate,
    };
    let gate = around.hooks.around_calls().iter().fold(gate, |gate, hook| gate.hook(Arc::clone(hook)));
    let gate = words.add(guards::add(gate, config, &paths, &workspace)?);
    let gate = match &kept {
        Some(kept) => gate.guard(Arc::clone(kept) as _),
        None => gate,
    };
    let gate = match &plan {
        Some(plan) => gate.guard(Arc::clone(plan) as _),
        None => gate,
    };
    let gate = gate.build();
    Ok(App {
        toolset: registry.snapshot(),
        gate: Arc::new(gate),
        overlay,
        plan,
        catalogue,
        session,
        kept,
        workspace,
        processes,
        undo,
        recorder,
        around,
        words,
        model,
        pool,
    })
}

/// The session that a run is kept in; not begun yet.
fn kept(database: &Arc<Database>, words: &words::Words, session: &SessionId) -> Arc<Session> {
    let keeper = Keeper {
        store: Arc::clone(database) as _,
        redactor: Arc::clone(&words.redactor),
        clock: Arc::new(SystemClock::default()),
    };
    Arc::new(Session::new(keeper, Scope::session(session.clone())))
}

fn asker(asking: Asking, catalogue: &Arc<FluentCatalogue>, cancel: &Cancel) -> Arc<dyn Asker> {
    match asking {
        Asking::Terminal => Arc::new(Terminal::new(Arc::clone(catalogue), cancel.clone())),
        Asking::Nobody => Arc::new(NoAsker),
    }
}

/// Where questions are kept; without a place for them only this command knows them.
fn questions(database: Option<Arc<Database>>, config: &Config, words: &words::Words) -> Arc<dyn Questions> {
    match database {
        Some(database) => {
            let desk = store::desk(database, config, store::Front::Terminal);
            Arc::new(desk.redactor(Arc::clone(&words.redactor)))
        }
        None => Arc::new(Unkept),
    }
}

/// The doors of a command: the real ones, or those of a dry run.
struct Doors {
    files: Arc<dyn Files>,
    processes: Arc<dyn Processes>,
    run_mode: RunMode,
    overlay: Option<Arc<Overlay>>,
}

fn doors(
    global: &Global,
    config: &Config,
    (disk, processes): (Arc<Disk>, Arc<Deferred>),
    session: &SessionId,
) -> Result<Doors, Failure> {
    if !global.is_dry() {
        return Ok(Doors { files: disk, processes, run_mode: RunMode::Real, overlay: None });
    }
    let overlay = Arc::new(Overlay::new(Arc::clone(&disk) as _));
    let rehearsal = match global.dry_run {
        Some(DryRun::Commands) => rehearsal::rehearsal(config, (&disk, &overlay), (&processes, session))?,
        _ => None,
    };
    let (processes, run_mode): (Arc<dyn Processes>, _) = match rehearsal {
        Some(rehearsal) => (Arc::new(rehearsal), RunMode::Rehearsal),
        None => (processes, RunMode::DryRun),
    };
    Ok(Doors { files: Arc::clone(&overlay) as _, processes, run_mode, overlay: Some(overlay) })
}
