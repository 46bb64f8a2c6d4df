//! What of git's options and operands its rows do not tell.

use super::row::{Answer, Seen};
use crate::catalogue::has;
use crate::command::Word;
use crate::verdict::Class;

/// What git shows is the repository's own, and git can say beforehand which files it would show: the wall around it relies
/// on that. A format that asks for signatures makes git run the program that checks them, one that asks for raw objects
/// shows files without their names, and a name that is not git's own stands for a format that the repository chose. The
/// changes of a nested repository are shown by another git.
pub(super) fn shows_its_own(seen: &Seen<'_>) -> Answer {
    const OWN: &str = "oneline short medium full fuller reference email raw mboxrd";
    const UNKNOWN: &str = "%G signature (raw (*raw";
    seen.values("--format --pretty", |format| {
        let written = format.contains('%') || format.contains(':') || has(OWN, format);
        written && !UNKNOWN.split(' ').any(|part| format.contains(part))
    })?;
    seen.values("--submodule", |form| matches!(form, "short" | "log"))
}

pub(super) fn reflog(seen: &Seen<'_>) -> Answer {
    const WRITING: &str = "expire delete drop exists write";
    if let Some(word) = seen.given.operands.iter().find(|word| has(WRITING, word.prefix())) {
        return Err(seen.refused(word));
    }
    shows_its_own(seen)
}

/// A name without a way of listing creates a branch.
pub(super) fn branch(seen: &Seen<'_>) -> Answer {
    const LISTING: &str =
        "-l --list --contains --no-contains --merged --no-merged --points-at -a -r --all --remotes --show-current";
    let creates = !seen.given.operands.is_empty() && !seen.given.has(LISTING);
    shows_its_own(seen).map(|class| if creates { Class::Dev } else { class })
}

pub(super) fn tag(seen: &Seen<'_>) -> Answer {
    const LISTING: &str = "-l --list -n --contains --no-contains --merged --no-merged --points-at";
    const CREATING: &str = "-a -m -F --annotate --message --file";
    let creates = seen.given.has(CREATING) || (!seen.given.operands.is_empty() && !seen.given.has(LISTING));
    shows_its_own(seen).map(|class| if creates { Class::Dev } else { class })
}

/// Without `-n` it asks the other side.
pub(super) fn remote_show(seen: &Seen<'_>) -> Answer {
    if seen.given.has("-n") {
        return Ok(seen.class);
    }
    seen.all(|_| false)
}

pub(super) fn grep(seen: &Seen<'_>) -> Answer {
    let pattern = usize::from(!seen.given.has("-e -f"));
    seen.given.operands.iter().skip(pattern).try_for_each(|word| seen.place.reads_revision(word))?;
    Ok(seen.class)
}

/// Two operands set a value; one shows it.
pub(super) fn config(seen: &Seen<'_>) -> Answer {
    const READING: &str = "--get --get-all --get-regexp --get-urlmatch -l --list";
    match seen.given.operands.as_ref() {
        _ if seen.given.has(READING) => Ok(seen.class),
        [key] if key.prefix().contains('.') => Ok(seen.class),
        operands => Err(seen.refused(operands.first().unwrap_or(&Word::default()))),
    }
}

/// A name of a remote and names of branches. An address may be a program (`ext::…`), and `a:b` overwrites a branch.
pub(super) fn fetch(seen: &Seen<'_>) -> Answer {
    let named = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '/' | '.');
    let begins = |text: &str| text.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    seen.all(|text| begins(text) && text.chars().all(named) && !text.contains(".."))
}
