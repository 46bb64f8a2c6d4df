#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

#[test]
fn the_subcommand_is_found_behind_every_option() {
    for (line, place) in [
        ("status", 0),
        ("-C sub status", 2),
        ("-c a.b=c --no-pager -C x log -1", 5),
        ("--git-dir=x --work-tree y diff", 3),
        ("--version", 1),
        ("-C", 1),
        ("", 0),
    ] {
        assert_eq!(subcommand(&words(line)), place, "{line}");
    }
}

#[test]
fn what_shows_changes_gets_the_options_that_run_nothing() {
    assert_eq!(shown(&words("diff HEAD -- a")), words("diff --no-ext-diff --no-textconv HEAD -- a"));
    assert_eq!(shown(&words("status -s")), words("status -s"));
    assert_eq!(shown(&[]), words(""));
}

#[test]
fn every_key_that_executes_is_made_harmless() {
    for key in [
        "filter.lfs.clean",
        "filter.a.b.smudge",
        "filter.x.process",
        "diff.pdf.textconv",
        "diff.x.command",
        "merge.x.driver",
        "pager.log",
        "alias.st",
        "credential.https://x.example.helper",
        "trailer.sign.command",
        "submodule.lib.update",
        "mergetool.x.cmd",
        "remote.origin.uploadpack",
    ] {
        assert!(named(key).is_some(), "{key}");
    }
    for key in
        ["core.bare", "remote.origin.url", "branch.main.merge", "user.name", "diff.renames", "merge.conflictstyle"]
    {
        assert!(named(key).is_none(), "{key}");
    }
}

#[test]
fn the_variables_count_their_pairs() {
    let variables = always();
    assert_eq!(variables[0], ("GIT_CONFIG_COUNT".to_owned(), ALWAYS.len().to_string()));
    assert_eq!(variables.len(), 1 + 2 * ALWAYS.len());
}

#[test]
fn of_the_variables_that_are_there_only_safe_directories_stay() {
    let given = [
        ("GIT_CONFIG_COUNT", "2"),
        ("GIT_CONFIG_KEY_0", "core.pager"),
        ("GIT_CONFIG_VALUE_0", "evil"),
        ("GIT_CONFIG_KEY_1", "safe.directory"),
        ("GIT_CONFIG_VALUE_1", "/w"),
    ];
    let variable = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    assert_eq!(safe_directories(variable), [("safe.directory".to_owned(), "/w".to_owned())]);
}
