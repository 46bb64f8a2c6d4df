//! Makes the commands and scripts that something starts, from what it is started by.

use super::words::{LIMIT, join, output};
use super::{Inner, Script};
use crate::command::{Assignment, Command, Directory, Input, Origin, Trace, Via, Word};

/// What is handed down to what a command starts.
#[derive(Clone, Debug)]
pub(super) struct Start<'a> {
    pub(super) outer: &'a Command,
    pub(super) assignments: Vec<Assignment>,
    pub(super) directory: Directory,
    pub(super) input: Input,
    pub(super) via: Vec<Via>,
    /// How often the words were taken apart already.
    pub(super) depth: usize,
}

impl<'a> Start<'a> {
    /// Started by `outer`, in this way, in the same place and with the same stdin.
    pub(super) fn new(outer: &'a Command, how: Via) -> Self {
        let mut via = outer.via.clone();
        via.push(how);
        Self {
            outer,
            assignments: outer.assignments.clone(),
            directory: outer.directory.clone(),
            input: outer.input.clone(),
            via,
            depth: 0,
        }
    }

    /// The same without a stdin that is known: the outer program reads it itself.
    pub(super) fn without_input(mut self) -> Self {
        self.input = Input::default();
        self
    }
}

/// A program with its arguments. It writes where the outer one writes, so it takes over its redirections.
pub(super) fn started(start: &Start<'_>, words: Vec<Word>) -> Option<Inner> {
    if words.is_empty() {
        return None;
    }
    Some(Inner::Command(Box::new(Command {
        words,
        assignments: start.assignments.clone(),
        redirects: start.outer.redirects.clone(),
        input: start.input.clone(),
        directory: start.directory.clone(),
        via: start.via.clone(),
        background: start.outer.background,
        source: start.outer.source.clone(),
    })))
}

/// A text that a shell reads.
pub(super) fn script(start: &Start<'_>, text: Word, parameters: Vec<Word>) -> Inner {
    Inner::Script(Box::new(Script {
        text,
        parameters,
        assignments: start.assignments.clone(),
        input: start.input.clone(),
        directory: start.directory.clone(),
        via: start.via.clone(),
    }))
}

/// Operands that are put together with blanks and given to a shell.
pub(super) fn joined(start: &Start<'_>, operands: &[Word]) -> Inner {
    script(start, join(operands, " "), Vec::new())
}

/// What stands for more than is looked into: a text that is longer than any that is read, which is a problem of the whole.
pub(super) fn too_much(start: &Start<'_>) -> Inner {
    script(start, Word::text("x".repeat(LIMIT + 1)), Vec::new())
}

/// The values without most of the plain numbers: a count (`seq 1000`) is no thousand different things. Of many, the shortest
/// come first, `/` and `~` among them: not all may be looked at.
pub(super) fn thinned<T>(all: Vec<T>, text: impl Fn(&T) -> Option<&str>) -> Vec<T> {
    const NUMBERS: usize = 4;
    const MANY: usize = 32;
    let mut numbers = 0;
    let is_number = |one: &T| text(one).is_some_and(|text| text.trim().bytes().all(|byte| byte.is_ascii_digit()));
    let keep = |one: &T| {
        numbers += usize::from(is_number(one));
        numbers <= NUMBERS || !is_number(one)
    };
    let mut kept: Vec<T> = all.into_iter().filter(keep).collect();
    if kept.len() > MANY {
        kept.sort_by_key(|one| text(one).map_or(0, str::len));
    }
    kept
}

/// What stands on stdin, as one word; `None` when nothing is connected.
pub(super) fn stdin(input: &Input) -> Option<Word> {
    match &input.text {
        Some(text) => Some(Word::text(text.clone())),
        None if input.trace.is_empty() => None,
        None => Some(output(input.trace)),
    }
}

/// A script's own stdin once the shell has read its text from there: what is left, if anything, is not known.
pub(super) fn spent(input: &Input) -> Input {
    let trace = if input.text.is_some() { Trace::of(Origin::Constant) } else { input.trace };
    Input { text: None, trace }
}
