//! The network door of one command, from the configuration. Building it reads lists and nothing else: certificates and
//! names wait for the first request, so a command that sends nothing pays nothing.

use super::{phone, web};
use crate::fault::Fault;
use palanca_config::Config;
use palanca_net::{WebDoor, WebOptions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The door, for every part of a command that fetches something.
///
/// # Errors
/// An entry of `net` that is no host, or a provider's address that is none.
pub fn door(config: &Config) -> Result<Arc<WebDoor>, Fault> {
    let net = &config.net;
    let options = WebOptions {
        allow_hosts: net.allow_hosts.clone(),
        deny_hosts: net.deny_hosts.clone(),
        private_hosts: net.private_hosts.clone(),
        providers: providers(config),
        requests_per_second: net.requests_per_second,
        burst: net.requests_per_second.saturating_mul(2),
        ..WebOptions::default()
    };
    WebDoor::system(options).map(Arc::new).map_err(|error| match error.list {
        "providers" => Fault::usage(format!("webTools.search, phoneCall: '{}' {}", error.entry, error.fault)),
        _ => Fault::usage(format!("net.{error}")),
    })
}

/// The operator's addresses by the name that tools use for them.
fn providers(config: &Config) -> BTreeMap<String, String> {
    let known = web::providers(config);
    let known = known.iter().map(|provider| (provider.name().to_owned(), provider.address().to_owned()));
    known.chain(phone::provider(config)).collect()
}
