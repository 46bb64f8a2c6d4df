//! No known secret leaves in an address, in what is sent with it, or in a message to people, in whatever dress, in every mode.
//!
//! Only values that the configuration and the environment handed out are sought here, not shapes of tokens: addresses that
//! are signed or carry a public key are everywhere. The surprising decision: nothing but letters and digits is compared, in
//! one letter case, because host names lose theirs, and dots, slashes and percent signs are put between cheaply.

use super::{Known, Secrets, encodings, looks};
use crate::address;
use crate::guardrails::denied;
use crate::texts::of_program;
use aho_corasick::AhoCorasick;
use palanca_core::Message;
use palanca_core::call::{Effect, HttpAccess, Outgoing};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{Guard, Redactor as _, Verdict};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A shorter run of letters and digits in a disguise is found everywhere.
const SHORTEST_DISGUISED: usize = 10;
/// A piece of this many letters and digits gives a random value away; so does a value that is sent in two halves.
const PIECE: usize = 12;
/// Pieces are sought of values up to this length; longer ones are keys in many lines.
const MOST_IN_PIECES: usize = 512;
/// Runs that may be encoded again, in one text.
const MOST_RUNS: usize = 256;

/// Refuses exchanges with hosts, and messages to people, that carry a known secret.
pub struct SentSecret {
    secrets: Secrets,
    needles: OnceLock<Needles>,
    /// Of the values that were known last time.
    learned: Mutex<(Arc<Known>, Arc<Needles>)>,
}

#[derive(Default)]
struct Needles {
    search: Option<AhoCorasick>,
    names: Vec<Cow<'static, str>>,
}

impl SentSecret {
    /// The rule's id.
    pub const RULE: &'static str = "secrets.sent";

    /// A guard over these values.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self { secrets, needles: OnceLock::new(), learned: Mutex::default() }
    }

    /// The name of a secret that would leave.
    pub(super) fn found(&self, reach: &HttpAccess) -> Option<Cow<'static, str>> {
        self.find(&[&reach.url, &reach.body])
    }

    /// The same of what people would be told; a recipient may be what carries it.
    pub(super) fn told(&self, message: &Outgoing) -> Option<Cow<'static, str>> {
        self.find(&[&message.text, message.to.as_str(), message.channel.as_str()])
    }

    fn find(&self, texts: &[&str]) -> Option<Cow<'static, str>> {
        let needles = self.needles.get_or_init(|| Needles::new(&self.secrets.search.known));
        let learned = self.learned();
        texts.iter().find_map(|text| needles.find(text).or_else(|| learned.find(text)))
    }

    fn learned(&self) -> Arc<Needles> {
        let (now, mut last) = (self.secrets.search.learned.known(), self.learned.lock());
        if !Arc::ptr_eq(&now, &last.0) {
            *last = (Arc::clone(&now), Arc::new(Needles::new(&now)));
        }
        Arc::clone(&last.1)
    }
}

impl Guard for SentSecret {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let (key, name, to) = call.effects().iter().find_map(|effect| match effect {
            Effect::Http(reach) => Some(("secrets-sent", self.found(reach)?, reach.host().to_owned())),
            Effect::Message(message) => {
                Some(("secrets-told", self.told(message)?, format!("{}:{}", message.channel, message.to)))
            }
            Effect::Act(act) if act.kind.sends() => {
                Some(("secrets-handed-on", self.find(&[&act.content, &act.target])?, act.target.clone()))
            }
            effect if call.has_network() => {
                Some(("secrets-sent", self.find(&[&of_program(effect)?])?, "a program with network".to_owned()))
            }
            _ => None,
        })?;
        // The host or the recipient may be what carries it.
        let to = self.secrets.redact(&to);
        let evidence = format!("the secret {name} would be sent to {to}");
        Some(denied(Self::RULE, Message::new(key).with("name", name.into_owned()), evidence))
    }
}

impl Needles {
    fn new(known: &Known) -> Self {
        let (mut texts, mut names) = (Vec::new(), Vec::new());
        for (name, value) in &known.values {
            let plain = plain(value);
            let mut own = vec![plain.clone()];
            let disguised = encodings::all(value).into_iter().skip(1).chain(encodings::base32(value.as_bytes()));
            own.extend(disguised.map(|way| self::plain(&way)).filter(|way| way.len() >= SHORTEST_DISGUISED));
            if value.len() <= MOST_IN_PIECES && looks::is_random(value) && !value.contains("://") {
                own.extend(pieces(&plain));
            }
            own.retain(|way| way.len() >= super::SHORTEST);
            names.extend(own.iter().map(|_| name.clone()));
            texts.extend(own);
        }
        let search = (!texts.is_empty()).then(|| AhoCorasick::new(&texts).ok()).flatten();
        Self { search, names }
    }

    fn find(&self, text: &str) -> Option<Cow<'static, str>> {
        let search = self.search.as_ref()?;
        if text.is_empty() {
            return None;
        }
        let within = |text: &str| {
            let found = search.find(&plain(text))?;
            self.names.get(found.pattern().as_usize()).cloned()
        };
        // The letters of JSON's line ends are none of the value's.
        let mut text = match text.contains('\\') {
            true => Cow::Owned(["\\n", "\\r", "\\t"].iter().fold(text.to_owned(), |text, end| text.replace(end, " "))),
            false => Cow::Borrowed(text),
        };
        for _ in 0..4 {
            // Encoded once, or twice.
            let again = |run: &str| runs(run).find_map(|run| within(&run));
            let encoded = || runs(&text).find_map(|run| within(&run).or_else(|| again(&run)));
            if let Some(name) = within(&text).or_else(encoded) {
                return Some(name);
            }
            let decoded = address::decoded(&text);
            if decoded == text {
                break;
            }
            text = Cow::Owned(decoded);
        }
        None
    }
}

/// What the longer runs of a text stand for, where they are base64 or hex of a text.
fn runs(text: &str) -> impl Iterator<Item = String> {
    let in_run = |one: char| one.is_ascii_alphanumeric() || "+_-".contains(one);
    let runs = text.split(move |one| !in_run(one)).filter(|run| run.len() >= 16).take(MOST_RUNS);
    runs.flat_map(super::bytes_of).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Pieces that are not a word: with letters and digits.
fn pieces(plain: &str) -> impl Iterator<Item = String> {
    let mixed = |piece: &&str| {
        piece.bytes().any(|byte| byte.is_ascii_digit()) && piece.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    (0..(plain.len() + 1).saturating_sub(PIECE))
        .filter_map(|at| plain.get(at..at + PIECE))
        .filter(mixed)
        .map(str::to_owned)
}

/// Letters and digits in lower case, other alphabets' look-alikes as what they look like.
fn plain(text: &str) -> String {
    let wide = |one: char| match u32::from(one) {
        code @ 0xff01..=0xff5e => char::from_u32(code - 0xfee0).unwrap_or(one),
        _ => one,
    };
    text.chars().map(wide).filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
