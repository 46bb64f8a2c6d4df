//! Calls that do by themselves what a program would do, as the command that does the same.

use super::super::fold::{Value, tilde};
use super::super::{Code, Found, Language};
use crate::command::Word;

/// Opening a file to write; perl's and ruby's `open` also start commands.
pub(super) fn opened(name: &str, arguments: &[Value], found: &mut Vec<Found>) {
    let texts: Vec<String> =
        arguments.iter().filter_map(Value::word).filter_map(|word| word.literal().map(str::to_owned)).collect();
    if name == "open" {
        for (at, text) in texts.iter().enumerate() {
            let own = text.trim();
            if matches!(own, "-|" | "|-") {
                match texts.get(at + 1..).unwrap_or_default() {
                    [] => {}
                    [one] => found.push(Found::Text(Word::text(one.clone()))),
                    rest => found.push(Found::Words(rest.iter().map(Word::text).collect())),
                }
                break;
            } else if let Some(own) = own.strip_prefix('|').or_else(|| own.strip_suffix('|')) {
                found.push(Found::Text(Word::text(own)));
            }
        }
    }
    let writes = |text: &str| text.starts_with(['w', 'a', '>', '+']) || text.contains('+') || text.starts_with("rb+");
    let place = |text: &&String| text.trim_start_matches(['>', '+', '<', ' ']).starts_with("/");
    let Some(path) = texts.iter().find(place) else { return };
    let always = !matches!(name, "open" | "fopen" | "File" | "openSync");
    if always || texts.iter().any(|text| text != path && text.len() < 5 && writes(text)) || path.starts_with(['>', '+'])
    {
        found.push(Found::words(["tee", path.trim_start_matches(['>', '+', '<', ' '])]));
    }
}

pub(super) fn pair(program: &str, arguments: &[Value], found: &mut Vec<Found>) {
    let words: Vec<Word> = arguments.iter().filter_map(Value::word).take(2).collect();
    if words.len() == 2 || (words.len() == 1 && arguments.len() > 1) {
        let target = if words.len() == 1 { Some(Word::text("/dev/null")) } else { None };
        found.push(Found::Words(std::iter::once(Word::text(program)).chain(words).chain(target).collect()));
    }
}

/// `chmod(0o777, path)` and `chmod(path, 0o777)`; octal numbers are read as such already.
pub(super) fn chmod(arguments: &[Value], found: &mut Vec<Found>) {
    let mode = arguments.iter().find_map(|value| match value {
        // An old octal is read as decimal digits, a new one by value.
        Value::Number(number) if matches!(number, 777 | 4777) => Some(number.to_string()),
        Value::Number(number) => Some(format!("{number:o}")),
        _ => None,
    });
    let path = arguments.iter().find_map(|value| match value {
        Value::Text(word) => Some(word.clone()),
        Value::List(words) => words.first().cloned(),
        _ => None,
    });
    if let (Some(mode), Some(path)) = (mode, path) {
        found.push(Found::Words(vec![Word::text("chmod"), Word::text(mode), path]));
    }
}

/// Removing a tree; where the call may also remove one file, only with an option that says so.
pub(super) fn remove(code: &Code<'_>, name: &str, arguments: &[Value], found: &mut Vec<Found>) {
    let sure = !matches!(
        name,
        "rm" | "rmSync" | "rmdirSync" | "unlink" | "remove" | "rmdir" | "removedirs" | "remove_dir" | "rm_f"
    );
    let sure = sure || name == "remove_dir" && code.text.contains("FileUtils");
    if !sure && !code.text.contains("recursive") {
        return;
    }
    let mut paths: Vec<Word> = Vec::new();
    for value in arguments {
        match value {
            Value::Text(word) => {
                // R reads `~` itself.
                let own = word.literal().filter(|_| code.language == Language::R).and_then(tilde);
                paths.push(own.unwrap_or_else(|| word.clone()));
            }
            Value::List(words) => paths.extend(words.iter().cloned()),
            _ => {}
        }
    }
    if !paths.is_empty() {
        found.push(Found::Words([Word::text("rm"), Word::text("-rf")].into_iter().chain(paths).collect()));
    }
}
