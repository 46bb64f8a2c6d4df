//! Where a call of a tool that speaks with others goes, judged by its arguments.
//!
//! | the argument | what must hold |
//! |---|---|
//! | a target: declared | the whole value is in the user's words, or a declared source says it and they point at it |
//! | a text: not declared as a target, or usually a text | so are the addresses in it |
//! | any other, of a tool without declared targets | nothing of it was copied from foreign text, down to single words |
//!
//! A tool without declared targets must speak to an address of the user's, or one that is pointed at, besides. A tool that
//! is a source is asked freely, and so is a closed one, unless the call carries an address of an outsider's.

use super::declared::Declaration;
use super::doubt::Doubt;
use super::facts::{Asked, Credibility};
use super::words::tokens;
use super::{Session, TaintGuard, fields, kinds, known, outward};
use crate::texts::holds;
use palanca_core::gate::CheckedCall;
use palanca_core::message::Keys;
use palanca_core::ports::Verdict;
use palanca_core::tool::Output;
use serde_json::Value;

/// Arguments that carry text, in tools whose targets are not declared.
const TEXTS: &str = "body comment content description message note notes subject summary text title";
/// Characters of a value that are shown.
const SHOWN: usize = 80;

/// One value of the arguments and the argument that it stands in.
struct Leaf<'a> {
    argument: &'a str,
    value: &'a Value,
}

impl TaintGuard {
    /// Whether a call is judged by where its arguments send it: nothing that it does is judged elsewhere.
    pub(super) fn is_judged_by_targets(&self, call: &CheckedCall) -> bool {
        let declared = self.declared.of(&call.spec().name);
        let speaks = outward::is_open(call) || declared.is_some_and(|declared| declared.targets.is_some());
        speaks && (outward::is_foreign(call) || !call.effects().leaves_machine() && !outward::leaves(call))
    }

    pub(super) fn of_targets(&self, call: &CheckedCall) -> Option<Verdict> {
        let declared = self.declared.of(&call.spec().name);
        let effect = format!("calls {}", call.spec().name);
        self.with(call.scope(), |session| {
            let doubt = if session.is_wary() { session.doubts(call, declared).0 } else { None };
            self.verdict(session, doubt?, &effect)
        })
    }

    /// A call that was in doubt begins, so a person has allowed it: its values are not asked about again.
    pub(super) fn remember_yes(&self, call: &CheckedCall) {
        if !self.is_judged_by_targets(call) {
            return;
        }
        let declared = self.declared.of(&call.spec().name);
        self.with(call.scope(), |session| {
            let values = if session.is_wary() { session.doubts(call, declared).1 } else { Vec::new() };
            values.iter().for_each(|value| session.facts.allow(value));
        });
    }

    /// What a declared source said.
    pub(super) fn learn_facts(&self, call: &CheckedCall, declared: &Declaration, output: &Output) {
        if declared.trusted.is_none() {
            return;
        }
        let result = fields::of(output, output.text.render(&Keys), declared);
        self.with(call.scope(), |session| {
            let asked = session.asked(call.arguments());
            session.facts.learn(declared, (&call.spec().name, asked), &result);
        });
    }
}

impl Session {
    /// What is not the user's, and all values that a person would allow with the call.
    pub(super) fn doubts(&self, call: &CheckedCall, declared: Option<&Declaration>) -> (Option<Doubt>, Vec<String>) {
        let leaves = leaves(call.arguments());
        let is_source = |declared: &Declaration| declared.trusted.is_some() && declared.targets.is_none();
        let strict = declared.is_none_or(|declared| !declared.closed && !is_source(declared));
        let has_targets = declared.is_some_and(|declared| declared.targets.is_some());
        let (mut doubts, mut values, mut aimed) = (Vec::new(), Vec::new(), has_targets || !strict);
        for leaf in &leaves {
            let is_target = declared.is_some_and(|declared| declared.is_target(leaf.argument));
            let found = match (is_target, leaf.value) {
                (true, value) => self.target(&plain(value)),
                (false, Value::String(text)) => {
                    let is_text = has_targets || !strict || holds(TEXTS, leaf.argument);
                    aimed |= self.is_aimed(text);
                    self.addresses(text).or_else(|| (!is_text).then(|| self.copy(text)).flatten())
                }
                (false, value) => {
                    aimed |= self.credibility(&plain(value)) == Credibility::Vouched;
                    None
                }
            };
            if let Some((doubt, value)) = found {
                doubts.push(doubt);
                values.push(value);
            }
        }
        let first = doubts.into_iter().next();
        (first.or_else(|| (!aimed).then_some(Doubt::Aimless)), values)
    }

