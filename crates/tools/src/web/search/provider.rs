//! Who can be asked: where, how, and with which key.

use palanca_core::call::shown_origin;
use palanca_core::ports::http::Header;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;

/// The address of the Brave Search API.
pub const BRAVE: &str = "https://api.search.brave.com/res/v1/web/search";
/// The names under which the network door must know the providers' addresses.
pub const NAMES: [&str; 2] = ["brave", "searxng"];
/// The most that one request to Brave gives.
pub(super) const MOST_RESULTS: usize = 20;

/// A search provider. `Debug` shows neither its key nor more of its address than the origin.
#[derive(Clone, PartialEq, Eq)]
pub enum SearchProvider {
    /// The Brave Search API, or a server that speaks as it does.
    Brave {
        /// The whole address that is asked, without a query; [`BRAVE`] unless another is wanted.
        address: String,
        /// The key, as it is sent.
        key: Header,
    },
    /// A SearXNG instance whose JSON output is on. It needs no key and may be local.
    SearXng {
        /// The instance's address, as in a browser.
        address: String,
    },
}

impl fmt::Debug for SearchProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(self.name()).field(&shown_origin(self.address())).finish()
    }
}

impl SearchProvider {
    /// Brave with this key.
    #[must_use]
    pub fn brave(address: impl Into<String>, key: impl Into<String>) -> Self {
        Self::Brave { address: address.into(), key: Header::secret("X-Subscription-Token", key) }
    }

    /// A SearXNG instance.
    #[must_use]
    pub fn searxng(address: impl Into<String>) -> Self {
        Self::SearXng { address: address.into() }
    }

    /// The name under which the network door must know [`address`](Self::address).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        let [brave, searxng] = NAMES;
        match self {
            Self::Brave { .. } => brave,
            Self::SearXng { .. } => searxng,
        }
    }

    /// The address below which all its requests are.
    #[must_use]
    pub fn address(&self) -> &str {
        match self {
            Self::Brave { address, .. } | Self::SearXng { address } => address,
        }
    }

    /// As people call it.
    pub(super) const fn title(&self) -> &'static str {
        match self {
            Self::Brave { .. } => "Brave Search",
            Self::SearXng { .. } => "SearXNG",
        }
    }

    /// The address that answers this query.
    pub(super) fn ask(&self, query: &str, count: usize) -> String {
        let query = encoded(query);
        match self {
            Self::Brave { address, .. } => format!("{address}?q={query}&count={count}"),
            // It has no count; how many a page has is the instance's.
            Self::SearXng { address } => format!("{}/search?q={query}&format=json", address.trim_end_matches('/')),
        }
    }

    pub(super) fn headers(&self) -> Vec<Header> {
        let accept = Header::new("Accept", "application/json");
        match self {
            Self::Brave { key, .. } => vec![accept, key.clone()],
            Self::SearXng { .. } => vec![accept],
        }
    }
}

/// What stands as it is in a value of a query; everything else is written with percent signs.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_query_cannot_leave_its_place() {
        for (query, expected) in [
            ("rust", "rust"),
            ("a b&count=99#x", "a%20b%26count%3D99%23x"),
            ("../..?q=", "..%2F..%3Fq%3D"),
            ("ñ😀\n", "%C3%B1%F0%9F%98%80%0A"),
            ("100%", "100%25"),
        ] {
            assert_eq!(encoded(query), expected);
        }
        let brave = SearchProvider::brave(BRAVE, "secret");
        assert_eq!(brave.ask("a&b", 5), format!("{BRAVE}?q=a%26b&count=5"));
        assert!(!format!("{brave:?}").contains("secret"));
        let searxng = SearchProvider::searxng("http://localhost:8080/searx/");
        assert_eq!(searxng.ask("a b", 5), "http://localhost:8080/searx/search?q=a%20b&format=json");
    }
}
