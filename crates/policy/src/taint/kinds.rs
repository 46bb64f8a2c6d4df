//! Addresses in a text, by kind: what a call can be sent to, and what a reader of a message can be sent to.

use super::outward;
use super::words::{accounts, normal, tokens};
use crate::texts::holds;

/// A kind of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Mail,
    Account,
    Web,
    Phone,
}

/// Ends of file names that are no names of the network's.
const FILES: &str = "txt doc docx pdf xls xlsx ppt pptx odt ods csv tsv json yaml yml toml xml html htm png jpg jpeg \
    gif svg log ini cfg";

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Mail, Self::Account, Self::Web, Self::Phone];

    /// The kind that a field of this name holds.
    pub(super) fn of(field: &str) -> Option<Self> {
        Some(match field.to_lowercase().replace(['-', '_', ' '], "").as_str() {
            "email" | "mail" | "emailaddress" | "mailaddress" => Self::Mail,
            "iban" | "account" | "accountnumber" | "bankaccount" => Self::Account,
            "url" | "link" | "website" | "homepage" => Self::Web,
            "phone" | "telephone" | "phonenumber" | "mobile" => Self::Phone,
            _ => return None,
        })
    }
}

/// Every address of a kind in a text, in one spelling.
pub(super) fn find(kind: Kind, text: &str) -> Vec<String> {
    match kind {
        Kind::Account => accounts(text),
        Kind::Web => tokens(text).filter(|word| is_web(word)).collect(),
        Kind::Mail => found(text, |address| address.contains('@')),
        Kind::Phone => found(text, |address| address.starts_with('+')),
    }
}

/// Every address in a text.
pub(super) fn every(text: &str) -> Vec<String> {
    Kind::ALL.iter().flat_map(|kind| find(*kind, text)).collect()
}

fn found(text: &str, is: impl Fn(&str) -> bool) -> Vec<String> {
    outward::addresses(text).into_iter().filter(|address| is(address)).map(|address| normal(&address)).collect()
}

/// A host, alone or with something behind it. Its scheme was taken off.
fn is_web(word: &str) -> bool {
    let authority = word.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let end = host.rsplit('.').next().unwrap_or_default();
    let is_file = authority.len() == word.len() && holds(FILES, end);
    !authority.contains('@') && !is_file && super::known::looks_like_a_host(word)
}
