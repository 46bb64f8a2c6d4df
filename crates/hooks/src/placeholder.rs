//! `{file}` in a command, so that no name of a file becomes part of the shell's text.
//!
//! A name of harmless characters is inserted unchanged anywhere. For any other name the command gets a reference to a
//! variable, `"$PALANCA_FILE_1"`, and only in place of a plain word. In quotes, comments, here-documents,
//! backquotes, arithmetic and text that is evaluated again a reference would break or be read as code: there the hook fails
//! and says to write `"$PALANCA_FILE"`.

use crate::failure::Failure;
use std::borrow::Cow;

/// The placeholder for the files.
pub(crate) const FILE: &str = "{file}";

/// Constructs that are not parsed: a command with one of them accepts only harmless names.
const REFUSED: [&str; 6] = ["`", "<<", "((", "$'", "$[", "eval"];

/// A command with the files inserted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Filled<'c> {
    pub(crate) command: Cow<'c, str>,
    /// The variables that it refers to.
    pub(crate) variables: Vec<(String, String)>,
}

/// Inserts the files.
pub(crate) fn fill<'c>(command: &'c str, files: &[String]) -> Result<Filled<'c>, Failure> {
    if !command.contains(FILE) {
        return Ok(Filled { command: Cow::Borrowed(command), variables: Vec::new() });
    }
    if let Some(odd) = files.iter().find(|file| !is_plain(file))
        && !takes_words(command)
    {
        return Err(Failure::Placeholder(odd.clone()));
    }
    let mut variables = Vec::new();
    let word = |(number, file): (usize, &String)| {
        if is_plain(file) {
            return file.clone();
        }
        let name = format!("PALANCA_FILE_{number}");
        let word = format!("\"${name}\"");
        variables.push((name, file.clone()));
        word
    };
    let words: Vec<String> = (1..).zip(files).map(word).collect();
    Ok(Filled { command: Cow::Owned(command.replace(FILE, &words.join(" "))), variables })
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|one| one.is_ascii_alphanumeric() || "/._-+@%,:=".contains(one))
}

/// The shell's reading context of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a word.
    Start,
    Word,
    Single,
    Double,
    Comment,
}

/// Whether every placeholder is in a plain word.
fn takes_words(command: &str) -> bool {
    if REFUSED.iter().any(|text| command.contains(text)) {
        return false;
    }
    let mut place = Place::Start;
    let mut rest = command.char_indices();
    while let Some((at, character)) = rest.next() {
        let is_placeholder = command.get(at..).is_some_and(|text| text.starts_with(FILE));
        if is_placeholder && !matches!(place, Place::Start | Place::Word) {
            return false;
        }
        place = match (place, character) {
            (Place::Single, '\'') | (Place::Double, '"') => Place::Word,
            (Place::Comment, '\n') => Place::Start,
            (Place::Single | Place::Comment, _) => place,
            (Place::Start | Place::Word | Place::Double, '\\') => {
                if rest.next().is_some_and(|(_, escaped)| escaped == '{') {
                    return false;
                }
                if place == Place::Double { Place::Double } else { Place::Word }
            }
            (Place::Double, _) => Place::Double,
            (_, '\'') => Place::Single,
            (_, '"') => Place::Double,
            (Place::Start, '#') => Place::Comment,
            (_, one) if one.is_whitespace() || ";&|()<>".contains(one) => Place::Start,
            (_, _) => Place::Word,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_name_never_becomes_part_of_the_shell_text() {
        let hostile = "/ws/$(id > x);\n'.py";
        for (command, files, expected) in [
            ("ruff check {file} --no-fix", &["/ws/a.py"][..], Some("ruff check /ws/a.py --no-fix")),
            ("ruff check '{file}' # {file}", &["/ws/a.py"], Some("ruff check '/ws/a.py' # /ws/a.py")),
            ("ruff {file}", &["/ws/a b.py"], Some("ruff \"$PALANCA_FILE_1\"")),
            ("ruff --path={file}; true", &[hostile], Some("ruff --path=\"$PALANCA_FILE_1\"; true")),
            ("a 'x' \"y\" \\' {file} # done", &[hostile], Some("a 'x' \"y\" \\' \"$PALANCA_FILE_1\" # done")),
            ("a x#y {file}", &[hostile], Some("a x#y \"$PALANCA_FILE_1\"")),
            ("a # no\nb {file}", &[hostile], Some("a # no\nb \"$PALANCA_FILE_1\"")),
            ("ruff {file}", &["/ws/a.py", "/ws/b b.py"], Some("ruff /ws/a.py \"$PALANCA_FILE_2\"")),
            ("ruff .", &[hostile], Some("ruff .")),
            ("ruff \"{file}\"", &[hostile], None),
            ("ruff \"a\\\"{file}\"", &[hostile], None),
            ("sh -c 'ruff {file}'", &[hostile], None),
            ("ruff $PALANCA_FILE || true # {file}", &[hostile], None),
            ("ruff;#{file}", &[hostile], None),
            ("ruff {file} # and {file}", &[hostile], None),
            ("ruff \\{file}", &[hostile], None),
            ("eval ruff {file}", &[hostile], None),
            ("ruff `echo {file}`", &[hostile], None),
            ("ruff $'{file}'", &[hostile], None),
            ("echo $(({file}))", &[hostile], None),
            ("cat <<E\n{file}\nE", &[hostile], None),
        ] {
            let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
            let filled = fill(command, &files).ok();
            assert_eq!(filled.as_ref().map(|filled| &*filled.command), expected, "{command}");
            for (name, value) in filled.into_iter().flat_map(|filled| filled.variables) {
                let number: usize = name.strip_prefix("PALANCA_FILE_").unwrap().parse().unwrap();
                assert_eq!(value, files[number - 1], "{command}");
            }
        }
    }
}
