//! Parses a given address into a permitted target or an error: every check that needs no name resolution.
//!
//! The parser follows the WHATWG, so that an address is judged as browsers, and hence attackers' pages, understand it;
//! its repairs (slashes, case, digits in other bases) happen before the judgement, never after it.

use super::address::{Reachability, effective, reachability};
use super::lists::{Lists, Named};
use super::options::{WebOptions, WebOptionsError};
use super::{names, ports};
use palanca_core::call::{Chosen, HttpAccess, shown_origin};
use palanca_core::ports::{WebError, WebErrorKind};
use percent_encoding::percent_decode;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use url::Url;

/// Longer addresses are refused, in bytes; many servers refuse as much.
const MAX_URL: usize = 8 << 10;

/// A host, in the one spelling in which hosts are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// Lower case, ASCII, no dot at the end.
    Name(String),
    /// A mapped address counts as the IPv4 address in it.
    Ip(IpAddr),
}

impl<S: AsRef<str>> From<url::Host<S>> for Host {
    fn from(host: url::Host<S>) -> Self {
        match host {
            url::Host::Domain(name) => {
                let name = name.as_ref();
                Self::Name(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase())
            }
            url::Host::Ipv4(address) => Self::Ip(address.into()),
            url::Host::Ipv6(address) => Self::Ip(effective(address.into())),
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Ip(address) => address.fmt(f),
        }
    }
}

/// Where a host may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// At public addresses only.
    Public,
    /// Also at private ones: the operator has named it.
    Anywhere,
}

impl Where {
    /// The rule against an address.
    pub fn refuses(self, address: IpAddr) -> Option<&'static str> {
        match reachability(address) {
            Reachability::Private(_) if self == Self::Anywhere => None,
            other => other.rule(),
        }
    }
}

/// What may be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub url: Url,
    pub host: Host,
    pub port: u16,
    pub at: Where,
}

/// The rules that need no name resolution.
#[derive(Debug)]
pub struct Rules {
    lists: Lists,
    providers: BTreeMap<String, Target>,
}

impl Rules {
    pub fn new(options: &WebOptions) -> Result<Self, WebOptionsError> {
        let providers = options.providers.iter().map(|(name, base)| {
            let wrong = |fault: String| WebOptionsError { list: "providers", entry: shown_origin(base), fault };
            let mut base = read(base).map_err(|error| wrong(format!("is no address: {}", error.detail)))?;
            base.at = Where::Anywhere;
            if let Host::Ip(address) = base.host
                && let Some(rule) = base.at.refuses(address)
            {
                return Err(wrong(format!("is not a host: {rule}")));
            }
            Ok((name.clone(), base))
        });
        Ok(Self { lists: Lists::new(options)?, providers: providers.collect::<Result<_, _>>()? })
    }

    pub const fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The target of a request.
    pub fn judge(&self, reach: &HttpAccess) -> Result<Target, WebError> {
        let target = read(&reach.url)?;
        match &reach.chosen {
            Chosen::ByCall => self.public(target),
            Chosen::ByOperator { provider } => self.provided(provider, target),
        }
    }

    /// The target of a redirect: a provider's server may redirect below its own address, and elsewhere only to targets
    /// that a call itself may reach.
    pub fn judge_hop(&self, url: &str, chosen: &Chosen) -> Result<Target, WebError> {
        let judge = |target| match chosen {
            Chosen::ByOperator { provider } if self.is_provided(provider, &target) => self.provided(provider, target),
            _ => self.public(target),
        };
        read(url).and_then(judge)
    }

    fn public(&self, mut target: Target) -> Result<Target, WebError> {
        let error = |kind| WebError::new(kind, target.url.as_str());
        self.not_denied(&target)?;
        if !self.lists.allows(&target.host, target.port) {
            return Err(error(WebErrorKind::NotAllowed).detail(target.host.to_string()));
        }
        let named = self.lists.named(&target.host, target.port);
        if named != Named::HostAndPort
            && let Some(service) = ports::service(target.port)
        {
            return Err(error(WebErrorKind::Port).detail(format!("{}: {service}", target.port)));
        }
        if named != Named::No {
            target.at = Where::Anywhere;
        }
        let rule = match &target.host {
            Host::Ip(address) => target.at.refuses(*address).map(str::to_owned),
            Host::Name(_) if target.at == Where::Anywhere => None,
            Host::Name(name) => names::rule(name),
        };
        match rule {
            Some(rule) => Err(error(WebErrorKind::Private).detail(rule)),
            None => Ok(target),
        }
    }

