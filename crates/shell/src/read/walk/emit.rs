//! Commands as they leave the reader.

use super::{Scope, Walker};
use crate::command::{Command, Directory, Input};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

impl Walker<'_> {
    /// A command without words, here.
    pub(super) fn blank(&self, source: &str, scope: &Scope) -> Command {
        self.blank_in(self.directories().into_iter().next().unwrap_or(Directory::Unknown), source, scope)
    }

    /// The same in a directory.
    pub(super) fn blank_in(&self, directory: Directory, source: &str, scope: &Scope) -> Command {
        Command {
            words: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            input: Input::default(),
            directory,
            via: scope.via.as_ref().clone(),
            source: source.to_owned(),
        }
    }

    /// Where the shell may be.
    pub(super) fn directories(&self) -> Vec<Directory> {
        match self.state.get(&Key::Directory) {
            Some(Entry::Directories(all)) => all.clone(),
            _ => vec![Directory::Unknown],
        }
    }

    /// Adds a command before those that were added since there were so many.
    pub(super) fn emit_at(&mut self, place: usize, command: Command) -> Within<()> {
        let before = self.commands.len();
        self.emit(command)?;
        if self.commands.len() > before {
            self.budget.copy(16 * (before - place))?;
            self.commands.get_mut(place..).unwrap_or_default().rotate_right(1);
        }
        Ok(())
    }

    /// Adds a command, unless it was seen just so.
    pub(super) fn emit(&mut self, mut command: Command) -> Within<()> {
        self.give_inherited(&mut command)?;
        let source = std::mem::take(&mut command.source);
        let mut hasher = DefaultHasher::new();
        command.hash(&mut hasher);
        command.source = source;
        if self.seen.insert(hasher.finish()) {
            self.budget.command()?;
            self.commands.push(command);
        }
        Ok(())
    }
}
