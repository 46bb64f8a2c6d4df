//! The hosts outside that a rule is about: names, a path that addresses begin with, methods, or one whole address.
//!
//! What allows must be sure: a host is the one that is written, on its usual port, and what a server could take for another
//! path is covered by no rule. What refuses may guess: a host is taken with all below it and on any port, a path in any
//! spelling.

use super::row::{Row, Says};
use crate::address::{self, Address};
use palanca_core::call::{HttpAccess, Method};

/// One exchange, read once.
pub(super) struct Target<'c> {
    pub(super) reach: &'c HttpAccess,
    /// None for what no rule understands.
    pub(super) address: Option<Address>,
}

impl<'c> Target<'c> {
    pub(super) fn of(reach: &'c HttpAccess) -> Self {
        Self { reach, address: Address::read(&reach.url) }
    }
}

/// What a rule says of hosts.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts {
    names: Vec<Name>,
    prefix: Option<String>,
    /// Empty: reading for a rule that allows, any for one that does not.
    methods: Vec<Method>,
    url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    /// Empty for `*`.
    host: String,
    port: Option<u16>,
    wild: bool,
}

type Wrong = (Option<String>, String);

impl Hosts {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, Wrong> {
        let allows = row.decision == Says::Allow;
        let wrong = |near: &str, words: &str| Err((Some(near.to_owned()), format!("{near:?} {words}")));
        let url = match &row.url {
            None => None,
            Some(url) => match Address::read(url) {
                Some(address) if allows => Some(address.as_str().to_owned()),
                Some(_) => {
                    return wrong(url, "in 'url' is for rules that allow: other addresses would pass; use 'hosts'");
                }
                None => return wrong(url, "is no address; write it whole, with https:// and without a user"),
            },
        };
        if url.is_some() && (!row.hosts.is_empty() || row.prefix.is_some()) {
            return wrong("url", "says all; leave 'hosts' and 'prefix' out");
        }
        if url.is_none() && row.hosts.is_empty() {
            return wrong(
                "hosts",
                "is missing: name them, [\"docs.rs\", \"*.example.com\"]; [\"*\"] refuses or asks for all",
            );
        }
        let names = row.hosts.iter().map(|text| Name::new(text, allows)).collect::<Result<_, _>>()?;
        let prefix = match &row.prefix {
            None => None,
            Some(text) => {
                let read = Address::read(&format!("https://host.invalid{text}"))
                    .filter(|_| text.starts_with('/') && !text.contains(['?', '#']));
                match read.filter(|address| address.as_str().ends_with(address.path()) && !is_open(address.path())) {
                    Some(address) => Some(address.path().trim_end_matches('/').to_owned()),
                    None => return wrong(text, "in 'prefix' is no path; begin it with '/', without '?' and '#'"),
                }
            }
        };
        let methods = row.method.as_ref().map_or_else(Vec::new, |methods| methods.0.clone());
        Ok(Self { names, prefix, methods, url })
    }

    /// The hosts that it names and the ends of those that a pattern names; none where it is about every host.
    pub(super) fn ends(&self) -> Option<Vec<String>> {
        let whole = self.url.as_ref().map(|url| Some(Address::read(url)?.host().to_owned()));
        let end = |name: &Name| (!name.host.is_empty()).then(|| name.host.clone());
        self.names.iter().map(end).chain(whole).collect()
    }

    /// Whether it names hosts one by one, no pattern.
    pub(super) fn are_exact(&self) -> bool {
        self.names.iter().all(|name| !name.wild)
    }

    /// Whether it surely is about this exchange.
    pub(super) fn cover(&self, target: &Target<'_>) -> bool {
        let Some(address) = &target.address else { return false };
        let method = target.reach.method;
        let by_method = if self.methods.is_empty() { method.only_reads() } else { self.methods.contains(&method) };
        if let Some(url) = &self.url {
            return by_method && url == address.as_str();
        }
        let under = |prefix: &String| !is_open(address.path()) && is_below(address.path(), prefix);
        by_method && self.names.iter().any(|name| name.covers(address)) && self.prefix.as_ref().is_none_or(under)
    }

    /// Whether it could be about this exchange.
    pub(super) fn touch(&self, target: &Target<'_>) -> bool {
        let by_method = self.methods.is_empty() || self.methods.contains(&target.reach.method);
        let Some(address) = &target.address else { return by_method };
        let under = |prefix: &String| is_below(&plain(address.path()), &plain(prefix));
        by_method && self.names.iter().any(|name| name.touches(address)) && self.prefix.as_ref().is_none_or(under)
    }
}

impl Name {
    fn new(text: &str, allows: bool) -> Result<Self, Wrong> {
        let wrong = |words: &str| Err((Some(text.to_owned()), format!("host {text:?}: {words}")));
        if text == "*" && !allows {
            return Ok(Self { host: String::new(), port: None, wild: true });
        }
        let (wild, rest) = text.strip_prefix("*.").map_or((false, text), |rest| (true, rest));
        let number = |port: &str| port.parse().ok().filter(|port| *port != 0_u16);
        let (name, port) = match rest.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') && !rest.contains('/') => match number(port) {
                Some(port) => (name, Some(port)),
                None => return wrong("what stands behind ':' is no port"),
            },
            _ => (rest, None),
        };
        let Some(host) = address::host(name) else {
            return wrong("is no host; write a name such as docs.rs or *.example.com, without https:// and path");
        };
        let numeric = Address::read(&format!("https://{host}/")).is_some_and(|address| address.is_numeric());
        if wild && numeric {
            return wrong("a pattern of numbers is no host; name each address");
        }
        if wild && allows && !host.contains('.') {
            return wrong("it would allow every host of a whole domain; name the hosts");
        }
        if text == "*" {
            return wrong("it would allow every host; name the hosts");
        }
        Ok(Self { host, port, wild })
    }

    fn covers(&self, address: &Address) -> bool {
        let host = address.host();
        let same = if self.wild { is_subdomain(host, &self.host) } else { host == self.host };
        same && self.port.map_or_else(|| address.port().is_none(), |own| address.port_used() == own)
    }

    fn touches(&self, address: &Address) -> bool {
        let host = address.host();
        let same = self.host.is_empty() || host == self.host || is_subdomain(host, &self.host);
        same && self.port.is_none_or(|own| address.port().is_none_or(|port| port == own))
    }
}

fn is_subdomain(host: &str, of: &str) -> bool {
    host.strip_suffix(of).is_some_and(|front| front.len() > 1 && front.ends_with('.'))
}

/// Whether a path is this one or below it, whole names at a time.
fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a server could read another path in it: slashes, dots and ends of names in disguise.
fn is_open(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["%2f", "%5c", "%2e", "%00", "%25", "//", ";", "\\"].iter().any(|odd| lower.contains(odd))
}

/// A path as the most forgiving server would read it.
fn plain(path: &str) -> String {
    let mut text = path.to_owned();
    for _ in 0..3 {
        text = address::decoded(&text);
    }
    let mut names: Vec<&str> = Vec::new();
    let lower = text.to_lowercase().replace('\\', "/");
    for name in lower.split('/') {
        match name.split(';').next().unwrap_or_default() {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            other => names.push(other),
        }
    }
    names.iter().map(|name| format!("/{name}")).collect()
}
