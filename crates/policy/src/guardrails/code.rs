//! Rules on what is written: regular expressions over the lines that a change adds, whatever way it takes.
//!
//! Text that was there before never breaks a rule. A command is judged by the constant text that it would write; what it
//! really wrote is looked at after the run, and then it is too late for more than a note.

use super::added::{self, Stretch};
use super::commands;
use super::programs;
use super::{CodeRule, SHOWN, Severity};
use crate::patterns::{PatternError, Patterns, Reading};
use crate::texts::{short, strings};
use palanca_core::Message;
use palanca_core::call::{Access, Effect, Outcome};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandReading, Decision, Guard, Verdict};
use palanca_core::tool::FileDelta;
use regex::Regex;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

const RULE: &str = "guardrails.code_rules";
/// Broken rules that one sentence tells of.
const TOLD: usize = 5;

pub(super) struct CodeRules {
    patterns: Patterns,
    rules: Vec<CodeRule>,
}

struct Broken<'r> {
    rule: &'r CodeRule,
    path: String,
    found: String,
}

impl CodeRules {
    pub(super) fn new(rules: &[CodeRule]) -> Result<Self, PatternError> {
        let patterns = Patterns::new(RULE, rules.iter().map(|rule| &rule.pattern), Reading::Lines)?;
        Ok(Self { patterns, rules: rules.to_vec() })
    }

    /// The rules that the new lines break, each once, in the order of the configuration.
    fn broken(&self, stretches: &[Stretch]) -> Vec<Broken<'_>> {
        let mut broken = BTreeMap::new();
        for stretch in stretches {
            for at in self.patterns.matching(&stretch.text) {
                let new = |one: &Regex| one.find_iter(&stretch.text).find(|hit| stretch.is_new(&hit.range()));
                let found = || Some((self.patterns.one(at).and_then(new)?, self.rules.get(at)?));
                if let (Entry::Vacant(free), Some((hit, rule))) = (broken.entry(at), found()) {
                    let found = short(hit.as_str().trim(), SHOWN);
                    free.insert(Broken { rule, path: stretch.path.clone(), found });
                }
            }
        }
        broken.into_values().collect()
    }

    /// The blocking rules that the constant text of a command breaks, when it writes any.
    fn broken_by(&self, reading: &CommandReading, texts: &[Cow<'_, str>]) -> Vec<Broken<'_>> {
        if !reading.parts.iter().any(programs::writes) {
            return Vec::new();
        }
        let words = reading.parts.iter().map(commands::words).map(Cow::Owned);
        let stretches: Vec<Stretch> =
            texts.iter().cloned().chain(words).map(|text| Stretch::whole("", &text)).collect();
        let mut broken = self.broken(&stretches);
        broken.retain(|broken| broken.rule.severity == Severity::Block);
        broken
    }
}

impl Guard for CodeRules {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let mut broken = self.broken(&stretches(call));
        if !call.commands().is_empty() {
            let texts: Vec<Cow<'_, str>> = commands::texts(call).collect();
            broken.extend(call.commands().iter().flat_map(|reading| self.broken_by(reading, &texts)));
        }
        let blocked = broken.iter().any(|broken| broken.rule.severity == Severity::Block);
        if blocked {
            broken.retain(|broken| broken.rule.severity == Severity::Block);
        }
        let first = broken.first()?;
        let (decision, key) = match first.rule.severity {
            Severity::Block => (Decision::Deny, "guardrail-code-block"),
            Severity::Warn => (Decision::Warn, "guardrail-code-warn"),
        };
        let to_operator = format!("'{}' matches '{}' in '{}'", first.rule.pattern, first.found, first.path);
        let to_model = Message::new(key).with("reasons", told(&broken));
        Some(Verdict { decision, rule: RULE.to_owned(), to_model, to_operator })
    }

    fn settle(&self, call: &CheckedCall, _outcome: &Outcome) -> Option<Message> {
        let stretches: Vec<Stretch> = call
            .edited_by_programs()
            .filter_map(|delta| {
                let after = delta.after.as_ref()?;
                Some(added::between(&delta.path.to_string(), delta.before.as_deref().unwrap_or_default(), after))
            })
            .flatten()
            .collect();
        let broken = self.broken(&stretches);
        (!broken.is_empty()).then(|| Message::new("guardrail-code-after").with("reasons", told(&broken)))
    }
}

fn told(broken: &[Broken<'_>]) -> String {
    let one = |broken: &Broken<'_>| {
        let Broken { rule, path, found } = broken;
        let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
        format!("{} ({place}'{found}')", rule.message)
    };
    broken.iter().take(TOLD).map(one).collect::<Vec<_>>().join("; ")
}

/// What a call adds to files by its own hand.
fn stretches(call: &CheckedCall) -> Vec<Stretch> {
    if call.effects().changes_no_files() {
        return Vec::new();
    }
    match call.preview() {
        Ok(Some(preview)) => {
            let whole = |(delta, after): (&FileDelta, &[u8])| {
                Stretch::whole(&delta.path.to_string(), &String::from_utf8_lossy(after))
            };
            added::of_diff(&preview.diff).into_iter().chain(added::unseen(call, preview).map(whole)).collect()
        }
        // A tool that shows nothing says what it writes with its arguments.
        Ok(None) => strings(call.arguments()).into_iter().map(|text| Stretch::whole("", text)).collect(),
        // The run would end with the same error.
        Err(_) => Vec::new(),
    }
}

/// Whether a call changes files of the workspace by its own hand.
pub(super) fn changes_files(call: &CheckedCall) -> bool {
    call.effects().iter().flat_map(Effect::paths).any(|(_, access)| access == Access::Write)
}
