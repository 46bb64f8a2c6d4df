//! One command as the rules look at it: its program, by whatever name, and where its words point to.

use super::pattern::{Token, could_be, literal, tokens};
use super::target::{Holes, Target, target};
use crate::catalogue::{self, Fact, Language, facts, names_with};
use crate::command::{Command, Surroundings, Via, Word};
use crate::unwrap::{Source, is_stdin, source};
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
        match &self.shape {
            Shape::Named(own) => catalogue::has(names, own),
            _ => names.split(' ').any(|name| self.is(name)),
        }
    }

    /// What is known of it, when all of its name is and it is no file of the workspace: where no argument tells whether it
    /// is meant, `./halt` is a script of the project. Of a pattern, of any name that it could be.
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

    /// The language of the texts that it runs.
    fn language(&self) -> Option<Language> {
        match self.name() {
            Some(name) => catalogue::language(name),
            None => names_with(|fact| matches!(fact, Fact::Speaks(_)))
                .find(|name| self.is(name))
                .and_then(catalogue::language),
        }
    }

    /// Where it takes a program text from, and the language of that.
    pub(super) fn runs(&self, words: &[Word]) -> Option<(Language, Source)> {
        let language = if self.is_any("source .") { Language::Shell } else { self.language()? };
        // `deno run -`
        if self.is_any("deno bun") && words.last().is_some_and(is_stdin) {
            return Some((language, Source::Stdin));
        }
        Some((language, source(language, words)))
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
    let has_hole = |tokens: &[Token]| tokens.iter().any(|token| matches!(token, Token::Hole(_)));
    if has_hole(name) {
        let known = name.iter().map_while(|token| if let Token::Char(own) = token { Some(*own) } else { None });
        let begins: String = known.collect();
        let whole: Vec<Token> = name.iter().filter(|token| **token != Token::Hole(true)).cloned().collect();
        return match literal(&whole) {
            _ if begins.contains('.') => Shape::Begins(begins),
            Some(whole) if !whole.is_empty() => Shape::Named(whole),
            _ => Shape::Unknown,
        };
    }
    if let Some(name) = literal(name).filter(|_| has_hole(all) || last.is_none() || literal(all).is_some()) {
        return Shape::Named(name);
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
    surroundings.workspace.names().filter(|name| *name != Path::new("/")).any(|workspace| {
        let workspace = workspace.to_string_lossy();
        let names: Vec<&str> = workspace.split('/').filter(|name| !name.is_empty()).collect();
        target.below(&names).is_some_and(|rest| !rest.is_empty())
    })
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

    /// The program text in the words of an interpreter that is no shell.
    pub(super) fn code(&self) -> Option<String> {
        match self.program.runs(self.command.operands())? {
            (Language::Shell, _) => None,
            (_, Source::Code(codes)) => codes.first().map(ToString::to_string),
            _ => None,
        }
    }

    /// Whether it runs for each of many items.
    pub(super) fn is_each(&self) -> bool {
        self.command.via.iter().any(|via| matches!(via, Via::Each(_)))
    }

    /// Whether it runs for what `find` finds. That is judged where `find` is: there its filters are seen.
    pub(super) fn is_found(&self) -> bool {
        self.command.via.iter().any(|via| matches!(via, Via::Each(name) if name == "find" || name == "gfind"))
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
