//! git commands that only look.

use super::super::refusal::Refusal;
use super::super::row::{Answer, Operands::*, Row, Seen};
use super::{DIFF, LOG, WALK, shows_its_own};
use crate::catalogue::has;
use crate::verdict::Class;

/// What people type.
pub(super) const ROWS: &[Row] = &[
    Row::safe(
        "status",
        "-sbz -u[=] -M[=] --short --branch --show-stash --porcelain[=] --long --untracked-files[=] --null \
         --ignored[=] --ignore-submodules[=] --column[=] --no-column --ahead-behind --no-ahead-behind --renames \
         --no-renames --find-renames[=]",
    ),
    Row::safe("diff", "--cached --staged --merge-base --base --ours --theirs -0")
        .with(DIFF)
        .takes(Revisions)
        .guarded()
        .check(shows_its_own),
    Row::safe("log|whatchanged", "-n=").with(LOG).with(DIFF).takes(Revisions).guarded().check(shows_its_own),
    Row::safe("show", "-n=").with(LOG).with(DIFF).takes(Revisions).guarded().check(shows_its_own),
    Row::safe("stash list", "-n=").with(LOG).with(DIFF).takes(Nothing).check(shows_its_own),
    Row::safe("stash show", "--include-untracked --only-untracked").with(DIFF).takes(Revisions).check(shows_its_own),
    Row::safe("reflog|reflog show|reflog list", "-n=").with(LOG).with(DIFF).takes(Revisions).guarded().check(reflog),
    Row::safe("shortlog", "-sneciEFP --summary --numbered --email --committer --group[=] --format[=] --date[=]")
        .with(WALK)
        .takes(Revisions)
        .guarded()
        .check(shows_its_own),
    Row::safe(
        "blame|annotate",
        "-bltscfnpew -L=rev -M[=] -C[=] -S=read --root --show-stats --show-name --show-number --show-email \
         --porcelain --line-porcelain --incremental --encoding= --contents=read --date= --since= --abbrev[=] \
         --color-lines --color-by-age --ignore-rev= --ignore-revs-file=read --minimal --first-parent --reverse \
         --progress --no-progress --score-debug",
    )
    .takes(Revisions)
    .guarded(),
    Row::safe(
        "branch",
        "-arvliq --all --remotes --list --verbose --show-current --contains[=] --no-contains[=] --merged[=] \
         --no-merged[=] --points-at= --sort= --format= --color[=] --no-color --column[=] --no-column --abbrev[=] \
         --no-abbrev --ignore-case --quiet --no-track !-d !-D !-m !-M !-c !-C !-f !-u !-t !--delete !--move \
         !--copy !--force !--set-upstream-to !--set-upstream !--unset-upstream !--track !--edit-description \
         !--create-reflog",
    )
    .takes(Text)
    .guarded()
    .check(branch),
    Row::safe(
        "tag",
        "-#l -n[=] -i -a -m= -F=read --list --contains[=] --no-contains[=] --merged[=] --no-merged[=] \
         --points-at= --sort= --format= --column[=] --no-column --color[=] --ignore-case --annotate --message= \
         --file=read --no-sign !-d !-f !-s !-u !-v !-e !--delete !--force !--sign !--local-user !--verify !--edit \
         !--create-reflog",
    )
    .takes(Text)
    .guarded()
    .check(tag),
    Row::safe("remote", "-v --verbose").takes(Nothing),
    Row::safe("remote get-url", "--push --all").takes(Text),
    Row::safe("remote show", "-n").takes(Text).check(remote_show),
    Row::safe(
        "grep",
        "-# -aiIwvhHEGPFnlLzcoprWq -e= -f=read -A= -B= -C= -m= --cached --untracked --exclude-standard --text \
         --no-exclude-standard --ignore-case --word-regexp --invert-match --full-name --extended-regexp \
         --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only \
         --files-without-match --null --only-matching --count --color[=] --no-color --break --heading \
         --show-function --context= --after-context= --before-context= --function-context --max-count= --threads= \
         --and --or --not --all-match --quiet --max-depth= --recurse-submodules --no-recursive --recursive \
         --no-textconv !-O !--open-files-in-pager !--no-index !--textconv",
    )
    .takes(PatternThenFiles("-e -f"))
    .guarded()
    .check(grep_revisions),
    Row::safe(
        "config",
        "-lz --get --get-all --get-regexp --get-urlmatch --list --show-origin --show-scope --name-only --null \
         --type= --bool --int --bool-or-int --path --local --worktree --includes --no-includes --default= !-e !-f \
         !--file !--blob !--add !--unset !--unset-all !--replace-all !--rename-section !--remove-section !--edit",
    )
    .takes(Text)
    .guarded()
    .check(config),
    Row::safe(
        "config get|config list",
        "-z --all --regexp --value= --fixed-value --url= --local --worktree --show-origin --show-scope \
         --name-only --null --type= --default= --includes --show-names",
    )
    .takes(Text),
    Row::safe("worktree list", "-vz --verbose --porcelain --expire=").takes(Nothing),
    Row::safe("version", "--build-options").takes(Nothing),
];

