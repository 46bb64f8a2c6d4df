//! What `${x…}` does to a value.

use super::pattern::{pattern, prefixes};
use super::{Choice, Fragment, Quotes, fields};
use crate::blocklist::pattern::Token;
use crate::command::{Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::{
    self,
    tree::{Change, Edit, Parameter, Reach, WhenEmpty, Word as Written},
};
use crate::read::limits::{Problem, Within};
use crate::read::state::{Reach as Exported, Value};
use crate::read::walk::{Scope, Walker};
use crate::unwrap::unescaped;
use crate::unwrap::words::{anything, home_path, something};

/// What programs are looked up in where `PATH` is not set; only its first characters are ever used.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

impl Walker<'_> {
    /// Applies the change of a parameter to each value.
    pub(super) fn changed(
        &mut self,
        name: &str,
        held: Vec<Value>,
        parameter: &Parameter,
        quotes: Quotes,
        scope: &Scope,
    ) -> Within<Vec<Choice>> {
        let held = match &parameter.change {
            Change::None => held,
            Change::Default { operator, empty, word } => {
                let instead = self.instead(word, quotes, scope)?;
                return self.defaulted(name, held, (*operator, *empty, instead), parameter, quotes);
            }
            Change::Transform(letter) => {
                let mut all = Vec::new();
                for value in held {
                    all.extend(self.transformed(value, *letter, scope)?);
                }
                all
            }
            Change::Slice { offset, length } => {
                let from = self.arithmetic(offset, scope)?;
                let count = match length {
                    Some(length) => Some(self.arithmetic(length, scope)?),
                    None => None,
                };
                held.into_iter().map(|value| self.sliced(name, value, from, count)).collect()
            }
            Change::Edit(edit) => {
                let patterns = self.choices(&edit.pattern.parts, Quotes::Outside, scope)?;
                let withs = self.single(&edit.with, scope)?;
                let mut all = Vec::new();
                for choice in &patterns {
                    let pattern = pattern(choice);
                    for with in &withs {
                        let known = pattern.as_deref().zip(with.literal());
                        for value in &held {
                            let mut value = value.clone();
                            for word in value.words_mut() {
                                *word = self.edited(name, word, edit, known)?;
                            }
                            all.push(value);
                        }
                    }
                }
                all
            }
        };
        self.shown(held, parameter, quotes)
    }

    /// `${x:-w}` and its kin.
    fn defaulted(
        &mut self,
        name: &str,
        held: Vec<Value>,
        (operator, empty, instead): (char, WhenEmpty, Vec<Choice>),
        parameter: &Parameter,
        quotes: Quotes,
    ) -> Within<Vec<Choice>> {
        let mut all: Vec<Choice> = Vec::new();
        let mut replaced = false;
        for mut value in held {
            let (absent, present) = presence(&value, empty);
            replaced |= absent;
            if !present {
                continue;
            }
            if operator == '+' {
                all.extend(instead.iter().cloned());
                continue;
            }
            if empty == WhenEmpty::Unset
                && let Value::Scalar(word) = &mut value
                && let [Piece::Unknown(unknown)] = word.pieces.as_mut_slice()
            {
                unknown.may_be_empty = false;
            }
            all.extend(self.shown(vec![value], parameter, quotes)?);
        }
        match operator {
            '+' if replaced => all.push(Vec::new()),
            '-' | '=' if replaced => {
                if operator == '=' && !name.is_empty() {
                    let values = instead.iter().map(|choice| Value::Scalar(fields::join(choice.clone()))).collect();
                    self.state.assign(name, values, Exported::Shell);
                }
                all.splice(0..0, instead.into_iter().rev());
            }
            _ => {}
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

    /// `${x@P}`: the value is read as a prompt, substitutions and all. `${x@E}`: only its escapes.
    fn transformed(&mut self, mut value: Value, letter: char, scope: &Scope) -> Within<Vec<Value>> {
        let mut all = Vec::new();
        for word in value.words_mut() {
            *word = match (word.literal(), letter) {
                (Some(text), 'Q') => Word::text(format!("'{}'", text.replace('\'', r"'\''"))),
                (Some(text), 'P' | 'E') if text.contains('\\') => Word::text(unescaped(text)),
                (_, 'P' | 'E') => std::mem::take(word),
                _ => hidden(word),
            };
            if letter == 'P' {
                all.extend(self.evaluated(word, scope)?.into_iter().map(Value::Scalar));
            }
        }
        Ok(if letter == 'P' { all } else { vec![value] })
    }

    /// Reads a value again as if it stood between double quotes.
    fn evaluated(&mut self, word: &Word, scope: &Scope) -> Within<Vec<Word>> {
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
        let home = || home_path(None, self.surroundings.home.as_deref());
        match (word.pieces.as_slice(), name) {
            ([Piece::Home(None)], _) => Some(home()),
            ([Piece::Home(None), Piece::Text(rest)], _) => Some(home() + rest),
            ([Piece::Unknown(_)], "PATH") => Some(USUAL_PATH.to_owned()),
            ([Piece::Unknown(_)], "PWD" | "OLDPWD") => Some("/".to_owned()),
            _ => word.literal().map(str::to_owned),
        }
    }

    fn sliced(&self, name: &str, mut value: Value, from: Option<i64>, count: Option<Option<i64>>) -> Value {
        let known = from.filter(|_| count != Some(None));
        match (&mut value, known) {
            (Value::List(words), Some(from)) => {
                // Positional parameters count from 1; `$0` stands before them.
                let from = if matches!(name, "@" | "*") && from > 0 { from - 1 } else { from };
                *words = cut(words, from, count.flatten()).to_vec();
            }
            (Value::List(words), None) => *words = vec![something(UnknownKind::Other)],
            (Value::Scalar(word), known) => {
                *word = match known.zip(self.workable(name, word)) {
                    Some((from, text)) => {
                        let characters: Vec<char> = text.chars().collect();
                        known_text(cut(&characters, from, count.flatten()))
                    }
                    None => hidden(word),
                };
            }
            (Value::Unset, _) => {}
        }
        value
    }

    fn edited(&mut self, name: &str, word: &Word, edit: &Edit, known: Option<(&[Token], &str)>) -> Within<Word> {
        let (Some((pattern, with)), Some(text)) = (known, self.workable(name, word)) else { return Ok(hidden(word)) };
        let mut characters: Vec<char> = text.chars().collect();
        self.budget.copy(characters.len() * (pattern.len() + 1))?;
        Ok(match edit.operator {
            '#' => known_text(characters.get(trimmed(&characters, pattern, edit.reach)..).unwrap_or_default()),
            '%' => {
                characters.reverse();
                let backwards: Vec<Token> = pattern.iter().rev().cloned().collect();
                let mut rest = characters.split_off(trimmed(&characters, &backwards, edit.reach));
                rest.reverse();
                known_text(&rest)
            }
            '/' => known_text(&self.replaced(&characters, edit, pattern, with)?),
            operator => {
                let mut out = Vec::new();
                for (place, character) in characters.into_iter().enumerate() {
                    let chosen = pattern.is_empty() || prefixes(pattern, &[character]).last() == Some(&1);
                    if !chosen || (edit.reach == Reach::Short && place > 0) {
                        out.push(character);
                    } else if operator == '^' || (operator == '~' && !character.is_uppercase()) {
                        out.extend(character.to_uppercase());
                    } else {
                        out.extend(character.to_lowercase());
                    }
                }
                known_text(&out)
            }
        })
    }

    fn replaced(&mut self, text: &[char], edit: &Edit, pattern: &[Token], with: &str) -> Within<Vec<char>> {
        let mut out = Vec::new();
        let mut at = 0;
        let mut done = pattern.is_empty();
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            self.budget.copy((rest.len() + 1) * pattern.len() + out.len() / 64)?;
            let found = match edit.anchor {
                _ if done => None,
                Some('#') if at > 0 => None,
                anchor => prefixes(pattern, rest).pop().filter(|end| anchor != Some('%') || *end == rest.len()),
            };
            match found.filter(|length| *length > 0) {
                Some(length) => {
                    out.extend(with.chars());
                    at += length;
                    done = edit.reach == Reach::Short;
                }
                None => {
                    out.extend(rest.first());
                    at += 1;
                }
            }
        }
        Ok(out)
    }
}

/// A text without characters has no pieces.
fn known_text(characters: &[char]) -> Word {
    if characters.is_empty() { Word::default() } else { Word::text(characters.iter().collect::<String>()) }
}

/// Whether a value may be absent, and whether it may be there.
fn presence(value: &Value, empty: WhenEmpty) -> (bool, bool) {
    match value {
        Value::Unset => (true, false),
        Value::List(words) => (words.is_empty(), !words.is_empty()),
        Value::Scalar(word) => match word.pieces.as_slice() {
            [] => (empty == WhenEmpty::Unset, empty == WhenEmpty::Set),
            [Piece::Unknown(Unknown { kind: UnknownKind::Variable(_), may_be_empty: true, .. })] => (true, true),
            [Piece::Unknown(Unknown { may_be_empty, .. })] => (*may_be_empty && empty == WhenEmpty::Unset, true),
            _ => (false, true),
        },
    }
}

/// Something of which only the origin is known.
fn hidden(word: &Word) -> Word {
    let kind = word.pieces.iter().find_map(|piece| match piece {
        Piece::Unknown(unknown) => Some(unknown.kind.clone()),
        _ => None,
    });
    anything(kind.unwrap_or(UnknownKind::Other))
}

fn cut<T>(all: &[T], from: i64, count: Option<i64>) -> &[T] {
    let length = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let from = if from < 0 { (from + length).max(0) } else { from.min(length) };
    let end = match count {
        None => length,
        Some(count) if count < 0 => (length + count).max(from),
        Some(count) => from.saturating_add(count).min(length),
    };
    let (from, end) = (usize::try_from(from).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    all.get(from..end).unwrap_or_default()
}

/// How many of the first characters `#` takes away.
fn trimmed(text: &[char], pattern: &[Token], reach: Reach) -> usize {
    let found = prefixes(pattern, text);
    let length = if reach == Reach::Short { found.first() } else { found.last() };
    length.copied().unwrap_or(0)
}
