//! Loops: those over known values pass by pass, others until nothing changes any more.

use super::{Output, Scope, Status, Walker};
use crate::command::{Piece, UnknownKind, Word};
use crate::read::Detail;
use crate::read::expand::length;
use crate::read::grammar::tree::{Body, Word as Written};
use crate::read::limits::{Limit, Within};
use crate::read::state::{Covers, Key, Reach, Value, unknown_word};
use crate::unwrap::words::{anything, something};

/// Passes after which what a loop still changes counts as unknown; loops inside loops get one.
const ROUNDS: usize = 3;
/// Loop values that are followed one by one.
const PASSES: usize = 256;
/// Those in a text that is read coarsely, loops inside loops together.
const COARSE_PASSES: usize = 16;
/// Numbers that are: more of them are one unknown number.
const NUMBERS: usize = 32;

impl Walker<'_> {
    /// A body that runs any number of times: what it changes, it may find changed.
    pub(super) fn repeated(&mut self, mut pass: impl FnMut(&mut Self) -> Within<Output>) -> Within<Output> {
        let rounds = if self.rounds == 0 { ROUNDS } else { 1 };
        self.rounds += 1;
        let mut widened: Vec<String> = Vec::new();
        let mark = self.state.mark();
        let output = pass(self)?;
        let mut changes = self.state.rollback(mark);
        for _ in 0..rounds {
            let names = changes.keys().filter_map(|key| match key {
                Key::Variable(name) => Some(name.clone()),
                _ => None,
            });
            widened = names.collect();
            if !self.state.join(vec![changes], Covers::Maybe) {
                self.rounds -= 1;
                return Ok(output.with(Status::Open));
            }
            let mark = self.state.mark();
            pass(self)?;
            changes = self.state.rollback(mark);
        }
        self.rounds -= 1;
        if self.state.join(vec![changes], Covers::Maybe) {
            for name in widened {
                self.widen(&name, unknown_word());
            }
        }
        Ok(output.with(Status::Open))
    }

    /// Adds something unknown to the values of a variable.
    pub(in crate::read) fn widen(&mut self, name: &str, unknown: Word) {
        let (mut values, reach) = match self.state.variable(name) {
            Some((values, reach)) => (values.to_vec(), reach),
            None => (vec![Value::Scalar(anything(UnknownKind::Variable(name.to_owned())))], Reach::Shell),
        };
        let unknown = Value::Scalar(unknown);
        if !values.contains(&unknown) {
            values.push(unknown);
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
            None => words.extend(self.held("@").into_iter().flat_map(Value::words)),
        }
        // Loops inside loops share what is followed one by one.
        if words.len() * self.passes > NUMBERS && words.len() > 1 && words.iter().all(is_number) {
            words = vec![something(UnknownKind::Number)];
        }
        match self.detail {
            Detail::Full if words.len() > PASSES => return Err(Limit::Expansion),
            Detail::Coarse => self.shortened(&mut words),
            Detail::Full => {}
        }
        let mut output = Output::silent();
        if words.is_empty() {
            let mark = self.state.mark();
            self.state.assign(name, vec![Value::Unset], Reach::Shell);
            self.body(body, scope)?;
            self.state.forget(mark);
        }
        let around = self.passes;
        self.passes = around.saturating_mul(words.len().max(1));
        for word in words {
            self.budget.step()?;
            self.state.assign(name, vec![Value::Scalar(one_name(word))], Reach::Shell);
            output = output.then(self.body(body, scope)?);
        }
        self.passes = around;
        Ok(output.with(Status::Open))
    }
}

impl Walker<'_> {
    /// Leaves the shortest, `/` and `~` among them, and one unknown word for the rest.
    fn shortened(&self, words: &mut Vec<Word>) {
        let room = COARSE_PASSES / self.passes;
        if words.len() > room.max(1) {
            words.sort_by_cached_key(length);
            words.truncate(room);
            words.push(something(UnknownKind::Other));
        }
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
