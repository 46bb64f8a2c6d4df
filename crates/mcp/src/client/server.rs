//! One foreign server: connected, asked for its tools, and connected again when it is gone.

use super::Settled;
use super::connection::{Connection, Way};
use super::pins::Pins;
use super::results::{self, output};
use super::tool::ForeignTool;
use palanca_config::McpServer;
use palanca_core::call::{Cancel, ErrorKind, ToolError};
use palanca_core::registry::Override;
use palanca_core::{Message, Output, Registry};
use palanca_host::{Fault, Host, Notices, Workspace, unusable};
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
/// Tools that are taken of one server.
const MOST_TOOLS: usize = 1_000;

pub(crate) struct Server {
    name: String,
    way: Way,
    allow: Vec<String>,
    deny: Vec<String>,
    time: Duration,
    state: Mutex<State>,
    /// The server says that its tools are others.
    changed: Arc<Notify>,
    /// Whether it was tried.
    tried: watch::Sender<bool>,
    notices: Arc<dyn Notices>,
}

struct State {
    standing: Standing,
    peer: Option<Peer<RoleClient>>,
    /// By their names in the registry.
    tools: BTreeMap<String, Arc<ForeignTool>>,
    pins: Pins,
    /// Tools that are left out, and why.
    left_out: Vec<Message>,
    registries: Vec<Weak<Registry>>,
    /// Its tools are offered, and a first start that fails is still to be told of.
    is_awaited: bool,
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
}

