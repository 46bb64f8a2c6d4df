//! Addresses of links, made absolute. Only addresses that a reader could follow are kept: `javascript:` and `data:` are
//! programs and content, and a link into the same page says nothing to someone who reads it as one text.

use std::cell::RefCell;
use std::collections::HashMap;
use url::Url;

/// Characters of an address that are shown; a longer one is mostly a tracker's memory.
const SHOWN: usize = 500;

/// Addresses that are remembered.
const KNOWN: usize = 2000;

/// Resolves the links of one page.
pub(super) struct Links {
    base: Option<Url>,
    /// Pages repeat their links, and resolving one costs a microsecond.
    known: RefCell<HashMap<String, Option<String>>>,
}

impl Links {
    /// Links of the page at `url`, which may say itself that another address is its base.
    pub(super) fn new(url: &str, own_base: &str) -> Self {
        let page = Url::parse(url).ok();
        let base = match (&page, own_base.trim()) {
            (_, "") => None,
            (Some(page), own) => page.join(own).ok(),
            (None, own) => Url::parse(own).ok(),
        };
        Self { base: base.or(page), known: RefCell::default() }
    }

    /// The absolute address, ready to stand in markdown's parentheses.
    pub(super) fn absolute(&self, address: &str) -> Option<String> {
        let address = address.trim();
        if address.is_empty() || address.starts_with('#') {
            return None;
        }
        if let Some(known) = self.known.borrow().get(address) {
            return known.clone();
        }
        let resolved = match &self.base {
            Some(base) => base.join(address),
            None => Url::parse(address),
        };
        let shown =
            resolved.ok().filter(|url| matches!(url.scheme(), "http" | "https" | "mailto" | "ftp")).map(|url| {
                let text = url.as_str();
                text.replace('(', "%28").replace(')', "%29")
            });
        let shown = shown.filter(|shown| shown.len() <= SHOWN);
        let mut known = self.known.borrow_mut();
        if known.len() < KNOWN {
            known.insert(address.to_owned(), shown.clone());
        }
        shown
    }
}

#[cfg(test)]
mod tests;
