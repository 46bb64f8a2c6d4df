//! A server that is a program on this machine, in the sandbox, spoken to over its pipes.

use palanca_config::McpServer;
use palanca_core::Message;
use palanca_core::call::{CallId, CanonicalPath, CommandLine, Launch, Network, Root, Shell};
use palanca_core::ports::{Attach, Attached, By, Exit, Owner, Processes, Profile, WorkspaceAccess};
use palanca_core::tool::Cancel;
use palanca_host::{Fault, Host, Workspace};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// How long a program that has closed its pipes may take to end by itself.
const ENDING: Duration = Duration::from_secs(30);
/// Characters of stderr in an explanation.
const SHOWN: usize = 400;

pub(crate) struct Program {
    door: Arc<dyn Processes>,
    launch: Launch,
    profile: Profile,
}

impl Program {
    pub(crate) fn new(host: &Host, workspace: &Arc<Workspace>, wanted: &McpServer) -> Result<Self, Fault> {
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
            },
        })
    }

    pub(crate) async fn start(&self) -> Result<Running, Message> {
        let by = By { owner: &Owner::process(), call: &CallId::new("mcp"), session: None };
        let cancel = Cancel::new();
        let attach = Attach { by, profile: &self.profile, cancel: &cancel };
        self.door
            .attach(&self.launch, attach)
            .await
            .map(Running)
            .map_err(|error| error.into_tool_error().message().clone())
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
