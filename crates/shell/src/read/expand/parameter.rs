//! `$x`: what a parameter holds.

use super::fields::{self, Fragment};
use super::{Choice, Quotes, length};
use crate::command::{Directory, Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::tree::{Form, Index, Parameter};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Value};
use crate::read::walk::{Scope, Walker};
use crate::unwrap::words::{anything, something};

impl Walker<'_> {
    /// The characters that split.
    pub(in crate::read) fn separators(&self) -> String {
        match self.state.variable("IFS") {
            Some(([Value::Scalar(word)], _)) => word.literal().unwrap_or(" \t\n").to_owned(),
            _ => " \t\n".to_owned(),
        }
    }

    pub(super) fn directory_piece(&self) -> Piece {
        match self.state.get(&Key::Directory) {
            Some(Entry::Directories(all)) => match all.as_slice() {
                [Directory::Known(path)] => Piece::Text(path.to_string_lossy().into_owned()),
                _ => environment("PWD", false),
            },
            _ => Piece::Text(self.surroundings.directory.to_string_lossy().into_owned()),
        }
    }

    /// What a name holds: alternatives.
    pub(in crate::read) fn held(&self, name: &str) -> Vec<Value> {
        if name.starts_with(|first: char| first.is_ascii_digit()) || matches!(name, "@" | "*" | "#") {
            return self.positional(name);
        }
        if let Some((values, _)) = self.state.variable(name) {
            let first = |value: &Value| match value {
                Value::List(words) => words.first().cloned().map_or(Value::Unset, Value::Scalar),
                other => other.clone(),
            };
            return values.iter().map(first).collect();
        }
        vec![Value::Scalar(Word {
            pieces: vec![match name {
                "HOME" => Piece::Home(None),
                "PWD" => self.directory_piece(),
                "IFS" => Piece::Text(" \t\n".to_owned()),
                "SHELL" | "BASH" => Piece::Text("/bin/bash".to_owned()),
                "?" | "$" | "-" | "RANDOM" | "SRANDOM" | "SECONDS" | "UID" | "EUID" | "PPID" | "BASHPID" | "LINENO"
                | "EPOCHSECONDS" => environment(name, false),
                _ => environment(name, true),
            }],
        })]
    }

    fn positional(&self, name: &str) -> Vec<Value> {
        let lists = match self.state.variable("@") {
            Some((lists, _)) => lists,
            None if name == "0" => return vec![Value::Scalar(Word::text("bash"))],
            None if name == "#" => return vec![Value::Scalar(something(UnknownKind::Other))],
            // At the top `$1` is empty; in a function that the text does not call, a caller would give it.
            None => return vec![Value::Scalar(Word { pieces: vec![environment(name, !self.uncalled)] })],
        };
        let one = |list: &Value| match (list, name) {
            (Value::List(words), "@" | "*") => Value::List(words.get(1..).unwrap_or_default().to_vec()),
            (Value::List(words), "#") => Value::Scalar(Word::text((words.len().max(1) - 1).to_string())),
            (Value::List(words), _) => {
                name.parse().ok().and_then(|place: usize| words.get(place).cloned()).map_or(Value::Unset, Value::Scalar)
            }
            (other, _) => other.clone(),
        };
        lists.iter().map(one).collect()
    }

    fn elements(&self, name: &str) -> Vec<Value> {
        let listed = |value: &Value| match value {
            Value::Unset => Value::List(Vec::new()),
            Value::Scalar(word) => Value::List(vec![word.clone()]),
            list @ Value::List(_) => list.clone(),
        };
        match self.state.variable(name) {
            None => vec![Value::Scalar(Word { pieces: vec![environment(name, true)] })],
            Some((values, _)) => values.iter().map(listed).collect(),
        }
    }

    /// The element at a place; any of them where the place is not known.
    fn element(&self, name: &str, place: Option<i64>) -> Vec<Value> {
        let mut found = Vec::new();
        for list in self.elements(name) {
            match (list, place) {
                (Value::List(words), Some(place)) => {
                    let length = i64::try_from(words.len()).unwrap_or(i64::MAX);
                    let place = if place < 0 { place + length } else { place };
                    let word = usize::try_from(place).ok().and_then(|place| words.get(place).cloned());
                    found.push(word.map_or(Value::Unset, Value::Scalar));
                }
                (Value::List(words), None) => found.extend(words.into_iter().map(Value::Scalar)),
                (other, _) => found.push(other),
            }
        }
        if found.is_empty() {
            found.push(Value::Unset);
        }
        found
    }

    /// The ways that a parameter may turn out.
    pub(super) fn parameter(&mut self, parameter: &Parameter, quotes: Quotes, scope: &Scope) -> Within<Vec<Choice>> {
        self.budget.step()?;
        let mut name = match parameter.form {
            Form::Indirect => parameter.name.clone(),
            _ => self.state.resolved(&parameter.name).to_owned(),
        };
        let mut held = match &parameter.index {
            Some(Index::Each | Index::Joined) => self.elements(&name),
            Some(Index::At(parts)) => {
                let place = self.arithmetic(parts, scope)?;
                self.element(&name, place)
            }
            None if parameter.form == Form::Indirect => self.held(&name),
            None => self.named(&name, scope)?,
        };
        match parameter.form {
            Form::Bare | Form::Plain => {}
            Form::Indirect => {
                let mut targets = Vec::new();
                for value in held {
                    match value {
                        Value::Scalar(word) => match word.literal() {
                            Some(target) => {
                                name = target.to_owned();
                                targets.extend(self.named(target, scope)?);
                            }
                            None => targets.push(Value::Scalar(Word { pieces: vec![environment(&name, true)] })),
                        },
                        _ => targets.push(Value::Unset),
                    }
                }
                held = targets;
            }
            Form::Length => {
                for value in &mut held {
                    let length = match value {
                        Value::Unset => Some(0),
                        Value::Scalar(word) => word.literal().map(|text| text.chars().count()),
                        Value::List(words) => Some(words.len()),
                    };
                    *value = Value::Scalar(match length {
                        Some(length) => Word::text(length.to_string()),
                        None => something(UnknownKind::Other),
                    });
                }
            }
            Form::Places => held = vec![Value::Scalar(something(UnknownKind::Number))],
            Form::Names => held = vec![Value::Scalar(anything(UnknownKind::Other))],
        }
        self.changed(&name, held, parameter, quotes, scope)
    }

    /// What a name that was itself a value holds: `x`, `x[1]`, `1`.
    fn named(&mut self, target: &str, scope: &Scope) -> Within<Vec<Value>> {
        let Some((name, index)) = target.strip_suffix(']').and_then(|inner| inner.split_once('[')) else {
            return Ok(self.held(target));
        };
        if matches!(index, "@" | "*") {
            return Ok(self.elements(name));
        }
        let place = self.arithmetic_text(index, scope)?;
        Ok(self.element(name, place))
    }

    /// Fragments of every alternative. `@` keeps the elements of a list apart, `*` joins them between quotes.
    pub(super) fn shown(&mut self, held: Vec<Value>, parameter: &Parameter, quotes: Quotes) -> Within<Vec<Choice>> {
        let joined = parameter.name == "*" || matches!(parameter.index, Some(Index::Joined));
        let between = if quotes == Quotes::Inside && joined {
            Fragment::Literal(self.separators().chars().next().map(String::from).unwrap_or_default())
        } else {
            Fragment::Break
        };
        let mut all = Vec::new();
        for value in held {
            let mut choice = Vec::new();
            for (place, word) in value.words().iter().enumerate() {
                self.budget.copy(length(word))?;
                if place > 0 {
                    choice.push(between.clone());
                }
                choice.extend(fields::from_word(word, quotes));
            }
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
        Ok(all)
    }
}

/// A variable that the text does not set.
fn environment(name: &str, may_be_empty: bool) -> Piece {
    Piece::Unknown(Unknown { kind: UnknownKind::Variable(name.to_owned()), splits: true, may_be_empty })
}
