//! What is known of programs, by name: one catalogue, which every stage asks.
//!
//! A program's small facts are one row ([`Fact`]); what is allowed of it (`uses`) and what it starts (`starts`) are
//! paragraphs of a text, in the file of its family; which files of a folder it obeys is `obeys`. No fact about a program stands twice: the tests hold that. It decides
//! nothing: what follows from a fact is up to the caller.

mod builds;
pub(crate) mod calls;
mod clients;
mod codecs;
mod fact;
mod interpreters;
mod languages;
mod obeys;
mod packages;
mod starts;
mod system;
mod table;
mod uses;

#[cfg(test)]
mod tests;

pub use fact::Changes;
pub(crate) use fact::{Fact, Needs};
use hashbrown::HashMap;
pub(crate) use interpreters::{Language, Style};
pub use obeys::neutral_variables;
pub(crate) use obeys::{Held, obeyed};
#[cfg(test)]
pub(crate) use starts::wrappers;
pub(crate) use starts::{Starts, Tail, starts};
use std::sync::LazyLock;
pub(crate) use table::Paragraph;
pub(crate) use uses::{Section, sections};

/// Names with blanks between them, and what is known of each.
type Row = (&'static str, &'static [Fact]);

const ROWS: &[&[Row]] = &[builds::ROWS, clients::ROWS, codecs::ROWS, languages::ROWS, packages::ROWS, system::ROWS];

/// What stands under names.
pub(crate) type ByName<T> = LazyLock<HashMap<&'static str, T>>;

/// Rows by each of the names before them, which have blanks between them.
pub(crate) fn by_name<T: Copy>(rows: impl IntoIterator<Item = (&'static str, T)>) -> HashMap<&'static str, T> {
    rows.into_iter().flat_map(|(names, row)| names.split(' ').map(move |name| (name, row))).collect()
}

static BY_NAME: ByName<&[Fact]> = LazyLock::new(|| by_name(ROWS.iter().flat_map(|rows| rows.iter()).copied()));

/// What is known of a program of this name.
pub(crate) fn facts(name: &str) -> &'static [Fact] {
    BY_NAME.get(name).copied().unwrap_or_default()
}

/// Every name of which this is known.
pub(crate) fn names_with(wanted: impl Fn(&Fact) -> bool) -> impl Iterator<Item = &'static str> {
    let rows = ROWS.iter().flat_map(|rows| rows.iter());
    rows.filter(move |(_, facts)| facts.iter().any(&wanted)).flat_map(|(names, _)| names.split(' '))
}

/// Whether a program's output comes from another machine.
pub(crate) fn is_client(name: &str) -> bool {
    facts(name).contains(&Fact::Client)
}

/// The language of the texts that a program runs, in whatever version: `bash` for `-bash`, `bash5.2` and `bash-static`.
pub(crate) fn language(name: &str) -> Option<Language> {
    let of = |name: &str| {
        let speaks = |fact: &Fact| if let Fact::Speaks(language) = fact { Some(*language) } else { None };
        facts(name).iter().find_map(speaks)
    };
    let whole = name.len();
    of(name).or_else(|| {
        let name = name.strip_suffix(".exe").unwrap_or(name).trim_start_matches('-');
        let name = name.strip_suffix(".distrib").unwrap_or(name);
        let name = name.strip_suffix("-static").unwrap_or(name);
        let plain = name.trim_end_matches(|end: char| end.is_ascii_digit() || end == '.' || end == '-');
        if plain.len() < whole { of(plain) } else { None }
    })
}

/// Which operands a program changes; none for one that is not known to change any.
#[must_use]
pub fn changes(name: &str) -> Option<Changes> {
    facts(name).iter().find_map(|fact| if let Fact::Changes(changes) = fact { Some(*changes) } else { None })
}

/// Whether a program runs text of its command line as code that may open files.
#[must_use]
pub fn takes_code(name: &str) -> bool {
    facts(name).contains(&Fact::TakesCode)
}

/// Whether a program runs anything that it is told, with these words behind it.
#[must_use]
pub fn runs_anything(name: &str, words: &[&str]) -> bool {
    facts(name).iter().any(|fact| match fact {
        Fact::RunsAnything => true,
        Fact::RunsAnythingWith(with) => words.iter().any(|word| has(with, word)),
        _ => false,
    })
}

/// Whether the first operand of a program names something of the project: a target, a task.
#[must_use]
pub fn runs_targets(name: &str) -> bool {
    facts(name).contains(&Fact::RunsTargets)
}

/// Whether a text holds one of these parts, which have `|` between them.
pub(crate) fn mentions(text: &str, parts: &str) -> bool {
    parts.split('|').any(|part| text.contains(part))
}

/// Whether a word is one of these, or gives one of these options: `--name=x`, a letter in a cluster.
pub(crate) fn given(text: &str, list: &str) -> bool {
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
    let clustered = |option: &str| {
        let mut own = option.strip_prefix('-').unwrap_or_default().chars();
        matches!((own.next(), own.next()), (Some(letter), None) if letters.contains(letter))
    };
    let name = text.split('=').next().unwrap_or(text);
    has(list, text) || has(list, name) || list.split(' ').any(clustered)
}

/// Whether a list of words with blanks between them has this one.
pub(crate) fn has(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let is_edge = |at: usize| list.get(at).is_none_or(|byte| *byte == b' ');
    let is_here = |at: usize| {
        (at == 0 || is_edge(at - 1))
            && is_edge(at + word.len())
            && list.get(at..).is_some_and(|at| at.starts_with(word))
    };
    word.first().is_some_and(|first| memchr::memchr_iter(*first, list).any(is_here)) && !word.contains(&b' ')
}
