//! git: what only looks, and what writes a repository without losing anything. Reading is safe because the program always
//! runs git with the repository's configuration neutralised.

pub(super) const TABLE: &str = "
// What everything that shows differences understands.
@diff = -# -pusRDzaWbwcmqr -U[=] -M[=] -C[=] -B[=] -S= -G= -O=read -l= -X[=] --patch --no-patch --unified[=] --raw
    --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat[=] --stat-width=
    --stat-count= --compact-summary --numstat --shortstat --dirstat[=] --cumulative --summary --name-only
    --name-status --patch-with-stat --color[=] --no-color --color-moved[=] --no-color-moved --color-words[=]
    --word-diff[=] --word-diff-regex= --no-renames --rename-empty --check --full-index --binary --abbrev[=]
    --find-renames[=] --find-copies[=] --find-copies-harder --break-rewrites[=] --irreversible-delete --diff-filter=
    --pickaxe-all --pickaxe-regex --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change
    --ignore-all-space --ignore-blank-lines --ignore-matching-lines= -I= --inter-hunk-context= --function-context
    --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=] --src-prefix= --dst-prefix= --no-prefix
    --default-prefix --line-prefix= --ita-invisible-in-index --submodule[=] --indent-heuristic --no-indent-heuristic
    --output-indicator-new= --output-indicator-old= --output-indicator-context= --skip-to= --rotate-to=
    --color-moved-ws= !-o !--output !--ext-diff !--textconv !--no-index !--open-files-in-pager
// What `log` and its like understand beside.
@log = -iEFPgt -L=rev --oneline --graph --no-graph --decorate[=] --no-decorate --all --branches[=] --tags[=]
    --remotes[=] --glob= --exclude= --max-count= --skip= --since= --after= --until= --before= --since-as-filter=
    --author= --committer= --grep= --grep-reflog= --all-match --invert-grep --regexp-ignore-case --basic-regexp
    --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents[=] --max-parents[=]
    --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --reverse --date= --date-order
    --topo-order --author-date-order --pretty[=] --format[=] --abbrev-commit --no-abbrev-commit --follow
    --walk-reflogs --source --full-history --simplify-by-decoration --left-right --left-only --right-only
    --cherry-pick --cherry-mark --cherry --boundary --ancestry-path[=] --not --notes[=] --no-notes --show-notes[=]
    --no-mailmap --mailmap --use-mailmap --log-size --children --parents --encoding= --expand-tabs[=] --no-expand-tabs
    --cc --remerge-diff --diff-merges= --no-diff-merges --combined-all-paths --no-walk[=] --do-walk --relative-date
    --clear-decorations --decorate-refs= --decorate-refs-exclude= --show-pulls --sparse --dense --simplify-merges
    --reflog --merge --dd --show-linear-break[=] --count --timestamp --no-commit-header --alternate-refs
    --single-worktree --ignore-missing --bisect-all !--show-signature
// What everything that walks through commits understands.
@walk = -# --all --branches[=] --tags[=] --remotes[=] --max-count= --skip= --since= --after= --until= --before=
    --author= --grep= --merges --no-merges --min-parents[=] --max-parents[=] --first-parent --reverse --date-order
    --topo-order --author-date-order --not --no-walk[=] --full-history --simplify-by-decoration --cherry-pick
    --left-only --right-only --ancestry-path[=] --reflog --ignore-missing --fixed-strings --regexp-ignore-case
    --extended-regexp !-o !--output !--ext-diff !--textconv !--show-signature

@stash = -uakqS -m= --message= --include-untracked --all --keep-index --no-keep-index --quiet --staged !-p !--patch

[git] = enters:-C by-name -P -C+ --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects
    --no-lazy-fetch !-c !--exec-path !--config-env !--git-dir !--work-tree !--namespace !-p !--paginate
    !--super-prefix !--bare
status = safe -sbz -u[=] -M[=] --short --branch --show-stash --porcelain[=] --long --untracked-files[=] --null
    --ignored[=] --ignore-submodules[=] --column[=] --no-column --ahead-behind --no-ahead-behind --renames
    --no-renames --find-renames[=]
