//! The whole addresses that foreign text, or the user, named; and what the choice among them has told so far.
//!
//! An address that stands in foreign text word for word carries nothing that its writer does not know. Which one is asked
//! for does: one of the `n` addresses of a site tells log2(n+1) bits, so a page with an address for every letter could be
//! told a word, one address after another. That is added up, and ends.

use super::words::hash;
use crate::address::Address;
use crate::marking::is_hidden;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Addresses of one session; later ones are unknown.
const MOST: usize = 1 << 14;
/// Of these, those that were written without a scheme.
const MOST_BARE: usize = 1 << 12;
/// Words of one text that are looked at.
const MOST_WORDS: usize = 1 << 16;
/// Ends that one address may have in a text.
const MOST_ENDS: usize = 8;
/// What choices may tell one site, 16 bytes, and all sites together.
const BITS_OF_A_SITE: u32 = 128;
const BITS_OF_ALL: u32 = 1024;

/// Addresses, as hashes.
#[derive(Debug, Default)]
pub(super) struct Known {
    addresses: HashSet<u64>,
    bare: usize,
    sites: HashMap<u64, Site>,
    told: u32,
}

#[derive(Debug, Default)]
struct Site {
    named: u32,
    told: u32,
    last: Option<u64>,
}

impl Known {
    pub(super) fn learn(&mut self, found: Found) {
        let full = self.addresses.len() >= MOST || (found.bare && self.bare >= MOST_BARE);
        if full || !self.addresses.insert(hash(found.address.as_str())) {
            return;
        }
        self.bare += usize::from(found.bare);
        self.sites.entry(hash(found.address.site())).or_default().named += 1;
    }

    pub(super) fn holds(&self, address: &Address) -> bool {
        self.addresses.contains(&hash(address.as_str()))
    }

    /// What asking for this known address would tell, in bits. The same again tells nothing: so are long pages read.
    pub(super) fn cost(&self, address: &Address) -> u32 {
        let Some(site) = self.sites.get(&hash(address.site())) else { return 0 };
        if site.last == Some(hash(address.as_str())) {
            return 0;
        }
        u32::BITS - site.named.leading_zeros()
    }

    /// Whether that may still be told.
    pub(super) fn affords(&self, address: &Address) -> bool {
        let cost = self.cost(address);
        let told = self.sites.get(&hash(address.site())).map_or(0, |site| site.told);
        cost == 0 || (told + cost <= BITS_OF_A_SITE && self.told + cost <= BITS_OF_ALL)
    }

    /// It was told.
    pub(super) fn tell(&mut self, address: &Address) {
        let cost = self.cost(address);
        self.told = self.told.saturating_add(cost);
        if let Some(site) = self.sites.get_mut(&hash(address.site())) {
            site.told = site.told.saturating_add(cost);
            site.last = Some(hash(address.as_str()));
        }
    }
}

/// An address of a text.
pub(super) struct Found {
    pub(super) address: Address,
    /// Written without a scheme: `docs.rs/serde`.
    pub(super) bare: bool,
}

/// Every address that a text names, whole: in prose, in Markdown, in HTML, in JSON. Where the end is not certain, each end
/// that it could have.
pub(super) fn addresses(text: &str) -> Vec<Found> {
    let seen = visible(text);
    let mut found = Vec::new();
    let words = seen.split(|one: char| one.is_whitespace() || "\"'<>`".contains(one));
    for word in words.filter(|word| word.contains('.') || word.contains("//") || word.contains("\\/")).take(MOST_WORDS)
    {
        let plain: Cow<'_, str> =
            if word.contains("\\/") { word.replace("\\/", "/").into() } else { Cow::Borrowed(word) };
        each(&plain, &mut found);
        if plain.contains("&amp;") {
            each(&plain.replace("&amp;", "&"), &mut found);
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// A text without what hides in it.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return text.into();
    }
    text.chars().filter(|one| !is_hidden(*one) || one.is_whitespace()).collect::<String>().into()
}

fn each(word: &str, found: &mut Vec<Found>) {
    let lower = word.to_ascii_lowercase();
    let mut schemes = lower.match_indices("http").filter(|(at, _)| {
        let rest = lower.get(at + 4..).unwrap_or_default();
        rest.starts_with("://") || rest.starts_with("s://")
    });
    let mut any = false;
    for (at, _) in schemes.by_ref().take(MOST_ENDS) {
        any = true;
        for end in ends(word.get(at..).unwrap_or_default()) {
            found.extend(Address::read(end).map(|address| Found { address, bare: false }));
        }
    }
    if any || word.contains("://") {
        return;
    }
    let word = word.trim_start_matches(|one: char| "([{*_~|,;".contains(one));
    for end in ends(word) {
        if looks_like_a_host(end) {
            let address = Address::read(&format!("https://{end}"));
            found.extend(address.map(|address| Found { address, bare: true }));
        }
    }
}

/// The whole, and every shorter one that ends before a mark which may belong to the sentence.
fn ends(text: &str) -> impl Iterator<Item = &str> {
    let marks = |one: char| ".,;:!?)]}|*_~…".contains(one);
    let trimmed = text.trim_end_matches(marks);
    let tail = text.char_indices().map(|(at, _)| at).filter(move |at| *at >= trimmed.len());
    let inner = text.char_indices().filter(|(_, one)| ")]},;|".contains(*one)).map(|(at, _)| at);
    let mut cuts: Vec<usize> =
        tail.take(MOST_ENDS).chain(inner.take(MOST_ENDS)).chain([trimmed.len(), text.len()]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.into_iter().filter_map(move |cut| text.get(..cut)).filter(|end| !end.is_empty() && is_balanced(end))
}

/// Whether every bracket that closes was opened: that of a sentence or a link was not.
fn is_balanced(text: &str) -> bool {
    [('(', ')'), ('[', ']'), ('{', '}')].iter().all(|(open, close)| {
        let mut depth = 0_i32;
        text.chars().all(|one| {
            depth += i32::from(one == *open) - i32::from(one == *close);
            depth >= 0
        })
    })
}

/// `docs.rs`, `docs.rs/serde`, `docs.rs:8080/x`: labels with a dot, the last of letters alone.
pub(super) fn looks_like_a_host(text: &str) -> bool {
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let labels: Vec<&str> = host.split('.').collect();
    let plain = |label: &&str| {
        !label.is_empty() && label.chars().all(|one| one.is_alphanumeric() || one == '-') && label.len() <= 63
    };
    let last = labels.last().copied().unwrap_or_default();
    labels.len() >= 2
        && labels.iter().all(plain)
        && last.chars().count() >= 2
        && last.chars().all(char::is_alphabetic)
        && port.parse::<u16>().is_ok()
}

/// Links of a page as they are written there, `](x)` and `href="x"`, followed from where the page is.
pub(super) fn links(text: &str, page: &Address) -> Vec<Found> {
    let behind = |mark: &'static str, end: &'static [char]| {
        text.match_indices(mark).filter_map(move |(at, mark)| {
            let rest = text.get(at + mark.len()..)?;
            rest.split(end).next().filter(|link| !link.is_empty() && !link.contains("://"))
        })
    };
    let markdown = behind("](", &[')', ' ', '\n', '"']);
    let html = behind("href=\"", &['"', '\n']);
    let both = markdown.chain(html).take(MOST);
    both.filter_map(|link| page.join(&link.replace("&amp;", "&")))
        .map(|address| Found { address, bare: false })
        .collect()
}

#[cfg(test)]
mod tests;
