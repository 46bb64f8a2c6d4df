//! Variables of the launch: the shell starts with them, and so does every command of the text.

use super::{Scope, Walker};
use crate::command::{Assignment, Command, Word};
use crate::programs::{Change, change};
use crate::read::expand::length;
use crate::read::limits::Within;
use crate::read::state::{Reach, Value};
use crate::read::without_holes;
use std::sync::Arc;

impl Walker<'_> {
    /// Sets them. Those that change what programs do are also judged by themselves, as shells and what they start read
    /// them whatever the text is.
    pub(super) fn inherit(&mut self, scope: &Scope) -> Within<()> {
        let surroundings = self.surroundings;
        let mut command = self.blank(&Arc::default(), scope);
        for (name, value) in &surroundings.environment {
            let value = without_holes(value, self.budget).into_owned();
            let change = change(name, Some(&value));
            let value = Word::text(value);
            // Shells take no separators from outside.
            if name != "IFS" {
                self.state.assign(name, vec![Value::Scalar(value.clone())], Reach::Exported);
            }
            let assignment = Assignment { name: name.clone(), value };
            if change == Change::Programs {
                command.assignments.push(assignment.clone());
            }
            if change != Change::Display {
                self.inherited.push(assignment);
            }
        }
        if command.assignments.is_empty() {
            return Ok(());
        }
        let names = command.assignments.iter().map(|one| format!("{}={}", one.name, one.value));
        command.source = names.collect::<Vec<_>>().join(" ").chars().take(200).collect::<String>().into();
        self.launch(command, scope)?;
        Ok(())
    }

    /// Puts them after a command's own assignments, as far as it does not set them anew.
    pub(super) fn give_inherited(&mut self, command: &mut Command) -> Within<()> {
        if self.inherited.is_empty() || command.words.is_empty() {
            return Ok(());
        }
        let size: usize = self.inherited.iter().map(|one| one.name.len() + length(&one.value)).sum();
        self.budget.copy(16 * self.inherited.len() + size)?;
        let own = |one: &&Assignment| !command.assignments.iter().any(|other| other.name == one.name);
        let more: Vec<Assignment> = self.inherited.iter().filter(own).cloned().collect();
        command.assignments.extend(more);
        Ok(())
    }
}
