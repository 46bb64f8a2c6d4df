//! What a command would read on stdin.

use super::{Scope, Walker};
use crate::command::Input;
use crate::read::limits::Within;
use crate::read::state::{Entry, Key};
use std::borrow::Cow;

impl Walker<'_> {
    /// Stdin of a command without a redirection of its own.
    pub(super) fn standard_input(&mut self, scope: &Scope) -> Within<Input> {
        let input = match self.state.get(&Key::Descriptor(Cow::Borrowed("0"))) {
            Some(Entry::Input(input)) => input.clone(),
            _ => scope.input.as_ref().clone(),
        };
        self.budget.copy(input.text.as_ref().map_or(0, String::len))?;
        Ok(input)
    }
}
