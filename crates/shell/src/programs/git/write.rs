//! git commands that write the repository and lose nothing.

use super::super::refusal::Refusal;
use super::super::row::{Answer, Operands::*, Row, Seen};
use crate::command::Word;
use crate::verdict::Class;

/// The table.
pub(super) const ROWS: &[Row] = &[
    Row::dev(
        "add|stage",
        "-AuvnN --all --no-all --update --verbose --dry-run --intent-to-add --ignore-errors --ignore-missing \
         --renormalize --refresh --ignore-removal --chmod= --sparse",
    )
    .takes(Files),
    Row::dev(
        "commit",
        "-avqson -m= -F=read -u[=] -C= --all --message= --file=read --quiet --verbose --signoff --no-signoff \
         --no-verify --allow-empty --allow-empty-message --author= --date= --no-edit --only --include --dry-run \
         --short --porcelain --long --branch --status --no-status --fixup= --squash= --reuse-message= --cleanup= \
         --trailer= --no-gpg-sign --untracked-files[=] !--amend !-S !--gpg-sign !-e !--edit !-t !--template !-c \
         !--reedit-message !-p !--patch !--interactive !--pathspec-from-file !-i",
    )
    .takes(Files)
    .check(commit),
    Row::dev(
        "fetch",
        "-aptvqnkP4 -j= --all --append --prune --prune-tags --tags --no-tags --verbose --quiet --dry-run --depth= \
         --deepen= --shallow-since= --unshallow --jobs= --keep --progress --no-progress --atomic --multiple \
         --no-recurse-submodules !-f !--force !--upload-pack !-o !--server-option !-u !--update-head-ok !--refmap \
         !--stdin",
    )
    .takes(Text)
    .guarded()
    .check(fetch),
    Row::dev(
        "switch",
        "-dqt -c= --create= --detach --quiet --track[=] --no-track --guess --no-guess --progress --no-progress \
         !-C !--force-create !-f !--force !--discard-changes !-m !--merge !--orphan",
    )
    .takes(Text),
    Row::dev(
        "checkout",
        "-qt -b= --quiet --track[=] --no-track --no-guess !-B !-f !--force !-m !--merge !-p !--patch !--ours \
         !--theirs !--orphan",
    )
    .takes(Text)
    .guarded()
    .check(checkout),
    Row::dev(
        "stash|stash push|stash save",
        "-uakqS -m= --message= --include-untracked --all --keep-index --no-keep-index --quiet --staged !-p !--patch",
    )
    .takes(Names)
    .check(stash),
    Row::dev("stash apply", "-q --quiet --index").takes(Text),
];

/// Without a message an editor would open.
fn commit(seen: &Seen<'_>) -> Answer {
    const GIVEN: &str = "-m -F -C --message --file --no-edit --reuse-message --fixup --squash --dry-run";
    if seen.given.has(GIVEN) { Ok(Class::Dev) } else { Err(Refusal::UnknownSubcommand("git".into(), "commit".into())) }
}

/// A name of a remote and names of branches. An address may be a program (`ext::…`), and `a:b` overwrites a branch.
fn fetch(seen: &Seen<'_>) -> Answer {
    let plain = |word: &&Word| {
        word.literal().is_some_and(|text| {
            let starts = text.starts_with(|letter: char| letter.is_ascii_alphanumeric());
            let named = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '/' | '.');
            starts && text.chars().all(named) && !text.contains("..")
        })
    };
    match seen.given.operands.iter().find(|word| !plain(word)) {
        Some(word) => Err(Refusal::Operand(seen.program.to_owned(), word.to_string())),
        None => Ok(Class::Dev),
    }
}

/// Only with a new branch: a plain operand may be a file, whose changes would be lost.
fn checkout(seen: &Seen<'_>) -> Answer {
    if seen.given.has("-b") && seen.given.operands.len() < 2 {
        return Ok(Class::Dev);
    }
    let shown = seen.given.operands.first().map(ToString::to_string).unwrap_or_default();
    Err(Refusal::Operand(seen.program.to_owned(), shown))
}

/// `stash` alone stores; as a first operand stands what else it can do.
fn stash(seen: &Seen<'_>) -> Answer {
    if seen.program.ends_with("stash")
        && let Some(word) = seen.given.operands.first()
    {
        return Err(Refusal::UnknownSubcommand("git stash".to_owned(), word.to_string()));
    }
    Ok(Class::Dev)
}
