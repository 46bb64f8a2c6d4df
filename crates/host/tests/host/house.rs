//! A host in temporary folders, and short ways to use it.

use palanca_config::Config;
use palanca_core::call::RawArguments;
use palanca_core::ports::Asker;
use palanca_core::{CallId, ConfirmMode, Message, ToolResult};
use palanca_host::{Agent, Host, Keeping, Notices, Places, Session, SessionSettings};
use palanca_testkit::PATIENCE;
use parking_lot::Mutex;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Remembers what was said.
#[derive(Default)]
pub struct Heard(Mutex<Vec<Message>>);

impl Notices for Heard {
    fn warn(&self, message: &Message) {
        self.0.lock().push(message.clone());
    }
}

impl Heard {
    pub fn keys(&self) -> Vec<&'static str> {
        self.0.lock().iter().map(Message::key).collect()
    }
}

pub struct House {
    folder: TempDir,
    pub heard: Arc<Heard>,
    pub host: Arc<Host>,
}

impl House {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (host, heard) = host_at(folder.path().join("state"));
        Self { folder, heard, host }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An agent in the workspace of this name, which is made.
    pub fn agent(&self, name: &str, change: impl FnOnce(&mut Config)) -> Arc<Agent> {
        agent_of(&self.host, self.path(name), change)
    }
}

pub fn host_at(state: PathBuf) -> (Arc<Host>, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    let places = Places { state: Some(state), ..Places::default() };
    (Host::new(places, Arc::clone(&heard) as _), heard)
}

pub fn agent_of(host: &Arc<Host>, folder: PathBuf, change: impl FnOnce(&mut Config)) -> Arc<Agent> {
    std::fs::create_dir_all(&folder).unwrap();
    let mut config = Config::default();
    config.workspace.root = folder.display().to_string();
    change(&mut config);
    let config = Arc::new(config);
    Arc::new(Agent::new(&host.workspace(&config).unwrap(), &config).unwrap())
}

/// A session that nobody is asked in.
pub fn session(agent: &Arc<Agent>) -> Session {
    Session::new(agent, settings(ConfirmMode::Yolo)).unwrap()
}

pub fn asked(agent: &Arc<Agent>, asker: Arc<dyn Asker>) -> Session {
    Session::new(agent, SessionSettings { asker, ..settings(ConfirmMode::ConfirmSensitive) }).unwrap()
}

fn settings(mode: ConfirmMode) -> SessionSettings {
    SessionSettings { mode, keeping: Keeping::Nothing, ..SessionSettings::default() }
}

pub async fn call(session: &Session, tool: &str, arguments: Value) -> ToolResult {
    let call = session.call(CallId::new("1"), tool.to_owned(), RawArguments::Json(arguments));
    session.gate().submit(session.toolset(), call).await
}

/// Waits until it is so, without a thread of its own.
pub async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(work)
}
