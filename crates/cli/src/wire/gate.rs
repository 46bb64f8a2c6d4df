//! The gate of one command: tools, door, rules, person, records.

use super::asker::Terminal;
use super::processes::Deferred;
use super::rehearsal::{self, Plan};
use super::{commands, guards, hooks, rules, settings, snapshots, state, store, words};
use crate::args::{DryRun, Global};
use crate::exit::Failure;
use crate::say::say;
use palanca_config::{Config, ToolsetName};
use palanca_core::call::{RawArguments, SessionId};
use palanca_core::gate::Limits;
use palanca_core::ports::{Asker, Files, NoAsker, Processes, Questions, Unkept};
use palanca_core::tool::Cancel;
use palanca_core::{Call, CallId, ConfirmMode, Gate, Message, Origin, Registry, RunMode, Scope, Toolset};
use palanca_files::{Disk, Overlay};
use palanca_policy::paths::PathRules;
use palanca_tools::{CommandOptions, ExecOptions, Face, ProcessOptions, ToolOptions, register_all};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Whether a person may be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// At the terminal, when there is one.
    Terminal,
    /// Never.
    Nobody,
}

/// Everything that a command submits calls to.
pub struct House {
    pub gate: Arc<Gate>,
    pub toolset: Toolset,
    pub overlay: Option<Arc<Overlay>>,
    /// What a dry run would have done.
    pub plan: Option<Arc<Plan>>,
    pub catalogue: Arc<palanca_text::FluentCatalogue>,
    pub session: SessionId,
    pub around: hooks::Wired,
    pub words: words::Words,
}

impl House {
    /// A call of this command.
    pub fn call(&self, id: CallId, tool: String, arguments: RawArguments) -> Call {
        Call { id, tool, arguments, origin: Origin::Person, scope: Scope::session(self.session.clone()) }
    }
}

/// The file door alone, without a gate: for commands that judge.
///
/// # Errors
/// A workspace or root that is not there, exit code 3.
pub fn disk(config: &Config) -> Result<Disk, Failure> {
    let roots: Vec<PathBuf> = config.workspace.readable_roots.iter().map(PathBuf::from).collect();
    Disk::open(config.workspace.root.as_ref(), &roots, path_rules(config)?).map_err(|error| {
        Failure::said(
            &Message::new("cli-workspace-failed")
                .with("path", &config.workspace.root)
                .with("reason", say(error.into_tool_error().message()).trim_end_matches('.')),
        )
    })
}

/// What is secret and what is protected, by the configuration.
///
/// # Errors
/// A glob that does not compile, exit code 3.
pub fn path_rules(config: &Config) -> Result<Arc<PathRules>, Failure> {
    let home = own_home(config);
    let rules = PathRules::new(&config.secrets.deny, &config.secrets.allow, home.as_deref()).map_err(Failure::usage)?;
    Ok(Arc::new(rules.guarding(guards::files(config)?)))
}

/// Where our own files lie inside the workspace, if they do: nothing a model does may change them.
fn own_home(config: &Config) -> Option<PathBuf> {
    let root = std::path::absolute(&config.workspace.root).ok()?;
    let ours = [state::path(), settings::user_folder()].into_iter().flatten();
    ours.filter_map(|path| path.strip_prefix(&root).ok().map(PathBuf::from)).next()
}

