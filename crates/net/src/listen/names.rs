//! Which names requests may be for, and which pages may send them: a page that made its own name lead to this listener
//! (DNS rebinding), or that sends requests to an address it guessed, gets no answer of the service.
//!
//! Names are compared as text, in the one spelling of the URL standard: a host that only means the same, such as `127.1`,
//! is no name of ours.

use super::error::{ListenError, ListenErrorKind};
use super::options::{Exposure, ListenOptions};
use super::tally::Refusal;
use crate::line::only;
use hyper::Method;
use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use std::net::SocketAddr;
use url::{Origin, Url};

pub(super) struct Names {
    /// Of the connection itself.
    default_port: &'static str,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    /// `bound` is the address with the port that was taken; none for a Unix socket.
    pub(super) fn new(options: &ListenOptions, bound: Option<SocketAddr>) -> Result<Self, ListenError> {
        let error = |kind, entry: &str| ListenError::new(kind, &options.place, entry);
        let own = if options.certificate.is_some() { "https" } else { "http" };
        let listed = if options.proxies.is_empty() { own } else { "https" };
        let mut names =
            Self { default_port: if own == "https" { ":443" } else { ":80" }, hosts: Vec::new(), origins: Vec::new() };
        if options.exposure == Exposure::Local {
            match bound {
                Some(address) => {
                    for host in ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()] {
                        names.add(own, &format!("{host}:{}", address.port()));
                    }
                    names.add(own, &address.to_string());
                }
                None => drop(names.add(own, "localhost")),
            }
        }
        for entry in &options.hosts {
            names.add(listed, entry).ok_or_else(|| error(ListenErrorKind::Host, entry))?;
        }
        if names.hosts.is_empty() {
            return Err(error(ListenErrorKind::NoHost, ""));
        }
        for entry in &options.origins {
            let origin = origin(entry).ok_or_else(|| error(ListenErrorKind::Origin, entry))?;
            names.origins.push(origin);
        }
        Ok(names)
    }

    fn add(&mut self, scheme: &str, entry: &str) -> Option<()> {
        let is_name = !entry.contains(['/', '*']);
        let origin = origin(&format!("{scheme}://{entry}")).filter(|_| is_name)?;
        let (_, host) = origin.split_once("://")?;
        self.hosts.push(host.to_owned());
        self.origins.push(origin);
        Some(())
    }

    pub(super) fn judge(&self, request: &Parts) -> Result<(), Refusal> {
        let host = text(&request.headers, HOST).ok_or(Refusal::Host)?;
        // A target with an authority is for that one, whatever `Host` says.
        let asked = request.uri.authority().map(|authority| authority.as_str());
        if !self.is_own(host) || !asked.is_none_or(|asked| self.is_own(asked)) {
            return Err(Refusal::Host);
        }
        if request.headers.contains_key(ORIGIN) {
            let origin = text(&request.headers, ORIGIN).ok_or(Refusal::Origin)?;
            return if self.origins.iter().any(|own| own == origin) { Ok(()) } else { Err(Refusal::Origin) };
        }
        // Browsers say this where they send no origin. A link on another page may lead here, nothing else may.
        let said = |name| text(&request.headers, HeaderName::from_static(name));
        match said("sec-fetch-site") {
            None if !request.headers.contains_key("sec-fetch-site") => Ok(()),
            Some("same-origin" | "none") => Ok(()),
            Some(_) if request.method == Method::GET && said("sec-fetch-mode") == Some("navigate") => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let host = host.strip_suffix(self.default_port).unwrap_or(&host);
        self.hosts.iter().any(|own| own == host)
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    only(headers, name)?.to_str().ok()
}

/// The one spelling of an origin; none for a text with more in it.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let bare = url.username().is_empty() && url.password().is_none() && !text.contains(['@', '\\']);
    match url.origin() {
        origin @ Origin::Tuple(..) if plain && bare => Some(origin.ascii_serialization()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
