//! Texts with commands in a format of their own on stdin: makefiles, crontabs, `at` jobs.

use super::{How, Value};
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::shells::{is_stdin, made};
use crate::unwrap::words::values;
use crate::unwrap::words::{assigned, output};

/// Lines of a table or a makefile that are looked at.
const LINES: usize = 8192;

/// `make -f -`, `make --eval=…`, `make SHELL=…`.
pub(super) fn make(command: &Command, found: &mut Vec<Value>) {
    let words = command.operands();
    for option in ["-f", "--file", "--makefile"] {
        for file in values(words, option) {
            if let Some(trace) = made(&file).filter(|_| command.input.text.is_none()) {
                found.push(Value::text("make -f", output(trace)));
            } else if is_stdin(&file) || made(&file).is_some() {
                match &command.input.text {
                    Some(text) => recipes(text, found),
                    None => found.extend(stdin(&command.input).map(|text| Value::text("make -f", text))),
                }
            }
        }
    }
    for option in ["--eval", "-E"] {
        for text in values(words, option) {
            match text.literal() {
                Some(text) => recipes(text, found),
                None => found.push(Value::text("make --eval", text)),
            }
        }
    }
    for text in words.iter().filter_map(Word::literal) {
        if text.contains("$(shell") || text.contains("${shell") {
            recipes(text, found);
        }
    }
    for (name, value) in words.iter().filter_map(assigned) {
        let text = value.literal().unwrap_or_default();
        if text.contains([' ', ';']) && matches!(name, "SHELL" | "CC" | "CXX" | "LD" | "AR" | "MAKE" | "RM" | "INSTALL")
        {
            found.push(Value::text(name, value));
        }
    }
}

fn recipes(text: &str, found: &mut Vec<Value>) {
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().take(LINES) {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("$(shell").or_else(|| rest.split_once("${shell")) {
            let end = closing(after);
            found.push(Value::text("make $(shell)", Word::text(after.get(..end).unwrap_or(after).trim())));
            rest = after.get(end..).unwrap_or_default();
        }
        if let Some((_, own)) = line.split_once("!=") {
            found.push(Value::text("make !=", Word::text(own.trim())));
        }
        let recipe = match line.strip_prefix('\t') {
            Some(recipe) => Some(recipe),
            None => line.split_once(':').and_then(|(_, rest)| rest.split_once(';')).map(|(_, recipe)| recipe),
        };
        if let Some(recipe) = recipe {
            let recipe = recipe.trim_start_matches(['@', '-', '+', ' ', '\t']).replace("$$", "$");
            found.push(Value::text("make", Word::text(recipe)));
        }
    }
}

fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' if depth == 0 => return at,
            ')' | '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// `at`, `batch`: a shell reads stdin later.
pub(super) fn later(command: &Command, name: &str, found: &mut Vec<Value>) {
    let lists = command.operands().iter().any(|word| matches!(word.literal(), Some("-l" | "-d" | "-r" | "-c" | "-V")));
    let file = command.operands().iter().any(|word| word.literal() == Some("-f"));
    if !lists
        && !file
        && let Some(value) = stdin(&command.input)
    {
        found.push(Value { name: name.to_owned(), value, how: How::Text });
    }
}

/// `crontab -`: five fields or a nickname, then a text.
pub(super) fn table(command: &Command, found: &mut Vec<Value>) {
    let files: Vec<&Word> =
        command.operands().iter().filter(|word| !word.prefix().starts_with('-') || is_stdin(word)).collect();
    let asks = command.operands().iter().any(|word| matches!(word.literal(), Some("-l" | "-r" | "-e")));
    let reads = files.last().is_none_or(|file| is_stdin(file) || made(file).is_some());
    if asks || !reads {
        return;
    }
    let Some(text) = &command.input.text else {
        let made = files.last().and_then(|file| made(file)).map(output);
        found.extend(made.or_else(|| stdin(&command.input)).map(|text| Value::text("crontab", text)));
        return;
    };
    for line in text.lines().take(LINES) {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') || assigned(&Word::text(line)).is_some() {
            continue;
        }
        let fields = if line.starts_with('@') { 1 } else { 5 };
        let mut rest = line;
        for _ in 0..fields {
            rest = rest.split_once([' ', '\t']).map_or("", |(_, rest)| rest).trim_start();
        }
        let own = rest.split_once('%').map_or(rest, |(own, _)| own);
        found.push(Value::text("crontab", Word::text(own)));
    }
}