    fn credibility(&self, value: &str) -> Credibility {
        self.facts.credibility(value, &self.words)
    }

    fn is_free(&self, value: &str) -> bool {
        matches!(self.credibility(value), Credibility::Said | Credibility::Vouched)
    }

    /// A whole value, or each of several between commas.
    fn target(&self, text: &str) -> Option<(Doubt, String)> {
        if text.trim().is_empty() || self.is_free(text) {
            return None;
        }
        let mut parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
        let part = parts.find(|part| !self.is_free(part))?;
        Some((self.doubt(part), part.to_owned()))
    }

    fn doubt(&self, value: &str) -> Doubt {
        let shown = shown(value);
        match self.credibility(value) {
            Credibility::Doubtful(source) => Doubt::Unasked(shown, source),
            Credibility::Unknown(source) => Doubt::Copied(shown, source),
            Credibility::Said | Credibility::Vouched => Doubt::Copied(shown, None),
        }
    }

    /// An address in a text that neither the user nor a source that is pointed at named.
    fn addresses(&self, text: &str) -> Option<(Doubt, String)> {
        let text = known::visible(text);
        let hosts = outward::addresses(&text).into_iter().filter(|address| !self.own.holds(address));
        let all = kinds::every(&text).into_iter().chain(hosts);
        let is_free = |address: &String| {
            let host = address.split(['/', '?', '#', ':']).next().unwrap_or_default();
            self.is_free(address) || self.is_free(host) || self.own.holds(host)
        };
        let address = { all }.find(|address| !is_free(address))?;
        Some((self.doubt(&address), address))
    }

    /// Whether a text is, or names, an address that the user or a source that is pointed at named, or a value of such a
    /// source.
    fn is_aimed(&self, text: &str) -> bool {
        self.credibility(text) == Credibility::Vouched || kinds::every(text).iter().any(|address| self.is_free(address))
    }

    /// Something copied from foreign text: a piece, or every word of a short value.
    fn copy(&self, text: &str) -> Option<(Doubt, String)> {
        if self.is_free(text) {
            return None;
        }
        let piece = self.copied(&[text.to_owned()]);
        let words: Vec<String> = tokens(text).filter(|word| word.chars().any(char::is_alphabetic)).collect();
        let is_foreign = || !words.is_empty() && self.strange.say(&words.join(" "));
        let value = piece.or_else(|| is_foreign().then(|| text.to_owned()))?;
        let doubt = match self.credibility(text) {
            Credibility::Doubtful(source) => Doubt::Unasked(shown(&value), source),
            _ => Doubt::Copied(shown(&value), None),
        };
        Some((doubt, text.to_owned()))
    }

    /// Whether the user's words, or what they point at, hold all that a source was asked for.
    pub(super) fn asked(&self, arguments: &Value) -> Asked {
        let texts = leaves(arguments).into_iter().filter_map(|leaf| leaf.value.as_str());
        let mut texts = texts.filter(|text| text.chars().any(char::is_alphabetic)).peekable();
        if texts.peek().is_some() && texts.all(|text| self.is_free(text)) { Asked::ByUser } else { Asked::Otherwise }
    }
}

fn leaves(arguments: &Value) -> Vec<Leaf<'_>> {
    fn below<'a>(argument: &'a str, value: &'a Value, all: &mut Vec<Leaf<'a>>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| below(argument, item, all)),
            Value::Object(map) => map.values().for_each(|value| below(argument, value, all)),
            Value::Null | Value::Bool(_) => {}
            _ => all.push(Leaf { argument, value }),
        }
    }
    let mut all = Vec::new();
    let each = arguments.as_object().into_iter().flatten();
    each.for_each(|(argument, value)| below(argument, value, &mut all));
    all
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Shown outside the marks: nothing that steers.
fn shown(value: &str) -> String {
    value.chars().filter(|one| one.is_alphanumeric() || " @.+-_/:".contains(*one)).take(SHOWN).collect()
}
