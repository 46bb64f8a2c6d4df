//! The web tools of one command, from the configuration.

use palanca_config::{Config, SearchProviderName};
use palanca_tools::{BRAVE, FetchOptions, SearchOptions, SearchProvider, WebOptions};
use std::time::Duration;

/// The environment variable that holds Brave's key unless the operator names another one.
pub const KEY_VARIABLE: &str = "BRAVE_API_KEY";

/// What the tools need to know.
pub fn options(config: &Config) -> WebOptions {
    let (web, usual) = (&config.web_tools, WebOptions::default());
    let kept = |milliseconds: Option<u64>, usual| milliseconds.map_or(usual, Duration::from_millis);
    WebOptions {
        enabled: web.enabled,
        search: SearchOptions {
            providers: providers(config),
            max_results: web.search.max_results as usize,
            timeout: Duration::from_millis(web.search.timeout),
            fresh: kept(web.search.cache_ttl_ms, usual.search.fresh),
        },
        fetch: FetchOptions {
            max_content_length: usize::try_from(web.fetch.max_content_length).unwrap_or(usize::MAX),
            timeout: Duration::from_millis(web.fetch.timeout),
            fresh: kept(web.fetch.cache_ttl_ms, usual.fetch.fresh),
        },
    }
}

/// The providers that have what they need, in the operator's order. The network door must know them all.
pub fn providers(config: &Config) -> Vec<SearchProvider> {
    if !config.web_tools.enabled {
        return Vec::new();
    }
    let search = &config.web_tools.search;
    let mut found: Vec<SearchProvider> = Vec::new();
    for name in &search.providers {
        let provider = match name {
            SearchProviderName::Brave => {
                key(config).map(|key| SearchProvider::brave(search.brave_url.as_deref().unwrap_or(BRAVE), key))
            }
            SearchProviderName::Searxng => {
                search.searxng_url.as_deref().filter(|url| !url.trim().is_empty()).map(SearchProvider::searxng)
            }
        };
        // Asking the same one twice would not find more.
        found.extend(provider.filter(|provider| found.iter().all(|known| known.name() != provider.name())));
    }
    found
}

/// A key that is empty is none: an unset variable must not send one.
fn key(config: &Config) -> Option<String> {
    let search = &config.web_tools.search;
    let configured = search.api_key.as_ref().map(|key| key.reveal().to_owned());
    let variable = search.api_key_env.as_deref().unwrap_or(KEY_VARIABLE);
    let is_key = |key: &String| !key.trim().is_empty();
    configured.filter(is_key).or_else(|| std::env::var(variable).ok().filter(is_key)).map(|key| key.trim().to_owned())
}
