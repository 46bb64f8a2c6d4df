//! One foreign server: connected, asked for its tools, and connected again when it is gone.

use super::Settled;
use super::change::Change;
use super::connection::{Connection, Way};
use super::listing::register;
use super::pins::{Pins, Reach};
use super::results::{self, output};
use super::tool::ForeignTool;
use super::waiting::Waiting;
use palanca_config::McpServer;
use palanca_core::call::{Cancel, ErrorKind, ToolError};
use palanca_core::ports::{Redactor, Voice};
use palanca_core::{Message, Output, Registry};
use palanca_host::{Fault, Host, Notices, Workspace};
use palanca_text::some;
use parking_lot::Mutex;
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, Tool};
use rmcp::service::{Peer, RoleClient};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::{sleep, timeout};

/// The first pause before a server is tried again; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// A connection that lasted this long begins anew with the first pause.
const LASTED: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    pub(super) name: String,
    pub(super) way: Way,
    pub(super) reach: Reach,
    pub(super) allow: Vec<String>,
    pub(super) deny: Vec<String>,
    pub(super) time: Duration,
    pub(super) state: Mutex<State>,
    /// Its calls that are under way.
    pub(super) waiting: Waiting,
    /// The server says that its tools are others.
    pub(super) changed: Arc<Notify>,
    /// Whether it was tried.
    pub(super) tried: watch::Sender<bool>,
    pub(super) notices: Arc<dyn Notices>,
}

pub(super) struct State {
    pub(super) standing: Standing,
    pub(super) peer: Option<Peer<RoleClient>>,
    /// By their names in the registry.
    pub(super) tools: BTreeMap<String, Arc<ForeignTool>>,
    pub(super) pins: Pins,
    /// Tools that are left out, and why.
    pub(super) left_out: Vec<Message>,
    /// What is off until somebody agrees.
    pub(super) changes: Vec<Change>,
    pub(super) registries: Vec<Weak<Registry>>,
    /// A run is under way, which is told what is off; of these tools it was.
    pub(super) told: Option<Vec<String>>,
    /// Its tools are offered, and a first start that fails is still to be told of.
    pub(super) is_awaited: bool,
}

/// How a server stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is being connected for the first time.
    Starting,
    /// Its tools can be called.
    Connected,
    /// It cannot be reached, or is gone, and is tried again; its tools as they were last are still listed.
    Gone(Message),
    /// It is not started before somebody agrees to it.
    Off(Message),
}

impl Standing {
    /// Why it is not connected; None where it is.
    #[must_use]
    pub fn why(&self) -> Option<Message> {
        match self {
            Self::Connected => None,
            Self::Starting => Some(Message::new("mcp-starting")),
            Self::Gone(why) | Self::Off(why) => Some(why.clone()),
        }
    }
}

/// A server as people are told of it.
#[derive(Clone, Debug)]
pub struct ServerStatus {
    /// Its name in the configuration.
    pub name: String,
    /// How it stands.
    pub standing: Standing,
    /// Its tools, by their names in the registry.
    pub tools: Vec<String>,
    /// Tools that are left out, and why.
    pub left_out: Vec<Message>,
    /// What is off because it is not what was agreed to.
    pub changes: Vec<Change>,
}

