//! What can be allowed for one call only: what runs anything that it is told, and what opens places that run something
//! later.

use crate::texts::holds;
use palanca_shell::{has_subcommands, runs_anything, runs_targets, starts_its_operands};

/// Words after which any further argument is too much: they bring in, send out or remove.
const ONLY_EXACTLY: &str = "install i add ci update upgrade remove uninstall rm publish push login deploy link unlink \
    clean get download fetch pull clone reset restore checkout switch stash exec sync";

/// Whether no rule on this command is offered, however narrow. Words are those that are certain, the program first.
pub(super) fn forbids(words: &[&str]) -> bool {
    let Some((program, rest)) = words.split_first() else { return true };
    // What a path names may be another program tomorrow.
    if program.contains('/') || program.is_empty() {
        return true;
    }
    let name = program.to_lowercase();
    let plain = name.trim_end_matches(|end: char| end.is_ascii_digit() || matches!(end, '.' | '-'));
    if runs_anything(&name, rest) || runs_anything(plain, &[]) || starts_its_operands(&name) {
        return true;
    }
    let first = rest.first().copied().unwrap_or_default();
    // Options before the subcommand (`git -c`, `-C`) choose what it runs.
    name == "git" && !is_plain(first)
}

/// The words that a rule "with any further arguments" would begin with; none where that would be too much.
pub(super) fn prefix<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let (program, rest) = words.split_first()?;
    if !has_subcommands(program) && !runs_targets(program) {
        return Some(vec![program]);
    }
    let first = rest.first().copied().filter(|word| is_plain(word))?;
    if holds(ONLY_EXACTLY, first) {
        return None;
    }
    if !matches!(first, "run" | "run-script") {
        return Some(vec![program, first]);
    }
    let script = rest.get(1).copied().filter(|word| is_plain(word))?;
    Some(vec![program, first, script])
}

/// Whether a rule of these fixed words with further arguments is too wide to be made by answering.
pub(super) fn too_wide(words: &[&str]) -> bool {
    prefix(words).is_none_or(|narrowest| words.len() < narrowest.len())
}

fn is_plain(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic())
        && word.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '-' | '_' | ':' | '.'))
}
