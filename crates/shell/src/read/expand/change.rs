//! What `${x…}` does to a value.

use super::edit::{Edit, cased, cut, trimmed};
use super::parameter::{Held, Joint};
use super::pattern::Pattern;
use super::{Choice, Fragment, Quotes, fields, number};
use crate::command::{Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::{
    self,
    tree::{Change, Parameter, Reach, Side, WhenEmpty, Word as Written},
};
use crate::read::limits::{Problem, Within};
use crate::read::state::{Reach as Exported, Value};
use crate::read::walk::{Scope, Walker};
use crate::unwrap::unescaped;

/// What programs are looked up in when nobody said otherwise; only its first characters are ever used.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

impl Walker<'_> {
    /// Applies the change of a parameter to each value.
    pub(super) fn changed(
        &mut self,
        name: &str,
        held: Vec<Held>,
        parameter: &Parameter,
        quotes: Quotes,
        scope: &Scope,
    ) -> Within<Vec<Choice>> {
        match &parameter.change {
            Change::None => self.shown(held, quotes),
            Change::Default { operator, empty, word } => {
                self.defaulted(name, held, (*operator, *empty, word), quotes, scope)
            }
            Change::Transform(letter @ ('P' | 'E')) => self.prompted(held, *letter, quotes, scope),
            Change::Slice { offset, length } => {
                let from = self.arithmetic(offset, scope)?;
                let count = match length {
                    Some(length) => Some(self.arithmetic(length, scope)?),
                    None => None,
                };
                let held = held.into_iter().map(|value| self.sliced(name, value, from, count)).collect();
                self.shown(held, quotes)
            }
            change => {
                let edits = self.edits(change, scope)?;
                let mut all = Vec::new();
                for edit in &edits {
                    for value in &held {
                        all.push(match value {
                            Held::Unset => Held::Unset,
                            Held::One(word) => Held::One(self.edited(name, word, edit.as_ref())?),
                            Held::Many(words, joint) => {
                                let mut out = Vec::new();
                                for word in words {
                                    out.push(self.edited(name, word, edit.as_ref())?);
                                }
                                Held::Many(out, *joint)
                            }
                        });
                    }
                }
                self.shown(all, quotes)
            }
        }
    }

    /// `${x:-w}` and its kin.
    fn defaulted(
        &mut self,
        name: &str,
        held: Vec<Held>,
        (operator, empty, word): (char, WhenEmpty, &Written),
        quotes: Quotes,
        scope: &Scope,
    ) -> Within<Vec<Choice>> {
        let instead = self.instead(word, quotes, scope)?;
        let mut all: Vec<Choice> = Vec::new();
        let mut replaced = false;
        for value in held {
            let (absent, present) = presence(&value, empty);
            if operator == '+' {
                if present {
                    all.extend(instead.iter().cloned());
                }
                if absent {
                    all.push(Vec::new());
                }
                continue;
            }
            if absent {
                replaced = true;
            }
            if present {
                let value = if empty == WhenEmpty::Unset { filled(value) } else { value };
                all.extend(self.shown(vec![value], quotes)?);
            }
        }
        if replaced {
            if operator == '=' && !name.is_empty() {
                let values = instead.iter().map(|choice| Value::Scalar(fields::join(choice.clone()))).collect();
                self.state.assign(name, values, Exported::Shell);
            }
            if operator != '?' {
                for choice in instead {
                    all.insert(0, choice);
                }
            }
        }
        if all.is_empty() {
            all.push(Vec::new());
        }
        all.dedup();
        Ok(all)
    }

    /// The word of a default: outside quotes it is split like a value.
    fn instead(&mut self, word: &Written, quotes: Quotes, scope: &Scope) -> Within<Vec<Choice>> {
        if quotes == Quotes::Inside {
            return self.choices(&word.parts, Quotes::Inside, scope);
        }
        let mut all = self.choices_of_word(&word.parts, scope)?;
        for fragment in all.iter_mut().flatten() {
            if let Fragment::Raw(text) = fragment {
                *fragment = Fragment::Value(std::mem::take(text));
            }
        }
        Ok(all)
    }

    /// `${x@P}`: the value is read as a prompt, substitutions and all.
    fn prompted(&mut self, held: Vec<Held>, letter: char, quotes: Quotes, scope: &Scope) -> Within<Vec<Choice>> {
        let mut all = Vec::new();
        for value in held {
            let words = match value {
                Held::Unset => Vec::new(),
                Held::One(word) => vec![word],
                Held::Many(words, _) => words,
            };
            for word in words {
                let word = match word.literal() {
                    Some(text) if text.contains('\\') => Word::text(unescaped(text)),
                    _ => word,
                };
                if letter == 'P' {
                    let expanded = self.evaluated(&word, scope)?;
                    all.extend(expanded.into_iter().map(|word| fields::from_word(&word, quotes)));
                } else {
                    all.push(fields::from_word(&word, quotes));
                }
            }
        }
        if all.is_empty() {
            all.push(Vec::new());
        }
        Ok(all)
    }

    /// Reads a value again as if it stood between double quotes.
    pub(in crate::read) fn evaluated(&mut self, word: &Word, scope: &Scope) -> Within<Vec<Word>> {
        let text = self.flattened(word)?;
        let scope = scope.deeper()?;
        if word.has_unknown() {
            self.budget.problem(Problem::Construct("prompt"));
        }
        let parts = grammar::parse_quoted(&text, scope.depth, self.budget)?;
        self.quoted(&parts, &scope)
    }

    /// The text that operators work on.
    fn workable(&self, name: &str, word: &Word) -> Option<String> {
        if let Some(text) = word.literal() {
            return Some(text.to_owned());
        }
        let home = || {
            self.surroundings
                .home
                .as_ref()
                .map_or_else(|| "/root".to_owned(), |home| home.to_string_lossy().into_owned())
        };
        match word.pieces.as_slice() {
            [Piece::Home(None)] => Some(home()),
            [Piece::Home(None), Piece::Text(rest)] => Some(home() + rest),
            [Piece::Unknown(_)] if name == "PATH" => Some(USUAL_PATH.to_owned()),
            [Piece::Unknown(_)] if matches!(name, "PWD" | "OLDPWD") => Some("/".to_owned()),
            _ => None,
        }
    }

    fn sliced(&self, name: &str, value: Held, from: Option<i64>, count: Option<Option<i64>>) -> Held {
        let (Some(from), false) = (from, count == Some(None)) else { return hidden(&value) };
        let count = count.flatten();
        match value {
            Held::Unset => Held::Unset,
            Held::One(word) => match self.workable(name, &word) {
                Some(text) => {
                    let characters: Vec<char> = text.chars().collect();
                    Held::One(Word::text(cut(&characters, from, count).iter().collect::<String>())).tidy()
                }
                None => hidden(&Held::One(word)),
            },
            Held::Many(words, joint) => {
                // Positional parameters count from 1; `$0` stands before them.
                let from = if matches!(name, "@" | "*") && from > 0 { from - 1 } else { from };
                Held::Many(cut(&words, from, count).to_vec(), joint)
            }
        }
    }

    /// What a change does to text: alternatives, `None` when that is not known.
    fn edits(&mut self, change: &Change, scope: &Scope) -> Within<Vec<Option<Edit>>> {
        let (pattern, with) = match change {
            Change::Trim { pattern, .. } | Change::Case { pattern, .. } => (pattern, None),
            Change::Replace { pattern, with, .. } => (pattern, Some(with)),
            Change::Transform(letter) => return Ok(vec![Some(Edit::Transform(*letter))]),
            _ => return Ok(vec![None]),
        };
        let patterns = self.choices(&pattern.parts, Quotes::Outside, scope)?;
        let withs = match with {
            Some(with) => self.single(with, scope)?,
            None => vec![Word::default()],
        };
        let mut edits = Vec::new();
        for choice in &patterns {
            let pattern = Pattern::new(choice);
            for with in &withs {
                edits.push(pattern.clone().and_then(|pattern| {
                    Some(match change {
                        Change::Trim { side, reach, .. } => Edit::Trim(pattern, *side, *reach),
                        Change::Case { operator, reach, .. } => Edit::Case(pattern, *operator, *reach),
                        Change::Replace { reach, anchor, .. } => {
                            Edit::Replace { pattern, with: with.literal()?.to_owned(), reach: *reach, anchor: *anchor }
                        }
                        _ => return None,
                    })
                }));
            }
        }
        Ok(edits)
    }

    fn edited(&mut self, name: &str, word: &Word, edit: Option<&Edit>) -> Within<Word> {
        let (Some(edit), Some(text)) = (edit, self.workable(name, word)) else {
            return Ok(Word { pieces: vec![Piece::Unknown(unknown(word))] });
        };
        let characters: Vec<char> = text.chars().collect();
        self.budget.copy(characters.len() * (edit.cost() + 1))?;
        let out = match edit {
            Edit::Trim(pattern, side, reach) => trimmed(&characters, pattern, *side, *reach).iter().collect(),
            Edit::Case(pattern, operator, reach) => cased(&characters, pattern, *operator, *reach),
            Edit::Replace { pattern, with, reach, anchor } => {
                let mut out = String::new();
                let mut at = 0;
                let mut done = pattern.is_empty();
                while at <= characters.len() {
                    let rest = characters.get(at..).unwrap_or_default();
                    self.budget.copy((rest.len() + 1) * pattern.len())?;
                    let found = match anchor {
                        _ if done => None,
                        Some(Side::Front) if at > 0 => None,
                        Some(Side::Back) => {
                            pattern.suffixes(rest).last().filter(|length| **length == rest.len()).copied()
                        }
                        _ => pattern.prefixes(rest).last().copied(),
                    };
                    match found.filter(|length| *length > 0) {
                        Some(length) => {
                            out.push_str(with);
                            at += length;
                            done = *reach == Reach::Short;
                        }
                        None => {
                            out.extend(rest.first());
                            at += 1;
                        }
                    }
                    self.budget.copy(out.len() / 64)?;
                }
                out
            }
            Edit::Transform(letter) => match letter {
                'U' => text.to_uppercase(),
                'L' => text.to_lowercase(),
                'u' => cased(&characters, &Pattern::empty(), '^', Reach::Short),
                'Q' => format!("'{}'", text.replace('\'', r"'\''")),
                _ => return Ok(Word { pieces: vec![Piece::Unknown(unknown(word))] }),
            },
        };
        Ok(Word { pieces: if out.is_empty() { Vec::new() } else { vec![Piece::Text(out)] } })
    }
}

