//! Builtins that change what the shell remembers.

use super::launch::Ready;
use super::nested::script_of;
use super::{Output, Scope, Status, Walker};
use crate::command::{Command, Input, Piece, Via, Word};
use crate::read::expand::unknown_output;
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Reach, Value};
use crate::unwrap::words::cut_at;
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
            "alias" => {
                for (name, value) in operands.iter().filter_map(|word| cut_at(word, '=')) {
                    let at_once = Command { input: Input::default(), ..command.clone() };
                    let how = Via::Shell("alias".to_owned());
                    self.script(script_of(&at_once, how, value.clone(), Vec::new()), scope)?;
                    self.rename(name, value);
                }
            }
            "unalias" => {
                for name in operands.iter().filter_map(Word::literal) {
                    self.state.remove(Key::Alias(name.to_owned()));
                }
            }
            "hash" => {
                if let [option, path, names @ ..] = operands
                    && option.literal() == Some("-p")
                {
                    names.iter().filter_map(Word::literal).for_each(|name| self.rename(name, path.clone()));
                }
            }
            "let" => {
                for text in operands.iter().filter_map(Word::literal) {
                    self.arithmetic_text(text, scope)?;
                }
            }
            "test" | "[" => {
                for pair in operands.windows(2) {
                    if let [option, name] = pair
                        && matches!(option.literal(), Some("-v" | "-R"))
                        && let Some(text) = name.literal()
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

    /// Makes a name stand for a text or a program.
    fn rename(&mut self, name: &str, text: Word) {
        self.renamed = true;
        self.state.set(Key::Alias(name.to_owned()), Entry::Values(vec![Value::Scalar(text)], Reach::Shell));
    }

    fn declare(&mut self, name: &str, ready: &Ready<'_>, scope: &Scope) -> Within<()> {
        let operands = ready.command.operands();
        let flags: String = operands.iter().filter_map(Word::literal).filter(|text| text.starts_with('-')).collect();
        let reach = if name == "export" || flags.contains('x') { Reach::Exported } else { Reach::Shell };
        for (assignment, values) in ready.declared {
            if flags.contains('n')
                && let [value] = values.as_slice()
                && let Some(target) = value.literal()
            {
                self.state.refer(&assignment.name, target);
                continue;
            }
            let values = self.shaped(values.clone(), &flags, scope)?;
            self.store(assignment, values, reach);
        }
        for word in operands.iter().filter(|word| !word.prefix().starts_with('-')) {
            if let Some((name, value)) = cut_at(word, '=') {
                if !ready.declared.iter().any(|(assignment, _)| assignment.name == name) {
                    let values = self.shaped(vec![Value::Scalar(value)], &flags, scope)?;
                    self.state.assign(name, values, reach);
                }
                continue;
            }
            let Some(name) = word.literal() else { continue };
            if flags.contains('n') {
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
        }
        Ok(())
    }

    /// `declare -i`, `-l`, `-u`.
    fn shaped(&mut self, mut values: Vec<Value>, flags: &str, scope: &Scope) -> Within<Vec<Value>> {
        for word in values.iter_mut().flat_map(Value::words_mut) {
            if flags.contains('i')
                && let Some(text) = word.literal()
            {
                self.arithmetic_text(text, scope)?;
            }
            for piece in &mut word.pieces {
                match piece {
                    Piece::Text(text) if flags.contains('l') => *text = text.to_lowercase(),
                    Piece::Text(text) if flags.contains('u') => *text = text.to_uppercase(),
                    _ => {}
                }
            }
        }
        Ok(values)
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

    fn set_parameters(&mut self, operands: &[Word]) {
        let marked = operands.iter().position(|word| matches!(word.literal(), Some("--" | "-")));
        let rest = match (marked, operands) {
            (Some(place), _) => operands.get(place + 1..).unwrap_or_default(),
            // Options alone, some of which take a name.
            (None, [first, ..]) if first.prefix().starts_with(['-', '+']) => return,
            (None, []) => return,
            (None, all) => all,
        };
        let zero = self.state.parameters().and_then(<[Word]>::first).cloned();
        let mut parameters = vec![zero.unwrap_or_else(|| Word::text("bash"))];
        parameters.extend(rest.iter().cloned());
        self.state.set_parameters(parameters);
    }

    fn shift(&mut self, operands: &[Word]) {
        let Some(mut words) = self.state.parameters().map(<[Word]>::to_vec) else { return };
        let count = match operands.first() {
            None => Some(1),
            Some(word) => word.literal().and_then(|text| text.parse::<usize>().ok()),
        };
        match count {
            Some(count) if count < words.len() => {
                words.drain(1..=count);
                self.state.set_parameters(words);
            }
            Some(_) => {}
            None => self.state.remove(Key::Variable("@".to_owned())),
        }
    }

    fn read(&mut self, command: &Command, ready: &Ready<'_>, scope: &Scope) -> Within<()> {
        let mut names: Vec<String> = Vec::new();
        let (mut listed, mut raw, mut whole) = (false, false, false);
        let mut input = command.input.clone();
        let mut words = command.operands().iter().filter_map(Word::literal);
        while let Some(text) = words.next() {
            let Some(flags) = text.strip_prefix('-').filter(|flags| !flags.is_empty()) else {
                names.push(text.to_owned());
                continue;
            };
            raw |= flags.contains('r');
            listed |= flags.contains('a');
            // `-a` takes the name that follows, which is read like any other.
            let Some((place, option)) = flags.char_indices().find(|(_, flag)| "dinNptu".contains(*flag)) else {
                continue;
            };
            let glued = flags.get(place + 1..).filter(|rest| !rest.is_empty());
            let value = glued.or_else(|| words.next()).unwrap_or_default();
            whole |= option == 'd';
            if option == 'u' {
                input = self.descriptor(value, ready.channels).unwrap_or(input);
            }
        }
        if names.is_empty() {
            names.push("REPLY".to_owned());
        }
        let own = command.assignments.iter().rev().find(|assignment| assignment.name == "IFS");
        let own = own.map(|assignment| assignment.value.literal().unwrap_or(" \t\n").to_owned());
        let separators = own.unwrap_or_else(|| self.separators());
        for name in names.iter().filter(|name| name.contains('[')) {
            self.arithmetic_text(name, scope)?;
        }
        let Some(text) = input.text else {
            for name in &names {
                self.state.assign(name, vec![Value::Scalar(unknown_output(input.trace))], Reach::Shell);
            }
            return Ok(());
        };
        self.budget.copy(text.len())?;
        let lines: Vec<&str> = if whole { vec![text.as_str()] } else { text.lines().take(LINES + 1).collect() };
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); names.len()];
        for line in lines {
            let line = if raw { line.to_owned() } else { line.replace('\\', "") };
            let count = if listed { usize::MAX } else { names.len() };
            let parts = parts(&line, &separators, count).into_iter();
            let mut parts = parts.map(|part| Word { pieces: self.restored(part) });
            for column in &mut columns {
                let value = if listed {
                    Value::List(parts.by_ref().collect())
                } else {
                    Value::Scalar(parts.next().unwrap_or_default())
                };
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
        Ok(())
    }

    fn lines(&mut self, command: &Command) {
        let words: Vec<&str> = command.operands().iter().filter_map(Word::literal).collect();
        let name = words.last().filter(|last| !last.starts_with('-')).map_or("MAPFILE", |name| name);
        let mut marks = words.iter().zip(words.iter().skip(1)).filter_map(|(option, next)| {
            let (_, glued) = option.strip_prefix('-')?.split_once('d')?;
            Some(if glued.is_empty() { next } else { glued }.chars().next().unwrap_or('\0'))
        });
        let mark = marks.next().unwrap_or('\n');
        let value = match &command.input.text {
            Some(text) if text.split(mark).count() <= 256 => {
                let text = text.strip_suffix(mark).unwrap_or(text);
                // Without `-t` the mark stays, and goes where the value is split.
                Value::List(
                    text.split(mark).map(|line| Word { pieces: self.restored(line.trim_end_matches('\n')) }).collect(),
                )
            }
            _ => Value::Scalar(unknown_output(command.input.trace)),
        };
        self.state.assign(name, vec![value], Reach::Shell);
    }

    fn printf(&mut self, command: &Command, scope: &Scope) -> Within<()> {
        let Some(name) = command.operands().get(1).and_then(Word::literal).map(str::to_owned) else { return Ok(()) };
        let mut copy = command.clone();
        copy.words.drain(1..3.min(copy.words.len()));
        let output = self.printed(&copy)?;
        let value = match output.text {
            Some(text) => Word { pieces: self.restored(&text) },
            None => unknown_output(output.trace),
        };
        if let Some((base, _)) = name.split_once('[') {
            self.arithmetic_text(&name, scope)?;
            self.state.assign(base, vec![Value::List(vec![value])], Reach::Shell);
        } else {
            self.state.assign(&name, vec![Value::Scalar(value)], Reach::Shell);
        }
        Ok(())
    }
}

/// What `read` makes of a line: so many parts at most, the last one with all that is left.
fn parts<'t>(line: &'t str, separators: &str, count: usize) -> Vec<&'t str> {
    let splits = |c: char| separators.contains(c);
    let mut rest = line.trim_matches(|c: char| splits(c) && c.is_whitespace());
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(splits).filter(|_| parts.len() + 1 < count).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after.trim_start_matches(splits);
    }
    parts
}
