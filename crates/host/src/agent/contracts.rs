//! Where the files of the contracts toolset come from, and what `validate_output` knows, from the configuration.

use crate::fault::Fault;
use palanca_config::{Config, FileSource, ToolsetName};
use palanca_core::Message;
use palanca_core::arguments::{Checker, contradiction};
use palanca_core::ports::{Files, NoFiles};
use palanca_files::read_text;
use palanca_github::{GitHub, GitHubOptions, Repository};
use palanca_net::{NetClient, NetOptions, Origin};
use palanca_policy::paths::PathRules;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A schema is at most this long.
const MAX_SCHEMA: u64 = 1 << 20;
const PUBLIC_API: &str = "https://api.github.com";
const PUBLIC_ARCHIVES: &str = "https://codeload.github.com";

/// The door of the toolset: the workspace's, or one on a repository. Nothing is asked yet.
///
/// # Errors
/// A repository or an address that is none. A missing token is no error here: the tools say it.
pub fn source(config: &Config, workspace: Arc<dyn Files>, rules: &Arc<PathRules>) -> Result<Arc<dyn Files>, Fault> {
    if !is_remote(config) {
        return Ok(workspace);
    }
    let github = &config.github;
    let (Some((repository, reference)), Some(token)) = (named(config), token(config)) else {
        return Ok(Arc::new(NoFiles::NotConnected));
    };
    let repository: Repository = repository.parse().map_err(Fault::usage)?;
    let mut options = GitHubOptions::new(repository, token);
    options.reference =
        reference.as_deref().map(str::trim).filter(|reference| !reference.is_empty()).map(str::to_owned);
    options.api_base = github.api_base.trim_end_matches('/').to_owned();
    options.time = Duration::from_secs(github.timeout.into());
    let http = NetClient::new(origins(config)?, NetOptions::default());
    Ok(Arc::new(GitHub::new(options, Arc::new(http), Arc::clone(rules) as _)))
}

fn is_remote(config: &Config) -> bool {
    config.toolset == ToolsetName::Contracts && config.contracts.source == FileSource::Github
}

/// The repository that the tools are bound to, with its reference.
fn named(config: &Config) -> Option<(&String, &Option<String>)> {
    match &config.contracts.product {
        Some(product) => {
            config.contracts.products.get(product).map(|product| (&product.repository, &product.reference))
        }
        None => config.github.repository.as_ref().map(|repository| (repository, &config.github.reference)),
    }
}

/// A source of files beyond the network.
pub struct Remote {
    /// None when it is not set up: no repository, or no token.
    pub repository: Option<String>,
    /// Where its requests go.
    pub addresses: Vec<String>,
}

/// The source of the toolset's files, where that is not the workspace. Nothing is asked.
///
/// # Errors
/// As [`source`].
pub fn remote(config: &Config) -> Result<Option<Remote>, Fault> {
    if !is_remote(config) {
        return Ok(None);
    }
    let repository = named(config).filter(|_| token(config).is_some()).map(|(repository, _)| repository.clone());
    let addresses = origins(config)?.iter().map(ToString::to_string).collect();
    Ok(Some(Remote { repository, addresses }))
}

/// A token that is empty is none.
fn token(config: &Config) -> Option<String> {
    let token = std::env::var(&config.github.token_env).ok()?;
    Some(token.trim().to_owned()).filter(|token| !token.is_empty())
}

/// The API's address and that of archives: nowhere else may a request lead.
fn origins(config: &Config) -> Result<Vec<Origin>, Fault> {
    let github = &config.github;
    let is_public = github.api_base.trim_end_matches('/') == PUBLIC_API;
    let archives = github.archive_base.as_deref().or(is_public.then_some(PUBLIC_ARCHIVES));
    let all = [("github.api_base", Some(github.api_base.as_str())), ("github.archive_base", archives)];
    let mut origins = Vec::new();
    for (key, address) in all {
        let Some(address) = address else { continue };
        let origin = Origin::of(address).map_err(|error| Fault::usage(format!("{key}: {error}")))?;
        if !is_safe(&origin.to_string()) {
            return Err(Fault::said(Message::new("cli-github-plain").with("key", key).with("address", address)));
        }
        origins.push(origin);
    }
    Ok(origins)
}

/// A token must not cross a network unencrypted.
fn is_safe(origin: &str) -> bool {
    let Some(host) = origin.strip_prefix("http://") else { return true };
    ["localhost:", "127.0.0.1:", "[::1]:"].iter().any(|here| host.starts_with(here))
}

/// The configured types of `validate_output`.
///
/// # Errors
/// A file that cannot be read, is no JSON or no JSON Schema.
pub fn output_types(config: &Config) -> Result<BTreeMap<String, Value>, Fault> {
    if config.toolset != ToolsetName::Contracts {
        return Ok(BTreeMap::new());
    }
    let types = config.contracts.output_types.iter();
    types.map(|(name, file)| Ok((name.clone(), schema(config, name, file)?))).collect()
}

fn schema(config: &Config, name: &str, file: &str) -> Result<Value, Fault> {
    let unusable = |reason: String| {
        Fault::said(
            Message::new("cli-output-type-unusable").with("name", name).with("file", file).with("reason", reason),
        )
    };
    let text = match read_text(Path::new(file), MAX_SCHEMA) {
        Err(error) if error.is_not_found() => {
            let inside: PathBuf = Path::new(&config.workspace.root).join(file);
            // The path as it was given is the one to complain about.
            read_text(&inside, MAX_SCHEMA).map_err(|_| error)?
        }
        read => read?,
    };
    let schema: Value = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
    match Checker::new(&schema).fault().map(str::to_owned).or_else(|| contradiction(&schema)) {
        Some(fault) => Err(unusable(fault)),
        None => Ok(schema),
    }
}
