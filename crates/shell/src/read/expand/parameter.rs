//! `$x`: what a parameter holds.

use super::fields::{self, Fragment};
use super::{Choice, Quotes, length, number, plain};
use crate::command::{Directory, Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::tree::{Form, Index, Parameter};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key, Value};
use crate::read::walk::{Scope, Walker};

/// A value, and how several are joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Unset,
    One(Word),
    /// `@` keeps its elements apart, `*` joins them between quotes.
    Many(Vec<Word>, Joint),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    Apart,
    Together,
}

impl Walker<'_> {
    /// The characters that split.
    pub(in crate::read) fn separators(&self) -> String {
        match self.state.variable("IFS") {
            Some(([Value::Scalar(word)], _)) => word.literal().unwrap_or(" \t\n").to_owned(),
            _ => " \t\n".to_owned(),
        }
    }

    pub(super) fn home_fragment(&self) -> Fragment {
        match self.state.variable("HOME") {
            Some(([Value::Scalar(word)], _)) => match word.pieces.as_slice() {
                [piece] => fields::from_piece(piece.clone(), Quotes::Inside),
                _ => Fragment::Literal(word.literal().unwrap_or_default().to_owned()),
            },
            _ => Fragment::Piece(Piece::Home(None)),
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

    pub(super) fn previous_fragment(&self) -> Fragment {
        match self.state.get(&Key::Previous) {
            Some(Entry::Directories(all)) => match all.as_slice() {
                [Directory::Known(path)] => Fragment::Literal(path.to_string_lossy().into_owned()),
                _ => Fragment::Piece(environment("OLDPWD", true)),
            },
            _ => Fragment::Piece(environment("OLDPWD", true)),
        }
    }

    /// What a name holds: alternatives.
    pub(super) fn held(&self, name: &str) -> Vec<Held> {
        let unknown = |empty| vec![Held::One(Word { pieces: vec![environment(name, empty)] })];
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            let number: usize = name.parse().unwrap_or(usize::MAX);
            return match self.state.get(&Key::Positional) {
                Some(Entry::Words(words)) => match words.get(number) {
                    Some(word) => vec![Held::One(word.clone())],
                    None => vec![Held::Unset],
                },
                _ if number == 0 => vec![Held::One(Word::text("bash"))],
                _ => unknown(self.unknown_parameters_may_be_empty()),
            };
        }
        match name {
            "@" | "*" => {
                let joint = if name == "@" { Joint::Apart } else { Joint::Together };
                return match self.state.get(&Key::Positional) {
                    Some(Entry::Words(words)) => {
                        vec![Held::Many(words.get(1..).unwrap_or_default().to_vec(), joint)]
                    }
                    _ => unknown(self.unknown_parameters_may_be_empty()),
                };
            }
            "#" => {
                return match self.state.get(&Key::Positional) {
                    Some(Entry::Words(words)) => vec![Held::One(Word::text((words.len().max(1) - 1).to_string()))],
                    _ => vec![Held::One(Word { pieces: vec![Piece::Unknown(number())] })],
                };
            }
            "?" | "$" | "!" | "-" => return unknown(name == "!"),
            _ => {}
        }
        if let Some((values, _)) = self.state.variable(name) {
            return values
                .iter()
                .map(|value| match value {
                    Value::Unset => Held::Unset,
                    Value::Scalar(word) => Held::One(word.clone()),
                    Value::List(words) => words.first().map_or(Held::Unset, |first| Held::One(first.clone())),
                })
                .collect();
        }
        let one = |piece| vec![Held::One(Word { pieces: vec![piece] })];
        match name {
            "HOME" => one(Piece::Home(None)),
            "PWD" => one(self.directory_piece()),
            "OLDPWD" => match self.previous_fragment() {
                Fragment::Literal(text) => vec![Held::One(Word::text(text))],
                _ => unknown(true),
            },
            "IFS" => one(Piece::Text(" \t\n".to_owned())),
            "SHELL" | "BASH" => one(Piece::Text("/bin/bash".to_owned())),
            "RANDOM" | "SRANDOM" | "SECONDS" | "UID" | "EUID" | "PPID" | "BASHPID" | "LINENO" | "EPOCHSECONDS" => {
                unknown(false)
            }
            _ => unknown(true),
        }
    }

    fn elements(&self, name: &str, joint: Joint) -> Vec<Held> {
        match self.state.variable(name) {
            None => vec![Held::One(Word { pieces: vec![environment(name, true)] })],
            Some((values, _)) => values
                .iter()
                .map(|value| match value {
                    Value::Unset => Held::Many(Vec::new(), joint),
                    Value::Scalar(word) => Held::Many(vec![word.clone()], joint),
                    Value::List(words) => Held::Many(words.clone(), joint),
                })
                .collect(),
        }
    }

    /// What `x[index]` holds.
    fn indexed(&mut self, name: &str, index: &Index, scope: &Scope) -> Within<Vec<Held>> {
        let place = match index {
            Index::Each => return Ok(self.elements(name, Joint::Apart)),
            Index::Joined => return Ok(self.elements(name, Joint::Together)),
            Index::At(parts) => self.arithmetic(parts, scope)?,
        };
        let lists = self.elements(name, Joint::Apart);
        let mut found = Vec::new();
        for list in lists {
            match (list, place) {
                (Held::Many(words, _), Some(place)) => {
                    let length = i64::try_from(words.len()).unwrap_or(i64::MAX);
                    let place = if place < 0 { place + length } else { place };
                    let word = usize::try_from(place).ok().and_then(|place| words.get(place).cloned());
                    found.push(word.map_or(Held::Unset, Held::One));
                }
                // Any of them.
                (Held::Many(words, _), None) => found.extend(words.into_iter().map(Held::One)),
                (other, _) => found.push(other),
            }
        }
        if found.is_empty() {
            found.push(Held::Unset);
        }
        Ok(found)
    }

    /// The ways that a parameter may turn out.
    pub(super) fn parameter(&mut self, parameter: &Parameter, quotes: Quotes, scope: &Scope) -> Within<Vec<Choice>> {
        self.budget.step()?;
        if self.state.has_references() && parameter.form != Form::Indirect {
            let target = self.state.resolved(&parameter.name).to_owned();
            if target != parameter.name && parameter.index.is_none() {
                let held = self.named(&target, scope)?;
                if plain(parameter) {
                    return self.shown(held, quotes);
                }
                return self.changed(&target, held, parameter, quotes, scope);
            }
        }
        if plain(parameter) {
            let held = self.held(&parameter.name);
            return self.shown(held, quotes);
        }
        let mut name = parameter.name.clone();
        let mut held = match &parameter.index {
            Some(index) => self.indexed(&name, index, scope)?,
            None => self.held(&name),
        };
        match parameter.form {
            Form::Plain | Form::Bare => {}
            Form::Indirect => {
                let mut targets = Vec::new();
                for value in held {
                    match value {
                        Held::One(word) => match word.literal() {
                            Some(target) => {
                                name = target.to_owned();
                                targets.extend(self.named(target, scope)?);
                            }
                            None => targets.push(Held::One(Word { pieces: vec![environment(&name, true)] })),
                        },
                        _ => targets.push(Held::Unset),
                    }
                }
                held = targets;
            }
            Form::Length => {
                let lengths = held.into_iter().map(|value| match value {
                    Held::Unset => Some(0),
                    Held::One(word) => word.literal().map(|text| text.chars().count()),
                    Held::Many(words, _) => Some(words.len()),
                });
                held = lengths
                    .map(|length| match length {
                        Some(length) => Held::One(Word::text(length.to_string())),
                        None => Held::One(Word { pieces: vec![Piece::Unknown(number())] }),
                    })
                    .collect();
            }
            Form::Names => {
                held = held
                    .into_iter()
                    .map(|value| match value {
                        Held::Many(words, joint) => {
                            Held::Many((0..words.len()).map(|place| Word::text(place.to_string())).collect(), joint)
                        }
                        _ => Held::One(crate::read::state::unknown_word()),
                    })
                    .collect();
            }
        }
        self.changed(&name, held, parameter, quotes, scope)
    }

    /// What a name that was itself a value holds: `x`, `x[1]`, `1`.
    fn named(&mut self, target: &str, scope: &Scope) -> Within<Vec<Held>> {
        let Some((name, index)) = target.strip_suffix(']').and_then(|inner| inner.split_once('[')) else {
            return Ok(self.held(target));
        };
        match index {
            "@" => Ok(self.elements(name, Joint::Apart)),
            "*" => Ok(self.elements(name, Joint::Together)),
            _ => {
                let place = self.arithmetic_text(index, scope)?;
                let index = Index::At(vec![crate::read::grammar::tree::Part::Quoted(
                    place.map_or_else(String::new, |place| place.to_string()),
                )]);
                self.indexed(name, &index, scope)
            }
        }
    }

    /// Fragments of every alternative.
    pub(super) fn shown(&mut self, held: Vec<Held>, quotes: Quotes) -> Within<Vec<Choice>> {
        let separator = self.separators().chars().next().map(String::from).unwrap_or_default();
        let mut all = Vec::new();
        for value in held {
            let choice = match value {
                Held::Unset => Vec::new(),
                Held::One(word) => {
                    self.budget.copy(length(&word))?;
                    fields::from_word(&word, quotes)
                }
                Held::Many(words, joint) => {
                    let together = quotes == Quotes::Inside && joint == Joint::Together;
                    let mut choice = Vec::new();
                    for (place, word) in words.iter().enumerate() {
                        self.budget.copy(length(word))?;
                        if place > 0 {
                            choice.push(if together { Fragment::Literal(separator.clone()) } else { Fragment::Break });
                        }
                        choice.extend(fields::from_word(word, quotes));
                    }
                    choice
                }
            };
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
        Ok(all)
    }
}

/// A variable that the text does not set.
pub(super) fn environment(name: &str, may_be_empty: bool) -> Piece {
    Piece::Unknown(Unknown { kind: UnknownKind::Variable(name.to_owned()), splits: true, may_be_empty })
}
