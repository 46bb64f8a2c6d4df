//! Development tools, by language. They run the project's own code, so they are never safe; what they must not be told
//! is to run other programs, to work elsewhere, to install from anywhere or to rewrite what nobody asked for.

pub(super) mod go;
pub(super) mod jvm;
pub(super) mod native;
pub(super) mod node;
pub(super) mod other;
pub(super) mod python;
pub(super) mod rust;

use super::refusal::Refusal;
use super::row::{Answer, Seen};
use super::tables;
use crate::command::Word;
use crate::verdict::Class;

/// Refuses the first operand that does not fit.
fn all(seen: &Seen<'_>, fits: impl Fn(&str) -> bool) -> Answer {
    match seen.given.operands.iter().find(|word| !word.literal().is_some_and(&fits)) {
        Some(word) => Err(Refusal::Operand(seen.program.to_owned(), word.to_string())),
        None => Ok(Class::Dev),
    }
}

/// A runner (`uv run`, `bundle exec`): what it runs must be a development tool itself.
fn runs_tool(seen: &Seen<'_>) -> Answer {
    let class = tables::judge_inner(&seen.given.operands, seen.place, seen.depth)?;
    Ok(class.max(Class::Dev))
}

/// A name as package registries have them, with a scope, extras or a version, and no address.
fn package(text: &str) -> bool {
    let name = text.strip_prefix('@').unwrap_or(text);
    let scoped = text.starts_with('@');
    let slashes = name.matches('/').count();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.@/~^<>=!*+,[] |".contains(letter);
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    begins
        && slashes == usize::from(scoped)
        && name.chars().all(allowed)
        && !name.contains(" @")
        && !name.contains("@ ")
}

/// A word that no shell, linker or interpreter would take for more than a name or a number.
fn plain_value(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.,:+".contains(letter))
}

fn text_of(word: Option<&Word>) -> &str {
    word.and_then(Word::literal).unwrap_or_default()
}