/// What scripts ask.
pub(super) const PLUMBING: &[Row] = &[
    Row::safe(
        "rev-parse",
        "-q --verify --quiet --abbrev-ref[=] --short[=] --symbolic --symbolic-full-name --all --branches[=] \
         --tags[=] --remotes[=] --glob= --exclude= --show-toplevel --show-prefix --show-cdup --git-dir \
         --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository \
         --is-shallow-repository --show-superproject-working-tree --show-object-format[=] --revs-only --no-revs \
         --flags --no-flags --not --sq --path-format= --git-path= --show-ref-format",
    )
    .takes(Revisions),
    Row::safe(
        "rev-list",
        "--objects --objects-edge --unpacked --header --disk-usage[=] --no-object-names --use-bitmap-index -n= \
         --count --oneline --pretty[=] --format[=] --timestamp --parents --children --left-right --boundary \
         --abbrev-commit --abbrev[=]",
    )
    .with(WALK)
    .takes(Revisions)
    .check(shows_its_own),
    Row::safe(
        "ls-files",
        "-cdmoisukvtfz -x= -X=read --cached --deleted --modified --others --ignored --stage --unmerged --killed \
         --directory --no-empty-directory --exclude= --exclude-from=read --exclude-per-directory= \
         --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev[=] --debug \
         --eol --sparse --deduplicate --resolve-undo",
    ),
    Row::safe(
        "ls-tree",
        "-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev[=] --format=",
    )
    .takes(Revisions),
    Row::safe("cat-file", "-tspe !--textconv !--filters !--batch !--batch-check !--batch-command").takes(Revisions),
    Row::safe(
        "describe",
        "--all --tags --contains --abbrev[=] --candidates= --exact-match --debug --long --match= --exclude= \
         --always --first-parent --dirty[=] --broken[=]",
    )
    .takes(Revisions),
    Row::safe("merge-base", "-a --all --octopus --independent --is-ancestor --fork-point").takes(Revisions),
    Row::safe("name-rev", "--tags --refs= --exclude= --all --name-only --no-undefined --always").takes(Revisions),
    Row::safe(
        "for-each-ref",
        "--count= --sort= --format= --points-at= --merged[=] --no-merged[=] --contains[=] --no-contains[=] \
         --ignore-case --color[=] --omit-empty --exclude=",
    )
    .takes(Text)
    .check(shows_its_own),
    Row::safe(
        "show-ref",
        "-dsq --head --heads --branches --tags --dereference --hash[=] --verify --exists --abbrev[=] --quiet",
    )
    .takes(Text),
    Row::safe(
        "show-branch",
        "-ar --all --remotes --current --topo-order --date-order --sparse --more= --list --merge-base \
         --independent --no-name --sha1-name --topics --color[=] --no-color",
    )
    .takes(Text),
    Row::safe("symbolic-ref", "-q --quiet --short !-d !--delete !-m").takes(AtMost(1)),
    Row::safe("count-objects", "-vH --verbose --human-readable").takes(Nothing),
    Row::safe(
        "diff-tree|diff-index|diff-files",
        "--cached --root --no-commit-id --always --merge-base -rtpsz --name-only --name-status --stat[=] \
         --numstat --raw --diff-filter[=] --patch -M[=] -C[=] -U[=] --find-renames[=] --abbrev[=]",
    )
    .takes(Revisions)
    .guarded(),
    Row::safe("cherry", "-v --abbrev[=]").takes(Revisions),
    Row::safe("range-diff", "-s --creation-factor= --no-dual-color --left-only --right-only --no-patch")
        .takes(Revisions)
        .check(range_diff),
    Row::safe("check-ignore", "-qvnz --quiet --verbose --non-matching --no-index"),
    Row::safe("check-attr", "-az --all --cached"),
];

/// The changes between two changes come from a git of their own.
fn range_diff(seen: &Seen<'_>) -> Answer {
    if seen.given.has("-s --no-patch") {
        return Ok(Class::Safe);
    }
    Err(Refusal::UnknownSubcommand("git".to_owned(), "range-diff".to_owned()))
}

fn reflog(seen: &Seen<'_>) -> Answer {
    const WRITING: &str = "expire delete drop exists write";
    if let Some(word) = seen.given.operands.iter().find(|word| has(WRITING, word.prefix())) {
        return Err(Refusal::Operand(seen.program.to_owned(), word.to_string()));
    }
    shows_its_own(seen)
}

/// A name without a way of listing creates a branch.
fn branch(seen: &Seen<'_>) -> Answer {
    const LISTING: &str =
        "-l --list --contains --no-contains --merged --no-merged --points-at -a -r --all --remotes --show-current";
    let creates = !seen.given.operands.is_empty() && !seen.given.has(LISTING);
    shows_its_own(seen).map(|class| if creates { Class::Dev } else { class })
}

fn tag(seen: &Seen<'_>) -> Answer {
    const LISTING: &str = "-l --list -n --contains --no-contains --merged --no-merged --points-at";
    const CREATING: &str = "-a -m -F --annotate --message --file";
    let creates = seen.given.has(CREATING) || (!seen.given.operands.is_empty() && !seen.given.has(LISTING));
    shows_its_own(seen).map(|class| if creates { Class::Dev } else { class })
}

/// Without `-n` it asks the other side.
fn remote_show(seen: &Seen<'_>) -> Answer {
    if seen.given.has("-n") || seen.given.operands.is_empty() {
        return Ok(Class::Safe);
    }
    Err(Refusal::UnknownSubcommand("git".to_owned(), "remote show".to_owned()))
}

fn grep_revisions(seen: &Seen<'_>) -> Answer {
    let pattern = usize::from(!seen.given.has("-e -f"));
    seen.given.operands.iter().skip(pattern).try_for_each(|word| seen.place.reads_revision(word))?;
    Ok(Class::Safe)
}

/// Two operands set a value; one shows it.
fn config(seen: &Seen<'_>) -> Answer {
    const READING: &str = "--get --get-all --get-regexp --get-urlmatch -l --list";
    let operands = &seen.given.operands;
    let subcommand = operands.first().is_some_and(|word| !word.prefix().contains('.'));
    if seen.given.has(READING) || (operands.len() == 1 && !subcommand) {
        return Ok(Class::Safe);
    }
    let shown = operands.first().map(ToString::to_string).unwrap_or_default();
    Err(Refusal::Operand(seen.program.to_owned(), shown))
}
