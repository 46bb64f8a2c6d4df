//! The tables put together: which row or family a program's name leads to.

use super::place::Place;
use super::ready::{Ready, ReadyFamily};
use super::refusal::Refusal;
use super::row::{Answer, Called, Family, Row};
use super::{containers, find, git, languages, listing, scripts, search, shell_builtins, system, text, versions};
use crate::command::Word;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Runners inside runners (`uv run python -m pytest`) that are followed.
const DEPTH: usize = 4;

/// Judges the words after a program's name.
pub(super) type Judge = fn(&[Word], &Place) -> Answer;

/// A row, or a program with subcommands.
enum Entry {
    /// One program.
    Row(Arc<Ready>),
    /// A program with subcommands.
    Family(Arc<ReadyFamily>),
    /// A program whose words have a grammar of their own.
    Own(Judge),
}

/// Every table of rows.
pub(super) const ROWS: &[&[Row]] = &[
    listing::ROWS,
    text::ROWS,
    text::SUMS,
    search::ROWS,
    system::ROWS,
    shell_builtins::ROWS,
    scripts::ROWS,
    languages::rust::ROWS,
    languages::node::ROWS,
    languages::python::ROWS,
    languages::go::ROWS,
    languages::jvm::ROWS,
    languages::native::ROWS,
    languages::other::ROWS,
];

/// Every table of families.
pub(super) const FAMILIES: &[&[Family]] = &[
    git::FAMILIES,
    containers::FAMILIES,
    languages::rust::FAMILIES,
    languages::node::FAMILIES,
    languages::python::FAMILIES,
    languages::go::FAMILIES,
    languages::jvm::FAMILIES,
    languages::other::FAMILIES,
];

/// Programs whose words have a grammar of their own.
pub(super) const OWN: &[(&str, Judge)] = &[
    ("find", find::judge),
    ("ps", system::processes),
    ("test", shell_builtins::test),
    ("[", shell_builtins::bracket),
    ("[[", shell_builtins::double_bracket),
];

static ENTRIES: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let mut entries = HashMap::new();
    for row in ROWS.iter().flat_map(|rows| rows.iter()) {
        let ready = Arc::new(Ready::new(row));
        entries.extend(row.names.split(' ').map(|name| (name, Entry::Row(Arc::clone(&ready)))));
    }
    for family in FAMILIES.iter().flat_map(|families| families.iter()) {
        let ready = Arc::new(ReadyFamily::new(family));
        entries.extend(family.names.split(' ').map(|name| (name, Entry::Family(Arc::clone(&ready)))));
    }
    entries.extend(OWN.iter().map(|(name, judge)| (*name, Entry::Own(*judge))));
    entries
});

/// Judges a program by its bare name.
pub(super) fn judge(program: &str, words: &[Word], place: &Place, depth: usize) -> Answer {
    if let Some(word) = words.iter().find(|word| word.has_unknown())
        && !shell_builtins::harmless_variable(program, word)
    {
        return Err(Refusal::UnknownWord(word.to_string()));
    }
    let name = unversioned(program);
    if let Some(class) = versions::asked(name, words) {
        return Ok(class);
    }
    if depth > DEPTH {
        return Err(Refusal::UnknownProgram(program.to_owned()));
    }
    match ENTRIES.get(name) {
        Some(Entry::Row(row)) => row.judge(program, words, place, depth),
        Some(Entry::Family(family)) => family.judge(program, words, place, depth),
        Some(Entry::Own(judge)) => judge(words, place),
        None => Err(Refusal::UnknownProgram(program.to_owned())),
    }
}

/// Whether a program of this name is listed with subcommands.
pub(super) fn has_subcommands(program: &str) -> bool {
    matches!(ENTRIES.get(unversioned(program)), Some(Entry::Family(_)))
}

/// Whether the rows of this program hold only where it is called by its name alone.
pub(super) fn is_by_name(program: &str) -> bool {
    matches!(ENTRIES.get(program), Some(Entry::Family(family)) if family.called() == Called::ByName)
}

/// Judges the command that a runner starts, which must itself be a development tool or harmless.
pub(super) fn judge_inner(words: &[Word], place: &Place, depth: usize) -> Answer {
    let name = words.first().and_then(Word::literal).ok_or(Refusal::NamelessProgram)?;
    if name.contains('/') {
        return Err(Refusal::ProgramByPath(name.to_owned()));
    }
    judge(name, words.get(1..).unwrap_or_default(), place, depth + 1)
}

/// `python3` for `python3.12`, `gcc` for `gcc-13`.
fn unversioned(program: &str) -> &str {
    const FAMILIES: &[&str] =
        &["python", "python3", "pip", "pip3", "gcc", "g++", "clang", "clang++", "ruby", "php", "node"];
    let cut = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').trim_end_matches('-');
    FAMILIES.iter().copied().find(|family| *family != program && *family == cut).unwrap_or(program)
}
