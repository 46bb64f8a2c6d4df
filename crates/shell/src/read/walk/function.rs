//! Functions, and functions that call themselves.

use super::{Call, Defined, Manner, Output, Scope, Walker};
use crate::command::{Shape, Via};
use crate::read::grammar::tree::Node;
use crate::read::limits::Within;
use crate::read::state::{Certainty, Entry, Key};
use std::rc::Rc;

impl Walker<'_> {
    pub(super) fn define(&mut self, name: &str, body: &Rc<Node>, scope: &Scope) {
        self.state.set(Key::Function(name.to_owned()), Entry::Functions(vec![Rc::clone(body)], Certainty::Sure));
        if !self.defined.iter().any(|known| Rc::ptr_eq(&known.body, body)) {
            let scope = Scope { manner: Manner::Alone, ..scope.clone() };
            self.defined.push(Defined { name: name.to_owned(), body: Rc::clone(body), scope, called: false });
        }
    }

    /// The bodies that a name stands for.
    pub(super) fn functions(&self, name: &str) -> Option<(Vec<Rc<Node>>, Certainty)> {
        match self.state.get(&Key::Function(name.to_owned()))? {
            Entry::Functions(bodies, sure) => Some((bodies.clone(), *sure)),
            _ => None,
        }
    }

    /// Follows the body of a function, unless it is being followed already.
    pub(super) fn follow(&mut self, name: &str, body: &Rc<Node>, scope: &Scope) -> Within<Output> {
        self.budget.copy(512)?;
        for known in self.defined.iter_mut().filter(|known| Rc::ptr_eq(&known.body, body)) {
            known.called = true;
        }
        if let Some(place) = self.calls.iter().position(|call| Rc::ptr_eq(&call.body, body)) {
            let inner = self.calls.iter().skip(place + 1).map(|call| call.manner);
            let manner = inner.fold(scope.manner, Manner::max);
            let Some(call) = self.calls.get_mut(place) else { return Ok(Output::default()) };
            call.again += 1;
            call.beside |= manner >= Manner::Piped;
            let bomb = manner == Manner::Background || (call.again > 1 && call.beside);
            let followed = call.again <= 2 && self.calls.len() < place + 3;
            if bomb {
                self.shape(Shape::RecursiveFunction);
            }
            // Once more shows what other parameters do; further rounds show nothing new.
            if !followed {
                return Ok(Output::default());
            }
        }
        let inner = Scope { manner: Manner::Alone, ..scope.through(Via::Function(name.to_owned()))? };
        self.calls.push(Call { body: Rc::clone(body), manner: scope.manner, again: 0, beside: false });
        let output = self.node(body, &inner);
        self.calls.pop();
        output
    }
}
