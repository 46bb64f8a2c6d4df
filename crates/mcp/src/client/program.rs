//! A server that is a program on this machine, in the sandbox, spoken to over its pipes.

use super::pins::Reach;
use palanca_config::McpServer;
use palanca_core::Message;
use palanca_core::call::{
    CallId, CanonicalPath, CommandLine, Launch, Network, Origin, OutcomeKind, Root, Scope, SessionId, Shell, ToolError,
};
use palanca_core::ports::{
    Attach, Attached, By, Exit, Owner, ProcessError, Processes, Profile, Record, Recorder, WorkspaceAccess,
};
use palanca_core::tool::Cancel;
use palanca_files::{StateDirectory, StateError};
use palanca_host::{Fault, Host, Workspace, unusable};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncRead, AsyncWrite};

/// How long a program that has closed its pipes may take to end by itself.
const ENDING: Duration = Duration::from_secs(30);
/// Characters of stderr in an explanation.
const SHOWN: usize = 400;

pub(crate) struct Program {
    name: String,
    /// Its command line, without secrets.
    shown: String,
    /// Where its home is made.
    state: Option<PathBuf>,
    recorder: Arc<dyn Recorder>,
    door: Arc<dyn Processes>,
    launch: Launch,
    profile: Profile,
}

impl Program {
    pub(crate) fn new(
        (host, reach): (&Host, &Reach),
        workspace: &Arc<Workspace>,
        wanted: &McpServer,
    ) -> Result<Self, Fault> {
        let (reads, writes) = (Folders::of(&wanted.reads, wanted)?, Folders::of(&wanted.writes, wanted)?);
        let root = CanonicalPath::new(Root::Workspace, PathBuf::new());
        let mut launch = Launch::script(Shell::Sh, "", root);
        let command = wanted.command.iter().cloned().chain(wanted.args.iter().cloned());
        launch.command = CommandLine::Program(command.collect());
        for (name, value) in &wanted.env {
            host.learn(name, value.reveal());
            launch.environment.push((name.clone(), value.reveal().to_owned()));
        }
        launch.network = if wanted.network { Network::Open } else { Network::None };
        Ok(Self {
            name: wanted.name.clone(),
            shown: reach.shown().to_owned(),
            state: host.places().state.clone(),
            recorder: Arc::clone(workspace.recorder()),
            door: workspace.programs(),
            launch,
            profile: Profile {
                workspace: match (reads.workspace, writes.workspace) {
                    (_, true) => WorkspaceAccess::Write,
                    (true, false) => WorkspaceAccess::Read,
                    (false, false) => WorkspaceAccess::None,
                },
                readable: reads.others,
                writable: writes.others,
                home: None,
            },
        })
    }

    pub(crate) async fn start(&self) -> Result<Running, Message> {
        let by = By { owner: &Owner::process(), call: &CallId::new("mcp"), session: None };
        let (cancel, begun) = (Cancel::new(), Instant::now());
        let profile = Profile { home: self.home().map_err(|error| unusable(&error))?, ..self.profile.clone() };
        let attach = Attach { by, profile: &profile, cancel: &cancel };
        let started = self.door.attach(&self.launch, attach).await.map_err(ProcessError::into_tool_error);
        self.record(started.as_ref().err(), begun);
        started.map(Running).map_err(|error| error.message().clone())
    }

    /// What it keeps between two starts; no other program sees it.
    fn home(&self) -> Result<Option<PathBuf>, StateError> {
        let Some(state) = &self.state else { return Ok(None) };
        let home = StateDirectory::open(state)?.directory("mcp")?.directory(&self.name)?;
        Ok(Some(home.path().to_owned()))
    }

    /// A start is no call, and recorded like one.
    fn record(&self, error: Option<&ToolError>, begun: Instant) {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis);
        let name = format!("mcp_{}", self.name);
        self.recorder.record(&Record {
            at_ms,
            call: &format!("start-{}-{at_ms}", self.name),
            tool: &name,
            origin: &Origin::Person,
            scope: &Scope::session(SessionId::new("mcp")),
            arguments: &json!({"start": self.shown.lines().collect::<Vec<_>>()}),
            effects: &[],
            changed: &[],
            digest: None,
            outcome: if error.is_none() { OutcomeKind::Done } else { OutcomeKind::Failed },
            code: error.map(|error| error.kind().facts().code),
            detail: None,
            output_bytes: 0,
            artifact: None,
            dry_run: false,
            read_only: false,
            duration_us: u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        });
    }
}

/// What a list of folders names.
struct Folders {
    workspace: bool,
    others: Vec<PathBuf>,
}

impl Folders {
    fn of(paths: &[String], wanted: &McpServer) -> Result<Self, Fault> {
        let (workspace, others): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.as_str() == ".");
        match others.iter().find(|path| !Path::new(path).is_absolute()) {
            Some(path) => {
                let (server, path) = (wanted.name.as_str(), path.as_str());
                Err(Fault::said(Message::new("mcp-folder-relative").with("server", server).with("path", path)))
            }
            None => {
                Ok(Self { workspace: !workspace.is_empty(), others: others.into_iter().map(PathBuf::from).collect() })
            }
        }
    }
}

/// The running program; ended, with all that it started, when this is dropped.
pub(crate) struct Running(Attached);

impl Running {
    pub(crate) fn pipes(
        &mut self,
    ) -> Result<(impl AsyncRead + Send + Unpin + use<>, impl AsyncWrite + Send + Unpin + use<>), Message> {
        self.0.stdout.take().zip(self.0.stdin.take()).ok_or_else(|| Message::new("mcp-hung-up"))
    }

    pub(crate) async fn ended(&mut self) -> Message {
        let exit = self.0.wait().await.exit;
        self.said(&exit)
    }

    /// Waits for the end of a program that has hung up: its pipes close a moment before its exit is known, and ended by
    /// us in that moment, it could not be told from one that lives.
    pub(crate) async fn comes_to_its_end(&mut self) {
        // ignored: one that lives on without its pipes is ended by us.
        let _ = tokio::time::timeout(ENDING, self.0.wait()).await;
    }

    /// Why nothing was begun: what the program said as it ended, if it has, tells more than that.
    pub(crate) async fn why(&mut self, otherwise: &Message) -> Message {
        match self.0.kill().await.exit {
            Exit::Killed => otherwise.clone(),
            exit => self.said(&exit),
        }
    }

    fn said(&self, exit: &Exit) -> Message {
        let stderr = self.0.stderr.text();
        let stderr: String = stderr.trim().chars().rev().take(SHOWN).collect::<String>().chars().rev().collect();
        let how = match exit {
            Exit::Code(code) => code.to_string(),
            Exit::Signal(signal) => format!("SIG {signal}"),
            other => format!("{other:?}"),
        };
        Message::new("mcp-program-ended").with("how", how).with("stderr", stderr)
    }
}
