//! A server that is a program on this machine, in the sandbox, spoken to over its pipes.

use palanca_config::{McpServer, McpWorkspace};
use palanca_core::Message;
use palanca_core::call::{CallId, CanonicalPath, CommandLine, Launch, Network, Root, Shell};
use palanca_core::ports::{Attach, Attached, By, Exit, Owner, Processes, Profile, WorkspaceAccess};
use palanca_core::tool::Cancel;
use palanca_host::{Fault, Host, Workspace};
use std::path::PathBuf;
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
        let folder = |path: &String| {
            let path = PathBuf::from(path);
            let server = wanted.name.as_str();
            let relative =
                || Message::new("mcp-folder-relative").with("server", server).with("path", path.display().to_string());
            if path.is_absolute() { Ok(path.clone()) } else { Err(Fault::said(relative())) }
        };
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
                workspace: match wanted.workspace {
                    McpWorkspace::None => WorkspaceAccess::None,
                    McpWorkspace::Read => WorkspaceAccess::Read,
                    McpWorkspace::Write => WorkspaceAccess::Write,
                },
                readable: wanted.readable.iter().map(folder).collect::<Result<_, _>>()?,
                writable: wanted.writable.iter().map(folder).collect::<Result<_, _>>()?,
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
