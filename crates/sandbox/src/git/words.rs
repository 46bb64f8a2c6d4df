//! The arguments of a form: which are options that print no content, which could be revisions, and how to ask git for names.
//!
//! Whether a word is an option or the value of the one before it depends on the option. Nothing here has to know all of
//! them: a word counts as an option only after a word that certainly takes no value.

use super::looking::{Looking, Prints};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Options without a value in the next word, by which no content is printed.
const PLAIN: &str = "\
    --abbrev --abbrev-commit --all --author-date-order --boundary --branches --cached --check --cherry-mark \
    --cherry-pick --color --compact-summary --date-order --decorate --dirstat --exit-code --find-renames \
    --first-parent --follow --format --full-history --graph --ignore-all-space --ignore-blank-lines \
    --ignore-space-change --ignore-submodules --left-only --left-right --merge-base --merges --min-parents --name-only \
    --name-status --no-abbrev-commit --no-color --no-commit-id --no-decorate --no-ext-diff --no-graph --no-mailmap \
    --no-merges --no-notes --no-patch --no-renames --no-textconv --no-walk --numstat --oneline --pretty --quiet --raw \
    --relative-date --remotes --reverse --right-only --root --shortstat --source --staged --stat --summary --tags \
    --topo-order --walk-reflogs -B -C -M -R -b -g -i -m -q -r -s -w -z";
/// Those whose value may stand in the next word.
const VALUED: &str = "\
    --after --author --before --committer --date --diff-filter --grep --max-count --since --skip --until -n";
/// What is printed instead of changes.
const INSTEAD: &str = "\
    --compact-summary --dirstat --name-only --name-status --no-patch --numstat --quiet --raw --shortstat --stat \
    --summary -s";
/// Options without a value by which content is printed.
const WITH_CONTENT: &str = "--binary --cc --patch --patch-with-stat --text -a -c -p -u";
/// What does not go together with a list of names.
const NO_LIST: &str = "--check --name-only --name-status --no-patch -s";

/// Whether a list of words with blanks between them has this one.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|own| own == word)
}

fn name(word: &OsString) -> &str {
    word.to_str().and_then(|word| word.split('=').next()).unwrap_or_default()
}

fn is_option(word: &OsString) -> bool {
    word.as_bytes().starts_with(b"-") && word.len() > 1
}

/// Whether a word prints no content and takes no other word as its value.
fn is_plain(word: &OsString) -> bool {
    let glued = |letter: &str| name(word).strip_prefix(letter).is_some_and(|rest| !rest.is_empty());
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    has(PLAIN, name(word))
        || (has(VALUED, name(word)) && name(word).starts_with("--") && name(word).len() < word.len())
        || name(word).strip_prefix('-').is_some_and(|rest| digits(rest.strip_prefix('n').unwrap_or(rest)))
        || glued("-S")
        || glued("-G")
}

/// Whether the word there is no value of the word before it.
fn stands_alone(words: &[OsString], at: usize) -> bool {
    let known = |word: &OsString| is_plain(word) || has(WITH_CONTENT, name(word));
    at.checked_sub(1).and_then(|before| words.get(before)).is_none_or(|before| !is_option(before) || known(before))
}

/// The words of a form behind its name, up to `--`.
fn before_end(looking: Looking, rest: &[OsString]) -> &[OsString] {
    let words = rest.get(looking.words..).unwrap_or_default();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.get(..end).unwrap_or_default()
}

/// Whether it is `git stash show` without options, which prints how much has changed.
pub(super) fn is_stat_of_stash(looking: Looking, rest: &[OsString]) -> bool {
    let words = rest.get(looking.words..).unwrap_or_default();
    rest.first().is_some_and(|word| word == "stash")
        && looking.prints == Prints::Changes
        && !words.iter().any(is_option)
}

/// Whether it looks for a text in what has changed: what is found tells what is in a file, even where only a commit is shown.
fn searches(word: &OsString) -> bool {
    word.as_bytes().starts_with(b"-S") || word.as_bytes().starts_with(b"-G")
}

/// Whether every option is known to print no content of files.
pub(super) fn print_no_content(looking: Looking, rest: &[OsString]) -> bool {
    let words = before_end(looking, rest);
    if words.iter().any(searches) {
        return false;
    }
    let quiet = |word: &OsString| is_plain(word) && name(word) != "--check";
    let harmless = |word: &OsString| !is_option(word) || quiet(word) || has(VALUED, name(word));
    let instead = || {
        let found = words.iter().enumerate().any(|(at, word)| has(INSTEAD, name(word)) && stands_alone(words, at));
        found && words.iter().all(|word| !is_option(word) || quiet(word))
    };
    is_stat_of_stash(looking, rest) || words.iter().all(harmless) && (looking.prints != Prints::Changes || instead())
}

