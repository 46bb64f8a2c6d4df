//! A model's address and key, derived from values that the caller reads from the environment.
//!
//! A key is required only where it is certainly needed, at a provider's own address: a compatible server at another
//! address often needs none. Keys never appear in `Debug` or in errors.

use crate::error::Place;
use crate::spec::{ModelSpec, Provider};
use crate::wire::WireFormat;
use palanca_core::Message as Sentence;
use palanca_core::call::shown_origin;
use std::fmt;
use std::sync::Arc;

const OPENAI: &str = "https://api.openai.com/v1";
const ANTHROPIC: &str = "https://api.anthropic.com";
const OLLAMA: &str = "http://127.0.0.1:11434";

/// A credential. `Debug` and `Display` never show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes the text, without surrounding white space.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key itself, for the one header that carries it.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

/// Settings from the command line or the configuration, which override the environment. `Debug` shows no more of the
/// address than its origin.
#[derive(Clone, Default)]
pub struct Overrides {
    /// The base URL.
    pub api_base: Option<String>,
    /// The name of the variable that holds the key.
    pub key_variable: Option<String>,
    /// The key itself.
    pub key: Option<ApiKey>,
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overrides")
            .field("api_base", &self.api_base.as_deref().map(shown_origin))
            .field("key_variable", &self.key_variable)
            .field("key", &self.key)
            .finish()
    }
}

/// A model's address. `Debug` shows neither the key nor more of the URL than its origin.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) wire: WireFormat,
    pub(crate) base: String,
    pub(crate) key: Option<ApiKey>,
    pub(crate) model: String,
    pub(crate) place: Arc<Place>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("wire", &self.wire).field("place", &self.place).finish_non_exhaustive()
    }
}

/// An address that cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// No key for an address that requires one.
    #[error("{model} needs a key: set {key_variable}, or point {base_variable} at a server that needs none")]
    MissingKey {
        /// Which model.
        model: String,
        /// The variable to set.
        key_variable: String,
        /// The other variable.
        base_variable: &'static str,
    },
    /// Not a usable URL.
    #[error("the model's address is not an http or https URL. Set {variable} to one such as {example}")]
    InvalidBase {
        /// The variable that contains it.
        variable: &'static str,
        /// A valid example.
        example: &'static str,
    },
    /// A user or a password in the URL: it would be sent to the server and appear in logs.
    #[error(
        "there is a user name or a password in {shown}. Set {variable} without them, and put the key in {key_variable}"
    )]
    LoginInBase {
        /// Its origin.
        shown: String,
        /// The variable that contains it.
        variable: &'static str,
        /// The variable for the key.
        key_variable: String,
    },
    /// A recorded session or a program has no address.
    #[error("{model} has no address: a recorded session is read from its file, and a program is started")]
    None {
        /// Which model.
        model: String,
    },
}

impl EndpointError {
    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Sentence {
        match self {
            Self::MissingKey { model, key_variable, base_variable } => Sentence::new("model-missing-key")
                .with("model", model)
                .with("key", key_variable)
                .with("base", *base_variable),
            Self::InvalidBase { variable, example } => {
                Sentence::new("model-invalid-base").with("base", *variable).with("example", *example)
            }
            Self::LoginInBase { shown, variable, key_variable } => Sentence::new("model-login-in-base")
                .with("shown", shown)
                .with("base", *variable)
                .with("key", key_variable),
            Self::None { model } => Sentence::new("model-no-address").with("model", model),
        }
    }
}

struct Defaults {
    wire: WireFormat,
    base: &'static str,
    base_variable: &'static str,
    key_variable: &'static str,
}

