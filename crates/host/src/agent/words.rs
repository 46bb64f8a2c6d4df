//! Text processing: redacts secrets from everything shown or stored, marks foreign text, and tracks taint.

use crate::fault::Fault;
use palanca_config::{Config, TaintSetting, ToolSettings};
use palanca_core::call::Digest;
use palanca_core::gate::GateBuilder;
use palanca_core::ports::Redactor;
use palanca_policy::marking::ExternalMarker;
use palanca_policy::secrets::{Secrets, SentSecret, WrittenMark};
use palanca_policy::taint::{Answer, Declaration, Declarations, Programs, TaintGuard, WorkspaceText};
use std::sync::Arc;

/// Ends of names of variables whose values are secret.
const SECRET_NAMES: &str = "
    KEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE PWD_HASH CREDENTIALS CREDENTIAL AUTH _PAT _DSN
    DATABASE_URL CONNECTION_STRING API_KEYS WEBHOOK_URL OTLP_HEADERS";
/// Of these the value is no secret, whatever the end of the name.
const NOT_SECRET: &str = "SSH_AUTH_SOCK XAUTHORITY GPG_KEY PUBLIC_KEY PUBKEY";

/// Redactor, marker and taint of one gate.
#[derive(Clone)]
pub struct Words {
    /// Takes secrets out.
    pub redactor: Arc<dyn Redactor>,
    /// Knows where texts came from.
    pub taint: Arc<TaintGuard>,
    sent: Arc<SentSecret>,
}

impl Words {
    /// # Errors
    /// What is said of tools makes no sense.
    pub fn new(config: &Config, secrets: &Secrets) -> Result<Self, Fault> {
        let workspace = if config.workspace.vouched { WorkspaceText::Vouched } else { WorkspaceText::Unvouched };
        let programs = if config.commands.unsandboxed { Programs::Unsandboxed } else { Programs::Sandboxed };
        let taint = TaintGuard::new(answer(config.taint)).declaring(declarations(config)?);
        let taint = Arc::new(taint.workspace(workspace).programs(programs));
        Ok(Self { sent: Arc::new(SentSecret::new(secrets.clone())), redactor: Arc::new(secrets.clone()), taint })
    }

    /// The gate with all of it.
    pub fn add(&self, gate: GateBuilder) -> GateBuilder {
        gate.redactor(Arc::clone(&self.redactor))
            .marker(Arc::new(marker()))
            .guard(Arc::new(WrittenMark))
            .guard(Arc::clone(&self.sent) as _)
            .guard(Arc::clone(&self.taint) as _)
    }
}

/// What the operator says of tools.
fn declarations(config: &Config) -> Result<Declarations, Fault> {
    let declaration = |own: &ToolSettings| Declaration {
        trusted: own.trusted.clone(),
        roles: own.roles.clone(),
        targets: own.targets.clone(),
        closed: own.closed,
    };
    let all = config.tools.iter().map(|(name, own)| (name.clone(), declaration(own)));
    Declarations::new(all).map_err(|error| Fault::said(error.message()))
}

/// Every value that the configuration and the environment handed out.
pub fn secrets(config: &Config) -> Secrets {
    let named = |name: &str| config.secrets.values.iter().any(|value| value == name);
    let token = Some(config.github.token_env.clone());
    let keys = [&config.llm.api_key_env, &config.web_tools.search.api_key_env, &token];
    let keys = keys.into_iter().chain(config.channels.values().map(|channel| &channel.secret_env));
    let keys: Vec<&String> = keys.flatten().collect();
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| named(name) || is_secret(name) || keys.contains(&name));
    let written = config.secret_values.iter().map(|(key, value)| (key.clone(), value.reveal().to_owned()));
    Secrets::new(environment.chain(written))
}

/// Whether a variable of this name holds a secret.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let ends = |names: &str| names.split_whitespace().any(|end| name.ends_with(end));
    ends(SECRET_NAMES) && !ends(NOT_SECRET)
}

/// The marker, with random numbers of the system.
pub fn marker() -> ExternalMarker {
    ExternalMarker::new(|| {
        // Each id has six bits that are fixed; of two, hashed, every bit is random.
        let (one, two) = (uuid::Uuid::new_v4(), uuid::Uuid::new_v4());
        let hash = Digest::of_bytes(&[one.into_bytes(), two.into_bytes()].concat()).to_hex();
        hash.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or_else(|| one.as_u128())
    })
}

const fn answer(setting: TaintSetting) -> Answer {
    match setting {
        TaintSetting::Off => Answer::Off,
        TaintSetting::Warn => Answer::Warn,
        TaintSetting::Ask => Answer::Ask,
        TaintSetting::Block => Answer::Block,
    }
}
