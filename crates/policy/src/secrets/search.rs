//! One search for everything: known values first, then the beginnings of tokens and names, all of them in one pass; what
//! they find is checked by hand.

use super::decoded::{self, Decoded};
use super::known::Known;
use super::learned::Learned;
use super::shapes::Begins;
use super::sieve::{Case, Sieve, Took};
use super::{Found, named, shapes};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// What a place in the text may be the beginning of.
#[derive(Clone, Copy)]
enum Anchor {
    Shape(Begins),
    WebToken,
    Bot,
    PrivateKey,
    Name,
    Scheme,
    Url,
}

const HEX: &str = "0123456789abcdef";

/// Everything that is searched for.
pub(super) struct Search {
    pub(super) known: Arc<Known>,
    pub(super) learned: Learned,
}

/// What begins tokens and names: the same for every search, made when the first text is searched.
struct Anchors {
    sieve: Option<Sieve>,
    kinds: Vec<Anchor>,
}

static ANCHORS: LazyLock<Anchors> = LazyLock::new(Anchors::new);

impl Anchors {
    fn new() -> Self {
        let (mut patterns, mut kinds) = (Vec::new(), Vec::new());
        for (text, begins) in shapes::beginnings() {
            // What is too short to be sought alone is sought with the digit that follows it.
            let with = match text.len() {
                0..=2 => HEX.chars().map(|digit| Cow::Owned(format!("{text}{digit}"))).collect(),
                _ => vec![text],
            };
            kinds.extend(with.iter().map(|_| Anchor::Shape(begins)));
            patterns.extend(with);
        }
        let signs = [("eyJ", Anchor::WebToken), (":AA", Anchor::Bot), ("-----BEGIN", Anchor::PrivateKey)];
        let words = [("://", Anchor::Url), ("bearer", Anchor::Scheme), ("basic", Anchor::Scheme)];
        let names = named::NAMES.split(' ').map(|name| (name, Anchor::Name));
        for (text, kind) in signs.into_iter().chain(words).chain(names) {
            patterns.push(Cow::Borrowed(text));
            kinds.push(kind);
        }
        Self { sieve: Sieve::new(patterns, Case::Ignored), kinds }
    }
}

impl Search {
    pub(super) fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { known: Arc::new(Known::new(values)), learned: Learned::default() }
    }

    /// Every secret, in order, none within another.
    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        let mut found = Vec::new();
        self.find_plain(text, &mut found);
        let mut layers: Vec<Decoded> = Vec::new();
        while layers.len() < decoded::MOST
            && let Some(decoded) = Decoded::of(layers.last().map_or(text, |above| &above.text))
        {
            let mut within = Vec::new();
            self.find_plain(&decoded.text, &mut within);
            layers.push(decoded);
            let back = |secret| layers.iter().rev().try_fold(secret, |secret, layer| layer.back(secret));
            found.extend(within.into_iter().filter_map(back));
        }
        in_order(found)
    }

    /// Where a known value may begin that is not over yet.
    pub(super) fn begun(&self, text: &str) -> usize {
        self.known.begun(text).min(self.learned.known().begun(text))
    }

    fn find_plain(&self, text: &str, found: &mut Vec<Found>) {
        self.known.find(text, found);
        self.learned.known().find(text, found);
        let Anchors { sieve: Some(sieve), kinds } = &*ANCHORS else { return };
        let mut key_end = 0;
        sieve.each(text, |number, place| {
            let Some(kind) = kinds.get(number).filter(|_| place.0 >= key_end) else { return Took::Nothing };
            let start = place.0;
            let secret = match kind {
                Anchor::Shape(begins) => shapes::find_at(text, start, *begins),
                Anchor::WebToken => shapes::web_token(text, start),
                Anchor::Bot => shapes::bot_token(text, start),
                Anchor::PrivateKey => shapes::private_key(text, start),
                Anchor::Name => named::value_behind(text, place),
                Anchor::Scheme => named::credentials(text, place),
                Anchor::Url => named::url_password(text, start),
            };
            if let (Anchor::PrivateKey, Some(secret)) = (kind, &secret) {
                key_end = secret.end;
            }
            let took = if secret.is_some() { Took::It } else { Took::Nothing };
            found.extend(secret);
            took
        });
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
