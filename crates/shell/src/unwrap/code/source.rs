//! Which program text an interpreter gets, and from where: its words, its stdin, or a file.

use crate::catalogue::{Language, has, language};
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::shells::{self, is_stdin, made};
use crate::unwrap::words::{cut_at, without};

/// Where the program text comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    /// These texts, one at least.
    Code(Vec<Word>),
    File(Word),
    /// It runs nothing of ours: `--version`, a module.
    Nothing,
}

/// Where a call of an interpreter takes its program from.
pub(crate) fn source(language: Language, words: &[Word]) -> Source {
    if language == Language::Shell {
        return shells::source_of(words);
    }
    let reads = language.reads();
    let mut codes = Vec::new();
    let (mut file, mut nothing) = (None, false);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.prefix();
        let whole = word.pieces.len() == 1;
        let (name, value) = cut_at(word, '=').map_or((text, None), |(name, value)| (name, Some(value)));
        if has(reads.long, name) && (value.is_some() || whole) {
            codes.extend(value.or_else(|| rest.next().cloned()));
        } else if text == "--" && whole && language == Language::Awk {
            continue;
        } else if text == "--" && whole {
            file = file.or_else(|| rest.next().cloned());
            break;
        } else if text.starts_with("--") {
            nothing |= matches!(name, "--version" | "--help");
            if value.is_none() && has(reads.long_valued, name) {
                rest.next();
            }
        } else if text.len() > 1 && text.starts_with('-') {
            for (at, letter) in text.char_indices().skip(1) {
                let after = at + letter.len_utf8();
                let last = after == text.len() && whole;
                let mut value = || if last { rest.next().cloned() } else { Some(without(word, after)) };
                let alone = !reads.words || text.chars().skip(1).all(|own| reads.code.contains(own));
                nothing |= reads.nothing.contains(letter) && (!reads.words || text.len() == 2);
                if reads.code.contains(letter) && alone {
                    if last || !reads.words {
                        codes.extend(value());
                        break;
                    }
                } else if reads.valued.contains(letter) {
                    let value = value();
                    if language == Language::Awk && matches!(letter, 'f' | 'E') {
                        file = value;
                    }
                    break;
                } else if reads.glued.contains(letter) {
                    break;
                }
            }
        } else if language == Language::Awk && codes.is_empty() && file.is_none() {
            codes.push(word.clone());
            break;
        } else {
            file = file.or_else(|| Some(word.clone()));
            break;
        }
    }
    match file {
        _ if !codes.is_empty() => Source::Code(codes),
        _ if nothing => Source::Nothing,
        Some(file) if !is_stdin(&file) => Source::File(file),
        _ => Source::Stdin,
    }
}

/// The language of a program's code, and each code that it is given, as far as the text tells.
pub(super) fn codes(command: &Command) -> Option<(Language, Vec<Word>)> {
    let language = language(command.program()?).filter(|own| !matches!(own, Language::Shell | Language::Unread))?;
    let codes = match source(language, command.operands()) {
        Source::Code(codes) => codes,
        // A file that a substitution prints is handed over as the input.
        Source::File(file) if made(&file).is_none() || command.input.text.is_none() => Vec::new(),
        Source::Stdin | Source::Nothing | Source::File(_) => stdin(&command.input).into_iter().collect(),
    };
    (!codes.is_empty()).then_some((language, codes))
}
