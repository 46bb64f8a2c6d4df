//! A connection to a server, over a program's pipes or over HTTP.

use super::http::HttpEnd;
use super::pins::Reach;
use super::program::Program;
use super::results::cut;
use super::waiting::Waiting;
use palanca_config::McpServer;
use palanca_core::Message;
use palanca_host::{Fault, Host, Workspace};
use rmcp::handler::client::ClientHandler;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProtocolVersion};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, NotificationContext, Peer, RoleClient, RunningService,
    serve_client_with_lifecycle,
};
use std::sync::Arc;
use tokio::sync::Notify;

/// How a server is reached.
pub(crate) enum Way {
    Program(Program),
    Http(HttpEnd),
}

impl Way {
    pub(crate) fn of(
        (host, reach): (&Host, &Reach),
        workspace: &Arc<Workspace>,
        wanted: &McpServer,
    ) -> Result<Self, Fault> {
        match &wanted.url {
            Some(url) => HttpEnd::new(host, wanted, url).map(Self::Http),
            None => Program::new((host, reach), workspace, wanted).map(Self::Program),
        }
    }

    /// Connects, in the newest revision that both know.
    pub(crate) async fn connect(&self, hears: (&Arc<Notify>, &Waiting)) -> Result<Connection, Message> {
        // A server that knows neither may say nothing to the first.
        let newest = ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: Some(ProtocolVersion::V_2025_11_25),
        };
        match self.begin(hears, newest).await {
            Err((Some(error), _)) if self.may_be_older(&error) => {
                self.begin(hears, ClientLifecycleMode::Initialize).await.map_err(|(_, why)| why)
            }
            begun => begun.map_err(|(_, why)| why),
        }
    }

    /// Whether it may only know the handshake: servers answer what they do not know in many ways.
    fn may_be_older(&self, error: &ClientInitializeError) -> bool {
        match error {
            ClientInitializeError::LegacyFallbackFailed { .. } | ClientInitializeError::Cancelled => false,
            error => matches!(self, Self::Http(_)) || !has_hung_up(error),
        }
    }

    async fn begin(
        &self,
        (changed, waiting): (&Arc<Notify>, &Waiting),
        lifecycle: ClientLifecycleMode,
    ) -> Result<Connection, (Option<ClientInitializeError>, Message)> {
        let listener = Listener { changed: Arc::clone(changed), waiting: waiting.clone() };
        match self {
            Self::Program(program) => {
                let mut running = program.start().await.map_err(|why| (None, why))?;
                let pipes = running.pipes().map_err(|why| (None, why))?;
                match serve_client_with_lifecycle(listener, pipes, lifecycle).await {
                    Ok(client) => Ok(Connection { client, program: Some(running) }),
                    Err(error) => {
                        if has_hung_up(&error) {
                            running.comes_to_its_end().await;
                        }
                        let why = running.why(&beginning(&error)).await;
                        Err((Some(error), why))
                    }
                }
            }
            Self::Http(end) => match serve_client_with_lifecycle(listener, end.transport(), lifecycle).await {
                Ok(client) => Ok(Connection { client, program: None }),
                Err(error) => {
                    let why = beginning(&error);
                    Err((Some(error), why))
                }
            },
        }
    }
}

/// Whether the other side closed the connection before anything could be begun.
fn has_hung_up(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => has_hung_up(fallback),
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => true,
        _ => false,
    }
}

/// Why a server could not be begun with.
fn beginning(error: &ClientInitializeError) -> Message {
    let words = match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => return beginning(fallback),
        ClientInitializeError::TransportError { error, .. } => error.error.to_string(),
        other => other.to_string(),
    };
    Message::new("mcp-not-begun").with("reason", cut(&words))
}

pub(crate) struct Connection {
    client: RunningService<RoleClient, Listener>,
    program: Option<super::program::Running>,
}

impl Connection {
    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        self.client.peer()
    }

    /// Waits until it is over, and says why. May be dropped and called again.
    pub(crate) async fn ended(&mut self) -> Message {
        match &mut self.program {
            Some(program) => program.ended().await,
            None => {
                while !self.client.is_closed() && !self.client.peer().is_transport_closed() {
                    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                }
                Message::new("mcp-hung-up")
            }
        }
    }
}

/// Hears when a server's tools change, and how far its calls are. It can be asked nothing.
struct Listener {
    changed: Arc<Notify>,
    waiting: Waiting,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("palanca", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.waiting.tell(progress).await;
    }
}
