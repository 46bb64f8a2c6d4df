#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod bounds;
mod expansion;
mod look;
mod properties;
mod structure;

use super::*;
use crate::command::{Directory, Origin, Piece, RedirectKind, UnknownKind, Via, Word};
use std::fmt::Write as _;

pub(super) fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/ws".into(),
        directory: "/ws".into(),
        home: Some("/home/me".into()),
        environment: Vec::new(),
        secrets: crate::secret_names::of_tests(),
    }
}

/// A word as the tables write it: `{*}` a pattern, `~` a home, `$X` a variable, `$(network)` an output.
fn word(word: &Word) -> String {
    let mut out = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Glob(text) => write!(out, "{{{text}}}").unwrap(),
            Piece::Home(user) => write!(out, "~{}", user.as_deref().unwrap_or_default()).unwrap(),
            Piece::Unknown(unknown) => match &unknown.kind {
                UnknownKind::Variable(name) => write!(out, "${name}").unwrap(),
                UnknownKind::Output(trace) => {
                    let origins = [
                        (Origin::Constant, "constant"),
                        (Origin::File, "file"),
                        (Origin::Network, "network"),
                        (Origin::Decoder, "decoder"),
                        (Origin::Program, "program"),
                    ];
                    let names = origins.into_iter().filter(|(origin, _)| trace.has(*origin)).map(|(_, name)| name);
                    let names: Vec<&str> = names.collect();
                    write!(out, "$({})", names.join("+")).unwrap();
                }
                UnknownKind::Number => out.push_str("$9"),
                UnknownKind::Other => out.push_str("$?"),
            },
        }
    }
    if out.is_empty() || out.contains([' ', '\n', '\t']) {
        return format!("<{}>", out.replace('\n', "\\n").replace('\t', "\\t"));
    }
    out
}

/// A command as the tables write it: `dir: NAME=value words >target <<input via`.
pub(super) fn shown(command: &Command) -> String {
    let mut parts = Vec::new();
    match &command.directory {
        Directory::Known(path) if path.as_os_str() == "/ws" => {}
        Directory::Known(path) => parts.push(format!("{}:", path.display())),
        Directory::Unknown => parts.push("?:".to_owned()),
    }
    for assignment in &command.assignments {
        parts.push(format!("{}={}", assignment.name, word(&assignment.value)));
    }
    parts.extend(command.words.iter().map(word));
    for redirect in &command.redirects {
        let sign = match redirect.kind {
            RedirectKind::Read => "<",
            RedirectKind::Write => ">",
            RedirectKind::Append => ">>",
            RedirectKind::ReadWrite => "<>",
        };
        parts.push(format!("{sign}{}", word(&redirect.target)));
    }
    if let Some(text) = &command.input.text {
        parts.push(format!("<<{}", word(&Word::text(text.as_str()))));
    }
    let via: Vec<String> = command
        .via
        .iter()
        .map(|via| match via {
            Via::Wrapper(name) => name.clone(),
            Via::Each(name) => format!("each {name}"),
            Via::Shell(name) => format!("shell {name}"),
            Via::Code(name) => format!("code {name}"),
            Via::Setting(name) => format!("setting {name}"),
            Via::Substitution => "$()".to_owned(),
            Via::Function(name) => format!("{name}()"),
            Via::Elsewhere(name) => format!("at {name}"),
        })
        .collect();
    if !via.is_empty() {
        parts.push(format!("[{}]", via.join(", ")));
    }
    parts.join(" ")
}

/// What a text reads as, one command a line.
pub(super) fn lines(text: &str) -> Vec<String> {
    match read(text, &surroundings()) {
        Ok(reading) => reading.commands.iter().map(shown).collect(),
        Err(reason) => vec![format!("refused {}", reason.rule)],
    }
}

/// Checks that a text reads as exactly these commands.
#[track_caller]
pub(super) fn check(text: &str, expected: &[&str]) {
    assert_eq!(lines(text), expected, "{text}");
}

/// Checks that this command, as a bare line of words, is among those that are read, however it is reached.
#[track_caller]
pub(super) fn finds(text: &str, expected: &str) {
    let all = lines(text);
    let found = all.iter().any(|line| {
        let bare = line.split(" [").next().unwrap_or(line);
        let Some((before, after)) = bare.split_once(expected) else { return false };
        let alone = after.is_empty() || after.starts_with(" <") || after.starts_with(" >");
        alone && before.split_whitespace().all(|word| word.contains('=') || word.ends_with(':'))
    });
    assert!(found, "{text}\n  reads as {all:#?}\n  without {expected}");
}

/// The rules of the problems of a text.
pub(super) fn problems(text: &str) -> Vec<String> {
    read(text, &surroundings()).unwrap().problems.iter().map(|reason| reason.rule.to_string()).collect()
}
