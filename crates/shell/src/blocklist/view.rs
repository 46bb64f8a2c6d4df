//! One command as the rules look at it: its program, by whatever name, and where its words point to.

use super::pattern::{Token, could_be, tokens};
use super::target::{Holes, Target, target};
use crate::catalogue::{Fact, facts, names_with};
use crate::command::{Command, Surroundings, Word};
use std::path::Path;

/// A command and what rules ask of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) command: &'a Command,
    pub(super) surroundings: &'a Surroundings,
    pub(super) program: &'a Program,
}

/// The program of a command.
#[derive(Debug)]
pub(super) struct Program {
    shape: Shape,
    /// It lies in the workspace: a file of the project that happens to be called so.
    own: bool,
}

#[derive(Debug)]
enum Shape {
    /// This name.
    Named(String),
    /// A name that begins so.
    Begins(String),
    /// A pattern of the name; what stands before it could be a folder of programs, or is nothing.
    Pattern(Vec<Token>),
    /// None, or nothing is known.
    Unknown,
}

const FOLDERS: &str = "bin sbin usr/bin usr/sbin usr/local/bin usr/local/sbin lib usr/lib";

impl Program {
    pub(super) fn of(command: &Command, surroundings: &Surroundings) -> Self {
        let Some(word) = command.words.first() else { return Self { shape: Shape::Unknown, own: false } };
        let shape = match word.literal() {
            Some(path) => Shape::Named(base(path).to_owned()),
            None => shape(&tokens(word, surroundings)),
        };
        let own = match (&shape, word.literal()) {
            (Shape::Named(_), Some(path)) if path.contains('/') => is_own(word, command, surroundings),
            _ => false,
        };
        Self { shape, own }
    }

    /// Whether it could be the program of this name.
    pub(super) fn is(&self, name: &str) -> bool {
        match &self.shape {
            Shape::Named(own) => own == name,
            Shape::Pattern(pattern) => could_be(pattern, name),
            Shape::Begins(_) | Shape::Unknown => false,
        }
    }

    pub(super) fn is_any(&self, names: &str) -> bool {
        names.split(' ').any(|name| self.is(name))
    }

    /// The same of a program outside the workspace: where no argument tells whether it is meant, `./halt` is a script of
    /// the project.
    pub(super) fn is_system(&self, names: &str) -> bool {
        !self.own && self.is_any(names)
    }

    /// The same of a program of which this is known.
    pub(super) fn is_system_with(&self, fact: Fact) -> bool {
        !self.own && self.has(fact)
    }

    /// What is known of it, when all of its name is and it is no file of the workspace; of a pattern, of any name that it
    /// could be.
    pub(super) fn system_facts(&self) -> impl Iterator<Item = &'static Fact> {
        let names: Vec<&str> = match &self.shape {
            _ if self.own => Vec::new(),
            Shape::Named(own) => vec![own],
            Shape::Pattern(pattern) => names_with(|_| true).filter(|name| could_be(pattern, name)).collect(),
            Shape::Begins(_) | Shape::Unknown => Vec::new(),
        };
        names.into_iter().flat_map(facts)
    }

    /// Whether it could be a program of which this is known.
    pub(super) fn has(&self, fact: Fact) -> bool {
        match &self.shape {
            Shape::Named(own) => facts(own).contains(&fact),
            Shape::Pattern(pattern) => names_with(|own| *own == fact).any(|name| could_be(pattern, name)),
            Shape::Begins(_) | Shape::Unknown => false,
        }
    }

    /// Whether its name begins so, outside the workspace.
    pub(super) fn system_begins(&self, start: &str) -> bool {
        match &self.shape {
            Shape::Named(own) | Shape::Begins(own) => !self.own && own.starts_with(start),
            Shape::Pattern(_) | Shape::Unknown => false,
        }
    }

    /// The name, when all of it is known.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.shape {
            Shape::Named(name) => Some(name),
            _ => None,
        }
    }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn shape(all: &[Token]) -> Shape {
    // Whatever stands before the last slash, the name is what follows it.
    let last = all.iter().rposition(|token| *token == Token::Char('/'));
    let name = last.map_or(all, |at| all.get(at + 1..).unwrap_or_default());
    let text = |tokens: &[Token]| -> String {
        tokens.iter().map_while(|token| if let Token::Char(own) = token { Some(*own) } else { None }).collect()
    };
    if name.iter().any(|token| matches!(token, Token::Hole(_))) {
        let known = name.iter().all(|token| matches!(token, Token::Char(_) | Token::Hole(true)));
        let rest: String =
            name.iter().filter_map(|token| if let Token::Char(own) = token { Some(*own) } else { None }).collect();
        let begins = text(name);
        return match begins.contains('.') {
            true => Shape::Begins(begins),
            false if known && !rest.is_empty() => Shape::Named(rest),
            false => Shape::Unknown,
        };
    }
    let plain = name.iter().all(|token| matches!(token, Token::Char(_)));
    let guessed = all.iter().any(|token| matches!(token, Token::Hole(_)));
    if plain && (guessed || last.is_none() || all.iter().all(|token| matches!(token, Token::Char(_)))) {
        return Shape::Named(text(name));
    }
    match last {
        Some(at) if is_folder(all.get(..at).unwrap_or_default()) => Shape::Pattern(name.to_vec()),
        Some(_) => Shape::Unknown,
        // `*` alone is any file of the folder: a pattern must say what it means before it counts as a name.
        None if name.contains(&Token::Many) => Shape::Unknown,
        None => Shape::Pattern(all.to_vec()),
    }
}

/// Whether a pattern could stand for a folder of programs, name by name.
fn is_folder(pattern: &[Token]) -> bool {
    FOLDERS.split(' ').any(|folder| {
        let mut names = folder.split('/');
        let mut parts = pattern.split(|token| *token == Token::Char('/')).filter(|part| !part.is_empty());
        let all = parts.by_ref().all(|part| names.next().is_some_and(|name| could_be(part, name)));
        all && names.next().is_none()
    }) && pattern.first().is_none_or(|first| matches!(first, Token::Char('/') | Token::Hole(_)))
}

fn is_own(word: &Word, command: &Command, surroundings: &Surroundings) -> bool {
    let Some(target) = target(word, command, surroundings, Holes::Empty) else { return false };
    let workspace = surroundings.workspace.to_string_lossy();
    let names: Vec<&str> = workspace.split('/').filter(|name| !name.is_empty()).collect();
    surroundings.workspace != Path::new("/") && target.below(&names).is_some_and(|rest| !rest.is_empty())
}

impl View<'_> {
    /// Where a word points to, holes read as nothing.
    pub(super) fn target(&self, word: &Word) -> Option<Target> {
        target(word, self.command, self.surroundings, Holes::Empty)
    }

    /// Where a word could point to, holes read as anything.
    pub(super) fn wide_target(&self, word: &Word) -> Option<Target> {
        target(word, self.command, self.surroundings, Holes::Anything)
    }

    /// The known texts of all operands.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.command.operands().iter().filter_map(Word::literal)
    }

    /// The command as a person would write it, short.
    pub(super) fn shown(&self) -> String {
        let words: Vec<String> = self.command.words.iter().map(ToString::to_string).collect();
        let text = words.join(" ");
        match text.char_indices().nth(80) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
            None => text,
        }
    }
}
