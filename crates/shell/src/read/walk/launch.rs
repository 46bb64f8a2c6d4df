//! One command with its words: what it is, what it starts, what it prints.

use super::redirect::Channels;
use super::{Heard, Output, Scope, Status, Walker};
use crate::command::{Command, Input, Piece, UnknownKind, Via, Word};
use crate::read::expand::length;
use crate::read::grammar::tree;
use crate::read::limits::Within;
use crate::read::state::{Certainty, Entry, Key, Reach, Value};
use crate::unwrap::{self, Inner, Outer, Script};
use std::borrow::Cow;
use std::rc::Rc;

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
        self.settings(&ready.command, scope)?;
        let Some(first) = ready.command.words.first() else {
            let command = ready.command;
            if !command.assignments.is_empty() || !command.redirects.is_empty() {
                self.emit(command)?;
            }
            return Ok(Output::silent().with(Status::Likely));
        };
        if let Some(name) = first.literal().map(str::to_owned) {
            if !self.defined.is_empty()
                && let Some((bodies, certainty)) = self.functions(&name)
            {
                let output = self.call(&name, &bodies, &ready, scope)?;
                if certainty == Certainty::Sure {
                    return Ok(output);
                }
            }
            if self.renamed {
                self.aliased(&name, &ready.command, scope)?;
                self.hashed(&name, &ready.command, scope)?;
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
        let mut output = match (scope.heard, &found) {
            (Heard::No, _) => Output::default(),
            (Heard::Yes, None) => self.printed_by(&command, unwrap::printed_alone)?,
            (Heard::Yes, Some(_)) => self.printed(&command)?,
        };
        output.status = status(&command);
        let Some(found) = found else {
            self.emit(command)?;
            return Ok(output);
        };
        let size: usize = command.words.iter().map(length).sum();
        self.budget.copy((command.words.len() * 8 + size) * (found.inner.len() + 4))?;
        let mut inner_output: Option<Output> = None;
        if found.outer == Outer::Judged {
            self.emit(command.clone())?;
        }
        for inner in found.inner {
            let next = match inner {
                Inner::Command(inner) => self.started(*inner, &command, scope)?,
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
            output.trace.merge(&inner.trace);
        }
        Ok(output)
    }

    /// A command that another one starts.
    fn started(&mut self, mut inner: Command, outer: &Command, scope: &Scope) -> Within<Output> {
        // Its words are copied at every level, so there are fewer of these than of others.
        let scope = scope.deeper()?.deeper()?.deeper()?;
        inner.words = inner.words.into_iter().map(|word| self.restored_word(word)).collect();
        if inner.source.is_empty() {
            inner.source.clone_from(&outer.source);
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

    fn printed_by(&mut self, command: &Command, how: fn(&Command) -> unwrap::Printed) -> Within<Output> {
        let size: usize = command.words.iter().map(length).sum();
        self.budget.copy(command.words.len() * 8 + size + command.input.text.as_ref().map_or(0, String::len))?;
        let placed = self.placed(command)?;
        let command = placed.as_ref().unwrap_or(command);
        let mut said = how(command);
        let partly = command.words.iter().any(|word| word.literal().is_none());
        if said.text.is_none() && partly && command.words.first().is_some_and(|first| first.literal().is_some()) {
            let mut copy = command.clone();
            for word in &mut copy.words {
                let handed = matches!(word.pieces.as_slice(), [Piece::Unknown(unknown)]
                    if matches!(unknown.kind, UnknownKind::Output(_)) && !unknown.splits && !unknown.may_be_empty);
                *word = if handed && command.input.text.is_some() {
                    Word::text("/dev/stdin")
                } else {
                    Word::text(self.flattened(word)?)
                };
            }
            let again = how(&copy);
            said.text = again.text;
            said.trace.merge(&again.trace);
        }
        Ok(Output { text: said.text, trace: said.trace, status: Status::Open })
    }

    /// The same command with what its output is computed from in the place of `~` and of names: a path must be known to
    /// be cut, and `printenv` takes a name where others take the value. `None`: nothing to put there.
    fn placed(&mut self, command: &Command) -> Within<Option<Command>> {
        let program = command.program().unwrap_or_default();
        let is_home = |piece: &Piece| matches!(piece, Piece::Home(_));
        if matches!(program, "dirname" | "basename" | "realpath" | "readlink" | "grealpath") {
            if !command.words.iter().any(|word| word.pieces.iter().any(is_home)) {
                return Ok(None);
            }
            let mut copy = command.clone();
            for word in &mut copy.words {
                let pieces = std::mem::take(&mut word.pieces);
                for piece in pieces {
                    let piece = match piece {
                        Piece::Home(user) => Piece::Text(self.home_path(user.as_deref())),
                        other => other,
                    };
                    super::simple::push(word, piece);
                }
            }
            return Ok(Some(copy));
        }
        if program != "printenv" {
            return Ok(None);
        }
        let [name] = command.operands() else { return Ok(None) };
        let Some(name) = name.literal().filter(|name| !name.starts_with('-')) else { return Ok(None) };
        let Some(word) = self.exported(name) else { return Ok(None) };
        Ok(Some(Command { words: vec![Word::text("echo"), word], ..command.clone() }))
    }

    /// The path of a home, made up where it is not known.
    fn home_path(&self, user: Option<&str>) -> String {
        match (user, &self.surroundings.home) {
            (None, Some(home)) => home.to_string_lossy().into_owned(),
            (None, None) => "/home/~".to_owned(),
            (Some("root"), _) => "/root".to_owned(),
            (Some(name), _) => format!("/home/{name}"),
        }
    }

    /// What programs see under a name, when it is one known value.
    fn exported(&self, name: &str) -> Option<Word> {
        match self.state.variable(name) {
            Some(([Value::Scalar(word)], Reach::Exported)) => Some(word.clone()),
            Some(_) => None,
            None if name == "HOME" => Some(Word { pieces: vec![Piece::Home(None)] }),
            None => None,
        }
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
    fn call(&mut self, name: &str, bodies: &[Rc<tree::Node>], ready: &Ready<'_>, scope: &Scope) -> Within<Output> {
        let command = &ready.command;
        if !command.redirects.is_empty() || !command.assignments.is_empty() {
            self.emit(Command { words: Vec::new(), ..command.clone() })?;
        }
        let mut keys: Vec<Key> = vec![Key::Positional, Key::Descriptor(Cow::Borrowed("0"))];
        keys.extend(ready.set.iter().map(|(assignment, _)| Key::Variable(assignment.name.clone())));
        let before: Vec<Option<Entry>> = keys.iter().map(|key| self.state.get(key).cloned()).collect();
        for (assignment, values) in ready.set {
            self.store(assignment, values.clone(), Reach::Exported);
        }
        let mut parameters = vec![Word::text("bash")];
        parameters.extend(command.operands().iter().cloned());
        self.state.set(Key::Positional, Entry::Words(parameters));
        self.state.remove(Key::Descriptor(Cow::Borrowed("0")));
        let inner = scope.with_input(command.input.clone());
        let mut outputs = Vec::new();
        for body in bodies {
            outputs.push(self.follow(name, body, &inner)?);
        }
        for (key, entry) in keys.into_iter().zip(before) {
            match entry {
                Some(entry) => self.state.set(key, entry),
                None => self.state.remove(key),
            }
        }
        Ok(if outputs.len() == 1 { outputs.pop().unwrap_or_default() } else { Output::either(outputs) })
    }

    /// `alias x=…; x`: interactive shells put the text in the name's place.
    fn aliased(&mut self, name: &str, command: &Command, scope: &Scope) -> Within<()> {
        let key = Key::Alias(name.to_owned());
        let Some(Entry::Text(value)) = self.state.get(&key).cloned() else { return Ok(()) };
        let mut text = value;
        super::simple::push(&mut text, Piece::Text(" \"$@\"".to_owned()));
        let mut parameters = vec![Word::text("bash")];
        parameters.extend(command.operands().iter().cloned());
        let mut via = command.via.clone();
        via.push(Via::Shell("alias".to_owned()));
        let script = Script {
            text,
            parameters,
            assignments: Vec::new(),
            input: command.input.clone(),
            directory: command.directory.clone(),
            via,
        };
        let mark = self.state.mark();
        self.state.remove(key);
        self.script(script, scope)?;
        self.state.rollback(mark);
        Ok(())
    }

    /// `hash -p FILE name; name`
    fn hashed(&mut self, name: &str, command: &Command, scope: &Scope) -> Within<()> {
        let Some(Entry::Text(program)) = self.state.get(&Key::Program(name.to_owned())).cloned() else { return Ok(()) };
        let mut command = command.clone();
        if let Some(first) = command.words.first_mut() {
            *first = program;
        }
        self.launch(command, &scope.deeper()?)?;
        Ok(())
    }
}

fn status(command: &Command) -> Status {
    match command.program() {
        Some("true" | ":") => Status::True,
        Some("false") => Status::False,
        Some(
            "echo" | "printf" | "cd" | "pushd" | "export" | "set" | "mkdir" | "shopt" | "umask" | "unset" | "declare",
        ) => Status::Likely,
        _ => Status::Open,
    }
}

/// Nothing on stdin.
pub(super) fn nothing() -> Input {
    Input::default()
}
