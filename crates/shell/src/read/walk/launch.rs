//! One command with its words: what it is, what it starts, what it prints.

use super::nested::script_of;
use super::redirect::Channels;
use super::{Heard, Output, Scope, Status, Walker};
use crate::command::{Command, Piece, UnknownKind, Via, Word};
use crate::read::expand::length;
use crate::read::grammar::tree;
use crate::read::limits::Within;
use crate::read::state::{Certainty, Entry, Key, Reach, Value};
use crate::unwrap::words::{home_path, push};
use crate::unwrap::{self, Inner, Outer};
use std::borrow::Cow;
use std::sync::Arc;

/// A command that is ready to start, and what stood around it.
pub(super) struct Ready<'s> {
    pub(super) command: Command,
    /// Assignments before the program.
    pub(super) set: &'s [(&'s tree::Assignment, Vec<Value>)],
    /// Assignments among the operands of `declare` and its kin.
    pub(super) declared: &'s [(&'s tree::Assignment, Vec<Value>)],
    pub(super) channels: &'s Channels,
}

impl Walker<'_> {
    pub(super) fn start(&mut self, mut ready: Ready<'_>, scope: &Scope) -> Within<Output> {
        self.named_descriptors(&mut ready);
        let Some(first) = ready.command.words.first() else {
            if !ready.command.assignments.is_empty() || !ready.command.redirects.is_empty() {
                self.launch(ready.command, scope)?;
            }
            return Ok(Output::silent().with(Status::Likely));
        };
        if let Some(name) = first.literal().map(str::to_owned) {
            if !self.defined.is_empty()
                && let Some(Entry::Functions(bodies, certainty)) = self.state.get(&Key::Function(name.clone())).cloned()
            {
                let output = self.call(&bodies, &ready, scope)?;
                if certainty == Certainty::Sure {
                    return Ok(output);
                }
            }
            if self.renamed {
                self.renamed(&name, &ready.command, scope)?;
            }
            if let Some(endless) = &mut self.endless {
                endless.held |=
                    matches!(name.as_str(), "wait" | "sleep" | "break" | "exit" | "return" | "read" | "inotifywait");
            }
            let text = self.builtin(&name, &ready, scope)?;
            if let Some(text) = text {
                return Ok(text);
            }
        }
        self.launch(ready.command, scope)
    }

    /// Emits a command, and follows what it starts.
    pub(super) fn launch(&mut self, command: Command, scope: &Scope) -> Within<Output> {
        self.budget.step()?;
        let found = unwrap::unwrap(&command, self.surroundings);
        let mut output = match scope.heard {
            Heard::No => Output::default(),
            Heard::Yes => self.printed_by(&command, |command| unwrap::printed_with(command, found.as_ref()))?,
        };
        output.status = status(&command);
        let Some(found) = found else {
            self.emit(command)?;
            return Ok(output);
        };
        let size: usize = command.words.iter().map(length).sum();
        self.budget.copy((command.words.len() * 8 + size) * (found.inner.len() + 4))?;
        let mut inner_output: Option<Output> = None;
        let source = Arc::clone(&command.source);
        if found.outer == Outer::Judged {
            self.emit(command)?;
        }
        for inner in found.inner {
            let next = match inner {
                Inner::Command(inner) => self.started(*inner, &source, scope)?,
                Inner::Script(script) => self.script(*script, scope)?,
            };
            inner_output = Some(match inner_output {
                None => next,
                Some(before) => before.then(next),
            });
        }
        if let Some(inner) = inner_output
            && output.text.is_none()
            && inner.text.as_ref().is_some_and(|text| !text.is_empty())
        {
            output.text = inner.text;
            output.trace.merge(inner.trace);
        }
        Ok(output)
    }

    /// A command that another one starts.
    fn started(&mut self, mut inner: Command, source: &Arc<str>, scope: &Scope) -> Within<Output> {
        // Its words are copied at every level, so there are fewer of these than of others.
        let scope = scope.deeper()?.deeper()?.deeper()?;
        inner.words = inner.words.into_iter().map(|word| self.restored_word(word)).collect();
        if inner.source.is_empty() {
            inner.source = Arc::clone(source);
        }
        let here = matches!(inner.via.last(), Some(Via::Wrapper(name)) if matches!(name.as_str(), "command" | "builtin" | "time" | "exec"));
        if here && let Some(name) = inner.words.first().and_then(Word::literal).map(str::to_owned) {
            let channels = Channels::default();
            let ready = Ready { command: inner.clone(), set: &[], declared: &[], channels: &channels };
            if let Some(output) = self.builtin(&name, &ready, &scope)? {
                return Ok(output);
            }
        }
        self.launch(inner, &scope)
    }

    /// What a command prints.
    pub(super) fn printed(&mut self, command: &Command) -> Within<Output> {
        self.printed_by(command, unwrap::printed)
    }

    fn printed_by(&mut self, command: &Command, how: impl Fn(&Command) -> unwrap::Printed) -> Within<Output> {
        let size: usize = command.words.iter().map(length).sum();
        self.budget.copy(command.words.len() * 8 + size + command.input.text.as_ref().map_or(0, String::len))?;
        if let [program, name] = command.words.as_slice()
            && program.literal() == Some("printenv")
            && let [Value::Scalar(value)] = self.held(name.literal().unwrap_or("-")).as_slice()
            && !value.has_unknown()
        {
            let echo = Command { words: vec![Word::text("echo"), value.clone()], ..command.clone() };
            return self.printed(&echo);
        }
        let mut said = how(command);
        let partly = command.words.iter().any(|word| word.literal().is_none());
        if said.text.is_none() && partly && command.words.first().is_some_and(|first| first.literal().is_some()) {
            let mut copy = command.clone();
            let cuts =
                matches!(command.program(), Some("dirname" | "basename" | "realpath" | "readlink" | "grealpath"));
            for word in &mut copy.words {
                for piece in word.pieces.iter_mut().filter(|_| cuts) {
                    if let Piece::Home(user) = piece {
                        *piece = Piece::Text(home_path(user.as_deref(), self.surroundings.home.as_deref()));
                    }
                }
                let handed = matches!(word.pieces.as_slice(), [Piece::Unknown(unknown)]
                    if matches!(unknown.kind, UnknownKind::Output(_)) && !unknown.splits && !unknown.may_be_empty);
                *word = if handed && command.input.text.is_some() {
                    Word::text("/dev/stdin")
                } else {
                    Word::text(self.flattened(word)?)
                };
            }
            let again = unwrap::printed(&copy);
            said.text = again.text;
            said.trace.merge(again.trace);
        }
        Ok(Output { text: said.text, trace: said.trace, status: Status::Open })
    }

    /// `/dev/fd/3` is what the command itself opened there.
    fn named_descriptors(&mut self, ready: &mut Ready<'_>) {
        for word in &mut ready.command.words {
            let Some(number) = word
                .literal()
                .and_then(|text| text.strip_prefix("/dev/fd/").or_else(|| text.strip_prefix("/proc/self/fd/")))
                .filter(|number| *number != "0")
            else {
                continue;
            };
            if let Some(input) = self.descriptor(number, ready.channels) {
                ready.command.input = input;
                *word = Word::text("/dev/stdin");
            }
        }
    }

    /// Follows a call with its own parameters.
    fn call(&mut self, functions: &[usize], ready: &Ready<'_>, scope: &Scope) -> Within<Output> {
        let command = &ready.command;
        if !command.redirects.is_empty() || !command.assignments.is_empty() {
            self.emit(Command { words: Vec::new(), ..command.clone() })?;
        }
        let mut keys: Vec<Key> = vec![Key::Variable("@".to_owned()), Key::Descriptor(Cow::Borrowed("0"))];
        keys.extend(ready.set.iter().map(|(assignment, _)| Key::Variable(assignment.name.clone())));
        let saved = self.state.saved(keys);
        for (assignment, values) in ready.set {
            self.store(assignment, values.clone(), Reach::Exported);
        }
        self.state.set_parameters(with_zero(command.operands()));
        self.state.remove(Key::Descriptor(Cow::Borrowed("0")));
        let inner = scope.with_input(command.input.clone());
        let mut outputs = Vec::new();
        for function in functions {
            outputs.push(self.follow(*function, &inner)?);
        }
        self.state.restore(saved);
        Ok(Output::either(outputs))
    }

    /// `alias x=…; x`, `hash -p FILE x; x`: the text goes in the name's place.
    fn renamed(&mut self, name: &str, command: &Command, scope: &Scope) -> Within<()> {
        let key = Key::Alias(name.to_owned());
        let Some(Entry::Values(values, _)) = self.state.get(&key).cloned() else { return Ok(()) };
        let mark = self.state.mark();
        self.state.remove(key);
        for value in values {
            let Value::Scalar(mut text) = value else { continue };
            push(&mut text, Piece::Text(" \"$@\"".to_owned()));
            let parameters = with_zero(command.operands());
            self.script(script_of(command, Via::Shell("alias".to_owned()), text, parameters), scope)?;
        }
        self.state.forget(mark);
        Ok(())
    }
}

/// Parameters behind the name of the shell.
fn with_zero(operands: &[Word]) -> Vec<Word> {
    std::iter::once(Word::text("bash")).chain(operands.iter().cloned()).collect()
}

fn status(command: &Command) -> Status {
    let word = |place: usize| command.words.get(place).and_then(Word::literal).unwrap_or_default();
    let bracket = usize::from(word(0) == "[");
    match command.program().unwrap_or_default() {
        "true" | ":" => Status::True,
        "false" => Status::False,
        // `[ 1 ]`, `[ 1 = 1 ]`
        "[" | "test" if !word(1).is_empty() => match command.words.len() - bracket {
            2 => Status::True,
            4 if matches!(word(2), "=" | "==" | "-eq") && word(1) == word(3) => Status::True,
            _ => Status::Open,
        },
        "echo" | "printf" | "cd" | "pushd" | "export" | "set" | "mkdir" | "shopt" | "umask" | "unset" | "declare" => {
            Status::Likely
        }
        _ => Status::Open,
    }
}
