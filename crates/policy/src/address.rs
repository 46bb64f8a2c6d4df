//! Addresses of hosts outside in one spelling, so that rules, secrets and taint never have a second opinion of what an
//! address is. It owns no policy on hosts: which of them may be reached at all is the network door's to say.
//!
//! The surprising decision: an address is read by the parser that every browser follows (WHATWG) and nothing else; what that
//! does not take, or what carries a user or a password, is no address here, and so nothing ever allows it.

use core::net::Ipv4Addr;
use percent_encoding::percent_decode_str;
use url::Url;

/// A longer address is none: no page needs it, and it could carry a file.
pub const LONGEST: usize = 8 << 10;

/// An `http` or `https` address in its canonical spelling: scheme and host in lower case, other alphabets as `xn--`, no
/// default port, no dots in the path, no dot behind the host, no fragment; an IPv6 address that stands for an IPv4 one, mapped
/// (RFC 4291) or behind NAT64 (RFC 6052, `64:ff9b::/96`), as that one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    url: Url,
}

impl Address {
    /// Nothing where the text is no absolute address of a host, is too long, or names a user.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut url = Url::parse(text.trim()).ok()?;
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
            return None;
        }
        let host = url.host_str()?;
        if let Some(bare) = host.strip_suffix('.') {
            let bare = bare.to_owned();
            url.set_host(Some(&bare)).ok()?;
        }
        if let Some(held) = held(&url) {
            url.set_ip_host(held.into()).ok()?;
        }
        url.set_fragment(None);
        Some(Self { url }).filter(|address| !address.host().is_empty())
    }

    /// The whole of it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// The host without its port; an address of numbers as it is written, in brackets where it has colons.
    #[must_use]
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The port where it is not the scheme's own.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.url.port()
    }

    /// The port that is connected to.
    #[must_use]
    pub fn port_used(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }

    /// The path, from its first slash.
    #[must_use]
    pub fn path(&self) -> &str {
        self.url.path()
    }

    /// Whether the host is written in numbers.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        !matches!(self.url.host(), Some(url::Host::Domain(_)))
    }

    /// Where it leads when it is followed from here, as links of a page are written.
    #[must_use]
    pub fn join(&self, link: &str) -> Option<Self> {
        if link.len() > LONGEST {
            return None;
        }
        self.url.join(link).ok().and_then(|url| Self::read(url.as_str()))
    }

    /// The owner of the last two labels of a name owns everything below it; of a numeric address, the whole.
    #[must_use]
    pub fn site(&self) -> &str {
        let host = self.host();
        if self.is_numeric() {
            return host;
        }
        let second = host.rmatch_indices('.').nth(1).map_or(0, |(at, _)| at + 1);
        host.get(second..).unwrap_or(host)
    }
}

/// The IPv4 address that an IPv6 host only wraps: a connection to it arrives there.
fn held(url: &Url) -> Option<Ipv4Addr> {
    let Some(url::Host::Ipv6(address)) = url.host() else { return None };
    let behind_nat64 = || match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            Some(Ipv4Addr::from_bits(u32::try_from(address.to_bits() & 0xffff_ffff).ok()?))
        }
        _ => None,
    };
    address.to_ipv4_mapped().or_else(behind_nat64)
}

/// A host's name as addresses spell it; nothing where no address could have it.
#[must_use]
pub fn host(text: &str) -> Option<String> {
    let address = Address::read(&format!("https://{}/", text.trim_end_matches('.')))?;
    // Nothing but a host was in it.
    (address.path() == "/" && address.port().is_none() && !text.contains(['/', '?', '#', '@', '\\']))
        .then(|| address.host().to_owned())
}

/// What percent signs stand for, once. Bytes that are no text become the sign for that.
#[must_use]
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn one_spelling() {
        for (text, expected) in [
            ("HTTPS://Docs.RS:443/a/../Serde?q=1#top", Some("https://docs.rs/Serde?q=1")),
            ("http://example.com.", Some("http://example.com/")),
            ("http://example.com:8080\\x", Some("http://example.com:8080/x")),
            ("https://bücher.example/ü", Some("https://xn--bcher-kva.example/%C3%BC")),
            ("https://ex\u{ff41}mple.com/", Some("https://example.com/")),
            ("http://0x7f.1/", Some("http://127.0.0.1/")),
            ("http://[::ffff:127.0.0.1]:18080/p", Some("http://127.0.0.1:18080/p")),
            ("http://[0:0:0:0:0:FFFF:7f00:1]/", Some("http://127.0.0.1/")),
            ("https://[64:ff9b::c000:207]/", Some("https://192.0.2.7/")),
            ("https://[64:ff9b:1::c000:207]/", Some("https://[64:ff9b:1::c000:207]/")),
            ("http://[::1]/", Some("http://[::1]/")),
            ("https://user@example.com/", None),
            ("https://:pw@example.com/", None),
            ("ftp://example.com/", None),
            ("//example.com/", None),
            ("https://", None),
            ("docs.rs", None),
        ] {
            assert_eq!(Address::read(text).as_ref().map(Address::as_str), expected, "{text}");
        }
        assert_eq!(Address::read(&format!("https://a.example/{}", "x".repeat(LONGEST))), None);
    }

    #[test]
    fn hosts_and_sites() {
        for (text, site) in [
            ("https://a.b.example.com/", "example.com"),
            ("https://example.com/", "example.com"),
            ("https://localhost/", "localhost"),
            ("https://192.0.2.7/", "192.0.2.7"),
            ("https://[2001:db8::1]/", "[2001:db8::1]"),
            ("https://[::ffff:c000:207]/", "192.0.2.7"),
        ] {
            assert_eq!(Address::read(text).unwrap().site(), site, "{text}");
        }
        for (text, expected) in [
            ("Docs.RS.", Some("docs.rs")),
            ("[::ffff:10.0.0.1]", Some("10.0.0.1")),
            ("a b", None),
            ("x/y", None),
            ("x:80", None),
            ("u@x", None),
            ("", None),
        ] {
            assert_eq!(host(text).as_deref(), expected, "{text}");
        }
        assert_eq!(decoded("a%2Fb%2fc%zz%"), "a/b/c%zz%");
        let page = Address::read("https://a.example/x/y").unwrap();
        assert_eq!(page.join("../z?q").unwrap().as_str(), "https://a.example/z?q");
        assert_eq!(page.join("javascript:1"), None);
    }
}
