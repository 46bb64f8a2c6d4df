//! A file that one command of a text writes and another runs: what is fetched is not known, what is written is read.

use super::feed::is_foreign;
use super::target::{Holes, target};
use super::view::Program;
use crate::catalogue::{Fact, facts};
use crate::command::{Command, Piece, Surroundings, Word};
use crate::network::remote;
use crate::read::{Reading, has_holes};
use crate::unwrap::{Printed, Source, option_values, printed};

/// What is known of a written file: its text, or that it is from the network or out of a decoder.
type Content = Option<String>;

/// Every file of the text that is written and run: the word that runs it, and what it holds.
pub(super) fn staged(reading: &Reading, surroundings: &Surroundings) -> Vec<(String, Content)> {
    let mut written: Vec<(String, Content)> = Vec::new();
    for command in &reading.commands {
        let placed = |(word, content): (Word, Content)| Some((place(&word, command, surroundings)?, content));
        written.extend(written_by(command).into_iter().filter_map(placed));
    }
    if written.is_empty() {
        return Vec::new();
    }
    let run = reading.commands.iter().filter_map(|command| {
        let word = run_by(command, surroundings)?;
        let path = place(&word, command, surroundings)?;
        let (_, content) = written.iter().rev().find(|(own, _)| *own == path)?;
        Some((word.to_string(), content.clone()))
    });
    run.collect()
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
    match program.runs(command.operands()) {
        Some((_, Source::File(word))) => Some(word),
        Some((_, Source::Stdin)) => command.reads_from().next().cloned(),
        Some((_, Source::Code(_) | Source::Nothing)) => None,
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
    out.extend(saved(known, command.operands()).into_iter().map(|word| (word, None)));
    let redirected = command.writes_to().filter(|word| word.literal() != Some("/dev/null"));
    let copied = command.operands().iter().filter(|word| program == "tee" && !word.prefix().starts_with('-'));
    let targets: Vec<&Word> = redirected.chain(copied).collect();
    if targets.is_empty() {
        return out;
    }
    // Around a group only its redirections stand, and what it prints is their input.
    let printed = match command.words.is_empty() {
        true => Printed { text: command.input.text.clone(), trace: command.input.trace },
        false => printed(command),
    };
    let foreign = is_foreign(printed.trace)
        || is_foreign(command.input.trace)
        || known.iter().any(|fact| matches!(fact, Fact::Client | Fact::Decodes | Fact::DecodesIfTold));
    for target in targets {
        match &printed.text {
            Some(text) if !foreign || !has_holes(text) => out.push((target.clone(), Some(text.clone()))),
            _ if foreign => out.push((target.clone(), None)),
            _ => {}
        }
    }
    out
}

/// The files that a program makes of what it fetches.
fn saved(known: &[Fact], words: &[Word]) -> Vec<Word> {
    let texts = || words.iter().filter_map(Word::literal);
    let given = |option: &str, text: &str| match option.strip_prefix("--") {
        Some(_) => text.starts_with(option),
        None => text.starts_with('-') && !text.starts_with("--") && text.ends_with(option.trim_start_matches('-')),
    };
    let any = |options: &str| texts().any(|text| options.split(' ').any(|option| given(option, text)));
    let mut files: Vec<Word> = Vec::new();
    for fact in known {
        match fact {
            Fact::SavesAs(options) => {
                files.extend(options.split(' ').flat_map(|option| option_values(words, option)));
            }
            Fact::SavesByAddress | Fact::SavesByAddressWith(_) if !files.is_empty() => {}
            Fact::SavesByAddressWith(options) if !any(options) => {}
            Fact::SavesByAddress | Fact::SavesByAddressWith(_) => {
                let addresses = texts().filter(|text| text.contains('/') && !text.starts_with('-'));
                files.extend(addresses.filter_map(last_name).map(Word::text));
            }
            Fact::Copies(subcommands) => files.extend(copied(subcommands, words)),
            _ => {}
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
    let has = |step: &str| plain.iter().any(|word| word.literal() == Some(step));
    if !subcommands.split('|').any(|steps| steps.is_empty() || steps.split(' ').all(has)) {
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
