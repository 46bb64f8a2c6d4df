//! Texts inside the text: `sh -c`, `eval`, traps, variables that shells run.

use super::{Output, Scope, Walker};
use crate::command::{Assignment, Command, Directory, Via, Word};
use crate::read::characters;
use crate::read::grammar;
use crate::read::limits::{BYTES, Limit, Problem, Within};
use crate::read::state::{Entry, Key, Reach, Value};
use crate::unwrap::Script;
use std::borrow::Cow;
use std::rc::Rc;

/// Variables whose value a shell or another program runs as a shell text.
const RUN: [&str; 28] = [
    "BROWSER",
    "CVS_RSH",
    "EDITOR",
    "FCEDIT",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "HGEDITOR",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RSYNC_RSH",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "SVN_EDITOR",
    "SVN_SSH",
    "SYSTEMD_EDITOR",
    "SYSTEMD_PAGER",
    "VISUAL",
    "RUSTC_WRAPPER",
];
/// Variables that are expanded like prompts.
const PROMPTS: [&str; 5] = ["PS0", "PS1", "PS2", "PS4", "ENV"];

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
            return Err(Limit::Bytes);
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
        let positional = self.state.get(&Key::Positional).cloned();
        let directories = self.state.get(&Key::Directory).cloned();
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
            let parameters: Vec<Word> = script.parameters.into_iter().map(|word| self.restored_word(word)).collect();
            self.state.set(Key::Positional, Entry::Words(parameters));
        }
        let output = self.body(&body, &inner)?;
        match whose {
            Whose::Own => {
                if let Some(positional) = positional {
                    self.state.set(Key::Positional, positional);
                } else {
                    self.state.remove(Key::Positional);
                }
                let _ = directories;
            }
            Whose::Later | Whose::Child => {
                self.state.rollback(mark);
            }
        }
        Ok(output)
    }

    /// Follows variables that hold commands.
    pub(super) fn settings(&mut self, command: &Command, scope: &Scope) -> Within<()> {
        if command.assignments.is_empty()
            && !matches!(command.program(), Some("export" | "declare" | "typeset" | "readonly" | "local"))
        {
            return Ok(());
        }
        let mut found: Vec<(String, Word)> =
            command.assignments.iter().map(|assignment| (assignment.name.clone(), assignment.value.clone())).collect();
        if matches!(command.program(), Some("export" | "declare" | "typeset" | "readonly" | "local")) {
            for word in command.operands() {
                if let Some((name, _)) = word.prefix().split_once('=') {
                    found.push((name.to_owned(), cut(word, name.len() + 1)));
                }
            }
        }
        for (name, value) in found {
            if RUN.contains(&name.as_str()) {
                self.setting(&name, value, command, scope)?;
            } else if PROMPTS.contains(&name.as_str()) {
                let inner = scope.through(Via::Setting(name))?;
                self.evaluated(&value, &inner)?;
            }
        }
        Ok(())
    }

    fn setting(&mut self, name: &str, value: Word, command: &Command, scope: &Scope) -> Within<()> {
        let value = if value.prefix().starts_with('|') { cut(&value, 1) } else { value };
        if value.pieces.is_empty() {
            return Ok(());
        }
        let mut via = command.via.clone();
        via.push(Via::Setting(name.to_owned()));
        let script = Script {
            text: value,
            parameters: Vec::new(),
            assignments: Vec::new(),
            input: super::launch::nothing(),
            directory: command.directory.clone(),
            via,
        };
        self.script(script, scope)?;
        Ok(())
    }

    /// `BASH_ENV=<(…)`: a shell reads what the substitution prints.
    pub(super) fn startup(&mut self, assignments: &[Assignment], output: &Output, scope: &Scope) -> Within<()> {
        let Some(name) = assignments
            .iter()
            .map(|assignment| &assignment.name)
            .find(|name| matches!(name.as_str(), "BASH_ENV" | "ENV"))
        else {
            return Ok(());
        };
        let text = Word { pieces: self.restored(output.text.as_deref().unwrap_or_default()) };
        let command = self.blank("", scope);
        self.setting(&name.clone(), text, &command, scope)
    }
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

/// A word without its first bytes, which are text.
pub(super) fn cut(word: &Word, bytes: usize) -> Word {
    let mut pieces = word.pieces.clone();
    if let Some(crate::command::Piece::Text(text)) = pieces.first_mut() {
        *text = text.get(bytes..).unwrap_or_default().to_owned();
        if text.is_empty() {
            pieces.remove(0);
        }
    }
    Word { pieces }
}
