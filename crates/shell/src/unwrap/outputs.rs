//! What a command would print, when the text alone tells.
//!
//! Only programs whose output follows from their words and their stdin are folded; of every other one the trace says
//! what its output is made from. Nothing here looks at a file, and no output longer than 64 KiB counts as known.

use super::words::LIMIT;
use super::{Inner, Unwrapped, shells};
use crate::catalogue::{self, has};
use crate::command::{Command, Directory, Origin, Piece, Surroundings, Trace, UnknownKind, Word};
use crate::options::{Given, Options, Order, readings};
use std::path::PathBuf;

mod codec;
mod echo;
mod filter;
mod names;
mod origins;

pub(super) use codec::base64;
use origins::script_trace;

/// What a command prints on stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    /// All of it, when it is known.
    pub(crate) text: Option<String>,
    /// What it is made from.
    pub(crate) trace: Trace,
}

/// A text with its backslash escapes replaced, as `printf` reads them.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    echo::unescape(text, echo::Zero::Free, &mut out);
    out
}

/// The same as `$'…'` reads it.
pub(crate) fn ansi(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    echo::unescape(text, echo::Zero::Quoted, &mut out);
    out
}

/// How many commands inside one are looked into.
const FUEL: usize = 48;

/// What `command` prints, given its input.
pub(crate) fn printed(command: &Command) -> Printed {
    bounded(within(command, &mut { FUEL }))
}

/// The same, when it is known what it starts.
pub(crate) fn printed_with(command: &Command, found: Option<&Unwrapped>) -> Printed {
    let through = found.and_then(|found| through(command, found.passed_on(), &mut { FUEL }));
    bounded(through.unwrap_or_else(|| alone(command)))
}

fn bounded(mut printed: Printed) -> Printed {
    printed.text = printed.text.filter(|text| text.len() <= LIMIT);
    if printed.trace.is_empty() {
        printed.trace = Trace::of(Origin::Constant);
    }
    printed
}

fn within(command: &Command, fuel: &mut usize) -> Printed {
    let found = fuel.checked_sub(1).and_then(|left| {
        *fuel = left;
        through(command, &super::passed_on(command, &nowhere(command))?.inner, fuel)
    });
    found.unwrap_or_else(|| alone(command))
}

/// What a command prints that starts nothing else.
fn alone(command: &Command) -> Printed {
    let Some(name) = command.program() else {
        return Printed { text: command.words.is_empty().then(String::new), trace: words_trace(&command.words) };
    };
    if has(names::NAMES, name) {
        let arguments: Option<Vec<&str>> = command.operands().iter().map(Word::literal).collect();
        let text = arguments.and_then(|arguments| names::text(name, &arguments, command));
        return Printed { text, trace: words_trace(command.operands()) };
    }
    codec::printed(name, command)
        .or_else(|| filter::printed(name, command))
        .unwrap_or_else(|| Printed { text: super::code::says(command), trace: origins::trace(name, command) })
}

/// Only the directory is known of the place where an inner command runs.
fn nowhere(command: &Command) -> Surroundings {
    let directory = match &command.directory {
        Directory::Known(directory) => directory.to_path_buf(),
        Directory::Unknown => PathBuf::from("/"),
    };
    Surroundings {
        workspace: directory.clone().into(),
        directory,
        home: None,
        environment: Vec::new(),
        secrets: crate::SecretNames::none(),
    }
}

/// Wrappers print what is inside them prints.
fn through(command: &Command, started: &[Inner], fuel: &mut usize) -> Option<Printed> {
    let name = command.program()?;
    let mut all: Option<Printed> = None;
    for inner in started {
        let one = match inner {
            Inner::Command(inner) => within(inner, fuel),
            Inner::Script(script) => script_trace(script, fuel),
        };
        all = Some(match all {
            None => one,
            Some(mut all) => {
                all.trace.merge(one.trace);
                Printed { text: None, trace: all.trace }
            }
        });
    }
    let mut all = all?;
    if !shells::is_shell(name) && catalogue::is_client(name) {
        all.trace.merge(Trace::of(Origin::Network));
    }
    Some(all)
}

/// What words are made from.
pub(super) fn words_trace(words: &[Word]) -> Trace {
    let mut trace = Trace::default();
    for piece in words.iter().flat_map(|word| &word.pieces) {
        match piece {
            Piece::Text(_) | Piece::Home(_) => trace.merge(Trace::of(Origin::Constant)),
            Piece::Glob(_) => trace.merge(Trace::of(Origin::File)),
            Piece::Unknown(unknown) => match &unknown.kind {
                UnknownKind::Output(from) => trace.merge(*from),
                _ => trace.merge(Trace::of(Origin::Program)),
            },
        }
    }
    trace
}

/// What a filter reads: stdin, unless it is given names of files.
pub(super) fn read(command: &Command, files: &[Word]) -> Printed {
    let mut trace = Trace::default();
    let mut text = None;
    let is_wire = |word: &Word| ["/dev/tcp/", "/dev/udp/"].iter().any(|wire| word.prefix().starts_with(wire));
    if command.reads_from().any(is_wire) {
        trace.merge(Trace::of(Origin::Network));
    }
    if files.is_empty() {
        trace.merge(command.input.trace);
        return Printed { text: command.input.text.clone(), trace };
    }
    for file in files {
        if shells::is_stdin(file) {
            trace.merge(command.input.trace);
            text = command.input.text.clone();
        } else if let Some(made) = shells::made(file) {
            trace.merge(made);
        } else if is_wire(file) {
            trace.merge(Trace::of(Origin::Network));
        } else if file.literal() == Some("/dev/null") {
            text = Some(String::new());
        } else {
            trace.merge(Trace::of(Origin::File));
        }
    }
    Printed { text: if files.len() == 1 { text } else { None }, trace }
}

/// The likeliest reading of options anywhere among the words.
pub(super) fn options<'a>(command: &'a Command, known: &Options) -> Given<'a> {
    readings(command.operands(), known, Order::Anywhere).pop().unwrap_or_default()
}
