//! What is never run, in no mode and with no approval: one table of rules, one file a family.
//!
//! Every rule has texts that it catches and look-alikes that it spares (`tests/examples.txt`); the tests send them through
//! the whole reading, so a rule is tested as it is met. Rules ask "could it be": a pattern that may stand for `/`, a name that
//! may be empty, count. What is only unknown is not blocked, a person is asked.

mod backdoor;
mod device;
mod device_tools;
mod feed;
mod found;
mod kill;
mod listed;
mod mode;
mod options;
pub(crate) mod pattern;
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
use super::read::{self, Reading};
use super::verdict::Reason;
use crate::Sentence;
use staged::staged;
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
}

const fn rule(id: &'static str, key: &'static str, breaks: fn(&View<'_>) -> Option<String>) -> Rule {
    Rule { id, key, breaks }
}

const REMOVE: Rule = rule("shell.block.remove", "shell-block-remove", remove::breaks);
const PRIVILEGE: Rule = rule("shell.block.privilege", "shell-block-privilege", privilege::breaks);
const WORLD_WRITABLE: Rule = rule("shell.block.world-writable", "shell-block-world-writable", mode::world_writable);
const SYSTEM_MODE: Rule = rule("shell.block.system-mode", "shell-block-system-mode", mode::system_mode);
const SETUID_SHELL: Rule = rule("shell.block.setuid-shell", "shell-block-setuid-shell", mode::setuid_shell);
const BACKDOOR: Rule = rule("shell.block.backdoor", "shell-block-backdoor", backdoor::breaks);
const UNSEEN_PROGRAM: Rule = rule("shell.block.unseen-program", "shell-block-unseen-program", feed::breaks);
const DEVICE: Rule = rule("shell.block.device", "shell-block-device", device::breaks);
const FORK_BOMB: Rule = rule("shell.block.fork-bomb", "shell-block-fork-bomb", spawn::breaks);
const KILL_ALL: Rule = rule("shell.block.kill-all", "shell-block-kill-all", kill::breaks);
const POWER: Rule = rule("shell.block.power", "shell-block-power", power::breaks);

const RULES: [&Rule; 11] = [
    &REMOVE,
    &PRIVILEGE,
    &WORLD_WRITABLE,
    &SYSTEM_MODE,
    &SETUID_SHELL,
    &BACKDOOR,
    &UNSEEN_PROGRAM,
    &DEVICE,
    &FORK_BOMB,
    &KILL_ALL,
    &POWER,
];

/// The first rule that a command breaks.
pub(crate) fn blocked(command: &Command, surroundings: &Surroundings) -> Option<Reason> {
    let program = Program::of(command, surroundings);
    let view = View { command, surroundings, program: &program };
    RULES.iter().find_map(|rule| (rule.breaks)(&view).map(|what| reason(rule, what)))
}

/// The rule that a shape breaks.
pub(crate) fn blocked_shape(shape: Shape) -> Reason {
    reason(&FORK_BOMB, spawn::shown(shape).to_owned())
}

/// The rule that several commands break together: what one of them fetches or writes, another runs.
pub(crate) fn blocked_reading(reading: &Reading, surroundings: &Surroundings) -> Option<Reason> {
    let by_file = staged(reading, surroundings).into_iter().find_map(|(what, text)| {
        let Some(text) = text else { return Some(reason(&UNSEEN_PROGRAM, what)) };
        let inner = read::read(&text, surroundings).ok()?;
        let by_shape = || inner.shapes.first().map(|shape| blocked_shape(*shape));
        inner.commands.iter().find_map(|command| blocked(command, surroundings)).or_else(by_shape)
    });
    let by_list = || listed::removed(reading, surroundings).map(|what| reason(&REMOVE, what));
    by_file
        .or_else(by_list)
        .or_else(|| mode::armed_copy(reading, surroundings).map(|what| reason(&SETUID_SHELL, what)))
        .or_else(|| backdoor::wired(reading, surroundings).map(|what| reason(&BACKDOOR, what)))
}

fn reason(rule: &Rule, what: String) -> Reason {
    Reason { rule: rule.id.into(), message: Sentence::new(rule.key).with("what", what) }
}