impl Server {
    pub(crate) fn new(
        (host, redactor): (&Host, &dyn Redactor),
        workspace: &Arc<Workspace>,
        wanted: &McpServer,
    ) -> Result<Self, Fault> {
        let reach = Reach::of(wanted, redactor);
        let server = Self {
            name: wanted.name.clone(),
            way: Way::of((host, &reach), workspace, wanted)?,
            reach,
            allow: wanted.allow.clone(),
            deny: wanted.deny.clone(),
            time: Duration::from_secs(wanted.timeout),
            state: Mutex::new(State {
                standing: Standing::Starting,
                peer: None,
                tools: BTreeMap::new(),
                pins: Pins::load(host, &wanted.name),
                left_out: Vec::new(),
                changes: Vec::new(),
                registries: Vec::new(),
                told: None,
                is_awaited: false,
            }),
            waiting: Waiting::default(),
            changed: Arc::default(),
            tried: watch::Sender::new(false),
            notices: Arc::clone(host.notices()),
        };
        let mut state = server.state.lock();
        if let Some(change) = state.pins.change_to(&server.reach) {
            state.standing = Standing::Off(Message::new("mcp-reach-changed").with("server", server.name.as_str()));
            state.changes.push(change);
            drop(state);
            return Ok(server);
        }
        let kept: Vec<Tool> = state.pins.listed().filter(|tool| server.takes(tool)).collect();
        let kept = kept.into_iter().filter_map(|tool| ForeignTool::new(&server.name, tool, server.time).ok());
        state.tools = kept.map(|tool| (tool.name().to_owned(), Arc::new(tool))).collect();
        drop(state);
        Ok(server)
    }

    /// Tells that it is not connected, and what of it is off: now, or once it turns out.
    pub(crate) fn tell(&self) {
        let mut state = self.state.lock();
        state.told = Some(Vec::new());
        self.tell_changes(&mut state);
        if state.standing == Standing::Starting && !state.tools.is_empty() {
            state.is_awaited = true;
        } else if let Some(why) = state.standing.why() {
            self.warn(why);
        }
    }

    fn warn(&self, why: Message) {
        self.notices.warn(&Message::new("mcp-not-connected").with("server", self.name.as_str()).with("why", why));
    }

    /// Tells a run of tools that are off, once.
    pub(super) fn tell_changes(&self, state: &mut State) {
        let off: Vec<String> = state.changes.iter().filter_map(|change| change.tool.clone()).collect();
        if let Some(told) = state.told.as_mut().filter(|told| !off.is_empty() && **told != off) {
            let off_now = Message::new("mcp-tools-off").with("server", self.name.as_str()).with("tools", some(&off));
            self.notices.warn(&off_now);
            *told = off;
        }
    }

    /// Agrees to these changes of its tools, which join.
    ///
    /// # Errors
    /// A state directory that cannot be written.
    pub(crate) fn agree(&self, changes: &[Change]) -> Result<(), Fault> {
        let mut state = self.state.lock();
        changes.iter().filter_map(|change| change.now.clone()).for_each(|tool| state.pins.take(tool));
        state.pins.keep(&self.reach)?;
        self.changed.notify_one();
        Ok(())
    }

    /// Whether its tools can be offered: as they are, or as they were last. Of one that never told what it has, there are none.
    pub(crate) fn is_known(&self) -> bool {
        let state = self.state.lock();
        self.is_tried() || !state.tools.is_empty() || state.pins.has_failed()
    }

    pub(crate) fn is_tried(&self) -> bool {
        *self.tried.borrow()
    }

