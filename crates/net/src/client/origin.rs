//! An allowed origin of a client: scheme, host and port of an address that the operator chose.
//!
//! There is no "any": a client without origins sends nothing. The addresses behind a host's name are not checked,
//! because a model may be served from this machine or from a private network.

use palanca_core::ports::http::{HttpError, HttpErrorKind};
use std::fmt;
use url::{Host, Url};

/// What a URL refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    Plain,
    Encrypted,
}

/// Scheme, host and port; two are equal when requests to them go to the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub(super) scheme: Scheme,
    pub(super) host: Host<String>,
    pub(super) port: u16,
}

impl Origin {
    /// The origin of an absolute `http` or `https` URL without user and password. Path and query do not matter.
    ///
    /// # Errors
    /// [`HttpErrorKind::InvalidUrl`] for anything else. The error does not show user and password.
    pub fn of(url: &str) -> Result<Self, HttpError> {
        target(url).map(|(origin, _)| origin)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.scheme {
            Scheme::Plain => "http",
            Scheme::Encrypted => "https",
        };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// Reads a URL once, so that exactly the text compared with the list is sent.
pub(super) fn target(text: &str) -> Result<(Origin, Url), HttpError> {
    let invalid = |detail: String| HttpError::new(HttpErrorKind::InvalidUrl, text, detail);
    let url = Url::parse(text).map_err(|error| invalid(error.to_string()))?;
    let scheme = match url.scheme() {
        "http" => Scheme::Plain,
        "https" => Scheme::Encrypted,
        other => return Err(invalid(format!("the scheme '{other}' is neither http nor https"))),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("an address must not hold a user or a password".to_owned()));
    }
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(invalid("there is no host in it".to_owned()));
    };
    let origin = Origin { scheme, host: host.to_owned(), port };
    Ok((origin, url))
}
