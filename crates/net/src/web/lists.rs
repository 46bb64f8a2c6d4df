//! The operator's lists of hosts, read once. Both err on the side of refusing: on the list of denied hosts a name
//! covers all names below it, and an address all names that resolve to it; on the list of allowed hosts an entry
//! matches exactly.
//!
//! An empty list of allowed hosts allows nothing.

use super::address::{effective, inside};
use super::options::{WebOptions, WebOptionsError};
use super::target::Host;
use ipnet::IpNet;
use std::net::IpAddr;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    what: What,
    port: Option<u16>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Every,
    Name(String),
    Below(String),
    Net(IpNet),
}

/// The three lists.
#[derive(Debug)]
pub struct Lists {
    allow: Vec<Entry>,
    deny: Vec<Entry>,
    private: Vec<(Host, Option<u16>)>,
}

/// How the operator allows a private host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    No,
    /// By name only: the port rules apply.
    Host,
    /// With this port.
    HostAndPort,
}

impl Lists {
    pub fn new(options: &WebOptions) -> Result<Self, WebOptionsError> {
        let entries = |list, texts: &[String]| -> Result<Vec<Entry>, WebOptionsError> {
            texts.iter().map(|text| entry(text).map_err(|fault| wrong(list, text, fault))).collect()
        };
        let private = options.private_hosts.iter().map(|text| {
            let wrong = |fault: &str| wrong("private_hosts", text, fault.to_owned());
            let Entry { what, port, .. } = entry(text).map_err(|fault| wrong(&fault))?;
            match what {
                What::Name(name) => Ok((Host::Name(name), port)),
                What::Net(net) if net.prefix_len() == net.max_prefix_len() => Ok((Host::Ip(net.addr()), port)),
                _ => Err(wrong("is a pattern; name the host itself")),
            }
        });
        Ok(Self {
            allow: entries("allow_hosts", &options.allow_hosts)?,
            deny: entries("deny_hosts", &options.deny_hosts)?,
            private: private.collect::<Result<_, _>>()?,
        })
    }

    pub fn allows(&self, host: &Host, port: u16) -> bool {
        self.allow.iter().any(|entry| entry.at(port) && entry.covers(host, Width::Exact))
    }

    /// The entry that denies a host, or the IPv4 host in its IPv6 address.
    pub fn denied(&self, host: &Host, port: u16) -> Option<&str> {
        let held = match host {
            Host::Ip(address) => inside(*address).map(Host::Ip),
            Host::Name(_) => None,
        };
        let covers = |entry: &&Entry| {
            entry.at(port)
                && [Some(host), held.as_ref()].into_iter().flatten().any(|host| entry.covers(host, Width::Below))
        };
        self.deny.iter().find(covers).map(|entry| &*entry.text)
    }

    /// The entry that denies an address to which a name resolves.
    pub fn denied_address(&self, address: IpAddr, port: u16) -> Option<&str> {
        self.denied(&Host::Ip(effective(address)), port)
    }

    pub fn named(&self, host: &Host, port: u16) -> Named {
        let matching = || self.private.iter().filter(|(named, at)| named == host && at.is_none_or(|at| at == port));
        if matching().any(|(_, at)| at.is_some()) {
            Named::HostAndPort
        } else if matching().next().is_some() {
            Named::Host
        } else {
            Named::No
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Exact,
    Below,
}

impl Entry {
    fn at(&self, port: u16) -> bool {
        self.port.is_none_or(|at| at == port)
    }

    fn covers(&self, host: &Host, width: Width) -> bool {
        match (&self.what, host) {
            (What::Every, _) => true,
            (What::Name(known), Host::Name(name)) => known == name || (width == Width::Below && is_below(name, known)),
            (What::Below(known), Host::Name(name)) => is_below(name, known),
            (What::Net(net), Host::Ip(address)) => net.contains(address),
            _ => false,
        }
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent).is_some_and(|rest| rest.ends_with('.'))
}

/// Mapped addresses are compared as IPv4 addresses, so a network of them must be an IPv4 network, too.
fn unmapped(net: IpNet) -> IpNet {
    match (effective(net.network()), net.prefix_len().checked_sub(96)) {
        (address @ IpAddr::V4(_), Some(length)) if net.network().is_ipv6() => {
            IpNet::new(address, length).unwrap_or(net)
        }
        _ => net,
    }
}

fn wrong(list: &'static str, entry: &str, fault: String) -> WebOptionsError {
    WebOptionsError { list, entry: entry.to_owned(), fault }
}

fn entry(text: &str) -> Result<Entry, String> {
    let text = text.trim();
    let net = |net: IpNet, port| Ok(Entry { what: What::Net(net), port, text: text.to_owned() });
    if let Ok(address) = text.parse::<IpAddr>() {
        return net(effective(address).into(), None);
    }
    if let Ok(range) = text.parse::<IpNet>() {
        return net(unmapped(range.trunc()), None);
    }
    if text.contains(['/', '@', '?', '#']) {
        return Err("is not a host; write a name or an address, without scheme and path".to_owned());
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            (host, Some(port.parse().map_err(|_| format!("has no port in '{port}'"))?))
        }
        _ => (text, None),
    };
    if host == "*" {
        return Ok(Entry { what: What::Every, port, text: text.to_owned() });
    }
    let (below, host) = host.strip_prefix("*.").map_or((false, host), |rest| (true, rest));
    if host.contains('*') {
        return Err("has a '*' elsewhere than as its first part".to_owned());
    }
    let parsed = url::Host::parse(host).map_err(|error| format!("is no host: {error}"))?;
    match Host::from(parsed) {
        Host::Ip(_) if below => Err("is an address; nothing is below it".to_owned()),
        Host::Ip(address) => net(address.into(), port),
        Host::Name(name) => {
            if let Some(fault) = super::names::fault(&name) {
                return Err(fault.to_owned());
            }
            let what = if below { What::Below(name) } else { What::Name(name) };
            Ok(Entry { what, port, text: text.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests;