impl Held {
    /// A text without characters has no pieces.
    fn tidy(self) -> Self {
        match self {
            Self::One(word) if word.literal() == Some("") => Self::One(Word::default()),
            other => other,
        }
    }
}

/// Whether a value may be absent, and whether it may be there.
fn presence(value: &Held, empty: WhenEmpty) -> (bool, bool) {
    match value {
        Held::Unset => (true, false),
        Held::Many(words, _) if words.is_empty() => (true, false),
        Held::Many(..) => (false, true),
        Held::One(word) => match word.pieces.as_slice() {
            [] => (empty == WhenEmpty::Unset, empty == WhenEmpty::Set),
            [Piece::Unknown(Unknown { kind: UnknownKind::Variable(_), may_be_empty: true, .. })] => (true, true),
            [Piece::Unknown(Unknown { may_be_empty, .. })] => (*may_be_empty && empty == WhenEmpty::Unset, true),
            _ => (false, true),
        },
    }
}

/// The value where it is known not to be empty.
fn filled(value: Held) -> Held {
    match value {
        Held::One(mut word) => {
            if let [Piece::Unknown(unknown)] = word.pieces.as_mut_slice() {
                unknown.may_be_empty = false;
            }
            Held::One(word)
        }
        other => other,
    }
}

/// Something of which only the origin is known.
fn unknown(word: &Word) -> Unknown {
    let kind = word.pieces.iter().find_map(|piece| match piece {
        Piece::Unknown(unknown) => Some(unknown.kind.clone()),
        _ => None,
    });
    Unknown { kind: kind.unwrap_or(UnknownKind::Other), splits: true, may_be_empty: true }
}

fn hidden(value: &Held) -> Held {
    match value {
        Held::Unset => Held::Unset,
        Held::One(word) => Held::One(Word { pieces: vec![Piece::Unknown(unknown(word))] }),
        Held::Many(..) => Held::Many(vec![Word { pieces: vec![Piece::Unknown(number())] }], Joint::Apart),
    }
}
