//! Where and for whom a listener is open, and its limits.

use ipnet::IpNet;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A TCP address. Port 0 takes a free one.
    Tcp(SocketAddr),
    /// A Unix socket, which is created and removed again. Its folder should be one where only this user may write.
    Unix(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => path.display().fmt(f),
        }
    }
}

/// Who may connect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exposure {
    /// This machine through its loopback addresses; this user through a Unix socket of mode 0600.
    #[default]
    Local,
    /// TCP: everyone who reaches the address, encrypted with the certificate; without one, only [`ListenOptions::proxies`].
    /// Unix socket: every user, mode 0666.
    Open,
}

/// A certificate and its key. `Debug` shows neither.
#[derive(Clone)]
pub struct Certificate {
    /// The certificate and those up to its authority, PEM.
    pub chain: Vec<u8>,
    /// The key, PEM, not encrypted.
    pub key: Vec<u8>,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Certificate(hidden)")
    }
}

/// Settings of a listener.
#[derive(Clone, Debug)]
pub struct ListenOptions {
    /// Where to listen.
    pub place: Place,
    /// Who may connect.
    pub exposure: Exposure,
    /// Encrypts every connection of a TCP listener.
    pub certificate: Option<Certificate>,
    /// Addresses of proxies that encrypt for this listener: only from them is `X-Forwarded-For` believed, and no limit for
    /// single peers applies to them.
    pub proxies: Vec<IpNet>,
    /// Names that requests may be for, as in `Host`: `console.example`, `console.example:8443`. A listener that is
    /// [`Exposure::Local`] also has those of its own address: `localhost`, `127.0.0.1` and `[::1]` with its port, or
    /// `localhost` for a Unix socket.
    pub hosts: Vec<String>,
    /// Origins of pages that may send requests, besides those of the hosts: `https://app.example`.
    pub origins: Vec<String>,
    /// The limits.
    pub limits: ListenLimits,
}

impl ListenOptions {
    /// For this machine alone, on `127.0.0.1`.
    #[must_use]
    pub fn local(port: u16) -> Self {
        Self::at(Place::Tcp((Ipv4Addr::LOCALHOST, port).into()))
    }

    /// For this machine alone, at this place.
    #[must_use]
    pub fn at(place: Place) -> Self {
        Self {
            place,
            exposure: Exposure::Local,
            certificate: None,
            proxies: Vec::new(),
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: ListenLimits::default(),
        }
    }
}

/// Limits of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListenLimits {
    /// Bytes of a request's head; more is answered with 431. At most 100 lines, whatever this is.
    pub head_bytes: usize,
    /// From the first byte of a head to its last; for the first one, from the beginning of the connection, and for its
    /// encryption. Then the connection is closed.
    pub head_time: Duration,
    /// How long a connection without a request is kept, and how long a peer may take nothing of what is sent to it.
    pub idle_time: Duration,
    /// Bytes of a request's body; more is answered with 413.
    pub body_bytes: u64,
    /// The longest silence in a request's body; then it is answered with 408.
    pub body_idle: Duration,
    /// From a request's head to the end of its body; then it is answered with 408.
    pub body_time: Duration,
    /// Connections in all, upgraded ones included. Further ones are answered with 503 and closed.
    pub connections: usize,
    /// Connections of one peer: an IPv4 address, an IPv6 /64, a user of a Unix socket.
    pub connections_per_peer: usize,
    /// How long running requests may take after the listener was told to stop.
    pub grace: Duration,
}

impl Default for ListenLimits {
    /// Heads of 16 KiB in 10 s; 60 s between requests; bodies of 4 MiB, 15 s without a byte, 5 minutes in all; 1,024
    /// connections, 256 of one peer; 10 s to end.
    fn default() -> Self {
        Self {
            head_bytes: 16 << 10,
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            body_bytes: 4 << 20,
            body_idle: Duration::from_secs(15),
            body_time: Duration::from_secs(300),
            connections: 1024,
            connections_per_peer: 256,
            grace: Duration::from_secs(10),
        }
    }
}
