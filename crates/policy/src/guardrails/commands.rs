//! Commands that the operator never wants to run, by regular expression.
//!
//! A pattern is held against the whole text, also with the variables of the launch before it, and against the resolved
//! words of every part, joined by one space, so that quotes, blanks, wrappers and constant variables hide nothing.

use super::{SHOWN, denied};
use crate::patterns::{PatternError, Patterns, Reading};
use crate::texts::short;
use palanca_core::Message;
use palanca_core::call::{CommandLine, Effect};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandPart, CommandWord, Guard, Verdict};
use std::borrow::Cow;
use std::collections::BTreeSet;

const RULE: &str = "guardrails.blocked_commands";

pub(super) struct BlockedCommands {
    patterns: Patterns,
    unvouched: BTreeSet<String>,
}

impl BlockedCommands {
    pub(super) fn new(patterns: &[String], unvouched: &BTreeSet<String>) -> Result<Self, PatternError> {
        Ok(Self { patterns: Patterns::new(RULE, patterns.iter(), Reading::Commands)?, unvouched: unvouched.clone() })
    }
}

impl Guard for BlockedCommands {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if call.commands().is_empty() {
            return None;
        }
        let parts = call.commands().iter().flat_map(|reading| &reading.parts).map(|part| Cow::Owned(words(part)));
        let mut all = texts(call).chain(with_variables(call)).chain(parts);
        let (text, at) = all.find_map(|text| self.patterns.first(&text).map(|at| (text, at)))?;
        let pattern = self.patterns.source(at);
        let to_model = match self.unvouched.contains(pattern) {
            true => Message::new("guardrail-blocked-command-project").with("place", format!("{RULE}[{at}]")),
            false => Message::new("guardrail-blocked-command").with("pattern", pattern),
        };
        Some(denied(RULE, to_model, format!("'{pattern}' matches '{}'", short(&text, SHOWN))))
    }
}

/// The whole text of every program that a call would start, and whatever it would send to one.
pub(super) fn texts(call: &CheckedCall) -> impl Iterator<Item = Cow<'_, str>> {
    call.effects().iter().filter_map(|effect| match effect {
        Effect::Run(launch) => Some(match &launch.command {
            CommandLine::Script { text, .. } => Cow::Borrowed(text.as_str()),
            CommandLine::Program(argv) => Cow::Owned(argv.join(" ")),
        }),
        Effect::Feed { input, .. } => Some(Cow::Borrowed(input.as_str())),
        _ => None,
    })
}

/// Every program with the variables that are set for it before the text.
fn with_variables(call: &CheckedCall) -> impl Iterator<Item = Cow<'_, str>> {
    call.effects().iter().filter_map(|effect| match effect {
        Effect::Run(launch) if !launch.environment.is_empty() => Some(Cow::Owned(launch.typed())),
        _ => None,
    })
}

/// The words of a part joined by one space; what is not known stands as it was written.
pub(super) fn words(part: &CommandPart) -> String {
    let mut joined = String::new();
    for word in &part.words {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(written(word));
    }
    joined
}

pub(super) fn written(word: &CommandWord) -> &str {
    match word {
        CommandWord::Known(text) | CommandWord::Pattern(text) | CommandWord::Unknown(text) => text,
    }
}
