//! The tools of foreign servers: each server is kept connected in the background, and its tools are in the registry of every agent.

mod connection;
mod http;
mod pins;
mod program;
mod results;
mod server;
mod tool;

use crate::client::server::Server;
use futures_util::future::{BoxFuture, join_all};
use palanca_config::{Config, McpServer};
use palanca_core::call::{Act, ActKind, Cancel, ErrorKind, Scope, ToolError};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::Acts;
use palanca_core::{Message, Output, Registry};
use palanca_host::{Extension, Fault, Host, Notices, Workspace};
use parking_lot::{Condvar, Mutex};
use std::collections::HashSet;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use server::{ServerStatus, Standing};

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
    /// None; the configuration is only checked.
    Nothing,
}

impl Needed<'_> {
    fn is_of(self, server: &Server) -> bool {
        match self {
            Self::All => true,
            Self::ForTool(tool) => tool.starts_with(&tool::name(server.name(), "")),
            Self::Nothing => false,
        }
    }
}

/// How many servers have been tried for the first time.
#[derive(Default)]
pub(crate) struct Settled {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Settled {
    pub(crate) fn one_more(&self) {
        *self.count.lock() += 1;
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
        let stop = Cancel::new();
        let settled = Arc::new(Settled::default());
        let mut names = HashSet::new();
        let mut servers = Vec::new();
        for wanted in &config.mcp.servers {
            check(wanted, &mut names)?;
            servers.push(Arc::new(Server::new(host, workspace, wanted)?));
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

    /// Agrees to the tools of this server as they are when it is next connected, whatever they were before.
    ///
    /// # Errors
    /// A name that the configuration does not have; a state directory that cannot be written.
    pub fn trust(host: &Host, config: &Config, server: &str) -> Result<(), Fault> {
        if config.mcp.servers.iter().any(|known| known.name == server) {
            return pins::forget(host, server);
        }
        Err(Fault::said(Message::new("mcp-no-server").with("server", server)))
    }

    /// Waits until each has been tried once, but no longer than this.
    pub fn wait(&self, longest: Duration) {
        let until = Instant::now() + longest;
        let mut count = self.settled.count.lock();
        while *count < self.servers.len() && !self.settled.changed.wait_until(&mut count, until).timed_out() {}
    }

    /// Waits like this, and tells of those that are not connected then.
    pub fn begin(&self, longest: Duration, notices: &dyn Notices) {
        self.wait(longest);
        for ServerStatus { name, standing, .. } in self.status() {
            if let Some(why) = standing.why() {
                notices.warn(&Message::new("mcp-not-connected").with("server", name).with("why", why));
            }
        }
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
        gate.acts(ActKind::ForeignCall, self)
    }
}

impl Acts for Servers {
    fn perform<'a>(
        &'a self,
        act: &'a Act,
        _scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let (name, tool) = act.target.split_once('/').unwrap_or((&act.target, ""));
            match self.servers.iter().find(|server| server.name() == name) {
                Some(server) => server.call(tool, &act.content, cancel).await,
                None => Err(ToolError::new(ErrorKind::NotFound, Message::new("mcp-no-server").with("server", name))),
            }
        })
    }
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

/// Leaves room for the tool in names of at most 64 characters.
const LONGEST_NAME: usize = 32;
