//! Words taken apart and put together without losing what is not known of them.

use crate::command::{Directory, Piece, Trace, Unknown, UnknownKind, Word};
use std::path::{Component, Path, PathBuf};

/// The longest text that is put together here, in bytes. What would be longer counts as not known.
pub(super) const LIMIT: usize = 64 * 1024;

/// A word that holds anything.
pub(crate) fn anything(kind: UnknownKind) -> Word {
    Word { pieces: vec![Piece::Unknown(Unknown { kind, splits: true, may_be_empty: true })] }
}

/// A word that is there, and of which only the kind is known.
pub(crate) fn something(kind: UnknownKind) -> Word {
    Word { pieces: vec![Piece::Unknown(Unknown { kind, splits: false, may_be_empty: false })] }
}

/// A word that is the output of something.
pub(crate) fn output(trace: Trace) -> Word {
    anything(UnknownKind::Output(trace))
}

/// Adds a piece; neighbouring texts stay joined.
pub(crate) fn push(word: &mut Word, piece: Piece) {
    match (word.pieces.last_mut(), piece) {
        (_, Piece::Text(text)) if text.is_empty() => {}
        (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
        (_, piece) => word.pieces.push(piece),
    }
}

/// Words with `between` between them.
pub(crate) fn join<'a>(words: impl IntoIterator<Item = &'a Word>, between: &str) -> Word {
    let mut out = Word::default();
    for (at, word) in words.into_iter().enumerate() {
        if at > 0 {
            push(&mut out, Piece::Text(between.to_owned()));
        }
        for piece in &word.pieces {
            push(&mut out, piece.clone());
        }
    }
    out
}

/// The word without its first `bytes` known characters.
pub(crate) fn without(word: &Word, bytes: usize) -> Word {
    let mut out = Word::default();
    for (at, piece) in word.pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) if at == 0 => {
                push(&mut out, Piece::Text(text.get(bytes..).unwrap_or_default().to_owned()));
            }
            piece => push(&mut out, piece.clone()),
        }
    }
    out
}

/// What stands before and after the first `mark` among the characters that begin the word.
pub(crate) fn cut_at(word: &Word, mark: char) -> Option<(&str, Word)> {
    let (before, _) = word.prefix().split_once(mark)?;
    Some((before, without(word, before.len() + mark.len_utf8())))
}

/// `NAME=value`, as env reads it.
pub(crate) fn assigned(word: &Word) -> Option<(&str, Word)> {
    let (name, value) = cut_at(word, '=')?;
    let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (fits && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some((name, value))
}

/// Every `mark` in the known characters replaced.
pub(super) fn replaced(word: &Word, mark: &str, with: &Word) -> Word {
    let mut out = Word::default();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) if !mark.is_empty() && text.contains(mark) => {
                for (at, part) in text.split(mark).enumerate().take(4096) {
                    if at > 0 {
                        with.pieces.iter().for_each(|piece| push(&mut out, piece.clone()));
                    }
                    push(&mut out, Piece::Text(part.to_owned()));
                }
            }
            piece => push(&mut out, piece.clone()),
        }
    }
    out
}

/// The path of a home, made up where it is not known.
pub(crate) fn home_path(user: Option<&str>, own: Option<&Path>) -> String {
    match (user, own) {
        (None, Some(own)) => own.to_string_lossy().into_owned(),
        (None, None) => "/home/~".to_owned(),
        (Some("root"), _) => "/root".to_owned(),
        (Some(name), _) => format!("/home/{name}"),
    }
}

/// The directory that `to` names, seen from `from`.
pub(crate) fn moved(from: &Directory, to: &Word, home: Option<&Path>) -> Directory {
    let path = match to.pieces.as_slice() {
        [] => return from.clone(),
        [Piece::Text(text)] => PathBuf::from(text),
        [Piece::Home(None), ..] if home.is_none() => return Directory::Unknown,
        [Piece::Home(user)] => PathBuf::from(home_path(user.as_deref(), home)),
        [Piece::Home(user), Piece::Text(rest)] => PathBuf::from(home_path(user.as_deref(), home) + rest),
        _ => return Directory::Unknown,
    };
    let whole = match from {
        Directory::Known(base) => base.join(path),
        Directory::Unknown if path.is_absolute() => path,
        Directory::Unknown => return Directory::Unknown,
    };
    Directory::Known(folded(&whole).into())
}

/// A path without `.` and `..`, by name alone.
pub(crate) fn folded(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir | Component::Prefix(_) => {}
            other => out.push(other),
        }
    }
    out
}

/// Words of a text with the quotes and escapes that `env -S`, `xargs` and the like share with the shell.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars().take(LIMIT);
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                let escaped = match chars.next() {
                    Some('_') => ' ',
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(other) => other,
                    None => continue,
                };
                if escaped == ' ' && quote.is_none() {
                    words.extend(word.take());
                } else {
                    word.get_or_insert_default().push(escaped);
                }
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The values of an option wherever it stands, when nothing is known of the others: after it, after `=`, or glued to a letter.
pub(crate) fn values(words: &[Word], option: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let letter = option.len() == 2 && option.starts_with('-');
    for (at, word) in words.iter().enumerate() {
        let text = word.prefix();
        let exact = word.pieces.len() == 1 && text == option;
        let cluster = letter
            && word.pieces.len() == 1
            && text.starts_with('-')
            && !text.starts_with("--")
            && text.len() > 2
            && text.chars().skip(1).all(|c| c.is_ascii_alphanumeric())
            && option.chars().last().is_some_and(|own| text.ends_with(own));
        let begun = |name: &str| option.starts_with("--") && name.len() > 4 && option.starts_with(name);
        if exact || cluster || (begun(text) && word.pieces.len() == 1) {
            found.extend(words.get(at + 1).cloned());
        } else if let Some((name, value)) = cut_at(word, '=')
            && (name == option || begun(name))
            && !letter
        {
            found.push(value);
        } else if letter && text.starts_with(option) {
            found.push(without(word, 2));
        }
    }
    found
}
