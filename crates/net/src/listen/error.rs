//! Why nothing listens, with what to do about it.

use super::options::Place;
use palanca_core::Message;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ListenErrorKind {
    /// Not a loopback address, and other machines were not asked for.
    NotLocal,
    /// Other machines were asked for, with neither a certificate nor a proxy that encrypts.
    Unprotected,
    /// Other machines were asked for, without a name that requests may be for.
    NoHost,
    /// An entry of the hosts is not a host.
    Host,
    /// An entry of the origins is not an origin.
    Origin,
    /// Another process listens there.
    Taken,
    /// This user may not listen there.
    Forbidden,
    /// Not an address of this machine, or a path that cannot hold a socket.
    Unavailable,
    /// Something other than a socket of this user is at the path.
    Occupied,
    /// The certificate cannot be read.
    Certificate,
    /// The key cannot be read.
    Key,
    /// The key belongs to another certificate.
    KeyMismatch,
}

impl ListenErrorKind {
    const fn key(self) -> &'static str {
        match self {
            Self::NotLocal => "listen-not-local",
            Self::Unprotected => "listen-unprotected",
            Self::NoHost => "listen-no-host",
            Self::Host => "listen-host",
            Self::Origin => "listen-origin",
            Self::Taken => "listen-taken",
            Self::Forbidden => "listen-forbidden",
            Self::Unavailable => "listen-unavailable",
            Self::Occupied => "listen-occupied",
            Self::Certificate => "listen-certificate",
            Self::Key => "listen-key",
            Self::KeyMismatch => "listen-key-mismatch",
        }
    }
}

/// Nothing listens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {kind:?} {detail}")]
pub struct ListenError {
    /// What went wrong.
    pub kind: ListenErrorKind,
    /// Where.
    pub place: String,
    /// The entry, or the system's message; may be empty. Never part of a key.
    pub detail: String,
}

impl ListenError {
    pub(super) fn new(kind: ListenErrorKind, place: &Place, detail: impl Into<String>) -> Self {
        Self { kind, place: place.to_string(), detail: detail.into() }
    }

    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        Message::new(self.kind.key()).with("place", &self.place).with("detail", &self.detail)
    }
}
