//! A server in temporary folders, and clients of both lifecycles.

use palanca_config::Config;
use palanca_core::ConfirmMode;
use palanca_core::ports::Asker;
use palanca_core::tool::Cancel;
use palanca_host::{Agent, Host, Keeping, Places, Session, SessionSettings, Silent};
use palanca_mcp::{Change, Needed, Server, ServerError, Servers};
use palanca_testkit::PATIENCE;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, FormElicitationCapability, Implementation,
};
use rmcp::service::{ClientLifecycleMode, RequestContext, RoleClient, RunningService, serve_client_with_lifecycle};
use rmcp::{ErrorData, ServiceError};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::DuplexStream;
use tokio::task::JoinHandle;

/// A folder to work in, and a state directory.
pub struct Bench {
    folder: TempDir,
    pub stop: Cancel,
    pub config: Config,
    /// Sessions begin without waiting for servers whose tools are known.
    pub is_hasty: bool,
}

impl Bench {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        std::fs::write(folder.path().join("work/a.txt"), "one\n").unwrap();
        let mut config = Config::default();
        config.workspace.root = folder.path().join("work").display().to_string();
        Self { folder, stop: Cancel::new(), config, is_hasty: false }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path("work").join(name)).ok()
    }

    /// The outcome of every call that the audit log has.
    pub fn recorded(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.path("state/audit.jsonl")).unwrap_or_default();
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter_map(|line| Some(line.to_string().split_once("\"outcome\":\"")?.1.split('"').next()?.to_owned()))
            .collect()
    }

    /// The other end of a connection that is served.
    pub fn serve(&self) -> (DuplexStream, JoinHandle<Result<(), ServerError>>) {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let (state, config) = (self.path("state"), self.config.clone());
        let opener = Arc::new(move |asker| {
            let settings = SessionSettings { asker, front: "mcp", ..settings(ConfirmMode::default()) };
            opened(state.clone(), &config, settings, false).map(|(session, _)| session)
        });
        (ours, tokio::spawn(Server::new(opener).serve(read, write, self.stop.clone())))
    }

    /// A session without a client, and the servers whose tools it has.
    pub fn session(&self, mode: ConfirmMode, asker: Arc<dyn Asker>) -> (Session, Option<Arc<Servers>>) {
        self.try_session(SessionSettings { asker, ..settings(mode) }).unwrap()
    }

    /// Agrees to this server as it is, and says what is other than before.
    pub fn trust(&self, server: &str) -> Result<Vec<Change>, String> {
        self.trust_if(server, |_| true).map(|(changes, _)| changes)
    }

    /// The same where `agrees` says so; what it was asked, and whether all was agreed to.
    pub fn trust_if(&self, server: &str, agrees: fn(&Change) -> bool) -> Result<(Vec<Change>, bool), String> {
        let host = Host::new(Places { state: Some(self.path("state")), ..Places::default() }, Arc::new(Silent));
        let config = Arc::new(self.config.clone());
        let place = host.workspace(&config).map_err(|fault| fault.to_string())?;
        let mut asked = Vec::new();
        let trusted = Servers::trust((&host, &place), &config, server, |changes| {
            asked.extend_from_slice(changes);
            changes.iter().all(agrees)
        });
        trusted.map(|status| (asked, status.is_some())).map_err(|fault| fault.to_string())
    }

    pub fn try_session(&self, settings: SessionSettings) -> Result<(Session, Option<Arc<Servers>>), String> {
        opened(self.path("state"), &self.config, settings, self.is_hasty)
    }

    pub async fn connected(&self, person: Person, lifecycle: ClientLifecycleMode) -> Connected {
        let (ours, serving) = self.serve();
        let client = serve_client_with_lifecycle(person, ours, lifecycle).await.unwrap();
        Connected { client, serving }
    }
}

fn settings(mode: ConfirmMode) -> SessionSettings {
    SessionSettings { mode, keeping: Keeping::Nothing, ..SessionSettings::default() }
}

fn opened(
    state: PathBuf,
    config: &Config,
    settings: SessionSettings,
    is_hasty: bool,
) -> Result<(Session, Option<Arc<Servers>>), String> {
    let host = Host::new(Places { state: Some(state), ..Places::default() }, Arc::new(Silent));
    let config = Arc::new(config.clone());
    let place = host.workspace(&config).map_err(|fault| fault.to_string())?;
    let servers = Servers::start(&host, &place, &config, Needed::All).map_err(|fault| fault.to_string())?;
    let extensions = servers.iter().map(|servers| Arc::clone(servers) as _).collect();
    let agent = Arc::new(Agent::with(&place, &config, extensions).map_err(|fault| fault.to_string())?);
    if let Some(servers) = &servers {
        if is_hasty { servers.begin(PATIENCE) } else { servers.wait(PATIENCE) }
    }
    Ok((Session::new(&agent, settings).map_err(|fault| fault.to_string())?, servers))
}

/// Who sits at a client: what they fill in, and what they were shown.
#[derive(Clone, Default)]
pub struct Person {
    /// None: their client has no forms.
    pub says: Option<fn(&str) -> ElicitResult>,
    pub shown: Arc<Mutex<Vec<String>>>,
}

impl Person {
    pub fn saying(says: fn(&str) -> ElicitResult) -> Self {
        Self { says: Some(says), shown: Arc::default() }
    }

    pub fn shown(&self) -> Vec<String> {
        self.shown.lock().unwrap().clone()
    }
}

pub fn filled(content: Value) -> ElicitResult {
    let mut result = ElicitResult::new(ElicitationAction::Accept);
    result.content = Some(content);
    result
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut able = ClientCapabilities::default();
        able.elicitation = self.says.map(|_| {
            let mut kinds = ElicitationCapability::new();
            kinds.form = Some(FormElicitationCapability::default());
            kinds
        });
        ClientConfig::new(able, Implementation::new("somebody", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else { panic!("not a form") };
        self.shown.lock().unwrap().push(message.clone());
        Ok(self.says.unwrap()(&message))
    }
}

pub struct Connected {
    pub client: RunningService<RoleClient, Person>,
    pub serving: JoinHandle<Result<(), ServerError>>,
}

impl Connected {
    pub async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        self.try_call(tool, arguments).await.unwrap()
    }

    pub async fn try_call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(request(tool, arguments)).await
    }

    pub async fn ends(self) {
        self.client.cancel().await.unwrap();
        tokio::time::timeout(PATIENCE, self.serving).await.unwrap().unwrap().unwrap();
    }
}

pub fn request(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

pub fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
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
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}
