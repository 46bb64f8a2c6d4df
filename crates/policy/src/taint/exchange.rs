//! What a call of a tainted session may ask of a host without the user's word: an address that carries nothing which the one
//! who wrote it did not know.
//!
//! | the address | is |
//! |---|---|
//! | stands whole in the user's words | the user's task |
//! | stands whole in foreign text, and is only read | free, until the choice among such addresses has told too much |
//! | is at a host that a rule of the operator, or an answer, lets be read | free, unless it carries a long piece of what was read here |
//! | is a provider's that the operator chose: a search | the same |
//! | is anything else | answered as configured |

use super::Session;
use super::doubt::Doubt;
use crate::address::{self, Address};
use palanca_core::call::{Chosen, Effect, Effects, HttpAccess};
use std::collections::HashSet;

/// Whether rules let this call's hosts be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruled {
    Yes,
    No,
}

pub(super) fn exchanges(effects: &Effects) -> impl Iterator<Item = &HttpAccess> {
    effects.iter().filter_map(|effect| match effect {
        Effect::Http(reach) => Some(&**reach),
        _ => None,
    })
}

impl Session {
    pub(super) fn judge(&self, reach: &HttpAccess, ruled: Ruled) -> Option<Doubt> {
        let private = || self.private_piece(reach).map(Doubt::Private);
        let reads = reach.method.only_reads();
        if matches!(reach.chosen, Chosen::ByOperator { .. }) {
            return if self.tainted { private() } else { None };
        }
        let address = Address::read(&reach.url);
        if let Some(address) = &address {
            if self.named.holds(address) {
                return None;
            }
            if reads && self.found.holds(address) {
                let host = || Doubt::Copied(shown(address.host()), None);
                return (!self.found.affords(address)).then(host);
            }
        }
        if reads && ruled == Ruled::Yes {
            return private();
        }
        let texts = [address::decoded(&reach.url), reach.body.clone()];
        let host = address.as_ref().map(|address| address.host().to_owned());
        let foreign = host.filter(|host| self.foreign.holds(host) && !self.own.holds(host));
        let traced = foreign.or_else(|| self.copied(&texts));
        Some(traced.map(|what| Doubt::Copied(what, None)).or_else(private).unwrap_or(Doubt::Aimless))
    }

    /// Whether foreign text named the address, and the user did not.
    pub(super) fn is_found(&self, reach: &HttpAccess) -> bool {
        Address::read(&reach.url).is_some_and(|address| self.found.holds(&address) && !self.named.holds(&address))
    }

    /// The exchange begins: what the choice of its address tells is told.
    pub(super) fn tell(&mut self, reach: &HttpAccess) {
        let Some(address) = Address::read(&reach.url).filter(|_| reach.chosen == Chosen::ByCall) else { return };
        if self.is_found(reach) {
            self.found.tell(&address);
        }
    }

    /// A long piece of what was read here, however it is dressed.
    fn private_piece(&self, reach: &HttpAccess) -> Option<String> {
        let public = |piece: &str| self.foreign.knows_all(piece) || self.own.knows_all(piece);
        let of = |text: &str| dressed(text).iter().find_map(|text| self.private.copied(text, &public));
        of(own_part(reach)).or_else(|| of(&reach.body)).or_else(|| of(&own_labels(reach)))
    }
}

/// The part of an address that the call made: of a provider's what is asked, of another's what stands behind the host.
fn own_part(reach: &HttpAccess) -> &str {
    let behind = reach.url.split_once(reach.host()).map_or(&*reach.url, |(_, rest)| rest);
    match &reach.chosen {
        Chosen::ByOperator { .. } => behind.split_once('?').map_or(behind, |(_, query)| query),
        Chosen::ByCall => behind,
    }
}

/// The labels that the call may have chosen itself, since a pattern names no fewer than the site; and all in one, as what was
/// cut into labels is put together again.
fn own_labels(reach: &HttpAccess) -> String {
    let address = Address::read(&reach.url).filter(|_| reach.chosen == Chosen::ByCall);
    let front = address.as_ref().and_then(|address| address.host().strip_suffix(address.site())).unwrap_or_default();
    format!("{front} {}", front.replace('.', ""))
}

/// A text, and what it may stand for: without its percent signs, from its end, out of base64 and hex, also where that begins
/// behind something or is cut in pieces.
pub(super) fn dressed(text: &str) -> Vec<String> {
    /// Base64 of the shortest key.
    const SHORTEST: usize = 20;
    let mut plain = text.to_owned();
    for _ in 0..3 {
        plain = address::decoded(&plain);
    }
    let words = plain.split(|one: char| !(one.is_ascii_alphanumeric() || "+/_-".contains(one)));
    // What is a digit of one alphabet separates in the other, and in hex.
    let parts = |word: &'_ str| {
        let slashes = word.split('/');
        let all = word.split(['/', '-', '_', '+']);
        let apart = slashes.filter(|part| *part != word).chain(all.filter(|part| !part.is_empty()));
        [word].into_iter().chain(apart).filter(|part| part.len() >= SHORTEST).map(str::to_owned).collect::<HashSet<_>>()
    };
    // Cut in pieces, with names between them or none.
    let joined = |shortest: usize| -> String {
        plain.split(|one: char| !one.is_ascii_alphanumeric()).filter(|part| part.len() >= shortest).collect()
    };
    let encoded: Vec<String> = words
        .flat_map(parts)
        .chain([joined(1), joined(6)])
        .flat_map(|word| crate::secrets::bytes_of(&word).collect::<Vec<_>>())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let backwards = plain.chars().rev().collect();
    let mut all = vec![plain, backwards];
    all.extend(encoded);
    all
}

/// Shown outside the marks: nothing that steers.
fn shown(host: &str) -> String {
    host.chars().filter(|one| one.is_alphanumeric() || ".-:[]".contains(*one)).take(253).collect()
}
