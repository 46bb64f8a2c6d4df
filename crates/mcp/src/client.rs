//! The tools of foreign servers: each server is kept connected in the background, and its tools are in the registry of every agent.

mod change;
mod connection;
mod http;
mod listing;
mod pins;
mod program;
mod results;
mod server;
mod tool;
mod waiting;

use crate::client::pins::{Pins, Reach};
use crate::client::server::Server;
use futures_util::future::{BoxFuture, join_all};
use palanca_config::{Config, McpServer};
use palanca_core::call::{Act, ActKind, Cancel, ErrorKind, Scope, ToolError};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{Acts, Voice};
use palanca_core::{Message, Output, Registry};
use palanca_host::agent::words;
use palanca_host::{Extension, Fault, Host, Workspace};
use parking_lot::{Condvar, Mutex};
use std::collections::HashSet;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use change::Change;
pub use server::{ServerStatus, Standing};
pub use tool::name as tool_name;

/// The servers of a configuration. They are started in the background, in a thread of their own, and ended when this is dropped.
pub struct Servers {
    servers: Vec<Arc<Server>>,
    settled: Arc<Settled>,
    stop: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// Which servers are started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed<'a> {
    /// All of them.
    All,
    /// The one that a tool of this name would be of, if any.
    ForTool(&'a str),
    /// The one of this name.
    Named(&'a str),
    /// None; the configuration is only checked.
    Nothing,
}

impl Needed<'_> {
    fn is_of(self, server: &Server) -> bool {
        match self {
            Self::All => true,
            Self::ForTool(tool) => tool.starts_with(&tool::name(server.name(), "")),
            Self::Named(name) => server.name() == name,
            Self::Nothing => false,
        }
    }
}

/// Tells who waits that a server was tried for the first time.
#[derive(Default)]
pub(crate) struct Settled {
    lock: Mutex<()>,
    changed: Condvar,
}

impl Settled {
    pub(crate) fn tell(&self) {
        let _held = self.lock.lock();
        self.changed.notify_all();
    }
}

impl Servers {
    /// Those of the servers that this configuration names which are needed; None where none is. Programs run in this workspace's
    /// sandbox.
    ///
    /// # Errors
    /// A server that is neither a program nor an address, or both; a name that is taken, or none.
    pub fn start(
        host: &Host,
        workspace: &Arc<Workspace>,
        config: &Config,
        needed: Needed<'_>,
    ) -> Result<Option<Arc<Self>>, Fault> {
        if config.mcp.servers.is_empty() {
            return Ok(None);
        }
        let stop = Cancel::new();
        let settled = Arc::new(Settled::default());
        let mut names = HashSet::new();
        let mut servers = Vec::new();
        let redactor = words::secrets(config);
        for wanted in &config.mcp.servers {
            check(wanted, &mut names)?;
            servers.push(Arc::new(Server::new((host, &redactor), workspace, wanted)?));
        }
        servers.retain(|server| needed.is_of(server));
        if servers.is_empty() {
            return Ok(None);
        }
        let thread = {
            let (servers, settled, stop) = (servers.clone(), Arc::clone(&settled), stop.clone());
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(Fault::usage)?;
            std::thread::Builder::new().name("mcp".to_owned()).spawn(move || {
                runtime.block_on(join_all(servers.iter().map(|server| server.keep(&settled, &stop))));
            })
        };
        let thread = Some(thread.map_err(Fault::usage)?);
        Ok(Some(Arc::new(Self { servers, settled, stop, thread })))
    }

    /// Agrees to this server as it is now: `agrees` is shown what is other than what was agreed to before, first how it is reached, then,
    /// once it runs, its tools. None where it says no to one of them; what it said yes to before stays agreed to.
    ///
    /// # Errors
    /// A name that the configuration does not have; a state directory that cannot be written.
    pub fn trust(
        (host, workspace): (&Host, &Arc<Workspace>),
        config: &Config,
        server: &str,
        mut agrees: impl FnMut(&[Change]) -> bool,
    ) -> Result<Option<ServerStatus>, Fault> {
        let wanted = config.mcp.servers.iter().find(|known| known.name == server).ok_or_else(|| unknown(server))?;
        let reach = Reach::of(wanted, &words::secrets(config));
        let mut pins = Pins::load(host, server);
        if let Some(change) = pins.change_to(&reach) {
            if !agrees(&[change]) {
                return Ok(None);
            }
            pins.agree_to(&reach)?;
        }
        let Some(servers) = Self::start(host, workspace, config, Needed::Named(server))? else { return Ok(None) };
        servers.wait_for_all();
        let Some(running) = servers.servers.first() else { return Ok(None) };
        let status = running.status();
        if !status.changes.is_empty() {
            if !agrees(&status.changes) {
                return Ok(None);
            }
            running.agree(&status.changes)?;
        }
        Ok(Some(status))
    }

