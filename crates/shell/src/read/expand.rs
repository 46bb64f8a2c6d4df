//! Expansion: a word as written → the words that it may become.
//!
//! Every word has alternatives (a variable that two branches set), every alternative is a list of fields, every field a
//! sequence of pieces. What is not known stays a piece that says so.

mod arithmetic;
mod braces;
mod change;
mod fields;
mod parameter;
mod pattern;

use super::grammar::tree::{AssignedValue, Change, Form, Index, Part, Word as Written};
use super::limits::{ALTERNATIVES, Limit, Within};
use super::state::Value;
use super::walk::{Scope, Walker};
use crate::command::{Origin, Piece, Trace, UnknownKind, Word};
use crate::unwrap::words::{output, something};
pub(super) use fields::Fragment;

/// Alternatives from which on not every combination is looked at.
const CROSSED: usize = 32;

/// One way that a word may turn out.
pub(super) type Choice = Vec<Fragment>;

/// Whether an expansion stands between double quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    Outside,
    Inside,
}

impl Walker<'_> {
    /// The fields that words may become: alternatives of lists.
    pub(super) fn fields(&mut self, word: &Written, scope: &Scope) -> Within<Vec<Vec<Word>>> {
        if let Some(word) = self.plain(word)? {
            return Ok(vec![vec![word]]);
        }
        let separators = self.separators();
        let mut lists: Vec<Vec<Word>> = vec![Vec::new()];
        if !braces::any(word) {
            return self.alternatives(&word.parts, &separators, scope);
        }
        for one in self.braced(word)? {
            let expanded = self.alternatives(&one.parts, &separators, scope)?;
            lists = self.crossed(lists, expanded)?;
        }
        Ok(lists)
    }

    /// A word in which nothing is expanded.
    pub(super) fn plain(&mut self, word: &Written) -> Within<Option<Word>> {
        let [Part::Raw(text)] = word.parts.as_slice() else { return Ok(None) };
        if text.contains(['{', '~', '*', '?', '[']) {
            return Ok(None);
        }
        self.budget.words(1)?;
        Ok(Some(Word::text(text.as_str())))
    }

    fn alternatives(&mut self, parts: &[Part], separators: &str, scope: &Scope) -> Within<Vec<Vec<Word>>> {
        let choices = self.choices_of_word(parts, scope)?;
        let mut expanded: Vec<Vec<Word>> = Vec::new();
        for choice in choices {
            let fields = fields::split(choice, separators);
            self.budget.words(fields.len() + 1)?;
            self.budget.text(fields.iter().map(length).sum())?;
            if !expanded.contains(&fields) {
                expanded.push(fields);
            }
        }
        Ok(expanded)
    }

    /// The one word that something becomes where nothing is split: assignments, redirections of here-strings, `case`.
    pub(super) fn single(&mut self, word: &Written, scope: &Scope) -> Within<Vec<Word>> {
        let choices = self.choices_of_word(&word.parts, scope)?;
        self.joined(choices)
    }

    /// The same for what stands between double quotes.
    pub(super) fn quoted(&mut self, parts: &[Part], scope: &Scope) -> Within<Vec<Word>> {
        let choices = self.choices(parts, Quotes::Inside, scope)?;
        self.joined(choices)
    }

    fn joined(&mut self, choices: Vec<Choice>) -> Within<Vec<Word>> {
        let mut words = Vec::new();
        for choice in choices {
            let word = fields::join(choice);
            self.budget.words(1)?;
            self.budget.text(length(&word))?;
            if !words.contains(&word) {
                words.push(word);
            }
        }
        Ok(words)
    }

    /// Every list of `one` followed by every list of `other`.
    pub(super) fn crossed<T: Clone + Doubtful>(
        &mut self,
        mut one: Vec<Vec<T>>,
        mut other: Vec<Vec<T>>,
    ) -> Within<Vec<Vec<T>>> {
        if other.len() == 1 {
            let tail = other.pop().unwrap_or_default();
            self.budget.copy(one.len().saturating_sub(1) * tail.len())?;
            if let Some((last, others)) = one.split_last_mut() {
                others.iter_mut().for_each(|list| list.extend(tail.iter().cloned()));
                last.extend(tail);
            }
            return Ok(one);
        }
        let mut last: Option<Vec<T>> = None;
        if one.len() * other.len() > CROSSED {
            // Many `${x:-y}` are ordinary: what they say is kept, and once that none of them is known.
            last = one.last().zip(other.last()).map(|(one, other)| [one.clone(), other.clone()].concat());
            certain(&mut one);
            certain(&mut other);
            if one.len() * other.len() > ALTERNATIVES {
                return Err(Limit::Expansion);
            }
        }
        let mut all = Vec::with_capacity(one.len() * other.len());
        for head in &one {
            for tail in &other {
                self.budget.copy(16 * (head.len() + tail.len()))?;
                all.push(head.iter().chain(tail).cloned().collect());
            }
        }
        all.extend(last);
        Ok(all)
    }

    fn choices_of_word(&mut self, parts: &[Part], scope: &Scope) -> Within<Vec<Choice>> {
        let Some((mut home, rest)) = self.tilde(parts) else { return self.choices(parts, Quotes::Outside, scope) };
        if !rest.is_empty() {
            home.push(Fragment::Raw(rest));
        }
        let tail = self.choices(parts.get(1..).unwrap_or_default(), Quotes::Outside, scope)?;
        self.crossed(vec![home], tail)
    }

    /// What a `~` at the start of a word stands for, and the rest of its part.
    fn tilde(&self, parts: &[Part]) -> Option<(Choice, String)> {
        let Some(Part::Raw(text)) = parts.first() else { return None };
        let rest = text.strip_prefix('~')?;
        let end = rest.find(['/', ':']).unwrap_or(rest.len());
        if end == rest.len() && parts.len() > 1 {
            return None;
        }
        let (name, after) = rest.split_at_checked(end)?;
        let held = |name: &str| match self.held(name).as_slice() {
            [Value::Scalar(word)] => fields::from_word(word, Quotes::Inside),
            _ => vec![Fragment::Piece(Piece::Home(None))],
        };
        let choice = match name {
            "" => held("HOME"),
            "+" => vec![Fragment::Piece(self.directory_piece())],
            "-" => held("OLDPWD"),
            user if user.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) => {
                vec![Fragment::Piece(Piece::Home(Some(user.to_owned())))]
            }
            _ => return None,
        };
        Some((choice, after.to_owned()))
    }

    /// The ways that parts may turn out.
    pub(super) fn choices(&mut self, parts: &[Part], quotes: Quotes, scope: &Scope) -> Within<Vec<Choice>> {
        let mut all: Vec<Choice> = vec![Vec::new()];
        for part in parts {
            self.budget.step()?;
            let next = match part {
                Part::Raw(text) if quotes == Quotes::Outside => vec![vec![Fragment::Raw(text.clone())]],
                Part::Raw(text) | Part::Quoted(text) => {
                    self.budget.copy(text.len())?;
                    vec![vec![Fragment::Literal(text.clone())]]
                }
                Part::Double(inner) => {
                    let mut next = self.choices(inner, Quotes::Inside, scope)?;
                    if !vanishes(inner) {
                        for choice in &mut next {
                            choice.insert(0, Fragment::Literal(String::new()));
                        }
                    }
                    next
                }
                Part::Parameter(parameter) => self.parameter(parameter, quotes, scope)?,
                Part::Command(body) => {
                    let output = self.substituted(body, scope)?;
                    vec![match output.text {
                        Some(text) => {
                            let pieces = self.restored(text.trim_end_matches('\n'));
                            fields::from_word(&Word { pieces }, quotes)
                        }
                        None => fields::from_word(&unknown_output(output.trace), quotes),
                    }]
                }
                Part::Arithmetic(inner) => {
                    let value = self.arithmetic(inner, scope)?;
                    if value.is_none() {
                        self.not_arithmetic(inner, scope)?;
                    }
                    let word =
                        value.map_or_else(|| something(UnknownKind::Other), |value| Word::text(value.to_string()));
                    vec![fields::from_word(&word, quotes)]
                }
                Part::Process(direction, body) => vec![vec![self.process(*direction, body, scope)?]],
                Part::Pattern(text) => vec![vec![Fragment::Piece(Piece::Glob(text.clone()))]],
                Part::Hole(number) => {
                    let piece = self.hole(*number);
                    vec![vec![fields::from_piece(piece, quotes)]]
                }
            };
            all = self.crossed(all, next)?;
        }
        Ok(all)
    }
}

