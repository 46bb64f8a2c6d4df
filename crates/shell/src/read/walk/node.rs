//! Lists, branches, loops.

use super::{Manner, Output, Scope, Status, Walker};
use crate::read::grammar::tree::{AndOr, Body, Link, LoopKind, Node, Part, Place, Word as Written};
use crate::read::limits::Within;
use crate::read::state::{Covers, Key};
use std::borrow::Cow;

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
            return self.beside(|walker| walker.links(statement, &scope.beside(Manner::Background)));
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
                self.state.forget(mark);
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
                self.state.forget(mark);
                Ok(output)
            }
            Node::If { arms, otherwise } => self.branches(arms, otherwise, inner),
            Node::Loop { kind, condition, body } => self.repeated(|walker| {
                let input = walker.body(condition, inner)?;
                let endless = if *kind == LoopKind::While { Status::True } else { Status::False };
                let output =
                    if input.status == endless { walker.endless(body, inner)? } else { walker.body(body, inner)? };
                Ok(input.then(output))
            }),
            Node::For { name, values, body } => self.each(name, values.as_deref(), body, inner),
            Node::ForArithmetic { head, body } => {
                if let Some(first) = head.first() {
                    self.arithmetic(first, inner)?;
                }
                let endless = head.get(1).is_none_or(|condition| condition.iter().all(blank));
                self.repeated(|walker| {
                    for expression in head.iter().skip(1) {
                        walker.arithmetic(expression, inner)?;
                    }
                    if endless { walker.endless(body, inner) } else { walker.body(body, inner) }
                })
            }
            Node::Case { word, items } => self.case(word, items, inner),
            Node::Function { name, body } => {
                self.define(name, body, scope);
                Ok(Output::silent().with(Status::True))
            }
            Node::Coprocess(node) => {
                self.beside(|walker| walker.node(node, &inner.beside(Manner::Background)))?;
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
                self.state.remove(Key::Descriptor(Cow::Borrowed("0")));
            }
            let last = place + 1 == stages.len();
            output =
                if last { self.node(stage, &Scope { heard, ..scope.clone() })? } else { self.node(stage, &scope)? };
            self.state.forget(mark);
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
