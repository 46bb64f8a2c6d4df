//! One search for everything: known values first, then the beginnings of tokens and names, all of them in one pass; what
//! they find is checked by hand.

use super::known::Known;
use super::{Found, named, shapes};
use crate::marking::is_hidden;
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// What a place in the text may be the beginning of.
#[derive(Clone, Copy)]
enum Anchor {
    Shape(usize),
    WebToken,
    Bot,
    PrivateKey,
    Name,
    Scheme,
    Url,
}

/// Everything that is searched for.
pub(super) struct Search {
    known: Known,
    anchors: Option<AhoCorasick>,
    kinds: Vec<Anchor>,
}

impl Search {
    pub(super) fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut patterns = shapes::beginnings();
        let mut kinds: Vec<Anchor> = (0..patterns.len()).map(Anchor::Shape).collect();
        let mut add = |pattern: &str, kind| {
            patterns.push(pattern.to_owned());
            kinds.push(kind);
        };
        add("eyJ", Anchor::WebToken);
        add(":AA", Anchor::Bot);
        add("-----BEGIN", Anchor::PrivateKey);
        add("://", Anchor::Url);
        ["bearer", "basic"].into_iter().for_each(|scheme| add(scheme, Anchor::Scheme));
        named::NAMES.iter().for_each(|name| add(name, Anchor::Name));
        let anchors = AhoCorasick::builder()
            .kind(Some(AhoCorasickKind::DFA))
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(&patterns)
            // ignored: a test holds that the patterns, which are fixed, can be built.
            .ok();
        Self { known: Known::new(values), anchors, kinds }
    }

    /// Every secret, in order, none within another.
    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        let mut found = Vec::new();
        self.find_plain(text, &mut found);
        if let Some(seen) = Seen::of(text) {
            let mut hidden = Vec::new();
            self.find_plain(&seen.text, &mut hidden);
            found.extend(hidden.into_iter().filter_map(|secret| seen.back(secret)));
        }
        in_order(found)
    }

    fn find_plain(&self, text: &str, found: &mut Vec<Found>) {
        self.known.find(text, found);
        let Some(anchors) = &self.anchors else { return };
        let mut key_end = 0;
        for hit in anchors.find_iter(text) {
            let Some(kind) = self.kinds.get(hit.pattern().as_usize()) else { continue };
            if hit.start() < key_end {
                continue;
            }
            let place = (hit.start(), hit.end());
            let secret = match kind {
                Anchor::Shape(number) => shapes::find_at(text, hit.start(), *number),
                Anchor::WebToken => shapes::web_token(text, hit.start()),
                Anchor::Bot => shapes::bot_token(text, hit.start()),
                Anchor::PrivateKey => shapes::private_key(text, hit.start()),
                Anchor::Name => named::value_behind(text, place),
                Anchor::Scheme => named::credentials(text, place),
                Anchor::Url => named::url_password(text, hit.start()),
            };
            if let (Anchor::PrivateKey, Some(secret)) = (kind, &secret) {
                key_end = secret.end;
            }
            found.extend(secret);
        }
    }

    /// Where a known value may have begun that the end of the text cuts off.
    pub(super) fn begun(&self, text: &str) -> usize {
        self.known.begun(text)
    }
}

/// Sorted; what overlaps becomes one, with the name of the longer.
fn in_order(mut found: Vec<Found>) -> Vec<Found> {
    if found.len() > 1 {
        found.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.end)));
    }
    let mut apart: Vec<Found> = Vec::with_capacity(found.len());
    for secret in found {
        match apart.last_mut() {
            Some(last) if secret.start < last.end => last.end = last.end.max(secret.end),
            _ => apart.push(secret),
        }
    }
    apart
}

/// A text without the characters that nobody sees, and where each of its bytes was.
struct Seen {
    text: String,
    places: Vec<usize>,
    end: usize,
}

impl Seen {
    /// None when there is nothing hidden.
    fn of(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let may_hide = |byte: u8| matches!(byte, 0..=8 | 0xb | 0xc | 0xe..=0x1f | 0x7f | 0xc2 | 0xcc | 0xcd | 0xd8 | 0xdc | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf0 | 0xf3);
        if !bytes.iter().any(|byte| may_hide(*byte)) || !text.chars().any(is_hidden) {
            return None;
        }
        let mut seen = Self { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()), end: 0 };
        for (at, character) in text.char_indices().filter(|(_, character)| !is_hidden(*character)) {
            seen.text.push(character);
            seen.places.extend(std::iter::repeat_n(at, character.len_utf8()));
            seen.end = at + character.len_utf8();
        }
        Some(seen)
    }

    fn back(&self, secret: Found) -> Option<Found> {
        let start = *self.places.get(secret.start)?;
        let last = self.places.get(secret.end.checked_sub(1)?)?;
        let width = self.text.get(..secret.end)?.chars().next_back()?.len_utf8();
        Some(Found { start, end: last + width, ..secret })
    }
}
