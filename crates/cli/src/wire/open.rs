//! The one session of a command.

use super::asker::{Absent, Terminal};
use super::lookout::{Lookout, Shown};
use super::settings;
use super::signals::Underway;
use crate::args::{DryRun, Global};
use crate::exit::Failure;
use crate::render::stderr;
use palanca_agent::Ledger;
use palanca_config::{AbsentSetting, Config, LogLevel, TelemetryExporter};
use palanca_core::ConfirmMode;
use palanca_core::call::{ChannelId, ChatId};
use palanca_core::ports::{Asker, NoAsker};
use palanca_core::tool::Cancel;
use palanca_host::configuration::catalogue;
use palanca_host::session::Commands;
use palanca_host::traces::{Level, Receiver, Traces, as_text};
use palanca_host::{Agent, Extension, Fault, Keeping, Session, SessionSettings};
use palanca_mcp::{Needed, Servers};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The channel of chats at the terminal.
pub const TERMINAL: &str = "terminal";
/// Calls of one command at once: as many as `--jobs` allows.
pub const AT_ONCE: u16 = 64;

/// Whether a person may be asked.
pub enum Asking {
    /// At the terminal, when there is one.
    Terminal,
    /// The same in a conversation: what nobody can answer is refused, because it goes on.
    InConversation(Underway),
    /// Never.
    Nobody,
}

/// What a command needs of its session.
pub struct Needs<'a> {
    pub mode: ConfirmMode,
    pub asking: Asking,
    pub keeping: Keeping,
    /// The chat at the terminal that it is the conversation of.
    pub chat: Option<ChatId>,
    /// Which foreign servers it may call.
    pub servers: Needed<'a>,
}

/// When somebody is asked, who, at which front end, and what ends it.
pub struct Asked {
    pub mode: ConfirmMode,
    pub asker: Arc<dyn Asker>,
    pub front: &'static str,
    pub cancel: Cancel,
}

/// Single calls, of which the audit log knows.
///
/// # Errors
/// What is wrong with the workspace or the configuration, exit code 3.
pub fn calls(global: &Global, config: &Arc<Config>, asking: Asking, servers: Needed<'_>) -> Result<Session, Failure> {
    let mode = config.mode.unwrap_or_default();
    session(global, config, Needs { mode, asking, keeping: Keeping::Nothing, chat: None, servers })
}

/// As [`calls`], with all that a command may choose.
///
/// # Errors
/// As there.
pub fn session(global: &Global, config: &Arc<Config>, needs: Needs<'_>) -> Result<Session, Failure> {
    let cancel = Cancel::new();
    let asker: Arc<dyn Asker> = match needs.asking {
        Asking::Terminal => {
            let absent = absent(global, config, &needs.keeping)?;
            let whole = cancel.clone();
            Arc::new(Terminal::new(catalogue(config), Arc::new(move || whole.is_cancelled()), absent))
        }
        Asking::InConversation(underway) => {
            let absent = match absent(global, config, &Keeping::Nothing)? {
                Absent::Waits => Absent::Waits,
                _ => Absent::Refuses,
            };
            Arc::new(Terminal::new(catalogue(config), Arc::new(move || underway.is_ended()), absent))
        }
        Asking::Nobody => Arc::new(NoAsker),
    };
    let asked = Asked { mode: needs.mode, asker, front: "terminal", cancel };
    let chat = needs.chat.map(|chat| (TERMINAL.into(), chat));
    built(global, config, asked, (needs.keeping, chat, needs.servers), Vec::new())
}

/// Single calls, as [`calls`], with what a room above adds.
///
/// # Errors
/// As there.
pub fn calls_with(global: &Global, config: &Arc<Config>, added: Arc<dyn Extension>) -> Result<Session, Failure> {
    let cancel = Cancel::new();
    let whole = cancel.clone();
    let asker = Terminal::new(catalogue(config), Arc::new(move || whole.is_cancelled()), Absent::Refuses);
    let mode = config.mode.unwrap_or_default();
    let asked = Asked { mode, asker: Arc::new(asker), front: "terminal", cancel };
    built(global, config, asked, (Keeping::Nothing, None, Needed::Nothing), vec![added])
}

/// What becomes of a question where nobody is. Only what is stored can be answered elsewhere.
fn absent(global: &Global, config: &Config, keeping: &Keeping) -> Result<Absent, Failure> {
    Ok(match config.approvals.when_absent {
        AbsentSetting::Park if *keeping != Keeping::Nothing => Absent::Parks,
        AbsentSetting::Wait if settings::host(global)?.database(config).is_some() => Absent::Waits,
        _ => Absent::Refuses,
    })
}

/// Single calls, as [`calls`], whose questions somebody else is asked, of all tools that there are.
///
/// # Errors
/// As there.
pub fn asked_by(global: &Global, config: &Arc<Config>, asked: Asked) -> Result<Session, Failure> {
    built(global, config, asked, (Keeping::Nothing, None, Needed::All), Vec::new())
}

fn built(
    global: &Global,
    config: &Arc<Config>,
    asked: Asked,
    (keeping, chat, needed): (Keeping, Option<(ChannelId, ChatId)>, Needed<'_>),
    added: Vec<Arc<dyn Extension>>,
) -> Result<Session, Failure> {
    let host = settings::host(global)?;
    host.make_room(AT_ONCE);
    host.trace(config, traces(global, config)?);
    let place = host.workspace(config)?;
    let servers = Servers::start(&host, &place, config, needed)?;
    let extensions = servers.iter().map(|servers| Arc::clone(servers) as _).chain(added).collect();
    let agent = Arc::new(Agent::with(&place, config, extensions)?);
    if let Some(servers) = servers {
        servers.begin(Duration::from_secs(config.mcp.wait));
    }
    let dry_run = global.dry_run.map(|dry_run| match dry_run {
        DryRun::Files => Commands::Described,
        DryRun::Commands => Commands::Layered,
    });
    let Asked { mode, asker, front, cancel } = asked;
    let settings = SessionSettings { mode, asker, front, keeping, job: None, chat, dry_run, cancel };
    Ok(Session::new(&agent, settings)?)
}

/// Where spans go: into the log file, to stderr from `-vv` on, and where `telemetry` says.
///
/// # Errors
/// A log file or a collector that cannot be.
pub fn traces(global: &Global, config: &Config) -> Result<Traces, Fault> {
    let (logging, telemetry) = (&config.logging, &config.telemetry);
    let console: Receiver = Arc::new(|traced| stderr::dim(&as_text(traced)));
    let mut traces = Traces::of(config, Arc::clone(&console))?;
    if let Some(file) = &logging.file {
        traces = traces.to_file(Path::new(file))?;
    }
    let shown = match (logging.level, logging.verbose) {
        _ if global.quiet || (telemetry.enabled && telemetry.exporter == TelemetryExporter::Console) => None,
        (LogLevel::Debug, _) | (_, 3..) => Some(Level::DEBUG),
        (_, 2) => Some(Level::INFO),
        _ => None,
    };
    Ok(match shown {
        Some(level) => traces.to(level, console),
        None => traces,
    })
}

/// From now on calls may give tasks to subagents, which spend from this purse.
pub fn takes_tasks(session: &Session, ledger: Ledger, shown: Shown) {
    let (catalogue, redactor) = (Arc::clone(session.catalogue()), Arc::clone(&session.words().redactor));
    let lookout = Arc::new(Lookout { catalogue, redactor, shown });
    session.pool().begin(session.gate(), ledger, lookout, session.kept().cloned());
}
