//! Functions, and functions that call themselves.

use super::{Call, Defined, Manner, Output, Scope, Walker};
use crate::command::{Shape, Via};
use crate::read::grammar::tree::Node;
use crate::read::limits::Within;
use crate::read::state::{Certainty, Entry, Key};
use std::rc::Rc;

impl Walker<'_> {
    pub(super) fn define(&mut self, name: &str, body: &Rc<Node>, scope: &Scope) {
        let known = self.defined.iter().position(|known| Rc::ptr_eq(&known.body, body));
        let place = known.unwrap_or(self.defined.len());
        if known.is_none() {
            let scope = Scope { manner: Manner::Alone, ..scope.clone() };
            self.defined.push(Defined { name: name.to_owned(), body: Rc::clone(body), scope, called: false });
        }
        self.state.set(Key::Function(name.to_owned()), Entry::Functions(vec![place], Certainty::Sure));
    }

    /// Follows the body of a function, unless it is being followed already.
    pub(super) fn follow(&mut self, function: usize, scope: &Scope) -> Within<Output> {
        self.budget.copy(512)?;
        let Some(defined) = self.defined.get_mut(function) else { return Ok(Output::default()) };
        defined.called = true;
        let (name, body) = (defined.name.clone(), Rc::clone(&defined.body));
        if let Some(place) = self.calls.iter().position(|call| call.function == function) {
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
        let inner = Scope { manner: Manner::Alone, ..scope.through(Via::Function(name))? };
        self.calls.push(Call { function, manner: scope.manner, again: 0, beside: false });
        let output = self.node(&body, &inner);
        self.calls.pop();
        output
    }
}
