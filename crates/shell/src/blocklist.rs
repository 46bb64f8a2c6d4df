//! What is never run, in no mode and with no approval: one table of rules, one file a family.
//!
//! Every rule carries texts that it catches and look-alikes that it spares; the tests send them through the whole
//! reading, so a rule is tested as it is met. Rules ask "could it be": a pattern that may stand for `/`, a name that
//! may be empty, count. What is only unknown is not blocked, a person is asked.

mod backdoor;
mod device;
mod device_tools;
mod feed;
mod found;
mod interpreter;
mod kill;
mod listed;
mod mode;
mod options;
mod pattern;
mod power;
mod privilege;
mod remove;
mod spawn;
mod staged;
mod target;
mod view;

#[cfg(test)]
mod tests;

use super::command::{Command, Shape, Surroundings};
use super::read::Reading;
use super::verdict::Reason;
use crate::Sentence;
use staged::{Staged, read_text, staged};
use view::{Program, View};

/// One thing that is never run.
#[derive(Clone, Copy)]
struct Rule {
    /// Dotted, stable: `shell.block.remove`.
    id: &'static str,
    /// The sentence that says what is refused and what to do instead; takes `$what`.
    key: &'static str,
    /// What of the command breaks the rule, as a person would write it.
    breaks: fn(&View<'_>) -> Option<String>,
    /// Texts that it catches.
    #[cfg_attr(not(test), allow(dead_code, reason = "read by the tests alone"))]
    matches: &'static [&'static str],
    /// Look-alikes that no rule may catch.
    #[cfg_attr(not(test), allow(dead_code, reason = "read by the tests alone"))]
    spares: &'static [&'static str],
}

const RULES: [&Rule; 11] = [
    &remove::RULE,
    &privilege::RULE,
    &mode::WORLD_WRITABLE,
    &mode::SYSTEM_MODE,
    &mode::SETUID_SHELL,
    &backdoor::RULE,
    &feed::RULE,
    &device::RULE,
    &spawn::RULE,
    &kill::RULE,
    &power::RULE,
];

/// The first rule that a command breaks.
pub(crate) fn blocked(command: &Command, surroundings: &Surroundings) -> Option<Reason> {
    let program = Program::of(command, surroundings);
    let view = View { command, surroundings, program: &program };
    RULES.iter().find_map(|rule| (rule.breaks)(&view).map(|what| reason(rule, what)))
}

/// The rule that a shape breaks.
pub(crate) fn blocked_shape(shape: Shape) -> Option<Reason> {
    match shape {
        Shape::RecursiveFunction | Shape::EndlessSpawn => Some(reason(&spawn::RULE, spawn::shown(shape).to_owned())),
    }
}

/// The rule that several commands break together: what one of them fetches or writes, another runs.
pub(crate) fn blocked_reading(reading: &Reading, surroundings: &Surroundings) -> Option<Reason> {
    let by_file = staged(reading, surroundings).into_iter().find_map(|staged| match staged {
        Staged::Foreign(what) => Some(reason(&feed::RULE, what)),
        Staged::Text(text) => {
            let inner = read_text(&text, surroundings)?;
            let by_shape = || inner.shapes.iter().find_map(|shape| blocked_shape(*shape));
            inner.commands.iter().find_map(|command| blocked(command, surroundings)).or_else(by_shape)
        }
    });
    let by_list = || listed::removed(reading, surroundings).map(|what| reason(&remove::RULE, what));
    by_file
        .or_else(by_list)
        .or_else(|| mode::armed_copy(reading, surroundings).map(|what| reason(&mode::SETUID_SHELL, what)))
        .or_else(|| backdoor::wired(reading, surroundings).map(|what| reason(&backdoor::RULE, what)))
}

fn reason(rule: &Rule, what: String) -> Reason {
    Reason { rule: rule.id.into(), message: Sentence::new(rule.key).with("what", what) }
}
