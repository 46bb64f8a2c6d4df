//! Which addresses are public: the special-purpose tables of IANA, and every form in which an IPv4 address hides
//! inside an IPv6 one.
//!
//! Nothing passes that is not globally routable unicast. For IPv6 that is everything inside 2000::/3 and in no row; a
//! mapped or NAT64 address is judged, and used, as the IPv4 address in it. 6to4 and Teredo are refused entirely,
//! because the targets behind their relays cannot be checked.
//!
//! Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries, RFC 6890, 4291, 6052, 8215, 5214, 9637.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address may be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// A public host.
    Public,
    /// On a private network or this machine: the operator can allow it by name. The text is the rule.
    Private(&'static str),
    /// Unspecified, multicast, or a machine's credentials: a name that leads here is refused even if the operator
    /// allows that name. The text is the rule.
    Never(&'static str),
}

impl Reachability {
    /// The rule against it.
    #[must_use]
    pub const fn rule(self) -> Option<&'static str> {
        match self {
            Self::Public => None,
            Self::Private(rule) | Self::Never(rule) => Some(rule),
        }
    }
}

type Row<A, L> = (A, u8, fn(&'static str) -> Reachability, L);

const fn v4(a: u8, b: u8, c: u8, d: u8) -> u32 {
    Ipv4Addr::new(a, b, c, d).to_bits()
}

/// First match decides.
const V4: &[Row<u32, &str>] = &[
    (v4(0, 0, 0, 0), 8, Reachability::Never, "0.0.0.0/8 this network"),
    (v4(10, 0, 0, 0), 8, Reachability::Private, "10.0.0.0/8 private use"),
    (v4(100, 100, 100, 200), 32, Reachability::Never, "100.100.100.200 cloud metadata"),
    (v4(100, 64, 0, 0), 10, Reachability::Private, "100.64.0.0/10 shared by a provider's customers"),
    (v4(127, 0, 0, 0), 8, Reachability::Private, "127.0.0.0/8 loopback"),
    (v4(168, 63, 129, 16), 32, Reachability::Never, "168.63.129.16 cloud platform"),
    (v4(169, 254, 0, 0), 16, Reachability::Never, "169.254.0.0/16 link-local, cloud metadata"),
    (v4(172, 16, 0, 0), 12, Reachability::Private, "172.16.0.0/12 private use"),
    (v4(192, 0, 0, 0), 24, Reachability::Never, "192.0.0.0/24 protocol assignments"),
    (v4(192, 0, 2, 0), 24, Reachability::Private, "192.0.2.0/24 documentation"),
    (v4(192, 88, 99, 0), 24, Reachability::Never, "192.88.99.0/24 6to4 relays"),
    (v4(192, 168, 0, 0), 16, Reachability::Private, "192.168.0.0/16 private use"),
    (v4(198, 18, 0, 0), 15, Reachability::Private, "198.18.0.0/15 benchmarking"),
    (v4(198, 51, 100, 0), 24, Reachability::Private, "198.51.100.0/24 documentation"),
    (v4(203, 0, 113, 0), 24, Reachability::Private, "203.0.113.0/24 documentation"),
    (v4(224, 0, 0, 0), 4, Reachability::Never, "224.0.0.0/4 multicast"),
    (v4(240, 0, 0, 0), 4, Reachability::Never, "240.0.0.0/4 reserved"),
];

const fn v6(a: u16, b: u16, c: u16) -> u128 {
    Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).to_bits()
}

/// First match decides; what matches none is public inside 2000::/3 only.
const V6: &[Row<u128, &str>] = &[
    (Ipv6Addr::LOCALHOST.to_bits(), 128, Reachability::Private, "::1 loopback"),
    (Ipv6Addr::UNSPECIFIED.to_bits(), 128, Reachability::Never, ":: unspecified"),
    (0, 96, Reachability::Never, "::/96 IPv4-compatible"),
    (0xffff_0000_0000_0000, 96, Reachability::Never, "::ffff:0:0:0/96 IPv4-translated"),
    (v6(0x64, 0xff9b, 1), 48, Reachability::Never, "64:ff9b:1::/48 local NAT64"),
    (v6(0x100, 0, 0), 64, Reachability::Never, "100::/64 discarded"),
    (v6(0x2001, 0, 0), 32, Reachability::Never, "2001::/32 Teredo"),
    (v6(0x2001, 2, 0), 48, Reachability::Private, "2001:2::/48 benchmarking"),
    (v6(0x2001, 0, 0), 23, Reachability::Never, "2001::/23 protocol assignments"),
    (v6(0x2001, 0xdb8, 0), 32, Reachability::Private, "2001:db8::/32 documentation"),
    (v6(0x2002, 0, 0), 16, Reachability::Never, "2002::/16 6to4"),
    (v6(0x3ffe, 0, 0), 16, Reachability::Never, "3ffe::/16 test network"),
    (v6(0x3fff, 0, 0), 20, Reachability::Private, "3fff::/20 documentation"),
    (v6(0x5f00, 0, 0), 16, Reachability::Never, "5f00::/16 segment routing"),
    (
        Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254).to_bits(),
        128,
        Reachability::Never,
        "fd00:ec2::254 cloud metadata",
    ),
    (
        Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254).to_bits(),
        128,
        Reachability::Never,
        "fd20:ce::254 cloud metadata",
    ),
    (v6(0xfc00, 0, 0), 7, Reachability::Private, "fc00::/7 unique local"),
    (v6(0xfe80, 0, 0), 10, Reachability::Never, "fe80::/10 link-local"),
    (v6(0xfec0, 0, 0), 10, Reachability::Private, "fec0::/10 site-local"),
    (v6(0xff00, 0, 0), 8, Reachability::Never, "ff00::/8 multicast"),
];