/// Builds the gate.
///
/// # Errors
/// What is wrong with the workspace or the rules, exit code 3.
pub fn build(global: &Global, config: &Config, mode: ConfirmMode, asking: Asking) -> Result<House, Failure> {
    let state = state::open();
    let mut disk = disk(config)?;
    if let Some(journal) = state.journal {
        disk = disk.with_journal(journal);
    }
    let reader = Arc::new(commands::judge(config, &disk)?);
    guards::warn(global, config);
    let workspace = disk.workspace().to_owned();
    let disk = Arc::new(disk);
    let processes = Arc::new(Deferred::new(config, Arc::clone(&disk)));
    let snapshots = if global.is_dry() { None } else { snapshots::trees(config, &disk, &processes)? };
    let session = SessionId::new(uuid::Uuid::now_v7().to_string());
    let overlay = global.is_dry().then(|| Arc::new(Overlay::new(Arc::clone(&disk) as _)));
    let rehearsal = match (&overlay, global.dry_run) {
        (Some(overlay), Some(DryRun::Commands)) => {
            rehearsal::rehearsal(config, (&disk, overlay), (&processes, &session))?
        }
        _ => None,
    };
    let (files, run_mode): (Arc<dyn Files>, _) = match &overlay {
        Some(overlay) if rehearsal.is_some() => (Arc::clone(overlay) as _, RunMode::Rehearsal),
        Some(overlay) => (Arc::clone(overlay) as _, RunMode::DryRun),
        None => (disk, RunMode::Real),
    };
    let plan = overlay.as_ref().map(|_| Arc::new(Plan::new(Arc::clone(&state.recorder))));
    let recorder = plan.as_ref().map_or(state.recorder, |plan| Arc::clone(plan) as _);
    let processes: Arc<dyn Processes> = rehearsal.map_or(processes as _, |rehearsal| Arc::new(rehearsal) as _);
    let catalogue = settings::catalogue(config);
    let asker: Arc<dyn Asker> = match asking {
        Asking::Terminal => Arc::new(Terminal::new(Arc::clone(&catalogue))),
        Asking::Nobody => Arc::new(NoAsker),
    };
    let registry = Arc::new(registry(config)?);
    let book = rules::book(config, workspace.clone(), state.database.as_ref(), &session)?;
    let words = words::Words::new(config);
    let questions: Arc<dyn Questions> = match state.database {
        Some(database) => {
            let desk = store::desk(database, config, store::Front::Terminal);
            Arc::new(desk.redactor(Arc::clone(&words.redactor)))
        }
        None => Arc::new(Unkept),
    };
    let cancel = Cancel::new();
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
    let gate = Gate::builder(Arc::clone(&registry))
        .files(files)
        .processes(processes)
        .reader(reader)
        .asker(asker)
        .questions(questions)
        .rules(Arc::new(book))
        .recorder(recorder)
        .catalogue(Arc::clone(&catalogue) as _)
        .mode(mode)
        .run_mode(run_mode)
        .limits(Limits { parallel: if config.context.parallel_tools { 4 } else { 1 }, ..Limits::default() })
        .cancel(cancel);
    let gate = match snapshots {
        Some(trees) => gate.snapshots(Arc::new(trees)),
        None => gate,
    };
    let gate = around.hooks.around_calls().iter().fold(gate, |gate, hook| gate.hook(Arc::clone(hook)));
    let gate = words.add(guards::add(gate, config, &workspace)?).build();
    Ok(House { toolset: registry.snapshot(), gate: Arc::new(gate), overlay, plan, catalogue, session, around, words })
}

/// The tools of the configured vocabulary.
///
/// # Errors
/// A vocabulary that is not built yet, exit code 3.
pub fn registry(config: &Config) -> Result<Registry, Failure> {
    let face = match config.toolset {
        ToolsetName::Palanca => Face::Palanca,
        ToolsetName::Architect => Face::Architect,
        ToolsetName::Bots => Face::Bots,
        ToolsetName::Picoclaw => Face::Picoclaw,
        ToolsetName::Contracts => {
            return Err(Failure::said(&Message::new("cli-toolset-not-built").with("name", "contracts")));
        }
    };
    let options = ToolOptions {
        allow_delete: config.workspace.allow_delete,
        default_file_pattern: config.search.default_file_pattern.clone(),
        max_read_bytes: usize::try_from(config.files.max_read_bytes).unwrap_or(usize::MAX),
        commands: CommandOptions {
            enabled: config.commands.enabled,
            default_timeout: Duration::from_secs(config.commands.default_timeout.into()),
            max_output_lines: config.commands.max_output_lines as usize,
        },
        exec: ExecOptions {
            enabled: config.exec.enabled,
            timeout: Duration::from_millis(config.exec.timeout),
            max_output_length: usize::try_from(config.exec.max_output_length).unwrap_or(usize::MAX),
            workdir: config.exec.workdir.clone(),
        },
        process: ProcessOptions {
            enabled: config.process_tools.enabled,
            max_output_chars: usize::try_from(config.process_tools.max_output_chars).unwrap_or(usize::MAX),
        },
        ..ToolOptions::default()
    };
    let registry = Registry::with_shape(face.shape());
    register_all(&registry, face, &options).map_err(Failure::usage)?;
    Ok(registry)
}
