//! git: what only looks, what writes a repository without losing anything (dev), and nothing else. Reading is safe
//! because the program always runs git with the repository's configuration neutralised.

use crate::catalogue::has;

mod look;
mod write;

use super::refusal::Refusal;
use super::row::{Answer, Family, Seen};
use crate::verdict::Class;

/// The table.
pub(super) const FAMILIES: &[Family] = &[Family::new("git", &[look::ROWS, look::PLUMBING, write::ROWS])
    .globals(
        "-P -C+ --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects --no-lazy-fetch !-c \
         !--exec-path !--config-env !--git-dir !--work-tree !--namespace !-p !--paginate !--super-prefix \
         !--bare",
    )
    .enters("-C")
    .by_name()];

/// What `diff` and everything that shows differences understands.
const DIFF: &str = "-# -pusRDzaWbwcmqr -U[=] -M[=] -C[=] -B[=] -S= -G= -O=read -l= -X[=] --patch --no-patch \
    --unified[=] --raw --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat[=] \
    --stat-width= --stat-count= --compact-summary --numstat --shortstat --dirstat[=] --cumulative --summary \
    --name-only --name-status --patch-with-stat --color[=] --no-color --color-moved[=] --no-color-moved \
    --color-words[=] --word-diff[=] --word-diff-regex= --no-renames --rename-empty --check --full-index --binary \
    --abbrev[=] --find-renames[=] --find-copies[=] --find-copies-harder --break-rewrites[=] --irreversible-delete \
    --diff-filter= --pickaxe-all --pickaxe-regex --no-relative --text --ignore-cr-at-eol \
    --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= -I= \
    --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=] \
    --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --submodule[=] \
    --indent-heuristic --no-indent-heuristic --output-indicator-new= --output-indicator-old= \
    --output-indicator-context= --skip-to= --rotate-to= --color-moved-ws= !-o !--output !--ext-diff !--textconv \
    !--no-index !--open-files-in-pager";

/// What `log` and its like understand beside [`DIFF`].
const LOG: &str = "-iEFPgt -L=rev --oneline --graph --no-graph --decorate[=] --no-decorate --all --branches[=] \
    --tags[=] --remotes[=] --glob= --exclude= --max-count= --skip= --since= --after= --until= --before= \
    --since-as-filter= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case \
    --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents[=] \
    --max-parents[=] --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --reverse --date= \
    --date-order --topo-order --author-date-order --pretty[=] --format[=] --abbrev-commit --no-abbrev-commit --follow \
    --walk-reflogs --source --full-history --simplify-by-decoration --left-right --left-only --right-only \
    --cherry-pick --cherry-mark --cherry --boundary --ancestry-path[=] --not --notes[=] --no-notes --show-notes[=] \
    --no-mailmap --mailmap --use-mailmap --log-size --children --parents --encoding= --expand-tabs[=] \
    --no-expand-tabs --cc --remerge-diff --diff-merges= --no-diff-merges --combined-all-paths --no-walk[=] --do-walk \
    --relative-date --clear-decorations --decorate-refs= --decorate-refs-exclude= --show-pulls --sparse --dense \
    --simplify-merges --reflog --merge --dd --show-linear-break[=] --count --timestamp --no-commit-header \
    --alternate-refs --single-worktree --ignore-missing --bisect-all !--show-signature";

/// What everything that walks through commits understands.
const WALK: &str = "-# --all --branches[=] --tags[=] --remotes[=] --max-count= --skip= --since= --after= --until= \
    --before= --author= --grep= --merges --no-merges --min-parents[=] --max-parents[=] --first-parent --reverse \
    --date-order --topo-order --author-date-order --not --no-walk[=] --full-history --simplify-by-decoration \
    --cherry-pick --left-only --right-only --ancestry-path[=] --reflog --ignore-missing --fixed-strings \
    --regexp-ignore-case --extended-regexp !-o !--output !--ext-diff !--textconv !--show-signature";

/// What git shows is the repository's own, and git can say beforehand which files it would show: the wall around it relies
/// on that. A format that asks for signatures makes git run the program that checks them, one that asks for raw objects
/// shows files without their names, and a name that is not git's own stands for a format that the repository chose. The
/// changes of a nested repository are shown by another git.
fn shows_its_own(seen: &Seen<'_>) -> Answer {
    const OWN: &str = "oneline short medium full fuller reference email raw mboxrd";
    const UNKNOWN: &str = "%G signature (raw (*raw";
    let plain = |format: &String| {
        let written = format.contains('%') || format.contains(':') || has(OWN, format.as_str());
        written && !UNKNOWN.split(' ').any(|part| format.contains(part))
    };
    let mut formats = seen.given.values("--format --pretty").map(ToString::to_string);
    let mut nested = seen.given.values("--submodule").map(ToString::to_string);
    let harmful =
        formats.find(|format| !plain(format)).or_else(|| nested.find(|form| !matches!(form.as_str(), "short" | "log")));
    match harmful {
        Some(value) => Err(Refusal::HarmfulOption(seen.program.to_owned(), value)),
        None => Ok(Class::Safe),
    }
}
