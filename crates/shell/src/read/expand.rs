//! Expansion: a word as written → the words that it may become.
//!
//! Every word has alternatives (a variable that two branches set), every alternative is a list of fields, every field a
//! sequence of pieces. What is not known stays a piece that says so.

mod arithmetic;
mod braces;
mod change;
mod edit;
mod fields;
mod number;
mod parameter;
mod pattern;

use super::grammar::tree::{AssignedValue, Change, Form, Index, Parameter, Part, Word as Written};
use super::limits::{ALTERNATIVES, Limit, Within};
use super::state::Value;
use super::walk::{Scope, Walker};
use crate::command::{Origin, Piece, Trace, Unknown, UnknownKind, Word};
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
        if let [Part::Raw(text)] = word.parts.as_slice()
            && !text.contains(['{', '~', '*', '?', '['])
        {
            self.budget.words(1)?;
            return Ok(vec![vec![Word::text(text.as_str())]]);
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
            let copies = one.len().saturating_sub(1);
            self.budget.copy(copies * tail.len())?;
            if copies == 0 {
                if let Some(first) = one.first_mut() {
                    first.extend(tail);
                }
            } else {
                for list in &mut one {
                    list.extend(tail.iter().cloned());
                }
            }
            return Ok(one);
        }
        if one.len() * other.len() > CROSSED {
            // Many `${x:-y}` are ordinary: what they say is kept, and once that none of them is known.
            let last: Option<Vec<T>> =
                one.last().zip(other.last()).map(|(one, other)| [one.clone(), other.clone()].concat());
            certain(&mut one);
            certain(&mut other);
            if one.len() * other.len() > ALTERNATIVES {
                return Err(Limit::Expansion);
            }
            let mut all = self.crossed_all(&one, &other)?;
            all.extend(last);
            return Ok(all);
        }
        self.crossed_all(&one, &other)
    }

    fn crossed_all<T: Clone>(&mut self, one: &[Vec<T>], other: &[Vec<T>]) -> Within<Vec<Vec<T>>> {
        let mut all = Vec::with_capacity(one.len() * other.len());
        for head in one {
            for tail in other {
                self.budget.copy(16 * (head.len() + tail.len()))?;
                all.push(head.iter().chain(tail).cloned().collect());
            }
        }
        Ok(all)
    }

    fn choices_of_word(&mut self, parts: &[Part], scope: &Scope) -> Within<Vec<Choice>> {
        let Some((home, rest)) = self.tilde(parts) else { return self.choices(parts, Quotes::Outside, scope) };
        let mut all = vec![vec![home]];
        let first = if rest.is_empty() { Vec::new() } else { vec![Fragment::Raw(rest)] };
        all = self.crossed(all, vec![first])?;
        let tail = self.choices(parts.get(1..).unwrap_or_default(), Quotes::Outside, scope)?;
        self.crossed(all, tail)
    }

    /// What a `~` at the start of a word stands for, and the rest of its part.
    fn tilde(&self, parts: &[Part]) -> Option<(Fragment, String)> {
        let Some(Part::Raw(text)) = parts.first() else { return None };
        let rest = text.strip_prefix('~')?;
        let end = rest.find(['/', ':']).unwrap_or(rest.len());
        if end == rest.len() && parts.len() > 1 {
            return None;
        }
        let (name, after) = rest.split_at_checked(end)?;
        let fragment = match name {
            "" => self.home_fragment(),
            "+" => Fragment::Piece(self.directory_piece()),
            "-" => self.previous_fragment(),
            user if user.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) => {
                Fragment::Piece(Piece::Home(Some(user.to_owned())))
            }
            _ => return None,
        };
        Some((fragment, after.to_owned()))
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
                        None => vec![from_trace(output.trace, quotes)],
                    }]
                }
                Part::Arithmetic(inner) => {
                    let value = self.arithmetic(inner, scope)?;
                    if value.is_none() {
                        self.not_arithmetic(inner, scope)?;
                    }
                    vec![vec![match value {
                        Some(value) => from_text(&value.to_string(), quotes),
                        None => Fragment::Piece(Piece::Unknown(number())),
                    }]]
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

fn from_text(text: &str, quotes: Quotes) -> Fragment {
    match quotes {
        Quotes::Outside => Fragment::Value(text.to_owned()),
        Quotes::Inside => Fragment::Literal(text.to_owned()),
    }
}

fn from_trace(mut trace: Trace, quotes: Quotes) -> Fragment {
    if trace.0.is_empty() {
        trace = Trace::of(Origin::Program);
    }
    let splits = quotes == Quotes::Outside;
    Fragment::Piece(Piece::Unknown(Unknown { kind: UnknownKind::Output(trace), splits, may_be_empty: true }))
}

/// The size of a word, for limits.
pub(in crate::read) fn length(word: &Word) -> usize {
    word.pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.len() } else { 32 }).sum()
}

/// A number that is not known.
fn number() -> Unknown {
    Unknown { kind: UnknownKind::Other, splits: false, may_be_empty: false }
}

/// A parameter without anything around its name.
pub(super) fn plain(parameter: &Parameter) -> bool {
    parameter.index.is_none()
        && matches!(parameter.form, Form::Plain | Form::Bare)
        && matches!(parameter.change, Change::None)
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
