//! The model of a run: named, or found, or a page that says what to set. A replay never silently replaces a model.
//! Its client reaches only the one address determined here.

use super::claude;
use crate::fault::{Fault, FaultKind};
use crate::host::Host;
use palanca_config::{Config, ToolsSetting, VisionSetting};
use palanca_core::Message;
use palanca_files::read_text;
use palanca_models::{
    ApiKey, Endpoint, EndpointError, Fallbacks, HttpModel, Model, ModelOptions, ModelSpec, Overrides, PromptCaching,
    Provider, ReplayModel, RetryPolicy, ToolSupport, Vision, default_spec, installed_models, ollama_base,
};
use palanca_net::{NetClient, NetOptions, Origin};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A recorded session is at most this long.
const MAX_REPLAY: u64 = 64 << 20;

pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Finds the model and readies it. Nothing is sent yet, but to a local Ollama when nothing else is named. Of a replay the
/// first `played` answers are passed over.
///
/// # Errors
/// When none is named or its name, file or address is no good; when its key is missing.
pub async fn model(host: &Arc<Host>, config: &Config, played: usize) -> Result<Arc<dyn Model>, Fault> {
    let spec = chosen(config).await?;
    if spec.provider == Provider::Replay {
        return replay(&spec.name, played);
    }
    let common = overrides(config);
    let own = of_provider(config, &spec);
    let ready = |spec: &ModelSpec, overrides: &Overrides| match spec.provider {
        Provider::ClaudeCli => claude::model(host, config, spec),
        _ => reached(config, spec, overrides),
    };
    let first = ready(&spec, &Overrides { api_base: common.api_base.clone().or(own.api_base), ..common })?;
    let others = fallbacks(config)?;
    let others: Vec<_> = others.iter().map(|spec| ready(spec, &of_provider(config, spec))).collect::<Result<_, _>>()?;
    Ok(if others.is_empty() { first } else { Arc::new(Fallbacks::new(first, others)) })
}

/// The models that answer while the first one cannot be reached.
///
/// # Errors
/// A name that is none.
pub fn fallbacks(config: &Config) -> Result<Vec<ModelSpec>, Fault> {
    let named = |name: &String| name.parse::<ModelSpec>().map_err(|error| Fault::said(error.message()));
    config.llm.fallbacks.iter().map(named).collect()
}

fn reached(config: &Config, spec: &ModelSpec, overrides: &Overrides) -> Result<Arc<dyn Model>, Fault> {
    let endpoint = Endpoint::resolve(spec, overrides, &variable).map_err(|error| {
        let kind = match error {
            EndpointError::MissingKey { .. } => FaultKind::Authentication,
            _ => FaultKind::Usage,
        };
        Fault { kind, message: error.message() }
    })?;
    let options = ModelOptions {
        timeout: Duration::from_secs(u64::from(config.llm.timeout)),
        retry: RetryPolicy { retries: config.llm.retries, ..RetryPolicy::default() },
        tools: match config.llm.tools {
            ToolsSetting::Auto => ToolSupport::Detect,
            ToolsSetting::Native => ToolSupport::Native,
            ToolsSetting::Json => ToolSupport::Constrained,
        },
        vision: match config.llm.vision {
            VisionSetting::Auto => Vision::Auto,
            VisionSetting::On => Vision::On,
            VisionSetting::Off => Vision::Off,
        },
        caching: if config.llm.prompt_caching { PromptCaching::Marked } else { PromptCaching::Unmarked },
        ..ModelOptions::default()
    };
    let http = only_to(endpoint.base());
    Ok(Arc::new(HttpModel::new(endpoint, Arc::new(http), options)))
}

/// Where a run's requests to its model go.
pub enum Address {
    /// To the model's provider.
    Of(ModelSpec, String),
    /// No model is named: to an Ollama on this machine, if there is one.
    Local(String),
    /// Wherever this program leads.
    Program(ModelSpec, String),
    /// Nowhere: the answers are in a file.
    Recorded,
}

/// The address of the configured model. Nothing is asked, and no key is needed.
///
/// # Errors
/// A name or an address that is no good.
pub fn address(config: &Config) -> Result<Address, Fault> {
    let Some(spec) = named(config)?.or_else(|| default_spec(&variable)) else {
        return Ok(Address::Local(ollama_base(variable("OLLAMA_HOST"))));
    };
    match spec.provider {
        Provider::Replay => return Ok(Address::Recorded),
        Provider::ClaudeCli => return Ok(Address::Program(spec, config.llm.claude_path.clone())),
        _ => {}
    }
    let key = Some(ApiKey::new("unused"));
    let overrides = Overrides { api_base: config.llm.api_base.clone(), key, ..Overrides::default() };
    let endpoint = Endpoint::resolve(&spec, &overrides, &variable).map_err(|error| Fault::said(error.message()))?;
    Ok(Address::Of(spec, endpoint.base().to_owned()))
}

/// The model that a run uses: the one that is named, else the first provider whose key is set, else a local Ollama's.
///
/// # Errors
/// When none is named or found, or the name is no good.
pub async fn chosen(config: &Config) -> Result<ModelSpec, Fault> {
    match named(config)? {
        Some(spec) => Ok(spec),
        None => match default_spec(&variable) {
            Some(spec) => Ok(spec),
            None => local().await.ok_or_else(|| Fault::said(Message::new("cli-model-none"))),
        },
    }
}

