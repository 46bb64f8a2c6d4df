//! The words of a text, as hashes: whether a short value is made of them. What pieces of long text are known by is in
//! `traces`.

use super::kinds::{self, Kind};
use std::collections::HashSet;
use std::hash::{Hash as _, Hasher as _};

/// Words of one session; later ones are unknown.
const MOST: usize = 1 << 16;
/// Letters and digits of the shortest bank account number.
const ACCOUNT: usize = 15;

/// Words of one session, and which kinds of address are among them.
#[derive(Debug, Default)]
pub(super) struct Words {
    words: HashSet<u64>,
    kinds: HashSet<Kind>,
}

impl Words {
    pub(super) fn learn(&mut self, text: &str) {
        for word in tokens(text) {
            self.keep(&word);
            // Of a date or a number no part was meant.
            let parts = word.split(|one: char| !one.is_alphanumeric());
            parts.filter(|part| part.chars().any(char::is_alphabetic)).for_each(|part| self.keep(part));
        }
        accounts(text).iter().for_each(|account| self.keep(account));
        self.kinds.extend(Kind::ALL.iter().filter(|kind| !kinds::find(**kind, text).is_empty()));
    }

    fn keep(&mut self, word: &str) {
        if self.words.len() < MOST {
            self.words.insert(Self::key(word));
        }
    }

    /// What a word is known by.
    pub(super) fn key(word: &str) -> u64 {
        hash(singular(word))
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.words.contains(&key)
    }

    /// Whether an address of this kind is among them.
    pub(super) fn hold(&self, kind: Kind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether every word of this value is here.
    pub(super) fn say(&self, value: &str) -> bool {
        let value = normal(value);
        let mut words = tokens(&value).peekable();
        words.peek().is_some() && words.all(|word| self.has(Self::key(&word)))
    }
}

/// One spelling of a value: letter case, blanks, the scheme and the last slash of an address make no difference, nor do the
/// blanks in an account number. Everything else does.
pub(super) fn normal(value: &str) -> String {
    let lower = value.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let joined: String = words.concat().replace('-', "");
    if is_account(&joined) {
        return joined;
    }
    let plain = words.join(" ");
    let plain = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://")).unwrap_or(&plain);
    plain.strip_suffix('/').unwrap_or(plain).to_owned()
}

/// Words in lower case, without the marks of the sentence around them; addresses stay whole.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = String> {
    let apart = |one: char| one.is_whitespace() || "\"'’‘“”`<>()[]{},;|*".contains(one);
    text.split(apart).filter_map(|word| {
        let word = normal(word.trim_matches(|one: char| ".:!?=#¿¡…".contains(one)));
        (!word.is_empty()).then_some(word)
    })
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|word| word.len() > 2 && word.chars().all(char::is_alphabetic)).unwrap_or(word)
}

/// Two letters, two digits, eleven to thirty letters or digits: the form of international bank account numbers.
fn is_account(word: &str) -> bool {
    (ACCOUNT..=34).contains(&word.len())
        && begins_account(word)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && word.bytes().filter(u8::is_ascii_digit).count() >= 8
}

fn begins_account(word: &str) -> bool {
    matches!(word.as_bytes(), [a, b, c, d, ..]
        if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit())
}

/// Bank account numbers in a text, also those written in groups of four.
pub(super) fn accounts(text: &str) -> Vec<String> {
    let words = text.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| begins_account(word)) {
        let mut whole = word.clone();
        let mut last = word.len();
        for (place, group) in words.iter().skip(at + 1).take(8).enumerate() {
            let has_digit = group.bytes().any(|byte| byte.is_ascii_digit());
            if last != 4 || group.len() > 4 || !(has_digit || place == 0 && group.len() == 4) {
                break;
            }
            whole.push_str(group);
            last = group.len();
        }
        if is_account(&whole) {
            found.push(whole);
        }
    }
    found
}

pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_value_is_said_when_all_of_it_is() {
        let mut words = Words::default();
        words.learn("Pay Ana's bill 'may-04.txt' to GB29 NWBK 6016 1331 9268 19, tell ana.li@one.example and the teams on www.one.example/x.");
        for (value, said) in [
            ("may-04.txt", true),
            ("ANA", true),
            ("team", true),
            ("GB29NWBK60161331926819", true),
            ("gb29 nwbk 6016 1331 9268 19", true),
            ("GB29NWBK60161331926818", false),
            ("GB29NWBK6016133192681", false),
            ("ana.li@one.example", true),
            ("ana.li@one.examp1e", false),
            ("ana-li@one.example", false),
            ("anali@one.example", false),
            ("bob@one.example", false),
            ("https://www.one.example/x", true),
            ("https://www.one.example/y", false),
            ("www.one.example", false),
            ("Ana Bill", true),
            ("Ana Smith", false),
            ("", false),
            (" . ", false),
        ] {
            assert_eq!(words.say(value), said, "{value}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut words = Words::default();
        words.learn(&(0..80_000).map(|number| format!("w{number}x ")).collect::<String>());
        assert_eq!(words.words.len(), MOST);
    }
}
