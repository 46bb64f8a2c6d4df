//! Our tools, served to one client over one connection.

// Logging is deprecated in the newest revision, and what most clients have.
#![expect(deprecated)]

mod asker;
mod calls;
mod form;
mod talk;

use asker::ClientAsker;
use calls::Calls;
use palanca_core::SchemaFormat;
use palanca_core::ports::{Asker, LogLevel};
use palanca_core::tool::Cancel;
use palanca_host::Session;
use parking_lot::Mutex;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, InitializeResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, SetLevelRequestParams,
};
use rmcp::service::{Peer, QuitReason, RequestContext, RoleServer, ServerInitializeError, serve_server_with_ct};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::OnceCell;

/// Opens the session whose tools are served, with who is asked in it, or says why not. Called with the first request that needs
/// it, on a thread that may block; again if it failed.
pub type Opener = Arc<dyn Fn(Arc<dyn Asker>) -> Result<Session, String> + Send + Sync>;

/// The tools of one session for one client. Its calls, questions, limits and undo are those of that session.
pub struct Server {
    open: Opener,
    asker: Arc<ClientAsker>,
    session: OnceCell<Opened>,
    /// The least weight of a line that a client is told, as it says once for all.
    least: Mutex<LogLevel>,
}

/// A session and its calls.
struct Opened {
    session: Session,
    calls: Calls,
}

/// Why a connection ended otherwise than by its end.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// What came first is no beginning.
    #[error("the client did not begin the protocol: {0}")]
    NotBegun(String),
    /// A fault of this program.
    #[error("the connection broke off: {0}")]
    Broken(String),
}

/// Who sent a request, and what can be asked of them.
#[derive(Clone)]
struct Client {
    name: String,
    peer: Peer<RoleServer>,
    forms: Forms,
}

/// Whether a client shows forms, and how one reaches it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forms {
    None,
    /// By a request, while its own waits.
    Requested,
    /// By the result of its call, which it sends again with the answer.
    Returned,
}

impl Client {
    fn of(context: &RequestContext<RoleServer>) -> Self {
        let kinds = context.client_capabilities().and_then(|able| able.elicitation);
        // A client that names no kind has the first one, which forms are.
        let has_forms = kinds.is_some_and(|kinds| kinds.form.is_some() || kinds.url.is_none());
        Self {
            name: context.client_info().map(|client| client.name).unwrap_or_default(),
            peer: context.peer.clone(),
            forms: match is_stateless(context) {
                _ if !has_forms => Forms::None,
                true => Forms::Returned,
                false => Forms::Requested,
            },
        }
    }
}

/// A revision in which nothing is asked of a client but by results.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::NO_INITIALIZE)
}

impl Server {
    /// A server of the session that `open` opens. A question that the client cannot show refuses its call.
    #[must_use]
    pub fn new(open: Opener) -> Self {
        Self { open, asker: Arc::default(), session: OnceCell::new(), least: Mutex::new(LogLevel::Info) }
    }

    /// Serves one client until it ends the connection or `stop` is cancelled; then its calls are cancelled and recorded.
    ///
    /// # Errors
    /// A client that does not begin the protocol; a fault of this program.
    pub async fn serve(
        self,
        read: impl AsyncRead + Send + Unpin + 'static,
        write: impl AsyncWrite + Send + Unpin + 'static,
        stop: Cancel,
    ) -> Result<(), ServerError> {
        let server = Arc::new(self);
        let ended = match serve_server_with_ct(Shared(Arc::clone(&server)), (read, write), stop.child_token()).await {
            Ok(running) => running.waiting().await,
            // Whoever said nothing at all has just gone.
            Err(ServerInitializeError::Cancelled | ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServerError::NotBegun(error.to_string())),
        };
        if let Some(opened) = server.session.get() {
            opened.session.gate().cancel().cancel();
            opened.calls.ended().await;
            opened.session.end().await;
            opened.session.host().flush_traces().await;
        }
        match ended {
            Ok(QuitReason::Cancelled | QuitReason::Closed) => Ok(()),
            Ok(reason) => Err(ServerError::Broken(format!("{reason:?}"))),
            Err(error) => Err(ServerError::Broken(error.to_string())),
        }
    }

    async fn opened(&self) -> Result<&Opened, ErrorData> {
        self.session.get_or_try_init(|| self.open()).await
    }

    async fn open(&self) -> Result<Opened, ErrorData> {
        let (open, asker) = (Arc::clone(&self.open), Arc::clone(&self.asker) as _);
        let opened = tokio::task::spawn_blocking(move || open(asker)).await;
        let session = opened.map_err(internal)?.map_err(internal)?;
        self.asker.speaks(session.catalogue());
        Ok(Opened { session, calls: Calls::default() })
    }
}

fn internal(why: impl ToString) -> ErrorData {
    ErrorData::internal_error(why.to_string(), None)
}

/// A server as the protocol's side holds it.
struct Shared(Arc<Server>);

impl ServerHandler for Shared {
    fn get_info(&self) -> InitializeResult {
        let us = Implementation::new("palanca", env!("CARGO_PKG_VERSION")).with_title("Palanca");
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
        InitializeResult::new(capabilities).with_server_info(us)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // Tools of foreign servers come and go.
        let tools = self.0.opened().await?.session.gate().registry().snapshot().for_models();
        let tools = tools.schemas(SchemaFormat::Mcp).into_iter().map(serde_json::from_value);
        Ok(ListToolsResult::with_all_items(tools.collect::<Result<_, _>>().map_err(internal)?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Opened { session, calls } = self.0.opened().await?;
        let least = match context.meta.log_level() {
            Some(level) => Some(talk::weight(level)),
            // Said with each request that wants lines.
            None if is_stateless(&context) => None,
            None => Some(*self.0.least.lock()),
        };
        calls.call((session, &self.0.asker), request, (context, least)).await
    }

    async fn set_level(
        &self,
        wanted: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *self.0.least.lock() = talk::weight(wanted.level);
        Ok(())
    }
}