/// What the configuration says of a provider, whoever asks it.
pub(super) fn of_provider(config: &Config, spec: &ModelSpec) -> Overrides {
    let api_base = config.ollama.base_url.clone().filter(|_| spec.provider == Provider::Ollama);
    Overrides { api_base, ..Overrides::default() }
}

fn overrides(config: &Config) -> Overrides {
    Overrides {
        api_base: config.llm.api_base.clone(),
        key_variable: config.llm.api_key_env.clone(),
        ..Overrides::default()
    }
}

/// A provider, and whether a model of it can be asked from here.
pub struct ProviderState {
    /// As it is written before a model's name.
    pub name: &'static str,
    /// Whether a model of it can be asked from here.
    pub is_ready: bool,
    /// The base URL; none where it cannot be worked out.
    pub endpoint: Option<String>,
    /// Installed models, where the provider runs them here.
    pub installed: Option<Vec<String>>,
    /// What is set up of it, and what is missing.
    pub state: Message,
}

/// Every provider. Only a local Ollama is asked; keys are looked for and not tried. The configured address and key variable
/// count for the provider of the chosen model alone.
pub async fn providers(config: &Config, chosen: Option<&ModelSpec>) -> Vec<ProviderState> {
    let mut states = Vec::with_capacity(Provider::ALL.len());
    for provider in Provider::ALL {
        let overrides = match chosen {
            Some(chosen) if chosen.provider == provider => overrides(config),
            _ => Overrides::default(),
        };
        states.push(match provider {
            Provider::ClaudeCli => state_of_program(&config.llm.claude_path),
            _ => state_of(provider, &overrides).await,
        });
    }
    states
}

fn state_of_program(program: &str) -> ProviderState {
    let is_ready = claude::found(program).is_some();
    let key = if is_ready { "models-claude-cli" } else { "models-claude-cli-none" };
    let state = Message::new(key).with("program", program);
    ProviderState { name: Provider::ClaudeCli.as_str(), is_ready, endpoint: None, installed: None, state }
}

async fn state_of(provider: Provider, overrides: &Overrides) -> ProviderState {
    let none = ProviderState {
        name: provider.as_str(),
        is_ready: false,
        endpoint: None,
        installed: None,
        state: Message::new("models-replay"),
    };
    let spec = ModelSpec { provider, name: "MODEL".to_owned() };
    let endpoint = match Endpoint::resolve(&spec, overrides, &variable) {
        Ok(endpoint) => endpoint,
        Err(EndpointError::None { .. }) => return ProviderState { is_ready: true, ..none },
        Err(error) => return ProviderState { state: error.message(), ..none },
    };
    let url = endpoint.place().endpoint.clone();
    if provider == Provider::Ollama {
        let base = ollama_base(overrides.api_base.clone().or_else(|| variable("OLLAMA_HOST")));
        let installed = installed_models(&only_to(&base), &base).await;
        let state = Message::new(if installed.is_empty() { "models-ollama-none" } else { "models-ollama" })
            .with("endpoint", &url)
            .with("models", installed.join(", "));
        let is_ready = !installed.is_empty();
        return ProviderState { is_ready, endpoint: Some(url), installed: Some(installed), state, ..none };
    }
    let key = &endpoint.place().key_variable;
    let is_set = variable(key).is_some_and(|value| !value.trim().is_empty());
    let state =
        Message::new(if is_set { "models-key" } else { "models-no-key" }).with("endpoint", &url).with("key", key);
    ProviderState { is_ready: true, endpoint: Some(url), state, ..none }
}

/// The model that the configuration names.
///
/// # Errors
/// A name that is none.
pub fn named(config: &Config) -> Result<Option<ModelSpec>, Fault> {
    let named = config.llm.model.as_deref().map(str::parse::<ModelSpec>).transpose();
    named.map_err(|error| Fault::said(error.message()))
}

/// The first configured model, where none of those that are named can call tools.
///
/// # Errors
/// A name that is none.
pub fn without_tools(config: &Config) -> Result<Option<String>, Fault> {
    let calls_tools = |spec: &ModelSpec| spec.provider != Provider::ClaudeCli;
    let first = named(config)?.filter(|first| !calls_tools(first));
    let has_other = fallbacks(config)?.iter().any(calls_tools);
    Ok(first.filter(|_| !has_other).map(|first| first.to_string()))
}

/// The way to one address. To one that is none there is no way, and the first request says so.
pub(super) fn only_to(base: &str) -> NetClient {
    NetClient::new(Origin::of(base).ok(), NetOptions::default())
}

async fn local() -> Option<ModelSpec> {
    let base = ollama_base(variable("OLLAMA_HOST"));
    let names = installed_models(&only_to(&base), &base).await;
    let name = names.into_iter().next()?;
    Some(ModelSpec { provider: Provider::Ollama, name })
}

fn replay(file: &str, played: usize) -> Result<Arc<dyn Model>, Fault> {
    let text = read_text(Path::new(file), MAX_REPLAY)?;
    let model = ReplayModel::parse(file, &text).map_err(|error| Fault::said(error.message()))?;
    Ok(Arc::new(model.after(played)))
}