const fn defaults(provider: Provider) -> Option<Defaults> {
    let (wire, base, base_variable, key_variable) = match provider {
        Provider::OpenAi => (WireFormat::OpenAiChat, OPENAI, "OPENAI_BASE_URL", "OPENAI_API_KEY"),
        Provider::OpenAiResponses => (WireFormat::OpenAiResponses, OPENAI, "OPENAI_BASE_URL", "OPENAI_API_KEY"),
        Provider::Anthropic => (WireFormat::Anthropic, ANTHROPIC, "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        Provider::Ollama => (WireFormat::OpenAiChat, OLLAMA, "OLLAMA_HOST", "OLLAMA_API_KEY"),
        Provider::ClaudeCli | Provider::Replay => return None,
    };
    Some(Defaults { wire, base, base_variable, key_variable })
}

impl Endpoint {
    /// Determines the address: override, then the provider's variable, then the provider's own address. `env` reads one
    /// environment variable; blank values count as unset.
    ///
    /// # Errors
    /// [`EndpointError`], each of which says what to set.
    pub fn resolve(
        spec: &ModelSpec,
        overrides: &Overrides,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, EndpointError> {
        let Some(defaults) = defaults(spec.provider) else {
            return Err(EndpointError::None { model: spec.to_string() });
        };
        let given =
            overrides.api_base.clone().and_then(filled).or_else(|| env(defaults.base_variable).and_then(filled));
        let key_variable =
            overrides.key_variable.clone().and_then(filled).unwrap_or_else(|| defaults.key_variable.to_owned());
        if let Some(given) = given.as_deref().filter(|given| has_login(given)) {
            return Err(EndpointError::LoginInBase {
                shown: shown_origin(given),
                variable: defaults.base_variable,
                key_variable,
            });
        }
        let base = base_url(spec.provider, given, &defaults)?;
        let key = overrides.key.clone().or_else(|| env(&key_variable).and_then(filled).map(|text| ApiKey::new(&text)));
        if key.is_none() && base.starts_with(defaults.base) && defaults.base.starts_with("https") {
            return Err(EndpointError::MissingKey {
                model: spec.to_string(),
                key_variable,
                base_variable: defaults.base_variable,
            });
        }
        Ok(Self {
            wire: defaults.wire,
            key,
            model: spec.name.clone(),
            place: Arc::new(Place {
                endpoint: shown_origin(&base),
                model: spec.to_string(),
                base_variable: defaults.base_variable,
                key_variable,
                timeout_setting: "llm.timeout",
            }),
            base,
        })
    }

    /// The same, where other settings than the provider's variables determine it: errors name these.
    #[must_use]
    pub fn set_by(mut self, address: &'static str, key: &str) -> Self {
        let place = Place { base_variable: address, key_variable: key.to_owned(), ..(*self.place).clone() };
        self.place = Arc::new(place);
        self
    }

    /// The same, where another setting than that of the agent's model limits the wait: errors name it.
    #[must_use]
    pub fn timed_by(mut self, timeout_setting: &'static str) -> Self {
        self.place = Arc::new(Place { timeout_setting, ..(*self.place).clone() });
        self
    }

    /// The wire format of this address.
    #[must_use]
    pub const fn wire(&self) -> WireFormat {
        self.wire
    }

    /// The prefix of every request's URL, without user and password. Nothing else needs to be reachable.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The address and the model, in names that are safe to show.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Whether this is the provider itself rather than a compatible server.
    pub(crate) fn is_official(&self) -> bool {
        self.base.starts_with(OPENAI) || self.base.starts_with(ANTHROPIC)
    }
}

/// The default model: of the provider whose key is set.
#[must_use]
pub fn default_spec(env: &dyn Fn(&str) -> Option<String>) -> Option<ModelSpec> {
    let candidates = [
        ("OPENAI_API_KEY", Provider::OpenAi, "gpt-4.1"),
        ("ANTHROPIC_API_KEY", Provider::Anthropic, "claude-sonnet-4-6"),
    ];
    candidates
        .into_iter()
        .find(|(variable, ..)| env(variable).and_then(filled).is_some())
        .map(|(_, provider, name)| ModelSpec { provider, name: name.to_owned() })
}

pub(crate) fn filled(text: String) -> Option<String> {
    let trimmed = text.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

/// `OLLAMA_HOST` as Ollama itself reads it: scheme and port may be missing, and a listening address is not an address
/// to connect to.
pub(crate) fn ollama_host(given: &str) -> String {
    let (scheme, rest) = given.split_once("://").unwrap_or(("http", given));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.strip_prefix("0.0.0.0").map_or_else(|| host.to_owned(), |port| format!("127.0.0.1{port}"));
    let has_port =
        host.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    let port = match (has_port, scheme) {
        (true, _) | (false, "https") => "",
        _ => ":11434",
    };
    let host = host.trim_end_matches(':');
    let host = if host.is_empty() { "127.0.0.1" } else { host };
    let path = path.trim_end_matches('/');
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{scheme}://{host}{port}{slash}{path}")
}

fn base_url(provider: Provider, given: Option<String>, defaults: &Defaults) -> Result<String, EndpointError> {
    let given = given.unwrap_or_else(|| defaults.base.to_owned());
    let base = match provider {
        Provider::Ollama => {
            let host = ollama_host(&given);
            format!("{}/v1", host.trim_end_matches("/v1"))
        }
        Provider::Anthropic => given.trim_end_matches('/').trim_end_matches("/v1").to_owned(),
        _ => given.trim_end_matches('/').to_owned(),
    };
    let host = base.strip_prefix("http://").or_else(|| base.strip_prefix("https://")).unwrap_or("");
    if host.is_empty() || host.starts_with('/') || base.contains(char::is_whitespace) {
        return Err(EndpointError::InvalidBase { variable: defaults.base_variable, example: defaults.base });
    }
    Ok(base)
}

fn has_login(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    // The URL standard treats a backslash as a slash.
    rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests;
