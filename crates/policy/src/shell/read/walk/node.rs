//! Lists, branches, loops.

use super::{Manner, Output, Scope, Status, Walker};
use crate::shell::command::{Piece, Unknown, UnknownKind, Word};
use crate::shell::read::grammar::tree::{AndOr, Body, Link, LoopKind, Node, Part, Place, Word as Written};
use crate::shell::read::limits::{Limit, Within};
use crate::shell::read::state::{Covers, Key, Reach, Value};
use std::rc::Rc;

/// Passes after which what a loop still changes counts as unknown; loops inside loops get one.
const ROUNDS: usize = 3;
/// Passes of a counting loop that are followed one by one.
const COUNTED: usize = 32;
/// Loop values that are followed one by one.
const PASSES: usize = 256;
/// Numbers that are: more of them are one unknown number.
const NUMBERS: usize = 64;

impl Walker<'_> {
    pub(super) fn body(&mut self, body: &Body, scope: &Scope) -> Within<Output> {
        let mut all = Output::silent();
        for statement in body {
            let next = self.and_or(statement, scope)?;
            all = self.followed(all, next, scope)?;
        }
        Ok(all)
    }

    fn and_or(&mut self, statement: &AndOr, scope: &Scope) -> Within<Output> {
        if statement.place == Place::Background {
            let mark = self.state.mark();
            let output = self.links(statement, &scope.beside(Manner::Background))?;
            self.state.rollback(mark);
            return Ok(output.with(Status::True));
        }
        self.links(statement, scope)
    }

    /// A chain of `&&` may stop anywhere; what stands after `||` may not run.
    fn links(&mut self, statement: &AndOr, scope: &Scope) -> Within<Output> {
        let mut output = self.node(&statement.first, scope)?;
        let mut optional: Option<usize> = None;
        for (link, node) in &statement.rest {
            if *link == Link::Or
                && let Some(from) = optional.take()
            {
                let changes = self.state.rollback(from);
                self.state.join(vec![changes], Covers::Maybe);
            }
            let mark = self.state.mark();
            let never = matches!((link, output.status), (Link::And, Status::False) | (Link::Or, Status::True));
            let surely =
                matches!((link, output.status), (Link::And, Status::True | Status::Likely) | (Link::Or, Status::False));
            let next = self.node(node, scope)?;
            if never {
                self.state.rollback(mark);
                continue;
            }
            if !surely {
                match link {
                    Link::And => optional = optional.or(Some(mark)),
                    Link::Or => {
                        let changes = self.state.rollback(mark);
                        self.state.join(vec![changes], Covers::Maybe);
                    }
                }
            }
            let said = output.text.as_ref().is_some_and(|text| !text.is_empty());
            output = if *link == Link::Or && !surely && said {
                output.with(Status::Open)
            } else {
                self.followed(output, next, scope)?
            };
        }
        if let Some(from) = optional {
            let changes = self.state.rollback(from);
            self.state.join(vec![changes], Covers::Maybe);
        }
        Ok(output)
    }

    pub(super) fn node(&mut self, node: &Node, scope: &Scope) -> Within<Output> {
        self.budget.step()?;
        let inner = &scope.deeper()?;
        match node {
            Node::Simple(simple) => self.simple(simple, scope),
            Node::Pipeline(stages) => self.pipeline(stages, inner),
            Node::Negated(node) => {
                let output = self.node(node, inner)?;
                let status = match output.status {
                    Status::True => Status::False,
                    Status::False => Status::True,
                    _ => Status::Open,
                };
                Ok(output.with(status))
            }
            Node::Group(body) => self.body(body, inner),
            Node::Subshell(body) => {
                let mark = self.state.mark();
                let output = self.body(body, inner)?;
                self.state.rollback(mark);
                Ok(output)
            }
            Node::If { arms, otherwise } => self.branches(arms, otherwise, inner),
            Node::Loop { kind, condition, body } => {
                self.spawns(endless(*kind, condition), body);
                self.repeated(|walker| {
                    let input = walker.body(condition, inner)?;
                    Ok(input.then(walker.body(body, inner)?))
                })
            }
            Node::For { name, values, body } => self.each(name, values.as_deref(), body, inner),
            Node::ForArithmetic { head, body } => {
                let endless = head.get(1).is_none_or(|condition| condition.iter().all(blank));
                self.spawns(endless, body);
                if let Some(output) = self.counted(head, body, inner)? {
                    return Ok(output);
                }
                self.repeated(|walker| {
                    for expression in head.iter().skip(1) {
                        walker.arithmetic(expression, inner)?;
                    }
                    walker.body(body, inner)
                })
            }
            Node::Case { word, items } => self.case(word, items, inner),
            Node::Function { name, body } => {
                self.define(name, body, scope);
                Ok(Output::silent().with(Status::True))
            }
            Node::Coprocess(node) => {
                let mark = self.state.mark();
                self.node(node, &inner.beside(Manner::Background))?;
                self.state.rollback(mark);
                Ok(Output::silent().with(Status::True))
            }
            Node::Test { words, source } => self.test(words, source, inner),
            Node::Arithmetic { parts, source } => self.arithmetic_command(parts, source, inner),
            Node::Redirected { node, redirects, source } => self.redirected(node, redirects, source, inner),
        }
    }

    fn pipeline(&mut self, stages: &[Node], scope: &Scope) -> Within<Output> {
        let heard = scope.heard;
        let mut scope = scope.beside(Manner::Piped).heard();
        let mut output = Output::silent();
        for (place, stage) in stages.iter().enumerate() {
            let mark = self.state.mark();
            if place > 0 {
                scope = scope.with_input(std::mem::take(&mut output).into_input());
                self.state.remove(Key::Descriptor("0".to_owned()));
            }
            let last = place + 1 == stages.len();
            output =
                if last { self.node(stage, &Scope { heard, ..scope.clone() })? } else { self.node(stage, &scope)? };
            self.state.rollback(mark);
        }
        Ok(output)
    }

    fn branches(&mut self, arms: &[(Body, Body)], otherwise: &Body, scope: &Scope) -> Within<Output> {
        let mut outputs = Vec::new();
        let mut changes = Vec::new();
        let mut asked = Output::silent();
        for (condition, body) in arms {
            asked = asked.then(self.body(condition, scope)?);
            let status = asked.status;
            let mark = self.state.mark();
            let output = self.body(body, scope)?;
            changes.push(self.state.rollback(mark));
            match status {
                Status::True => outputs = vec![output],
                Status::False => {}
                _ => outputs.push(output),
            }
        }
        let mark = self.state.mark();
        let output = self.body(otherwise, scope)?;
        if !otherwise.is_empty() {
            changes.push(self.state.rollback(mark));
            if outputs.is_empty() || asked.status != Status::True {
                outputs.push(output);
            }
        }
        let covers = if otherwise.is_empty() { Covers::Maybe } else { Covers::All };
        self.state.join(changes, covers);
        Ok(asked.then(Output::either(outputs)))
    }

    /// `for ((i=0; i<3; i++))` whose counts are known. `None` after its first expression when they are not.
    fn counted(&mut self, head: &[Vec<Part>], body: &Body, scope: &Scope) -> Within<Option<Output>> {
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
    fn repeated(&mut self, mut pass: impl FnMut(&mut Self) -> Within<Output>) -> Within<Output> {
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
        let anything = Value::Scalar(crate::shell::read::state::unknown_word());
        if !values.contains(&anything) {
            values.push(anything);
            self.state.assign(name, values, reach);
        }
    }

    fn each(&mut self, name: &str, values: Option<&[Written]>, body: &Body, scope: &Scope) -> Within<Output> {
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
                let parameters = Part::Parameter(Rc::new(crate::shell::read::grammar::tree::Parameter {
                    name: "@".to_owned(),
                    index: None,
                    form: crate::shell::read::grammar::tree::Form::Bare,
                    change: crate::shell::read::grammar::tree::Change::None,
                }));
                let all = Written { parts: vec![Part::Double(vec![parameters])] };
                words = self.fields(&all, scope)?.into_iter().flatten().collect();
            }
        }
        if words.len() > NUMBERS && words.iter().all(is_number) {
            let unknown = Unknown { kind: UnknownKind::Other, splits: false, may_be_empty: false };
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
        for word in words {
            self.budget.step()?;
            self.state.assign(name, vec![Value::Scalar(one_name(word))], Reach::Shell);
            output = output.then(self.body(body, scope)?);
        }
        Ok(output.with(Status::Open))
    }

    fn case(&mut self, word: &Written, items: &[(Vec<Written>, Body)], scope: &Scope) -> Within<Output> {
        self.single(word, scope)?;
        let mut outputs = Vec::new();
        let mut changes = Vec::new();
        for (patterns, body) in items {
            for pattern in patterns {
                self.single(pattern, scope)?;
            }
            let mark = self.state.mark();
            outputs.push(self.body(body, scope)?);
            changes.push(self.state.rollback(mark));
        }
        self.state.join(changes, Covers::Maybe);
        Ok(Output::either(outputs))
    }
}