diff = safe revisions guarded shows_its_own --cached --staged --merge-base --base --ours --theirs -0 @diff
log|whatchanged = safe revisions guarded shows_its_own -n= @log @diff
show = safe revisions guarded shows_its_own -n= @log @diff
stash list = safe nothing shows_its_own -n= @log @diff
stash show = safe revisions shows_its_own --include-untracked --only-untracked @diff
reflog|reflog show|reflog list = safe revisions guarded git_reflog -n= @log @diff
shortlog = safe revisions guarded shows_its_own -sneciEFP --summary --numbered --email --committer --group[=]
    --format[=] --date[=] @walk
blame|annotate = safe revisions guarded -bltscfnpew -L=rev -M[=] -C[=] -S=read --root --show-stats --show-name
    --show-number --show-email --porcelain --line-porcelain --incremental --encoding= --contents=read --date= --since=
    --abbrev[=] --color-lines --color-by-age --ignore-rev= --ignore-revs-file=read --minimal --first-parent --reverse
    --progress --no-progress --score-debug
branch = safe text guarded git_branch -arvliq --all --remotes --list --verbose --show-current --contains[=]
    --no-contains[=] --merged[=] --no-merged[=] --points-at= --sort= --format= --color[=] --no-color --column[=]
    --no-column --abbrev[=] --no-abbrev --ignore-case --quiet --no-track !-d !-D !-m !-M !-c !-C !-f !-u !-t !--delete
    !--move !--copy !--force !--set-upstream-to !--set-upstream !--unset-upstream !--track !--edit-description
    !--create-reflog
tag = safe text guarded git_tag -#l -n[=] -i -a -m= -F=read --list --contains[=] --no-contains[=] --merged[=]
    --no-merged[=] --points-at= --sort= --format= --column[=] --no-column --color[=] --ignore-case --annotate
    --message= --file=read --no-sign !-d !-f !-s !-u !-v !-e !--delete !--force !--sign !--local-user !--verify
    !--edit !--create-reflog
remote = safe nothing -v --verbose
remote get-url = safe text --push --all
remote show = safe text git_remote_show -n
grep = safe pattern:-e,-f guarded git_grep -# -aiIwvhHEGPFnlLzcoprWq -e= -f=read -A= -B= -C= -m= --cached --untracked
    --exclude-standard --text --no-exclude-standard --ignore-case --word-regexp --invert-match --full-name
    --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches
    --name-only --files-without-match --null --only-matching --count --color[=] --no-color --break --heading
    --show-function --context= --after-context= --before-context= --function-context --max-count= --threads= --and
    --or --not --all-match --quiet --max-depth= --recurse-submodules --no-recursive --recursive --no-textconv !-O
    !--open-files-in-pager !--no-index !--textconv
config = safe text guarded git_config -lz --get --get-all --get-regexp --get-urlmatch --list --show-origin
    --show-scope --name-only --null --type= --bool --int --bool-or-int --path --local --worktree --includes
    --no-includes --default= !-e !-f !--file !--blob !--add !--unset !--unset-all !--replace-all !--rename-section
    !--remove-section !--edit
config get|config list = safe text -z --all --regexp --value= --fixed-value --url= --local --worktree --show-origin
    --show-scope --name-only --null --type= --default= --includes --show-names
worktree list = safe nothing -vz --verbose --porcelain --expire=
version = safe nothing --build-options
rev-parse = safe revisions -q --verify --quiet --abbrev-ref[=] --short[=] --symbolic --symbolic-full-name --all
    --branches[=] --tags[=] --remotes[=] --glob= --exclude= --show-toplevel --show-prefix --show-cdup --git-dir
    --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
    --is-shallow-repository --show-superproject-working-tree --show-object-format[=] --revs-only --no-revs --flags
    --no-flags --not --sq --path-format= --git-path= --show-ref-format
rev-list = safe revisions shows_its_own --objects --objects-edge --unpacked --header --disk-usage[=] --no-object-names
    --use-bitmap-index -n= --count --oneline --pretty[=] --format[=] --timestamp --parents --children --left-right
    --boundary --abbrev-commit --abbrev[=] @walk
