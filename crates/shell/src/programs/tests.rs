#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
//! Argument lists by the class that they must have.

mod dangerous;
mod dev;
mod properties;
mod safe;
mod tables;

use super::super::command::{Directory, Piece, Unknown, UnknownKind, Word, Workspace};
use super::*;
use std::path::Path;

pub(super) fn surroundings() -> Surroundings {
    Surroundings {
        workspace: "/w".into(),
        directory: "/w".into(),
        home: Some("/home/u".into()),
        environment: Vec::new(),
        secrets: crate::secret_names::of_tests(),
    }
}

/// A command from a text in which quotes, patterns, homes and plain variables mean what they do in a shell, and nothing
/// else does.
pub(super) fn command(text: &str) -> Command {
    let mut command = Command::plain([""; 0], &surroundings());
    command.words = words(text);
    command
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    let mut quote = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if quote.is_none() && letter == ' ' {
            open = false;
            continue;
        }
        if !open {
            words.push(Word::default());
            open = true;
        }
        let word = words.last_mut().unwrap();
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(end), letter) if letter == end => quote = None,
            // A bracket alone is the name of `test`.
            (None, '[' | ']')
                if matches!(letters.peek(), None | Some(' ' | '[' | ']'))
                    && word.prefix().trim_matches(['[', ']']).is_empty()
                    && !word.has_glob() =>
            {
                push(word, Piece::Text(letter.to_string()));
            }
            (None, '*' | '?' | '[' | ']') => push(word, Piece::Glob(letter.to_string())),
            (None, '~') if word.pieces.is_empty() => word.pieces.push(Piece::Home(None)),
            (None | Some('"'), '$') => {
                let mut name = String::new();
                while let Some(more) = letters.next_if(char::is_ascii_alphanumeric) {
                    name.push(more);
                }
                let unknown =
                    Unknown { kind: UnknownKind::Variable(name), splits: quote.is_none(), may_be_empty: true };
                word.pieces.push(Piece::Unknown(unknown));
            }
            (_, letter) => push(word, Piece::Text(letter.to_string())),
        }
    }
    words
}

fn push(word: &mut Word, piece: Piece) {
    match (word.pieces.last_mut(), &piece) {
        (Some(Piece::Text(before)), Piece::Text(more)) | (Some(Piece::Glob(before)), Piece::Glob(more)) => {
            before.push_str(more);
        }
        _ => word.pieces.push(piece),
    }
}

#[track_caller]
pub(super) fn check(expected: Class, texts: &[&str]) {
    let mut wrong = Vec::new();
    for text in texts {
        let (class, reason) = class(&command(text), &surroundings());
        if class != expected {
            wrong.push(format!("{text}\n    is {class:?}: {}", reason.message));
        }
    }
    assert!(wrong.is_empty(), "{} of {} are not {expected:?}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
}

#[test]
fn a_workspace_has_the_name_of_a_link_too() {
    let workspace = Workspace::new("/disk/w".into(), Some("/home/u/w".into()));
    let around = Surroundings { workspace, directory: "/disk/w".into(), ..surroundings() };
    let judged = |text: &str| {
        class(&Command { directory: Directory::Known(Path::new("/disk/w").into()), ..command(text) }, &around).0
    };
    for text in ["cat /home/u/w/a", "cat /disk/w/a", "cat sub/../a", "git -C /home/u/w/sub status"] {
        assert_eq!(judged(text), Class::Safe, "{text}");
    }
    for text in ["cat /home/u/w/.env", "cat /home/u/w/../x", "cat /home/u/wx", "cat /home/u/a", "git -C /home/u status"]
    {
        assert_eq!(judged(text), Class::Dangerous, "{text}");
    }
}