/// The address that a connection would really go to: the IPv4 address for a mapped one.
#[must_use]
pub fn effective(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

/// Whether an address may be reached.
#[must_use]
pub fn reachability(address: IpAddr) -> Reachability {
    match effective(address) {
        IpAddr::V4(address) => standing_v4(address),
        IpAddr::V6(address) => standing_v6(address),
    }
}

fn standing_v4(address: Ipv4Addr) -> Reachability {
    let bits = address.to_bits();
    V4.iter()
        .find(|(net, length, ..)| (bits ^ net) >> (32 - u32::from(*length)) == 0)
        .map_or(Reachability::Public, |(_, _, reachability, rule)| reachability(rule))
}

fn standing_v6(address: Ipv6Addr) -> Reachability {
    let bits = address.to_bits();
    if bits >> 32 == NAT64 {
        return standing_v4(low(bits));
    }
    if let Some((_, _, reachability, rule)) =
        V6.iter().find(|(net, length, ..)| (bits ^ net) >> (128 - u32::from(*length)) == 0)
    {
        return reachability(rule);
    }
    if bits >> 125 != 1 {
        return Reachability::Never("outside 2000::/3, not assigned");
    }
    if is_isatap(bits) && standing_v4(low(bits)) != Reachability::Public {
        return Reachability::Never("ISATAP of an address that is not public");
    }
    Reachability::Public
}

/// The IPv4 host that packets to an IPv6 address reach: that of NAT64 and of ISATAP. Only for judging; the connection
/// goes to the IPv6 address, because a machine that uses these may have no IPv4.
#[must_use]
pub fn inside(address: IpAddr) -> Option<IpAddr> {
    let IpAddr::V6(address) = address else {
        return None;
    };
    let bits = address.to_bits();
    (bits >> 32 == NAT64 || is_isatap(bits)).then(|| low(bits).into())
}

/// RFC 5214: the interface's identifier says that the rest is an IPv4 address.
const fn is_isatap(bits: u128) -> bool {
    matches!((bits >> 32) & 0xffff_ffff, 0x0000_5efe | 0x0200_5efe)
}

/// 64:ff9b::/96, RFC 6052.
const NAT64: u128 = v6(0x64, 0xff9b, 0) >> 32;

const fn low(bits: u128) -> Ipv4Addr {
    #[expect(clippy::cast_possible_truncation, reason = "the low 32 bits are what is asked for")]
    Ipv4Addr::from_bits(bits as u32)
}

#[cfg(test)]
mod tests;
