//! Who is at the other end of a connection.

use hyper::header::HeaderMap;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The other end of a connection: an extension of every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// Of a TCP connection.
    Tcp {
        /// Its address. An IPv4 address is never in its IPv6 form.
        address: SocketAddr,
        /// Whom a trusted proxy forwards for: the last entry of its `X-Forwarded-For`.
        forwarded: Option<IpAddr>,
    },
    /// Of a Unix socket, as the kernel names it.
    Unix {
        /// Its user.
        user: u32,
        /// Its group.
        group: u32,
        /// Its process, if the kernel knows.
        process: Option<i32>,
    },
}

/// Peers that share a limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Address(IpAddr),
    User(u32),
}

impl Peer {
    pub(super) fn tcp(address: SocketAddr) -> Self {
        let address = SocketAddr::new(address.ip().to_canonical(), address.port());
        Self::Tcp { address, forwarded: None }
    }

    /// Whom it is counted as; nobody for a proxy, which stands for many.
    pub(super) fn key(&self, proxies: &[IpNet]) -> Option<Key> {
        match self {
            _ if self.is_in(proxies) => None,
            Self::Tcp { address, .. } => Some(Key::Address(match address.ip() {
                // Who has one of these addresses has all of them.
                IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
                v4 => v4,
            })),
            Self::Unix { user, .. } => Some(Key::User(*user)),
        }
    }

    pub(super) fn is_in(&self, networks: &[IpNet]) -> bool {
        match self {
            Self::Tcp { address, .. } => networks.iter().any(|network| network.contains(&address.ip())),
            Self::Unix { .. } => false,
        }
    }

    /// The peer of one request.
    pub(super) fn of(self, headers: &HeaderMap, proxies: &[IpNet]) -> Self {
        match self {
            Self::Tcp { address, .. } if self.is_in(proxies) => {
                let last = headers.get_all("x-forwarded-for").iter().next_back();
                let last = last.and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
                Self::Tcp { address, forwarded: last }
            }
            other => other,
        }
    }
}
