//! Calls that start processes, in any language that writes them as `name(arguments)` or `name arguments`.

use super::Found;
use super::literal::{Value, arguments};
use super::tokens::Token;
use crate::catalogue::calls::{GUARDED, REMOVE, REMOVE_RECURSIVE, RUN};
use crate::catalogue::{Style, has, mentions};
use crate::command::{Piece, Word};

/// One code.
pub(super) struct Code<'a> {
    pub(super) style: Style,
    pub(super) program: &'a str,
    pub(super) text: &'a str,
}

/// Finds what the calls in `code` start.
pub(super) fn find(code: &Code<'_>, tokens: &[Token], found: &mut Vec<Found>) {
    let style = code.style;
    for at in 0..tokens.len() {
        if found.len() > super::MOST {
            return;
        }
        match tokens.get(at..).unwrap_or_default() {
            [Token::Quoted(text), ..] if style.runs_quotes() && !style.fills(text) => found.push(Found::text(text)),
            // `"…".execute()`, `"…".!`
            [Token::Text(text) | Token::Mixed(text), Token::Mark('.'), Token::Mark('!'), ..] => {
                found.push(Found::text(text))
            }
            [Token::Text(text) | Token::Mixed(text), Token::Mark('.'), name, ..] if name.is_one_of(&["execute"]) => {
                found.push(Found::text(text));
            }
            // `"…" | getline`, `print | "…"`
            [Token::Mixed(text), Token::Mark('|'), rest @ ..]
                if style == Style::Awk && rest.iter().take(2).any(|token| token.is_one_of(&["getline"])) =>
            {
                found.push(Found::text(text));
            }
            [Token::Mark('|'), Token::Mixed(text), ..]
            | [Token::Mark('|'), Token::Mark('&'), Token::Mixed(text), ..]
                if style == Style::Awk =>
            {
                found.push(Found::text(text));
            }
            // `getattr(os, "system")("…")`, `os["system"]("…")`
            [Token::Text(name) | Token::Mixed(name), Token::Mark(')' | ']'), Token::Mark('('), ..]
                if has(RUN, name) =>
            {
                call(name, &arguments(tokens, at + 2, style), found);
            }
            [Token::Name(name), ..] => named(code, name, || arguments(tokens, at + 1, style), found),
            _ => {}
        }
    }
}

/// What a call by this name does.
fn named(code: &Code<'_>, name: &str, arguments: impl FnOnce() -> Vec<Value>, found: &mut Vec<Found>) {
    let belongs = |words: &str| mentions(code.text, words) || words.split('|').any(|word| word == code.program);
    match name {
        "open" | "openSync" | "writeFileSync" | "file_put_contents" => opened(&arguments(), found),
        "kill" | "posix_kill" => {
            let every = arguments().contains(&Value::Number(-1));
            found.extend(every.then(|| Found::words(["kill", "-9", "-1"].map(Word::text))));
        }
        "chmod" | "chmodSync" => {
            let arguments = arguments();
            let mode = arguments.iter().find_map(|value| match value {
                Value::Number(mode) => Some(Word::text(mode.to_string())),
                _ => None,
            });
            if let (Some(mode), Some(path)) = (mode, texts(&arguments).into_iter().next()) {
                found.push(Found::words([Word::text("chmod"), mode, path]));
            }
        }
        "move" | "rename" | "renameSync" => {
            if let [Value::Text(from), ..] = arguments().as_slice() {
                found.push(Found::words([Word::text("mv"), from.clone(), Word::text("/dev/null")]));
            }
        }
        name if has(REMOVE, name) || (has(REMOVE_RECURSIVE, name) && mentions(code.text, "recursive|FileUtils")) => {
            let paths = texts(&arguments()).into_iter().map(expanded).collect::<Vec<_>>();
            if !paths.is_empty() {
                found.push(Found::words(["rm", "-rf"].map(Word::text).into_iter().chain(paths)));
            }
        }
        name if has(RUN, name)
            && GUARDED.iter().find(|(own, _)| *own == name).is_none_or(|(_, words)| belongs(words)) =>
        {
            // A pattern's `exec` starts nothing, python's reads code.
            let other = match code.style {
                Style::Slashes => !mentions(code.text, "child_process|execa|shelljs|Bun|Runtime"),
                style => style == Style::Hash,
            };
            if name != "exec" || !other {
                call(name, &arguments(), found);
            }
        }
        _ => {}
    }
}

/// `~` as these calls read it, or as the author may have expected.
fn expanded(word: Word) -> Word {
    match word.literal() {
        Some("~" | "~/") => Word { pieces: vec![Piece::Home(None)] },
        _ => word,
    }
}

/// The words of all arguments, those of lists one by one.
fn texts(arguments: &[Value]) -> Vec<Word> {
    let words = |value: &Value| match value {
        Value::Text(word) => vec![word.clone()],
        Value::List(words) => words.clone(),
        Value::Number(_) | Value::Open => Vec::new(),
    };
    arguments.iter().flat_map(words).collect()
}

/// What a call that starts something starts.
fn call(name: &str, arguments: &[Value], found: &mut Vec<Found>) {
    let words = texts(arguments);
    let listed = matches!(arguments.first(), Some(Value::List(_)));
    let many = words.len() > 1;
    if let (Some(first), false) = (words.first(), listed)
        && (!many || first.literal().is_some_and(|text| text.contains([' ', '\t', ';', '|'])))
    {
        found.push(Found::Text(first.clone()));
    }
    let named = ["execl", "execv", "spawnl", "spawnv", "posix_spawn"].iter().any(|start| name.starts_with(start));
    if named && words.len() > 2 {
        found.push(Found::words(words.iter().skip(1).cloned()));
    }
    if many || listed {
        found.push(Found::Words(words));
    }
}

/// Opening a file to write; perl's and ruby's `open` also start commands.
fn opened(arguments: &[Value], found: &mut Vec<Found>) {
    let words = texts(arguments);
    let texts: Vec<&str> = words.iter().filter_map(Word::literal).map(str::trim).collect();
    if let Some(at) = texts.iter().position(|text| matches!(*text, "-|" | "|-")) {
        match words.get(at + 1..).unwrap_or_default() {
            [one] => found.push(Found::Text(one.clone())),
            rest => found.push(Found::words(rest.iter().cloned())),
        }
        return;
    }
    found.extend(
        texts.iter().filter_map(|text| text.strip_prefix('|').or_else(|| text.strip_suffix('|'))).map(Found::text),
    );
    let writes = |text: &&str| text.len() < 5 && (text.starts_with(['w', 'a', '>']) || text.contains('+'));
    let path = texts.iter().find_map(|text| {
        let path = text.trim_start_matches(['>', '+', ' ']);
        path.starts_with('/').then_some((path, path.len() < text.len()))
    });
    if let Some((path, marked)) = path
        && (marked || texts.iter().any(writes))
    {
        found.push(Found::words(["tee", path].map(Word::text)));
    }
}