ls-files = safe -cdmoisukvtfz -x= -X=read --cached --deleted --modified --others --ignored --stage --unmerged --killed
    --directory --no-empty-directory --exclude= --exclude-from=read --exclude-per-directory= --exclude-standard
    --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev[=] --debug --eol --sparse --deduplicate
    --resolve-undo
ls-tree = safe revisions -drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev[=]
    --format=
cat-file = safe revisions -tspe !--textconv !--filters !--batch !--batch-check !--batch-command
describe = safe revisions --all --tags --contains --abbrev[=] --candidates= --exact-match --debug --long --match=
    --exclude= --always --first-parent --dirty[=] --broken[=]
merge-base = safe revisions -a --all --octopus --independent --is-ancestor --fork-point
name-rev = safe revisions --tags --refs= --exclude= --all --name-only --no-undefined --always
for-each-ref = safe text shows_its_own --count= --sort= --format= --points-at= --merged[=] --no-merged[=]
    --contains[=] --no-contains[=] --ignore-case --color[=] --omit-empty --exclude=
show-ref = safe text -dsq --head --heads --branches --tags --dereference --hash[=] --verify --exists --abbrev[=]
    --quiet
show-branch = safe text -ar --all --remotes --current --topo-order --date-order --sparse --more= --list --merge-base
    --independent --no-name --sha1-name --topics --color[=] --no-color
symbolic-ref = safe at-most:1 -q --quiet --short !-d !--delete !-m
count-objects = safe nothing -vH --verbose --human-readable
diff-tree|diff-index|diff-files = safe revisions guarded --cached --root --no-commit-id --always --merge-base -rtpsz
    --name-only --name-status --stat[=] --numstat --raw --diff-filter[=] --patch -M[=] -C[=] -U[=] --find-renames[=]
    --abbrev[=]
cherry = safe revisions -v --abbrev[=]
// The changes between two changes come from a git of their own.
range-diff = safe revisions needs:-s,--no-patch -s --creation-factor= --no-dual-color --left-only --right-only
    --no-patch
check-ignore = safe -qvnz --quiet --verbose --non-matching --no-index
check-attr = safe -az --all --cached
add|stage = dev files -AuvnN --all --no-all --update --verbose --dry-run --intent-to-add --ignore-errors
    --ignore-missing --renormalize --refresh --ignore-removal --chmod= --sparse
// Without a message an editor would open.
commit = dev files needs:-m,-F,-C,--message,--file,--no-edit,--reuse-message,--fixup,--squash,--dry-run -avqson -m=
    -F=read -u[=] -C= --all --message= --file=read --quiet --verbose --signoff --no-signoff --no-verify --allow-empty
    --allow-empty-message --author= --date= --no-edit --only --include --dry-run --short --porcelain --long --branch
    --status --no-status --fixup= --squash= --reuse-message= --cleanup= --trailer= --no-gpg-sign --untracked-files[=]
    !--amend !-S !--gpg-sign !-e !--edit !-t !--template !-c !--reedit-message !-p !--patch !--interactive
    !--pathspec-from-file !-i
fetch = dev text guarded git_fetch -aptvqnkP4 -j= --all --append --prune --prune-tags --tags --no-tags --verbose
    --quiet --dry-run --depth= --deepen= --shallow-since= --unshallow --jobs= --keep --progress --no-progress --atomic
    --multiple --no-recurse-submodules !-f !--force !--upload-pack !-o !--server-option !-u !--update-head-ok
    !--refmap !--stdin
switch = dev text -dqt -c= --create= --detach --quiet --track[=] --no-track --guess --no-guess --progress
    --no-progress !-C !--force-create !-f !--force !--discard-changes !-m !--merge !--orphan
// Only with a new branch: a plain operand may be a file, whose changes would be lost.
checkout = dev at-most:1 guarded needs:-b -qt -b= --quiet --track[=] --no-track --no-guess !-B !-f !--force !-m
    !--merge !-p !--patch !--ours !--theirs !--orphan
stash = dev nothing @stash
stash push|stash save = dev @stash
stash apply = dev text -q --quiet --index
";
