//! A file that one command of a text writes and another runs: what is fetched is not known, what is written is read.

use super::feed::is_foreign;
use super::interpreter::{Language, Source, source};
use super::target::{Holes, target};
use super::view::Program;
use crate::command::{Command, RedirectKind, Surroundings, Word};
use crate::read::{self, Reading, has_holes};
use crate::unwrap::{Printed, printed};

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

const CLIENTS: [&str; 13] = [
    "curl",
    "wget",
    "wget2",
    "fetch",
    "aria2c",
    "axel",
    "http",
    "https",
    "xh",
    "GET",
    "lwp-request",
    "lwp-download",
    "lynx",
];
const DECODERS: [&str; 6] = ["base64", "base32", "xxd", "openssl", "uudecode", "gpg"];

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
    const SCRIPTS: [&str; 7] = [".sh", ".bash", ".zsh", ".py", ".pl", ".rb", ".js"];
    let first = command.words.first()?;
    // A shell that is not asked to do anything else reads this file before its text.
    let startup = command.assignments.iter().find(|assignment| matches!(assignment.name.as_str(), "BASH_ENV" | "ENV"));
    if let Some(startup) = startup {
        return Some(startup.value.clone());
    }
    let program = Program::of(command, surroundings);
    if program.is_any(&["source", "."]) {
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
            .is_some_and(|path| path.contains('/') && SCRIPTS.iter().any(|end| path.ends_with(end)))
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
    if CLIENTS.contains(&program) {
        out.extend(saved(program, command.operands()).into_iter().map(|word| (word, Content::Foreign)));
    }
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
        || CLIENTS.contains(&program)
        || DECODERS.contains(&program);
    for target in targets {
        match &printed.text {
            Some(text) if !foreign || !has_holes(text) => out.push((target.clone(), Content::Known(text.clone()))),
            _ if foreign => out.push((target.clone(), Content::Foreign)),
            _ => {}
        }
    }
    out
}

/// Where a client saves what it fetches.
fn saved(program: &str, words: &[Word]) -> Vec<Word> {
    let mut files: Vec<Word> = Vec::new();
    let wget = program.starts_with("wget");
    let (letter, names): (&str, &[&str]) =
        if wget { ("-O", &["--output-document"]) } else { ("-o", &["--output", "--out"]) };
    for (at, word) in words.iter().enumerate() {
        let text = word.literal().unwrap_or_else(|| word.prefix());
        let cluster = text.starts_with('-') && !text.starts_with("--");
        if names.contains(&text) || (cluster && text.ends_with(letter.trim_start_matches('-'))) {
            files.extend(words.get(at + 1).cloned());
        } else if let Some((name, value)) = text.split_once('=')
            && names.contains(&name)
        {
            files.push(Word::text(value));
        } else if let Some(value) = text.strip_prefix(letter) {
            files.push(Word::text(value));
        }
    }
    let texts = || words.iter().filter_map(Word::literal);
    let by_address = wget
        || matches!(program, "aria2c" | "axel" | "fetch" | "lwp-download")
        || texts().any(|text| {
            text.starts_with("--remote-name")
                || (text.starts_with('-') && !text.starts_with("--") && text.contains('O'))
        });
    if files.is_empty() && by_address {
        let addresses = texts().filter(|text| text.contains('/') && !text.starts_with('-'));
        files.extend(addresses.filter_map(|address| {
            let path = address.split(['?', '#']).next().unwrap_or(address);
            path.rsplit('/').next().filter(|name| !name.is_empty()).map(Word::text)
        }));
    }
    files
}
