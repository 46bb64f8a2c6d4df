//! Loops: those over known values pass by pass, others until nothing changes any more.

use super::{Output, Scope, Status, Walker};
use crate::command::{Piece, Unknown, UnknownKind, Word};
use crate::read::grammar::tree::{Body, Part, Word as Written};
use crate::read::limits::{Limit, Within};
use crate::read::state::{Covers, Key, Reach, Value};
use std::rc::Rc;

/// Passes after which what a loop still changes counts as unknown; loops inside loops get one.
const ROUNDS: usize = 3;
/// Passes of a counting loop that are followed one by one.
const COUNTED: usize = 32;
/// Loop values that are followed one by one.
const PASSES: usize = 256;
/// Numbers that are: more of them are one unknown number.
const NUMBERS: usize = 32;

impl Walker<'_> {
    /// `for ((i=0; i<3; i++))` whose counts are known. `None` after its first expression when they are not.
    pub(super) fn counted(&mut self, head: &[Vec<Part>], body: &Body, scope: &Scope) -> Within<Option<Output>> {
        if let Some(first) = head.first() {
            self.arithmetic(first, scope)?;
        }
        let mut output = Output::silent();
        let (Some(condition), Some(update)) = (head.get(1), head.get(2)) else { return Ok(None) };
        for pass in 0..COUNTED {
            match self.arithmetic(condition, scope)? {
                // A body that never runs is read all the same.
                Some(0) if pass > 0 => return Ok(Some(output.with(Status::Open))),
                Some(value) if value != 0 => {}
                _ => return Ok(None),
            }
            output = output.then(self.body(body, scope)?);
            self.arithmetic(update, scope)?;
        }
        Ok(None)
    }

    /// A body that runs any number of times: what it changes, it may find changed.
    pub(super) fn repeated(&mut self, mut pass: impl FnMut(&mut Self) -> Within<Output>) -> Within<Output> {
        let mut widened = Vec::new();
        let rounds = if self.rounds == 0 { ROUNDS } else { 1 };
        self.rounds += 1;
        let output = self.rounds_of(rounds, &mut pass, &mut widened);
        self.rounds -= 1;
        output
    }

    fn rounds_of(
        &mut self,
        rounds: usize,
        pass: &mut impl FnMut(&mut Self) -> Within<Output>,
        widened: &mut Vec<String>,
    ) -> Within<Output> {
        let mark = self.state.mark();
        let output = pass(self)?;
        let mut changes = self.state.rollback(mark);
        for _ in 0..rounds {
            let names: Vec<String> = changes
                .iter()
                .filter_map(|(key, _)| match key {
                    Key::Variable(name) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            if !self.state.join(vec![changes], Covers::Maybe) {
                return Ok(output.with(Status::Open));
            }
            let mark = self.state.mark();
            pass(self)?;
            changes = self.state.rollback(mark);
            *widened = names;
        }
        if self.state.join(vec![changes], Covers::Maybe) {
            for name in widened {
                self.widen(name);
            }
        }
        Ok(output.with(Status::Open))
    }

    /// Adds "anything" to the values of a variable.
    fn widen(&mut self, name: &str) {
        let Some((values, reach)) = self.state.variable(name) else { return };
        let mut values = values.to_vec();
        let anything = Value::Scalar(crate::read::state::unknown_word());
        if !values.contains(&anything) {
            values.push(anything);
            self.state.assign(name, values, reach);
        }
    }

    pub(super) fn each(
        &mut self,
        name: &str,
        values: Option<&[Written]>,
        body: &Body,
        scope: &Scope,
    ) -> Within<Output> {
        let mut words: Vec<Word> = Vec::new();
        match values {
            Some(values) => {
                for value in values {
                    for word in self.fields(value, scope)?.into_iter().flatten() {
                        self.budget.step()?;
                        words.push(word);
                    }
                }
            }
            None => {
                let parameters = Part::Parameter(Rc::new(crate::read::grammar::tree::Parameter {
                    name: "@".to_owned(),
                    index: None,
                    form: crate::read::grammar::tree::Form::Bare,
                    change: crate::read::grammar::tree::Change::None,
                }));
                let all = Written { parts: vec![Part::Double(vec![parameters])] };
                words = self.fields(&all, scope)?.into_iter().flatten().collect();
            }
        }
        // Loops inside loops share what is followed one by one.
        if words.len() * self.passes > NUMBERS && words.len() > 1 && words.iter().all(is_number) {
            let unknown = Unknown { kind: UnknownKind::Number, splits: false, may_be_empty: false };
            words = vec![Word { pieces: vec![Piece::Unknown(unknown)] }];
        }
        if words.len() > PASSES {
            return Err(Limit::Expansion);
        }
        let mut output = Output::silent();
        if words.is_empty() {
            let mark = self.state.mark();
            self.state.assign(name, vec![Value::Unset], Reach::Shell);
            self.body(body, scope)?;
            self.state.rollback(mark);
        }
        let around = self.passes;
        self.passes = around.saturating_mul(words.len().max(1));
        let done = self.over(words, (name, body), scope, &mut output);
        self.passes = around;
        done?;
        Ok(output.with(Status::Open))
    }

    fn over(
        &mut self,
        words: Vec<Word>,
        (name, body): (&str, &Body),
        scope: &Scope,
        output: &mut Output,
    ) -> Within<()> {
        for word in words {
            self.budget.step()?;
            self.state.assign(name, vec![Value::Scalar(one_name(word))], Reach::Shell);
            *output = std::mem::take(output).then(self.body(body, scope)?);
        }
        Ok(())
    }
}

fn is_number(word: &Word) -> bool {
    match word.pieces.as_slice() {
        [Piece::Text(text)] => text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit()),
        // What is left out of a long count.
        [Piece::Unknown(unknown)] => unknown.kind == UnknownKind::Number,
        _ => false,
    }
}

/// A loop goes over words that exist.
fn one_name(mut word: Word) -> Word {
    for piece in &mut word.pieces {
        if let Piece::Unknown(unknown) = piece {
            unknown.splits = false;
        }
    }
    if let [Piece::Unknown(unknown)] = word.pieces.as_mut_slice() {
        unknown.may_be_empty = false;
    }
    word
}
