//! Builtins that change what the shell remembers.

use super::launch::Ready;
use super::nested::cut;
use super::{Output, Scope, Status, Walker};
use crate::command::{Command, Input, Origin, Piece, Trace, Unknown, UnknownKind, Via, Word};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Reach, Value};
use crate::unwrap::Script;
use std::borrow::Cow;

/// Lines of an input that a loop over `read` may see, told apart.
const LINES: usize = 8;

impl Walker<'_> {
    /// Follows a builtin. `None`: judged and started like any other command.
    pub(super) fn builtin(&mut self, name: &str, ready: &Ready<'_>, scope: &Scope) -> Within<Option<Output>> {
        let command = &ready.command;
        let operands = command.operands();
        match name {
            "cd" | "pushd" | "popd" | "chdir" => self.change_directory(name, operands)?,
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(name, ready, scope)?,
            "unset" => self.unset(operands, scope)?,
            "set" => self.set_parameters(operands),
            "shift" => self.shift(operands),
            "read" => self.read(command, ready, scope)?,
            "mapfile" | "readarray" => self.lines(command),
            "printf" if operands.first().and_then(Word::literal) == Some("-v") => {
                self.printf(command, scope)?;
                self.emit(command.clone())?;
                return Ok(Some(Output::silent().with(Status::Likely)));
            }
            "alias" => self.alias(command, scope)?,
            "unalias" => {
                for word in operands {
                    if let Some(name) = word.literal() {
                        self.state.remove(Key::Alias(name.to_owned()));
                    }
                }
            }
            "hash" => {
                if let [option, path, rest @ ..] = operands
                    && option.literal() == Some("-p")
                {
                    for name in rest.iter().filter_map(Word::literal) {
                        self.renamed = true;
                        self.state.set(Key::Program(name.to_owned()), Entry::Text(path.clone()));
                    }
                }
            }
            "let" => {
                for word in operands {
                    if let Some(text) = word.literal() {
                        self.arithmetic_text(text, scope)?;
                    }
                }
            }
            "test" | "[" => {
                let mut words = operands.iter();
                while let Some(word) = words.next() {
                    if matches!(word.literal(), Some("-v" | "-R"))
                        && let Some(text) = words.next().and_then(Word::literal)
                    {
                        self.arithmetic_text(text, scope)?;
                    }
                }
            }
            "exec" if operands.is_empty() => {
                if let Some(input) = &ready.channels.input {
                    self.state.set(Key::Descriptor(Cow::Borrowed("0")), Entry::Input(input.clone()));
                }
                for (number, input) in &ready.channels.others {
                    self.state.set(Key::Descriptor(number.clone().into()), Entry::Input(input.clone()));
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn declare(&mut self, name: &str, ready: &Ready<'_>, scope: &Scope) -> Within<()> {
        let operands = ready.command.operands();
        let flags: String = operands.iter().filter_map(Word::literal).filter(|text| text.starts_with('-')).collect();
        let reach = if name == "export" || flags.contains('x') { Reach::Exported } else { Reach::Shell };
        for (assignment, values) in ready.declared {
            if flags.contains('i') {
                for value in values {
                    if let Value::Scalar(word) = value
                        && let Some(text) = word.literal()
                    {
                        self.arithmetic_text(text, scope)?;
                    }
                }
            }
            if flags.contains('n')
                && let [Value::Scalar(word)] = values.as_slice()
                && let Some(target) = word.literal()
            {
                self.state.refer(&assignment.name, target);
                continue;
            }
            let values = self.shaped(values, &flags);
            self.store(assignment, values, reach);
        }
        for word in operands.iter().filter(|word| !word.prefix().starts_with('-')) {
            let Some((name, _)) = word.prefix().split_once('=') else {
                let Some(name) = word.literal() else { continue };
                if flags.contains('n') && !name.starts_with('-') {
                    self.state.refer(name, "");
                } else if flags.contains('f') {
                    if reach == Reach::Exported {
                        self.state.export_function(name);
                    }
                } else if name.contains('[') {
                    self.arithmetic_text(name, scope)?;
                } else if reach == Reach::Exported
                    && let Some((values, _)) = self.state.variable(name)
                {
                    let values = values.to_vec();
                    self.state.assign(name, values, Reach::Exported);
                }
                continue;
            };
            if ready.declared.iter().any(|(assignment, _)| assignment.name == name) {
                continue;
            }
            let value = cut(word, name.len() + 1);
            if flags.contains('i')
                && let Some(text) = value.literal()
            {
                self.arithmetic_text(text, scope)?;
            }
            self.state.assign(name, vec![Value::Scalar(value)], reach);
        }
        Ok(())
    }

    /// `declare -l`, `-u`.
    fn shaped(&self, values: &[Value], flags: &str) -> Vec<Value> {
        let shape = |word: &Word| -> Word {
            let pieces = word.pieces.iter().map(|piece| match piece {
                Piece::Text(text) if flags.contains('l') => Piece::Text(text.to_lowercase()),
                Piece::Text(text) if flags.contains('u') => Piece::Text(text.to_uppercase()),
                other => other.clone(),
            });
            Word { pieces: pieces.collect() }
        };
        values
            .iter()
            .map(|value| match value {
                Value::Unset => Value::Unset,
                Value::Scalar(word) => Value::Scalar(shape(word)),
                Value::List(words) => Value::List(words.iter().map(shape).collect()),
            })
            .collect()
    }

    fn unset(&mut self, operands: &[Word], scope: &Scope) -> Within<()> {
        let functions = operands.first().and_then(Word::literal) == Some("-f");
        let variables = operands.first().and_then(Word::literal) == Some("-v");
        for name in operands.iter().filter_map(Word::literal).filter(|name| !name.starts_with('-')) {
            if name.contains('[') {
                self.arithmetic_text(name, scope)?;
                continue;
            }
            let known = self.state.variable(name).is_some();
            if functions || (!variables && !known) {
                self.state.remove(Key::Function(name.to_owned()));
            }
            if !functions {
                self.state.assign(name, vec![Value::Unset], Reach::Shell);
            }
        }
        Ok(())
    }

    fn zero(&self) -> Word {
        match self.state.get(&Key::Positional) {
            Some(Entry::Words(words)) => words.first().cloned().unwrap_or_else(|| Word::text("bash")),
            _ => Word::text("bash"),
        }
    }

    fn set_parameters(&mut self, operands: &[Word]) {
        let mut rest = operands;
        while let Some((first, more)) = rest.split_first() {
            match first.literal() {
                Some("--" | "-") => {
                    rest = more;
                    break;
                }
                Some("-o" | "+o") => rest = more.get(1..).unwrap_or_default(),
                Some(text) if text.starts_with(['-', '+']) && text.len() > 1 => rest = more,
                _ => break,
            }
        }
        let dashed = operands.iter().any(|word| matches!(word.literal(), Some("--" | "-")));
        if rest.is_empty() && !dashed {
            return;
        }
        let mut parameters = vec![self.zero()];
        parameters.extend(rest.iter().cloned());
        self.state.set(Key::Positional, Entry::Words(parameters));
    }

    fn shift(&mut self, operands: &[Word]) {
        let Some(Entry::Words(words)) = self.state.get(&Key::Positional) else { return };
        let mut words = words.clone();
        let count = match operands.first() {
            None => Some(1),
            Some(word) => word.literal().and_then(|text| text.parse::<usize>().ok()),
        };
        match count {
            Some(count) if count < words.len() => {
                words.drain(1..=count);
                self.state.set(Key::Positional, Entry::Words(words));
            }
            Some(_) => {}
            None => self.state.remove(Key::Positional),
        }
    }

    fn read(&mut self, command: &Command, ready: &Ready<'_>, scope: &Scope) -> Within<()> {
        let mut names: Vec<String> = Vec::new();
        let mut list = None;
        let mut raw = false;
        let mut input = command.input.clone();
        let mut whole = false;
        let mut words = command.operands().iter();
        while let Some(word) = words.next() {
            let Some(text) = word.literal() else { continue };
            let Some(flags) = text.strip_prefix('-').filter(|flags| !flags.is_empty()) else {
                names.push(text.to_owned());
                continue;
            };
            raw |= flags.contains('r');
            let Some(place) = flags.find(['a', 'd', 'i', 'n', 'N', 'p', 't', 'u']) else { continue };
            let glued = flags.get(place + 1..).filter(|rest| !rest.is_empty()).map(str::to_owned);
            let value = glued.or_else(|| words.next().map(|word| word.literal().unwrap_or_default().to_owned()));
            match (flags.as_bytes().get(place), value) {
                (Some(b'a'), Some(name)) => list = Some(name),
                (Some(b'd'), _) => whole = true,
                (Some(b'u'), Some(number)) => input = self.descriptor(&number, ready.channels).unwrap_or(input),
                _ => {}
            }
        }
        if names.is_empty() && list.is_none() {
            names.push("REPLY".to_owned());
        }
        let own = command.assignments.iter().rev().find(|assignment| assignment.name == "IFS");
        let separators = match own {
            Some(assignment) => assignment.value.literal().unwrap_or(" \t\n").to_owned(),
            None => self.separators(),
        };
        for name in &names {
            if name.contains('[') {
                self.arithmetic_text(name, scope)?;
            }
        }
        let Some(text) = input.text.clone() else {
            let unknown = from_input(&input);
            for name in names.iter().chain(&list) {
                self.state.assign(name, vec![Value::Scalar(unknown.clone())], Reach::Shell);
            }
            return Ok(());
        };
        self.budget.copy(text.len())?;
        let lines: Vec<&str> = if whole { vec![text.as_str()] } else { text.lines().take(LINES + 1).collect() };
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); names.len()];
        let mut lists = Vec::new();
        for line in lines {
            let line = if raw { line.to_owned() } else { line.replace('\\', "") };
            let mut rest = line.trim_matches(|c| separators.contains(c) && c != ',');
            if list.is_some() {
                let words = rest.split(|c| separators.contains(c)).filter(|part| !part.is_empty());
                lists.push(Value::List(words.map(|part| Word { pieces: self.restored(part) }).collect()));
            }
            for (place, column) in columns.iter_mut().enumerate() {
                let last = place + 1 == names.len();
                let end = if last { None } else { rest.find(|c| separators.contains(c)) };
                let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after.trim_start_matches(|c| separators.contains(c));
                let value = Value::Scalar(Word { pieces: self.restored(part) });
                if !column.contains(&value) {
                    column.push(value);
                }
            }
        }
        for (name, mut column) in names.iter().zip(columns) {
            if column.is_empty() {
                column.push(Value::Scalar(Word::default()));
            }
            self.state.assign(name, column, Reach::Shell);
        }
        if let Some(name) = list {
            if lists.is_empty() {
                lists.push(Value::List(Vec::new()));
            }
            self.state.assign(&name, lists, Reach::Shell);
        }
        Ok(())
    }

    fn lines(&mut self, command: &Command) {
        let words: Vec<&str> = command.operands().iter().filter_map(Word::literal).collect();
        let valued = |word: &&str| matches!(*word, "-d" | "-n" | "-O" | "-s" | "-u" | "-C" | "-c");
        let last = words.last().filter(|last| !last.starts_with('-'));
        let last = last.filter(|_| words.len() < 2 || !words.get(words.len() - 2).is_some_and(valued));
        let name = last.map_or("MAPFILE", |name| name).to_owned();
        let apart = words.iter().position(|word| word.ends_with('d') && word.starts_with('-'));
        let apart = apart.and_then(|at| words.get(at + 1)).map(|mark| mark.chars().next().unwrap_or('\0'));
        let glued = words.iter().find_map(|word| word.strip_prefix("-d").and_then(|mark| mark.chars().next()));
        let mark = apart.or(glued).unwrap_or('\n');
        let value = match &command.input.text {
            Some(text) if text.split(mark).count() <= 256 => {
                let text = text.strip_suffix(mark).unwrap_or(text);
                // Without `-t` the mark stays, and goes where the value is split.
                Value::List(
                    text.split(mark).map(|line| Word { pieces: self.restored(line.trim_end_matches('\n')) }).collect(),
                )
            }
            _ => Value::Scalar(from_input(&command.input)),
        };
        self.state.assign(&name, vec![value], Reach::Shell);
    }

    fn printf(&mut self, command: &Command, scope: &Scope) -> Within<()> {
        let Some(name) = command.operands().get(1).and_then(Word::literal).map(str::to_owned) else { return Ok(()) };
        let mut copy = command.clone();
        copy.words.drain(1..3.min(copy.words.len()));
        let output = self.printed(&copy)?;
        let value = match output.text {
            Some(text) => Word { pieces: self.restored(&text) },
            None => from_input(&Input { text: None, trace: output.trace }),
        };
        if let Some((base, _)) = name.split_once('[') {
            self.arithmetic_text(&name, scope)?;
            self.state.assign(base, vec![Value::List(vec![value])], Reach::Shell);
        } else {
            self.state.assign(&name, vec![Value::Scalar(value)], Reach::Shell);
        }
        Ok(())
    }

    fn alias(&mut self, command: &Command, scope: &Scope) -> Within<()> {
        for word in command.operands() {
            let Some((name, _)) = word.prefix().split_once('=') else { continue };
            let value = cut(word, name.len() + 1);
            let name = name.to_owned();
            let mut via = command.via.clone();
            via.push(Via::Shell("alias".to_owned()));
            let script = Script {
                text: value.clone(),
                parameters: Vec::new(),
                assignments: Vec::new(),
                input: Input::default(),
                directory: command.directory.clone(),
                via,
            };
            self.script(script, scope)?;
            self.renamed = true;
            self.state.set(Key::Alias(name), Entry::Text(value));
        }
        Ok(())
    }
}

/// A word that was read from somewhere.
fn from_input(input: &Input) -> Word {
    let trace = if input.trace.0.is_empty() { Trace::of(Origin::Program) } else { input.trace.clone() };
    let unknown = Unknown { kind: UnknownKind::Output(trace), splits: true, may_be_empty: true };
    Word { pieces: vec![Piece::Unknown(unknown)] }
}
