//! Texts inside the text: `sh -c`, `eval`, traps, variables that shells run.

use super::{Output, Scope, Walker};
use crate::command::{Assignment, Command, Directory, Via, Word};
use crate::read::Detail;
use crate::read::characters;
use crate::read::grammar;
use crate::read::limits::{BYTES, Limit, Problem, Within};
use crate::read::state::{Entry, Key, Reach, Value};
use crate::unwrap::Script;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Whose shell reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// This one, now.
    Own,
    /// This one, later.
    Later,
    /// A new one.
    Child,
}

impl Walker<'_> {
    /// Reads a text that a command hands to a shell.
    pub(super) fn script(&mut self, script: Script, scope: &Scope) -> Within<Output> {
        self.budget.step()?;
        let text = self.flattened(&script.text)?;
        if text.len() > BYTES {
            return match self.detail {
                Detail::Full => Err(Limit::Expansion),
                Detail::Coarse => Ok(Output::default()),
            };
        }
        self.budget.copy(text.len() * 8)?;
        if script.text.literal().is_none() || super::holes::holed(&text) {
            self.budget.problem(Problem::Construct("unknown text"));
        }
        characters(&text, self.budget);
        let whose = whose(script.via.last());
        // A nested shell takes more of the stack than other levels do.
        let mut inner = scope.with_input(script.input).deeper()?.deeper()?.deeper()?;
        inner.via = Rc::new(script.via);
        let body = grammar::parse(&text, inner.depth, self.budget)?;
        let mark = self.state.mark();
        let saved = self.state.saved(vec![Key::Variable("@".to_owned())]);
        self.state.remove(Key::Descriptor(Cow::Borrowed("0")));
        if whose == Whose::Child {
            let hidden = self.state.enter_child();
            self.budget.copy(16 * hidden)?;
        }
        if script.directory != Directory::Unknown || whose == Whose::Child {
            self.state.set(Key::Directory, Entry::Directories(vec![script.directory]));
        }
        for Assignment { name, value } in script.assignments {
            let value = self.restored_word(value);
            self.state.assign(&name, vec![Value::Scalar(value)], Reach::Exported);
        }
        if whose == Whose::Child || !script.parameters.is_empty() {
            let parameters = script.parameters.into_iter().map(|word| self.restored_word(word)).collect();
            self.state.set_parameters(parameters);
        }
        let output = self.body(&body, &inner)?;
        match whose {
            Whose::Later | Whose::Child => self.state.forget(mark),
            Whose::Own => self.state.restore(saved),
        }
        Ok(output)
    }

    /// `BASH_ENV=<(…)`: a shell reads what the substitution prints.
    pub(super) fn startup(&mut self, assignments: &[Assignment], output: &Output, scope: &Scope) -> Within<()> {
        let names = assignments.iter().map(|assignment| &assignment.name);
        if let Some(name) = names.into_iter().find(|name| matches!(name.as_str(), "BASH_ENV" | "ENV")) {
            let text = Word { pieces: self.restored(output.text.as_deref().unwrap_or_default()) };
            let script = script_of(&self.blank(&Arc::default(), scope), Via::Setting(name.clone()), text, Vec::new());
            self.script(script, scope)?;
        }
        Ok(())
    }
}

/// A text that runs in the place of a command, reached in one more way.
pub(super) fn script_of(command: &Command, how: Via, text: Word, parameters: Vec<Word>) -> Script {
    let mut via = command.via.clone();
    via.push(how);
    let (input, directory) = (command.input.clone(), command.directory.clone());
    Script { text, parameters, assignments: Vec::new(), input, directory, via }
}

fn whose(via: Option<&Via>) -> Whose {
    match via {
        Some(Via::Shell(name)) => match name.as_str() {
            "eval" | "source" | "." => Whose::Own,
            "trap" | "alias" | "mapfile" | "readarray" | "complete" | "compgen" | "bind" => Whose::Later,
            _ => Whose::Child,
        },
        Some(Via::Setting(name)) if matches!(name.as_str(), "PROMPT_COMMAND" | "BASH_ENV" | "ENV") => Whose::Later,
        _ => Whose::Child,
    }
}