    /// # Errors
    /// A name that the configuration does not have.
    pub fn check_name(config: &Config, server: &str) -> Result<(), Fault> {
        if config.mcp.servers.iter().any(|known| known.name == server) {
            return Ok(());
        }
        Err(unknown(server))
    }

    /// Waits until each has been tried once: no longer than the longest of their own time limits.
    pub fn wait_for_all(&self) {
        let longest = self.servers.iter().map(|server| server.time()).max().unwrap_or_default();
        self.wait(longest + SETTLING);
    }

    /// Waits until each has been tried once, but no longer than this.
    pub fn wait(&self, longest: Duration) {
        self.wait_until(longest, Server::is_tried);
    }

    /// Waits until the tools of each are known, if only as they were when it was last connected, but no longer than this; and tells
    /// of those that are not connected then.
    pub fn begin(&self, longest: Duration) {
        self.wait_until(longest, Server::is_known);
        self.servers.iter().for_each(|server| server.tell());
    }

    fn wait_until(&self, longest: Duration, holds: impl Fn(&Server) -> bool) {
        let until = Instant::now() + longest;
        let mut lock = self.settled.lock.lock();
        while !self.servers.iter().all(|server| holds(server))
            && !self.settled.changed.wait_until(&mut lock, until).timed_out()
        {}
    }

    /// How each stands, in the order of the configuration.
    #[must_use]
    pub fn status(&self) -> Vec<ServerStatus> {
        self.servers.iter().map(|server| server.status()).collect()
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            // ignored: a panic of it was told of by its message.
            let _ = thread.join();
        }
    }
}

impl Extension for Servers {
    fn extend(self: Arc<Self>, registry: &Arc<Registry>, gate: GateBuilder) -> GateBuilder {
        self.servers.iter().for_each(|server| server.joins(registry));
        gate.acts(ActKind::Foreign, self)
    }
}

impl Acts for Servers {
    fn perform<'a>(
        &'a self,
        act: &'a Act,
        scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { self.perform_aloud(act, (scope, cancel), &Voice::unheard()).await })
    }

    fn perform_aloud<'a>(
        &'a self,
        act: &'a Act,
        (_, cancel): (&'a Scope, &'a Cancel),
        voice: &'a Voice,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let (name, tool) = act.target.split_once('/').unwrap_or((&act.target, ""));
            match self.servers.iter().find(|server| server.name() == name) {
                Some(server) => server.call(tool, &act.content, (cancel, voice)).await,
                None => Err(ToolError::new(ErrorKind::NotFound, Message::new("mcp-no-server").with("server", name))),
            }
        })
    }
}

fn unknown(server: &str) -> Fault {
    Fault::said(Message::new("mcp-no-server").with("server", server))
}

fn check(wanted: &McpServer, names: &mut HashSet<String>) -> Result<(), Fault> {
    let McpServer { name, url, command, .. } = wanted;
    let is_name = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let server = name.as_str();
    if !is_name {
        return Err(Fault::said(Message::new("mcp-name-invalid").with("server", server).with("longest", LONGEST_NAME)));
    }
    if !names.insert(name.clone()) {
        return Err(Fault::said(Message::new("mcp-name-taken").with("server", server)));
    }
    if url.is_some() == command.is_some() {
        return Err(Fault::said(Message::new("mcp-server-kind").with("server", server)));
    }
    Ok(())
}

/// Beyond a server's own time limit, until it is told of.
const SETTLING: Duration = Duration::from_secs(5);

/// Leaves room for the tool in names of at most 64 characters.
pub(crate) const LONGEST_NAME: usize = 32;
