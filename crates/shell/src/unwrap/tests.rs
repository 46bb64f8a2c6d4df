//! What is found inside commands, one table for each kind of disguise.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod code;
mod dressed;
mod each;
mod nested;
mod outputs;
mod properties;
mod settings;
mod shells;
mod wrappers;

use super::{Inner, unwrap, words::split};
use crate::command::{Command, Input, Origin, Surroundings, Trace};

pub(super) fn place() -> Surroundings {
    Surroundings {
        workspace: "/w".into(),
        directory: "/w".into(),
        home: Some("/home/me".into()),
        environment: Vec::new(),
        secrets: crate::secret_names::of_tests(),
    }
}

/// A command of words with blanks between them; quotes and escapes as in a shell.
pub(super) fn command(text: &str) -> Command {
    Command::plain(split(text), &place())
}

/// The same with a known stdin.
pub(super) fn fed(text: &str, input: &str) -> Command {
    let input = Input { text: Some(input.to_owned()), trace: Trace::of(Origin::Constant) };
    Command { input, ..command(text) }
}

/// What is started, commands as `a b c`, texts as `sh: text`.
pub(super) fn inner(command: &Command) -> Vec<String> {
    let found = unwrap(command, &place()).map(|found| found.inner).unwrap_or_default();
    found.iter().map(shown).collect()
}

pub(super) fn shown(inner: &Inner) -> String {
    match inner {
        Inner::Command(command) => command.words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Inner::Script(script) => format!("sh: {}", script.text),
    }
}

/// Everything down to the last command that starts nothing, through texts of plain words too.
pub(super) fn innermost(command: &Command) -> Vec<String> {
    let mut open = vec![command.clone()];
    let mut last = Vec::new();
    let mut steps = 0;
    while let Some(next) = open.pop() {
        steps += 1;
        assert!(steps < 200, "endless: {:?}", next.words);
        let Some(found) = unwrap(&next, &place()) else {
            last.push(next.words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
            continue;
        };
        for inner in found.inner {
            open.push(match inner {
                Inner::Command(command) => *command,
                Inner::Script(script) => {
                    let words = split(&script.text.to_string());
                    let plain = Command::plain(words, &place());
                    Command { input: script.input, via: script.via, directory: script.directory, ..plain }
                }
            });
        }
    }
    last
}
