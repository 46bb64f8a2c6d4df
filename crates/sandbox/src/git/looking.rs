//! The read-only forms of git, and whether they print file contents. A form not listed here is not locked, so every form that
//! the command classifier calls safe must be listed; a test compares the two tables.

use std::ffi::OsString;

/// What of a repository's files a form prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prints {
    /// Names, commits, settings.
    Names,
    /// Changes, unless other output is asked for.
    Changes,
    /// Changes, if they are asked for.
    ChangesIfAsked,
    /// Matching lines.
    Matches,
    /// The file or object that an operand names.
    Named,
}

/// A form that only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Looking {
    pub(super) prints: Prints,
    /// Words of its name.
    pub(super) words: usize,
}

const FORMS: &[(&str, Prints)] = &[
    ("annotate", Prints::Named),
    ("blame", Prints::Named),
    ("branch", Prints::Names),
    ("cat-file", Prints::Named),
    ("check-attr", Prints::Names),
    ("check-ignore", Prints::Names),
    ("cherry", Prints::Names),
    ("config", Prints::Names),
    ("count-objects", Prints::Names),
    ("describe", Prints::Names),
    ("diff", Prints::Changes),
    ("diff-files", Prints::ChangesIfAsked),
    ("diff-index", Prints::ChangesIfAsked),
    ("diff-tree", Prints::ChangesIfAsked),
    ("for-each-ref", Prints::Names),
    ("grep", Prints::Matches),
    ("log", Prints::ChangesIfAsked),
    ("ls-files", Prints::Names),
    ("ls-tree", Prints::Names),
    ("merge-base", Prints::Names),
    ("name-rev", Prints::Names),
    ("range-diff", Prints::Names),
    ("reflog", Prints::ChangesIfAsked),
    ("reflog list", Prints::Names),
    ("reflog show", Prints::ChangesIfAsked),
    ("remote", Prints::Names),
    ("remote get-url", Prints::Names),
    ("remote show", Prints::Names),
    ("rev-list", Prints::Names),
    ("rev-parse", Prints::Names),
    ("shortlog", Prints::Names),
    ("show", Prints::Changes),
    ("show-branch", Prints::Names),
    ("show-ref", Prints::Names),
    ("stash list", Prints::ChangesIfAsked),
    ("stash show", Prints::Changes),
    ("status", Prints::Names),
    ("symbolic-ref", Prints::Names),
    ("tag", Prints::Names),
    ("version", Prints::Names),
    ("whatchanged", Prints::ChangesIfAsked),
    ("worktree list", Prints::Names),
];

/// Second words that make a form change something.
const CHANGING: &[(&str, &[&str])] = &[
    ("reflog", &["delete", "drop", "exists", "expire", "write"]),
    ("remote", &["add", "prune", "remove", "rename", "rm", "set-branches", "set-head", "set-url", "update"]),
];

/// The form that these words begin with, if it only looks.
pub(super) fn looking(rest: &[OsString]) -> Option<Looking> {
    let word = |at: usize| rest.get(at).and_then(|word| word.to_str());
    let find = |name: &str, words| {
        FORMS.iter().find(|(form, _)| *form == name).map(|(_, prints)| Looking { prints: *prints, words })
    };
    let (first, second) = (word(0)?, word(1).unwrap_or_default());
    let changing = CHANGING.iter().any(|(form, verbs)| {
        *form == first && rest.iter().any(|word| word.to_str().is_some_and(|word| verbs.contains(&word)))
    });
    find(&format!("{first} {second}"), 2).or_else(|| find(first, 1).filter(|_| !changing))
}
