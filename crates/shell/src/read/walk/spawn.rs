//! Loops that start processes without end.

use super::Walker;
use crate::command::Shape;
use crate::read::grammar::tree::{AndOr, Body, Node, Operand, Place};

/// What a loop body does that matters here.
#[derive(Default)]
struct Seen {
    background: bool,
    /// It waits, pauses or leaves.
    held: bool,
}

impl Walker<'_> {
    pub(super) fn shape(&mut self, shape: Shape) {
        if !self.shapes.contains(&shape) {
            self.shapes.push(shape);
        }
    }

    /// Looks at the body of an endless loop.
    pub(super) fn spawns(&mut self, endless: bool, body: &Body) {
        if !endless {
            return;
        }
        let mut seen = Seen::default();
        look(body, &mut seen);
        if seen.background && !seen.held {
            self.shape(Shape::EndlessSpawn);
        }
    }
}

fn look(body: &Body, seen: &mut Seen) {
    for AndOr { first, rest, place } in body {
        if *place == Place::Background {
            seen.background = true;
            continue;
        }
        node(first, seen);
        rest.iter().for_each(|(_, next)| node(next, seen));
    }
}

fn node(one: &Node, seen: &mut Seen) {
    match one {
        Node::Simple(simple) => {
            let Some(Operand::Word(word)) = simple.words.first() else { return };
            let name = word.constant().unwrap_or_default();
            seen.held |=
                matches!(name.as_str(), "wait" | "sleep" | "break" | "exit" | "return" | "read" | "inotifywait");
            seen.background |= matches!(name.as_str(), "nohup" | "setsid") && simple.source.ends_with('&');
        }
        Node::Pipeline(stages) => stages.iter().for_each(|stage| node(stage, seen)),
        Node::Negated(inner) => node(inner, seen),
        Node::Coprocess(_) => seen.background = true,
        Node::Group(body) | Node::Subshell(body) => look(body, seen),
        Node::If { arms, otherwise } => {
            for (condition, body) in arms {
                look(condition, seen);
                look(body, seen);
            }
            look(otherwise, seen);
        }
        Node::Loop { condition, body, .. } => {
            look(condition, seen);
            look(body, seen);
        }
        Node::For { body, .. } | Node::ForArithmetic { body, .. } => look(body, seen),
        Node::Case { items, .. } => items.iter().for_each(|(_, body)| look(body, seen)),
        Node::Redirected { node: inner, .. } => node(inner, seen),
        Node::Function { .. } | Node::Test { .. } | Node::Arithmetic { .. } => {}
    }
}
