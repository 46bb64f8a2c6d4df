//! Commands as they leave the reader.

use super::{Manner, Scope, Walker};
use crate::command::{Command, Directory, Input};
use crate::read::limits::Within;
use crate::read::state::{Entry, Key};
use hashbrown::hash_table::Entry as Place;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;
use std::sync::Arc;

/// Commands, each once, in order.
#[derive(Debug, Default)]
pub(super) struct Emitted {
    commands: Vec<Command>,
    /// Places of `commands`.
    order: Vec<usize>,
    /// The same, found by hash. Whether two commands are the same is compared, so that none can hide behind another's hash.
    seen: HashTable<(u64, usize)>,
    hasher: DefaultHashBuilder,
}

impl Emitted {
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Adds a command, unless there is one that differs in nothing but its source.
    fn insert(&mut self, command: Command) {
        let Self { commands, order, seen, hasher } = self;
        let Command { words, assignments, redirects, input, directory, via, background: _, source: _ } = &command;
        let path = if let Directory::Known(path) = directory { Some(path.as_os_str()) } else { None };
        let hash = hasher.hash_one((words, assignments, redirects, input, path, via));
        let is_same = |(_, at): &(u64, usize)| {
            commands.get(*at).is_some_and(|own| {
                (&own.words, &own.input, &own.directory) == (words, input, directory)
                    && (&own.assignments, &own.redirects, &own.via) == (assignments, redirects, via)
            })
        };
        if let Place::Vacant(free) = seen.entry(hash, is_same, |(hash, _)| *hash) {
            free.insert((hash, commands.len()));
            order.push(commands.len());
            commands.push(command);
        }
    }

    /// Puts the last command before those that were added since there were so many.
    fn move_last(&mut self, place: usize) {
        self.order.get_mut(place..).unwrap_or_default().rotate_right(1);
    }

    pub(super) fn into_commands(self) -> Vec<Command> {
        let mut commands: Vec<Option<Command>> = self.commands.into_iter().map(Some).collect();
        self.order.into_iter().filter_map(|at| commands.get_mut(at)?.take()).collect()
    }
}

impl Walker<'_> {
    /// A command without words, here.
    pub(super) fn blank(&self, source: &Arc<str>, scope: &Scope) -> Command {
        self.blank_in(self.directories().into_iter().next().unwrap_or(Directory::Unknown), source, scope)
    }

    /// The same in a directory.
    pub(super) fn blank_in(&self, directory: Directory, source: &Arc<str>, scope: &Scope) -> Command {
        Command {
            words: Vec::new(),
            assignments: Vec::new(),
            redirects: Vec::new(),
            input: Input::default(),
            directory,
            via: scope.via.as_ref().clone(),
            background: scope.manner == Manner::Background,
            source: Arc::clone(source),
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
            self.commands.move_last(place);
        }
        Ok(())
    }

    /// Adds a command, unless it was seen just so.
    pub(super) fn emit(&mut self, mut command: Command) -> Within<()> {
        self.give_inherited(&mut command)?;
        let before = self.commands.len();
        self.commands.insert(command);
        if self.commands.len() > before { self.budget.command() } else { Ok(()) }
    }
}
