//! A file that one command of a text writes and another runs: what is fetched is not known, what is written is read.

use super::feed::is_foreign;
use super::interpreter::{Language, Source, source};
use super::target::{Holes, target};
use super::view::Program;
use crate::catalogue::{Fact, facts};
use crate::command::{Command, Piece, RedirectKind, Surroundings, Word};
use crate::network::remote;
use crate::read::{self, Reading, has_holes};
use crate::unwrap::{Printed, option_values, printed};

/// What is known of a written file.
enum Content {
    /// From the network or out of a decoder.
    Foreign,
    /// This text.
    Known(String),
}

/// What running a file that the same text wrote comes to.
pub(super) enum Staged {
    /// The file's bytes are foreign; the word that runs it.
    Foreign(String),
    /// The file holds this text.
    Text(String),
}

/// Every file of the text that is written and run.
pub(super) fn staged(reading: &Reading, surroundings: &Surroundings) -> Vec<Staged> {
    let mut written: Vec<(String, Content)> = Vec::new();
    for command in &reading.commands {
        let files = written_by(command);
        written.extend(
            files.into_iter().filter_map(|(word, content)| Some((place(&word, command, surroundings)?, content))),
        );
    }
    if written.is_empty() {
        return Vec::new();
    }
    let run = reading.commands.iter().filter_map(|command| {
        let word = run_by(command, surroundings)?;
        let path = place(&word, command, surroundings)?;
        let (_, content) = written.iter().rev().find(|(own, _)| *own == path)?;
        Some(match content {
            Content::Foreign => Staged::Foreign(word.to_string()),
            Content::Known(text) => Staged::Text(text.clone()),
        })
    });
    run.collect()
}

/// Reads what a written file holds.
pub(super) fn read_text(text: &str, surroundings: &Surroundings) -> Option<Reading> {
    read::read(text, surroundings).ok()
}

/// The file that a command runs as a program text.
fn run_by(command: &Command, surroundings: &Surroundings) -> Option<Word> {
    const SCRIPTS: &str = ".sh .bash .zsh .py .pl .rb .js";
    let first = command.words.first()?;
    // A shell that is not asked to do anything else reads this file before its text.
    let startup = command.assignments.iter().find(|assignment| matches!(assignment.name.as_str(), "BASH_ENV" | "ENV"));
    if let Some(startup) = startup {
        return Some(startup.value.clone());
    }
    let program = Program::of(command, surroundings);
    if program.is_any("source .") {
        return command.operands().first().cloned();
    }
    match Language::of(&program) {
        Some(language) => match source(language, command.operands()) {
            Source::File(word) => Some(word.clone()),
            Source::Stdin => {
                let read = command.redirects.iter().find(|redirect| redirect.kind == RedirectKind::Read);
                read.map(|redirect| redirect.target.clone())
            }
            Source::Code(_) | Source::Nothing => None,
        },
        // A downloaded program is not a text for an interpreter; a person is asked about it.
        None => first
            .literal()
            .is_some_and(|path| path.contains('/') && SCRIPTS.split(' ').any(|end| path.ends_with(end)))
            .then(|| first.clone()),
    }
}

pub(super) fn place(word: &Word, command: &Command, surroundings: &Surroundings) -> Option<String> {
    let target = target(word, command, surroundings, Holes::Empty)?;
    Some(format!("{:?}", target.names))
}

fn written_by(command: &Command) -> Vec<(Word, Content)> {
    let program = command.program().unwrap_or_default();
    let mut out: Vec<(Word, Content)> = Vec::new();
    let known = facts(program);
    out.extend(saved(known, command.operands()).into_iter().map(|word| (word, Content::Foreign)));
    let redirected: Vec<&Word> = command
        .redirects
        .iter()
        .filter(|redirect| redirect.kind != RedirectKind::Read)
        .map(|redirect| &redirect.target)
        .filter(|word| word.literal() != Some("/dev/null"))
        .collect();
    let copied = command.operands().iter().filter(|word| program == "tee" && !word.prefix().starts_with('-'));
    let targets: Vec<&Word> = redirected.into_iter().chain(copied).collect();
    if targets.is_empty() {
        return out;
    }
    // Around a group only its redirections stand, and what it prints is their input.
    let printed = match command.words.is_empty() {
        true => Printed { text: command.input.text.clone(), trace: command.input.trace.clone() },
        false => printed(command),
    };
    let foreign = is_foreign(&printed.trace)
        || is_foreign(&command.input.trace)
        || known.iter().any(|fact| matches!(fact, Fact::Client | Fact::Decodes | Fact::DecodesIfTold));
    for target in targets {
        match &printed.text {
            Some(text) if !foreign || !has_holes(text) => out.push((target.clone(), Content::Known(text.clone()))),
            _ if foreign => out.push((target.clone(), Content::Foreign)),
            _ => {}
        }
    }
    out
}

/// The files that a program makes of what it fetches.
fn saved(known: &[Fact], words: &[Word]) -> Vec<Word> {
    let named = known.iter().filter_map(|fact| if let Fact::SavesAs(options) = fact { Some(*options) } else { None });
    let mut files: Vec<Word> =
        named.flat_map(|options| options.split(' ')).flat_map(|option| option_values(words, option)).collect();
    let given = |option: &str, text: &str| match option.strip_prefix("--") {
        Some(_) => text.starts_with(option),
        None => text.starts_with('-') && !text.starts_with("--") && text.ends_with(option.trim_start_matches('-')),
    };
    let texts = || words.iter().filter_map(Word::literal);
    let by_address = known.iter().any(|fact| match fact {
        Fact::SavesByAddress => true,
        Fact::SavesByAddressWith(options) => texts().any(|text| options.split(' ').any(|option| given(option, text))),
        _ => false,
    });
    if files.is_empty() && by_address {
        let addresses = texts().filter(|text| text.contains('/') && !text.starts_with('-'));
        files.extend(addresses.filter_map(last_name).map(Word::text));
    }
    for fact in known {
        if let Fact::Copies(subcommands) = fact {
            files.extend(copied(subcommands, words));
        }
    }
    files
}

/// The last name of a path or an address.
fn last_name(address: &str) -> Option<&str> {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    path.rsplit(['/', ':']).next().filter(|name| !name.is_empty())
}

/// What a copy from elsewhere makes: its target, and as it may be a folder, the source's name in it. What follows the source
/// may be an option's value; that it is named, too, does no harm.
fn copied(subcommands: &str, words: &[Word]) -> Vec<Word> {
    let plain: Vec<&Word> = words.iter().filter(|word| !word.prefix().starts_with('-')).collect();
    let begins = |with: &str| with.is_empty() || with.split(' ').all(|step| texts_have(&plain, step));
    if !subcommands.split('|').any(begins) {
        return Vec::new();
    }
    let is_remote = |word: &Word| word.prefix().contains("://") || remote(word.prefix()).is_some();
    let mut files = Vec::new();
    for (at, source) in plain.iter().enumerate().filter(|(_, word)| is_remote(word)) {
        let name = source.literal().and_then(last_name);
        let targets = plain.iter().skip(at + 1).filter(|word| !is_remote(word));
        for target in targets.clone() {
            files.push((*target).clone());
            files.extend(name.map(|name| {
                let end = Piece::Text(format!("/{name}"));
                Word { pieces: target.pieces.iter().cloned().chain([end]).collect() }
            }));
        }
        if targets.clone().next().is_none() && at == 0 {
            files.extend(name.map(Word::text));
        }
    }
    files
}

fn texts_have(words: &[&Word], text: &str) -> bool {
    words.iter().any(|word| word.literal() == Some(text))
}