    pub(crate) const fn time(&self) -> Duration {
        self.time
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn status(&self) -> ServerStatus {
        let state = self.state.lock();
        ServerStatus {
            name: self.name.clone(),
            standing: state.standing.clone(),
            tools: state.tools.keys().cloned().collect(),
            left_out: state.left_out.clone(),
            changes: state.changes.clone(),
        }
    }

    /// From now on its tools are in this registry.
    pub(crate) fn joins(&self, registry: &Arc<Registry>) {
        let mut state = self.state.lock();
        state.registries.push(Arc::downgrade(registry));
        let State { tools, left_out, .. } = &mut *state;
        left_out.extend(tools.values().filter_map(|tool| register(registry, tool)));
    }

    /// Keeps it connected until `stop` is cancelled.
    pub(crate) async fn keep(&self, settled: &Settled, stop: &Cancel) {
        if matches!(self.state.lock().standing, Standing::Off(_)) {
            self.tried.send_replace(true);
            return settled.tell();
        }
        let mut pause = FIRST_PAUSE;
        while !stop.is_cancelled() {
            let since = tokio::time::Instant::now();
            let lives = async {
                let tried = timeout(self.time, self.connect()).await;
                let connection = match tried.unwrap_or_else(|_| Err(Message::new("mcp-slow-start"))) {
                    Ok(connection) => Ok(connection),
                    Err(why) => {
                        self.gone(why);
                        Err(())
                    }
                };
                if !self.tried.send_replace(true) {
                    settled.tell();
                }
                if let Ok(connection) = connection {
                    self.serve(connection).await;
                }
            };
            tokio::select! {
                () = lives => {}
                () = stop.cancelled() => break,
            }
            pause = if since.elapsed() >= LASTED { FIRST_PAUSE } else { pause };
            tokio::select! {
                () = sleep(pause) => {}
                () = stop.cancelled() => break,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.state.lock().peer = None;
    }

    async fn connect(&self) -> Result<Connection, Message> {
        let connection = self.way.connect((&self.changed, &self.waiting)).await?;
        self.list(connection.peer()).await?;
        let mut state = self.state.lock();
        state.peer = Some(connection.peer().clone());
        state.standing = Standing::Connected;
        state.is_awaited = false;
        drop(state);
        Ok(connection)
    }

    /// Until it is gone.
    async fn serve(&self, mut connection: Connection) {
        loop {
            let peer = connection.peer().clone();
            tokio::select! {
                why = connection.ended() => return self.gone(why),
                () = self.changed.notified() => {
                    if let Ok(Err(why)) | Err(why) =
                        timeout(self.time, self.list(&peer)).await.map_err(|_| Message::new("mcp-slow-start"))
                    {
                        return self.gone(why);
                    }
                }
            }
        }
    }

    fn gone(&self, why: Message) {
        let mut state = self.state.lock();
        state.peer = None;
        if std::mem::take(&mut state.is_awaited) {
            self.warn(why.clone());
        }
        // ignored: the next run waits for it, too.
        let _ = state.pins.fail();
        state.standing = Standing::Gone(why);
    }

    /// Calls a tool by the server's own name for it.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: &str,
        (cancel, voice): (&Cancel, &Voice),
    ) -> Result<Output, ToolError> {
        let mut tried = self.tried.subscribe();
        tokio::select! {
            // ignored: the start has its own time limit, and the sender is ours.
            _ = tried.wait_for(|tried| *tried) => {}
            () = cancel.cancelled() => return Err(results::cancelled(&self.name)),
        }
        let peer = {
            let state = self.state.lock();
            // A call that waited for the server may have been of a tool that is another now.
            if state.peer.is_some() && !state.tools.values().any(|known| known.is_called(tool)) {
                let changed = Message::new("mcp-tool-changed").with("tool", tool).with("server", self.name.as_str());
                return Err(ToolError::new(ErrorKind::NotFound, changed));
            }
            state.peer.clone()
        };
        let peer = peer.ok_or_else(|| self.not_there())?;
        let arguments: JsonObject = serde_json::from_str(arguments).unwrap_or_default();
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        // Dropped, the server is told that its answer is not wanted any more.
        let answered = tokio::select! {
            answered = timeout(self.time, self.waiting.call(&peer, request, voice)) => answered,
            () = cancel.cancelled() => return Err(results::cancelled(&self.name)),
        };
        match answered {
            Ok(Ok(CallToolResponse::Complete(result))) => output(&self.name, result),
            Ok(Ok(_)) => Err(results::failed(&self.name, Message::new("mcp-asks-back"))),
            Ok(Err(error)) => Err(results::refused(&self.name, &error)),
            Err(_) => Err(results::slow(&self.name, self.time)),
        }
    }

    fn not_there(&self) -> ToolError {
        let standing = self.state.lock().standing.clone();
        let why = standing.why().unwrap_or_else(|| Message::new("mcp-starting"));
        if matches!(standing, Standing::Off(_)) {
            let off = Message::new("mcp-server-off").with("server", self.name.as_str()).with("why", why);
            return ToolError::new(ErrorKind::Unreachable, off);
        }
        results::gone(&self.name, why)
    }
}