fn blank(part: &Part) -> bool {
    matches!(part, Part::Quoted(text) if text.trim().is_empty())
}

fn is_number(word: &Word) -> bool {
    word.literal().is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
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

/// Whether a condition never ends a loop.
fn endless(kind: LoopKind, condition: &Body) -> bool {
    let [AndOr { first, rest, .. }] = condition.as_slice() else { return false };
    if !rest.is_empty() {
        return false;
    }
    let (node, kind) = match (first, kind) {
        (Node::Negated(node), LoopKind::While) => (node.as_ref(), LoopKind::Until),
        (Node::Negated(node), LoopKind::Until) => (node.as_ref(), LoopKind::While),
        (node, kind) => (node, kind),
    };
    let truth = match node {
        Node::Simple(simple) => {
            let words: Vec<Option<String>> = simple
                .words
                .iter()
                .map(|operand| match operand {
                    crate::shell::read::grammar::tree::Operand::Word(word) => word.constant(),
                    crate::shell::read::grammar::tree::Operand::Assignment(_) => None,
                })
                .collect();
            let words: Vec<&str> = words.iter().map(|word| word.as_deref().unwrap_or("?")).collect();
            match words.as_slice() {
                [":" | "true" | "/bin/true" | "/usr/bin/true", ..] | ["[", _, "]"] | ["test", _] => Some(true),
                ["[", one, "=" | "==" | "-eq", other, "]"] | ["test", one, "=" | "-eq", other] if one == other => {
                    Some(true)
                }
                ["false" | "/bin/false", ..] => Some(false),
                _ => None,
            }
        }
        Node::Test { words, .. } => match words.as_slice() {
            [one] if one.constant().is_some_and(|text| !text.is_empty()) => Some(true),
            _ => None,
        },
        Node::Arithmetic { parts, .. } => match parts.as_slice() {
            [Part::Quoted(text)] => text.trim().parse::<i64>().ok().map(|value| value != 0),
            _ => None,
        },
        _ => None,
    };
    truth == Some(kind == LoopKind::While)
}
