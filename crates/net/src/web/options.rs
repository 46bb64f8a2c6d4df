//! The options shared by every request through one door, and their errors.

use palanca_core::call::shown_origin;
use rustls::pki_types::CertificateDer;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Settings of every request. The lists are read once, when the door is built. `Debug` shows no more of the providers'
/// addresses than their origins.
#[derive(Clone)]
pub struct WebOptions {
    /// Hosts that calls may reach: `*` for all, a name or an address, `*.name` for the names below it, each with or
    /// without `:port`. Empty: none.
    pub allow_hosts: Vec<String>,
    /// Hosts that are never reached, providers included. Written as above, but wider: a name covers the names below it,
    /// and an address or network (`198.51.100.0/24`) also the names that resolve to it.
    pub deny_hosts: Vec<String>,
    /// Exact names or addresses, with a port or without, that may be private.
    pub private_hosts: Vec<String>,
    /// The operator's addresses by provider; a request for one goes nowhere else.
    pub providers: BTreeMap<String, String>,
    /// Requests to one host, a second; a redirect counts as one. At least 1.
    pub requests_per_second: u32,
    /// Burst of requests to one host after a quiet time. At least 1.
    pub burst: u32,
    /// Concurrent connections to one host. At least 1.
    pub connections_per_host: usize,
    /// Concurrent connections in total. At least 1.
    pub connections: usize,
    /// How long a request may wait in the rate-limit queue before it is refused.
    pub patience: Duration,
    /// How long a name may take to be resolved.
    pub resolve_timeout: Duration,
    /// How long to wait for a connection, encryption included.
    pub connect_timeout: Duration,
    /// Answers kept in memory, and how many bytes of them, and for how long.
    pub cache: CacheLimits,
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Certificates trusted in addition to the platform's.
    pub roots: Vec<CertificateDer<'static>>,
}

impl fmt::Debug for WebOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let providers: Vec<_> = self.providers.iter().map(|(name, base)| (name, shown_origin(base))).collect();
        f.debug_struct("WebOptions")
            .field("allow_hosts", &self.allow_hosts)
            .field("deny_hosts", &self.deny_hosts)
            .field("private_hosts", &self.private_hosts)
            .field("providers", &providers)
            .finish_non_exhaustive()
    }
}

/// Limits of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLimits {
    /// Number of answers; zero disables the cache.
    pub entries: usize,
    /// Bytes of bodies, addresses and headers; an answer of more than a quarter of it is not kept.
    pub bytes: usize,
    /// The maximum age of an answer.
    pub age: Duration,
}

impl Default for CacheLimits {
    /// 128 answers, 16 MiB, 15 minutes.
    fn default() -> Self {
        Self { entries: 128, bytes: 16 << 20, age: Duration::from_secs(15 * 60) }
    }
}

impl Default for WebOptions {
    /// Every public host, no private one; 10 requests per second to one host, in bursts of up to 20; 6 connections to
    /// one host, 64 in total.
    fn default() -> Self {
        Self {
            allow_hosts: vec!["*".to_owned()],
            deny_hosts: Vec::new(),
            private_hosts: Vec::new(),
            providers: BTreeMap::new(),
            requests_per_second: 10,
            burst: 20,
            connections_per_host: 6,
            connections: 64,
            patience: Duration::from_secs(5),
            resolve_timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(10),
            cache: CacheLimits::default(),
            user_agent: concat!("palanca/", env!("CARGO_PKG_VERSION")).to_owned(),
            roots: Vec::new(),
        }
    }
}

/// An entry of the options that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{list}: '{entry}' {fault}")]
pub struct WebOptionsError {
    /// Which list: `allow_hosts`, `deny_hosts`, `private_hosts` or `providers`.
    pub list: &'static str,
    /// The entry; a provider's address is no more than its origin.
    pub entry: String,
    /// What is wrong with it.
    pub fault: String,
}
