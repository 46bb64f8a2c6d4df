//! One exchange with an outside host: this one value is judged, shown, hashed and sent.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The methods in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Method {
    /// Read.
    #[default]
    Get,
    /// Read only the head.
    Head,
    /// Submit.
    Post,
    /// Replace.
    Put,
    /// Remove.
    Delete,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 5] = [Self::Get, Self::Head, Self::Post, Self::Put, Self::Delete];

    /// Whether the method only reads, so that repeating the request changes nothing.
    #[must_use]
    pub const fn only_reads(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }

    /// As it is sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// Who chose the address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Chosen {
    /// The call: its host must be public, unless the operator has named it.
    ByCall,
    /// The operator, as this provider's address: the call only chooses what follows that address.
    ByOperator {
        /// The provider's name in the configuration.
        provider: String,
    },
}

/// A request: what would be sent where. Redirects are included: the door judges every hop like the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct HttpAccess {
    /// The method.
    pub method: Method,
    /// The absolute address. Canonical once the gate has seen it: scheme and host in lower case, no default port, no dots
    /// in the path, no fragment.
    pub url: String,
    /// Text that is sent along; empty for methods that only read.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub body: String,
    /// Who chose the address.
    pub chosen: Chosen,
}

impl HttpAccess {
    /// A `GET` request for an address.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self { method: Method::Get, url: url.into(), body: String::new(), chosen: Chosen::ByCall }
    }

    /// The same for an address below one that the operator configured under this name.
    #[must_use]
    pub fn provider(mut self, name: impl Into<String>) -> Self {
        self.chosen = Chosen::ByOperator { provider: name.into() };
        self
    }

    /// Host and port as in the address; the whole address if it has none.
    #[must_use]
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or(&*self.url, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        authority.rsplit_once('@').map_or(authority, |(_, host)| host)
    }
}

/// Scheme, host and port of an address: all of it that errors, notices and `Debug` show, because a path, a query or a
/// login may be a credential (`/bot<token>/sendMessage`). `…` for a text without a host, which may be anything.
#[must_use]
pub fn shown_origin(address: &str) -> String {
    read_origin(address).unwrap_or_else(|| "…".to_owned())
}

fn read_origin(address: &str) -> Option<String> {
    let (scheme, rest) = address.trim().split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    // Without slashes, only these are followed by a host.
    let is_web = matches!(&*scheme, "http" | "https" | "ws" | "wss");
    if !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) || !(is_web || rest.starts_with("//")) {
        return None;
    }
    let authority = rest.trim_start_matches(['/', '\\']).split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    // A host that a server chose must not read like a sentence.
    let is_host = |c: char| c.is_alphanumeric() || "-._:[]".contains(c);
    (!host.is_empty() && host.len() <= LONGEST_HOST && host.chars().all(is_host)).then(|| format!("{scheme}://{host}"))
}

/// 253 bytes of a name, or an IPv6 address, and a port.
const LONGEST_HOST: usize = 260;

impl fmt::Display for HttpAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method.name(), self.url)
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn only_scheme_host_and_port_are_shown() {
        for (address, shown) in [
            ("https://api.telegram.org/botSECRET/sendMessage?chat_id=SECRET#SECRET", "https://api.telegram.org"),
            ("HTTPS://user:SECRET@Example.com:8443/SECRET", "https://Example.com:8443"),
            ("https://a@SECRET@example.com", "https://example.com"),
            ("http://[::1]:80/", "http://[::1]:80"),
            ("http:user:SECRET@x", "http://x"),
            ("http:\\\\user@x\\SECRET", "http://x"),
            ("wss://gateway.example/?ticket=SECRET", "wss://gateway.example"),
            ("https://exämple.com/SECRET", "https://exämple.com"),
            ("http://SECRET SECRET/", "…"),
            ("http://SECRET%20SECRET", "…"),
            ("http://", "…"),
            ("", "…"),
            ("SECRET/path", "…"),
            ("user:SECRET@host", "…"),
            ("123456:SECRET", "…"),
            ("data:text/plain,SECRET", "…"),
            ("ftp://u:SECRET@example.com/x", "ftp://example.com"),
        ] {
            assert_eq!(shown_origin(address), shown, "{address}");
            assert_eq!(shown_origin(shown), shown, "{address}");
        }
    }
}