    fn provided(&self, provider: &str, mut target: Target) -> Result<Target, WebError> {
        if !self.is_provided(provider, &target) {
            let known = self.providers.get(provider).map_or_else(
                || format!("no provider '{provider}' is configured"),
                |base| format!("{provider}: {}", shown_origin(base.url.as_str())),
            );
            return Err(WebError::new(WebErrorKind::Provider, target.url.as_str()).detail(known));
        }
        self.not_denied(&target)?;
        target.at = Where::Anywhere;
        Ok(target)
    }

    fn is_provided(&self, provider: &str, target: &Target) -> bool {
        self.providers.get(provider).is_some_and(|base| {
            base.url.scheme() == target.url.scheme()
                && base.host == target.host
                && base.port == target.port
                && is_below(target.url.path(), base.url.path())
        })
    }

    fn not_denied(&self, target: &Target) -> Result<(), WebError> {
        self.lists
            .denied(&target.host, target.port)
            .map_or(Ok(()), |entry| Err(WebError::new(WebErrorKind::Denied, target.url.as_str()).detail(entry)))
    }
}

/// Whether a path is the base or below it, for every server: the parser resolves plain dots only, and a server may decode
/// more than once, cut parameters off, or stop at a NUL.
fn is_below(path: &str, base: &str) -> bool {
    let base = base.strip_suffix('/').unwrap_or(base);
    path.strip_prefix(base).is_some_and(|rest| (rest.is_empty() || rest.starts_with('/')) && !may_climb(rest))
}

/// There is no reason to encode a path more often.
const DECODED: usize = 4;

fn may_climb(path: &str) -> bool {
    let mut bytes = path.as_bytes().to_vec();
    for _ in 0..DECODED {
        let decoded: Vec<u8> = percent_decode(&bytes).collect();
        if decoded.len() == bytes.len() {
            return bytes.iter().any(u8::is_ascii_control)
                || bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(is_up);
        }
        bytes = decoded;
    }
    true
}

/// Whether a path segment means the parent: ignoring parameters and the blanks that some file systems drop.
fn is_up(part: &[u8]) -> bool {
    part.split(|byte| *byte == b';').next().is_some_and(|name| name.trim_ascii() == b"..")
}

/// Reads an address: scheme, host, port, no credentials. Does not judge its target.
fn read(text: &str) -> Result<Target, WebError> {
    let error = |kind, detail: &str| WebError::new(kind, text).detail(detail);
    if text.len() > MAX_URL {
        return Err(error(WebErrorKind::InvalidUrl, "longer than 8192 bytes"));
    }
    let invalid = |detail: &str| error(WebErrorKind::InvalidUrl, detail);
    let mut url = Url::parse(text).map_err(|fault| match fault {
        url::ParseError::RelativeUrlWithoutBase => invalid("it does not begin with http:// or https://"),
        other => invalid(&other.to_string()),
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(error(WebErrorKind::Scheme, url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() || has_credentials(text) {
        return Err(error(WebErrorKind::Credentials, ""));
    }
    let host = url.host().map(Host::from).ok_or_else(|| invalid("it has no host"))?;
    if let Host::Name(name) = &host {
        if let Some(fault) = names::fault(name) {
            return Err(invalid(fault));
        }
        url.set_host(Some(name)).map_err(|fault| invalid(&fault.to_string()))?;
    }
    url.set_fragment(None);
    if url.as_str().len() > MAX_URL {
        return Err(invalid("longer than 8192 bytes"));
    }
    let port = url.port_or_known_default().unwrap_or_default();
    Ok(Target { url, host, port, at: Where::Public })
}

/// Whether the text has an `@` before its host; the parser forgets one with nothing before it.
fn has_credentials(text: &str) -> bool {
    let rest = text.split_once(':').map_or(text, |(_, rest)| rest).trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

#[cfg(test)]
mod tests;
