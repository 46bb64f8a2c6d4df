#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::words::{listing, print_no_content, revisions};
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
    assert_eq!(shown(&words("stash show -p")), words("stash show --no-ext-diff --no-textconv -p"));
    assert_eq!(shown(&words("blame a")), words("blame --no-textconv a"));
    for same in ["status -s", "stash show stash@{1}", "reflog expire --all", "commit -m x"] {
        assert_eq!(shown(&words(same)), words(same));
    }
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
    let variables = variables(&always(Obeys::Nothing));
    // One more than with a repository: its templates.
    let pairs = ALWAYS.len() + 1;
    assert_eq!(variables[0], ("GIT_CONFIG_COUNT".to_owned(), pairs.to_string()));
    assert_eq!(variables.len(), 1 + 2 * pairs);
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

/// What the judge of commands calls safe is what is locked here; a form in only one of the tables would run what a
/// repository names.
#[test]
fn every_form_that_is_judged_safe_is_locked() {
    let table = include_str!("../../../shell/src/catalogue/uses/git.rs").split_once("[git]").unwrap().1;
    let mut rows = 0;
    for row in table.lines() {
        let Some((names, _)) = row.split_once(" = safe") else { continue };
        for name in names.split('|') {
            assert!(looking(&words(name)).is_some(), "git {name}");
            rows += 1;
        }
    }
    assert!(rows > 40, "the table is written in another way: {rows}");
    for changing in
        ["commit -m x", "stash", "stash push", "reflog expire --all", "remote add a b", "worktree add x", ""]
    {
        assert_eq!(looking(&words(changing)), None, "{changing}");
    }
}

fn form(line: &str) -> (Looking, Vec<OsString>) {
    (looking(&words(line)).unwrap(), words(line))
}

#[test]
fn an_option_counts_only_where_it_is_no_value() {
    for (line, nothing) in [
        ("diff", false),
        ("diff --stat", true),
        ("diff --stat -p", false),
        ("diff --name-only HEAD~1 -- src", true),
        ("diff -S --name-only", false),
        ("diff -O --stat", false),
        ("diff --check", false),
        ("show --stat HEAD", true),
        ("show", false),
        ("log", true),
        ("log --oneline -20", true),
        ("log -n 5 --author=x --since yesterday", true),
        ("log -p", false),
        ("log -S x", false),
        ("log --oneline -Gx", false),
        ("log -S -p", false),
        ("log -U3", false),
        ("log --unknown", false),
        ("stash show", true),
        ("stash show -w", false),
        ("stash list", true),
        ("reflog -p", false),
        ("diff-tree -r HEAD", true),
        ("diff-index -p HEAD", false),
    ] {
        let (looking, rest) = form(line);
        assert_eq!(print_no_content(looking, &rest), nothing, "git {line}");
    }
}

#[test]
fn names_are_asked_for_with_the_same_words() {
    for (line, wanted) in [
        ("diff HEAD -- a", "diff --name-status -z HEAD -- a"),
        ("diff --check", "diff --name-status -z"),
        ("diff -S --check", "diff --name-status -z"),
        ("log -Sx --oneline -G y -- -S", "log --name-status -z -m --oneline -- -S"),
        ("log -p -L 1,5:f --oneline", "log --name-status -z -m -p --oneline"),
        ("log -p -- -L", "log --name-status -z -m -p -- -L"),
        ("stash show -p", "stash show --name-status -z -p"),
        ("diff-tree -p HEAD", "diff-tree --name-status -z -r -p HEAD"),
        ("grep -n x HEAD", "grep --files-with-matches --null --full-name --no-color -n x HEAD"),
        (
            "grep -q --quiet -iqw -qe q -A 1 -- -q",
            "grep --files-with-matches --null --full-name --no-color -iw -e q -A 1 -- -q",
        ),
        ("grep -ie -q -eq -e -e -q", "grep --files-with-matches --null --full-name --no-color -ie -q -eq -e -e"),
    ] {
        let (looking, rest) = form(line);
        assert_eq!(listing(looking, &rest), words(wanted), "git {line}");
    }
}

#[test]
fn what_could_name_an_object_is_found() {
    for (line, wanted) in [
        ("show abc def -- f", "abc def"),
        ("show a..b", "a..b a b"),
        ("log ^a b", "a b"),
        ("show -n 1000 abc", "abc"),
        ("show -p -n 1000", ""),
        ("show -S -n abc", "abc"),
        ("grep cafe", ""),
        ("grep -e cafe abc", "abc"),
        ("grep -e -e abc", "abc"),
        ("grep -efoo abc", "abc"),
        ("cat-file -p abc", "abc"),
    ] {
        let (looking, rest) = form(line);
        let found: Vec<_> = revisions(looking, &rest).into_iter().map(|word| String::from_utf8_lossy(word)).collect();
        assert_eq!(found.join(" "), wanted, "git {line}");
    }
}

/// Where the kernel has no Landlock.
#[test]
fn a_git_that_starts_no_process_starts_none() {
    let shell = |filtered: bool| {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "/bin/true && echo started; exit 3"]);
        if filtered {
            start_nothing(&mut command);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(shell(false), (Some(3), "started\n".to_owned()));
    assert_eq!(shell(true).1, "");
}

#[test]
fn the_loader_of_a_program_is_the_one_that_it_names() {
    let found = loader::loader(Path::new("/bin/sh")).unwrap().unwrap();
    assert!(found.is_absolute() && found.exists(), "{found:?}");
    for other in ["/dev/null", "/etc/passwd", "/no/such/program"] {
        assert!(loader::loader(Path::new(other)).is_err(), "{other}");
    }
}