/// Something that may be unknown.
pub(super) trait Doubtful {
    fn doubtful(&self) -> bool;
}

impl Doubtful for Word {
    fn doubtful(&self) -> bool {
        self.has_unknown()
    }
}

impl Doubtful for Fragment {
    fn doubtful(&self) -> bool {
        matches!(self, Self::Piece(Piece::Unknown(_)))
    }
}

/// Leaves out the alternatives that are not known, when there are others.
fn certain<T: Doubtful>(all: &mut Vec<Vec<T>>) {
    if all.iter().any(|list| !list.iter().any(Doubtful::doubtful)) {
        all.retain(|list| !list.iter().any(Doubtful::doubtful));
    }
}

/// Whether a quoted word may be no word at all: `"$@"` without parameters.
fn vanishes(inner: &[Part]) -> bool {
    match inner {
        [Part::Parameter(parameter)] => {
            (parameter.name == "@" || matches!(parameter.index, Some(Index::Each)))
                && matches!(parameter.form, Form::Plain | Form::Bare)
                && matches!(parameter.change, Change::None | Change::Slice { .. })
        }
        _ => false,
    }
}

/// Output that is not known.
pub(super) fn unknown_output(trace: Trace) -> Word {
    output(if trace.is_empty() { Trace::of(Origin::Program) } else { trace })
}

/// The size of a word, for limits.
pub(in crate::read) fn length(word: &Word) -> usize {
    word.pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 32 }).sum()
}

impl Walker<'_> {
    /// What an assignment sets: alternatives.
    pub(super) fn assigned(&mut self, value: &AssignedValue, scope: &Scope) -> Within<Vec<Value>> {
        match value {
            AssignedValue::Word(word) => Ok(self.single(word, scope)?.into_iter().map(Value::Scalar).collect()),
            AssignedValue::Array(elements) => {
                let mut lists: Vec<Vec<Word>> = vec![Vec::new()];
                for (index, word) in elements {
                    if let Some(index) = index {
                        self.arithmetic(index, scope)?;
                    }
                    let next = self.fields(word, scope)?;
                    lists = self.crossed(lists, next)?;
                }
                Ok(lists.into_iter().map(Value::List).collect())
            }
        }
    }
}