/// The words that make git list the names, NUL after each, of the files of which a form would print something.
pub(super) fn listing(looking: Looking, rest: &[OsString]) -> Vec<OsString> {
    let (form, words) = rest.split_at(looking.words.min(rest.len()));
    let first = form.first().and_then(|word| word.to_str()).unwrap_or_default();
    let front: &[&str] = match (looking.prints, first) {
        (Prints::Matches, _) => &["--files-with-matches", "--null", "--full-name", "--no-color"],
        // Against every parent, so that all names of a file that a merge renamed are listed.
        (_, "log" | "show" | "whatchanged") => &["--name-status", "-z", "-m"],
        (_, "diff-tree") => &["--name-status", "-z", "-r"],
        _ => &["--name-status", "-z"],
    };
    let listed = form.iter().cloned().chain(front.iter().map(OsString::from));
    let (options, operands) = words.split_at(before_end(looking, rest).len());
    let options = if looking.prints == Prints::Matches { aloud(options) } else { listable(first, options) };
    listed.chain(options).chain(operands.iter().cloned()).collect()
}

/// The options of a form that go together with a list of names.
fn listable(form: &str, words: &[OsString]) -> Vec<OsString> {
    let mut listed = Vec::new();
    let mut skip = false;
    for (at, word) in words.iter().enumerate() {
        let option = stands_alone(words, at);
        if std::mem::take(&mut skip) || (option && has(NO_LIST, name(word))) {
            continue;
        }
        // Lines of a file cannot be listed: all that the history touches is, with every name that the file had.
        if option && form == "log" && word.as_bytes().starts_with(b"-L") {
            skip = word == "-L";
            continue;
        }
        // Closed files are left out whether there is a match or not: neither result nor note tells which.
        if option && searches(word) {
            skip = word.len() == 2;
            continue;
        }
        listed.push(word.clone());
    }
    listed
}

/// The options of `git grep` without the one that prints no names: its exit code tells of matches all the same.
fn aloud(words: &[OsString]) -> Vec<OsString> {
    let mut value = false;
    let loud = |word: &OsString| {
        if std::mem::take(&mut value) {
            return Some(word.clone());
        }
        if word.as_bytes().starts_with(b"--q") {
            return None;
        }
        let Some(letters) = short(word) else { return Some(word.clone()) };
        value = valued(letters) + 1 == letters.len();
        let (flags, rest) = letters.split_at(valued(letters));
        let kept: Vec<u8> = flags.iter().filter(|flag| **flag != b'q').chain(rest).copied().collect();
        (!kept.is_empty()).then(|| OsString::from_vec([b"-", &*kept].concat()))
    };
    words.iter().filter_map(loud).collect()
}

/// The letters of short options of `git grep` that stand together.
fn short(word: &OsStr) -> Option<&[u8]> {
    word.as_bytes().strip_prefix(b"-").filter(|letters| !letters.is_empty() && !letters.starts_with(b"-"))
}

/// Which of the letters takes what follows it as its value. A program to open files with is never safe.
fn valued(letters: &[u8]) -> usize {
    letters.iter().position(|letter| b"efABCm".contains(letter)).unwrap_or(letters.len())
}

/// Whether `git log -L` might be asked for, which follows lines through all names of a file and excludes none.
pub(super) fn follow_lines(rest: &[OsString]) -> bool {
    rest.first().is_some_and(|word| word == "log") && rest.iter().any(|word| word.as_bytes().starts_with(b"-L"))
}

/// Whether revisions or patterns may come on stdin. A value in a word of its own is never `--stdin` in a safe form.
pub(super) fn read_input(looking: Looking, rest: &[OsString]) -> bool {
    let words = before_end(looking, rest);
    match looking.prints {
        Prints::Matches => words.iter().any(|word| word == "-" || word.as_bytes().ends_with(b"f-")),
        _ => words.iter().any(|word| word == "--stdin"),
    }
}

/// Words that could name a commit or an object, and the ends of ranges.
pub(super) fn revisions(looking: Looking, rest: &[OsString]) -> Vec<&[u8]> {
    let words = before_end(looking, rest);
    let matches = looking.prints == Prints::Matches;
    let letters = |word: &OsString| is_option(word) && !word.as_bytes().starts_with(b"--");
    let given = words.iter().any(|word| letters(word) && word.as_bytes().iter().any(|byte| b"ef".contains(byte)));
    let mut pattern = matches && !given;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let alone = stands_alone(words, at);
        at += 1;
        // Values that are no revisions: a pattern, a number.
        let valued = if matches { word == "-e" || word == "-f" } else { word == "-n" && alone };
        if valued {
            at += 1;
        } else if !is_option(word) && !std::mem::take(&mut pattern) {
            let word = word.as_bytes();
            found.extend(ends(word.strip_prefix(b"^").unwrap_or(word)));
        }
    }
    found
}

/// The word, and both ends of it where it is a range: a path may contain two dots as well.
fn ends(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    let dots = word.windows(2).position(|two| two == b"..");
    let (first, second) = dots.map_or((&[][..], &[][..]), |at| word.split_at(at));
    let second = second.strip_prefix(b"...").or_else(|| second.strip_prefix(b"..")).unwrap_or(second);
    [word, first, second].into_iter().filter(|end| !end.is_empty())
}