impl Standing {
    /// Why it is not connected; None where it is.
    #[must_use]
    pub fn why(&self) -> Option<Message> {
        match self {
            Self::Connected => None,
            Self::Starting => Some(Message::new("mcp-starting")),
            Self::Gone(why) => Some(why.clone()),
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
}

impl Server {
    pub(crate) fn new(host: &Host, workspace: &Arc<Workspace>, wanted: &McpServer) -> Result<Self, Fault> {
        let server = Self {
            name: wanted.name.clone(),
            way: Way::of(host, workspace, wanted)?,
            allow: wanted.allow.clone(),
            deny: wanted.deny.clone(),
            time: Duration::from_secs(wanted.timeout),
            state: Mutex::new(State {
                standing: Standing::Starting,
                peer: None,
                tools: BTreeMap::new(),
                pins: Pins::load(host, &wanted.name),
                left_out: Vec::new(),
                registries: Vec::new(),
                is_awaited: false,
            }),
            changed: Arc::default(),
            tried: watch::Sender::new(false),
            notices: Arc::clone(host.notices()),
        };
        let mut state = server.state.lock();
        let kept: Vec<Tool> = state.pins.listed().filter(|tool| server.takes(tool)).collect();
        let kept = kept.into_iter().filter_map(|tool| ForeignTool::new(&server.name, tool, server.time).ok());
        state.tools = kept.map(|tool| (tool.name().to_owned(), Arc::new(tool))).collect();
        drop(state);
        Ok(server)
    }

    /// Tells that it is not connected: now, or once it turns out.
    pub(crate) fn tell(&self) {
        let mut state = self.state.lock();
        if state.standing == Standing::Starting && !state.tools.is_empty() {
            state.is_awaited = true;
        } else if let Some(why) = state.standing.why() {
            self.warn(why);
        }
    }

    fn warn(&self, why: Message) {
        self.notices.warn(&Message::new("mcp-not-connected").with("server", self.name.as_str()).with("why", why));
    }

    /// Whether its tools can be offered: as they are, or as they were last.
    pub(crate) fn is_known(&self) -> bool {
        self.is_tried() || !self.state.lock().tools.is_empty()
    }

    pub(crate) fn is_tried(&self) -> bool {
        *self.tried.borrow()
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
        let connection = self.way.connect(&self.changed).await?;
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
        state.standing = Standing::Gone(why);
    }

    /// Asks for its tools and tells every registry which came, went or are others.
    async fn list(&self, peer: &Peer<RoleClient>) -> Result<(), Message> {
        let listed = peer.list_all_tools().await.map_err(|error| results::trouble(&error))?;
        let mut left_out = Vec::new();
        let mut tools: BTreeMap<String, Arc<ForeignTool>> = BTreeMap::new();
        let mut state = self.state.lock();
        state.pins.begin();
        for tool in listed.into_iter().filter(|tool| self.takes(tool)) {
            let (raw, original) = (tool.clone(), tool.name.clone().into_owned());
            match ForeignTool::new(&self.name, tool, self.time) {
                Err(why) => left_out.push(why),
                Ok(_) if tools.len() == MOST_TOOLS => {
                    left_out.push(Message::new("mcp-tool-too-many").with("tool", original).with("most", MOST_TOOLS))
                }
                Ok(tool) if tools.contains_key(tool.name()) => {
                    left_out.push(Message::new("mcp-tool-name-taken").with("tool", original))
                }
                Ok(tool) if state.pins.hold(&raw, |pinned| self.is_same(&tool, pinned)) => {
                    let same = state.tools.get(tool.name()).filter(|before| ***before == tool).cloned();
                    tools.insert(tool.name().to_owned(), same.unwrap_or_else(|| Arc::new(tool)));
                }
                Ok(_) => left_out
                    .push(Message::new("mcp-tool-changed").with("tool", original).with("server", self.name.as_str())),
            }
        }
        left_out.extend(state.pins.keep().err().map(|error| unusable(&error)));
        let State { tools: before, registries, .. } = &mut *state;
        registries.retain(|registry| registry.strong_count() > 0);
        for registry in registries.iter().filter_map(Weak::upgrade) {
            let is_other = |name: &String| tools.get(name) != before.get(name);
            before.iter().filter(|(name, _)| is_other(name)).for_each(|(_, tool)| leave(&registry, tool));
            let new = tools.iter().filter(|(name, tool)| before.get(*name) != Some(tool));
            left_out.extend(new.filter_map(|(_, tool)| register(&registry, tool)));
        }
        (state.tools, state.left_out) = (tools, left_out);
        Ok(())
    }

    fn is_same(&self, tool: &ForeignTool, pinned: &Tool) -> bool {
        ForeignTool::new(&self.name, pinned.clone(), self.time).is_ok_and(|pinned| pinned == *tool)
    }

    fn takes(&self, tool: &Tool) -> bool {
        let named = |names: &[String]| names.iter().any(|name| *name == tool.name);
        (self.allow.is_empty() || named(&self.allow)) && !named(&self.deny)
    }

    /// Calls a tool by the server's own name for it.
    pub(crate) async fn call(&self, tool: &str, arguments: &str, cancel: &Cancel) -> Result<Output, ToolError> {
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
            answered = timeout(self.time, peer.call_tool_once(request)) => answered,
            () = cancel.cancelled() => return Err(results::cancelled(&self.name)),
        };
        match answered {
            Ok(Ok(CallToolResponse::Complete(result))) => output(&self.name, result),
            Ok(Ok(_)) => Err(results::failed(&self.name, Message::new("mcp-asks-back"))),
            Ok(Err(error)) => Err(results::failed(&self.name, results::trouble(&error))),
            Err(_) => Err(results::slow(&self.name, self.time)),
        }
    }

    fn not_there(&self) -> ToolError {
        let why = self.state.lock().standing.why().unwrap_or_else(|| Message::new("mcp-starting"));
        let gone = Message::new("mcp-server-gone").with("server", self.name.as_str()).with("why", why);
        ToolError::new(ErrorKind::Unreachable, gone)
    }
}

/// Or says why not: the name is that of another tool, which stays.
fn register(registry: &Registry, tool: &Arc<ForeignTool>) -> Option<Message> {
    let refused = registry.register_any(Arc::clone(tool) as _, Override::Refuse).err();
    refused.map(|_| Message::new("mcp-tool-name-taken").with("tool", tool.name()))
}

/// Only what is this tool goes, and not another one of its name.
fn leave(registry: &Registry, tool: &Arc<ForeignTool>) {
    let known = registry.get(tool.name());
    if known.is_ok_and(|known| std::ptr::addr_eq(Arc::as_ptr(&known), Arc::as_ptr(tool))) {
        registry.remove(tool.name());
    }
}
