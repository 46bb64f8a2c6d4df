#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    missing_docs
)]

use super::*;

fn read(files: &[(&str, &str)]) -> (Vec<(String, String)>, String) {
    let found = personal(files);
    assert_eq!(found.unreadable, None);
    (found.settings, found.attributes)
}

/// With `HOME` instead of the home.
fn personal(files: &[(&str, &str)]) -> PersonalGit {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let workspace = home.join("work/project");
    std::fs::create_dir_all(&workspace).unwrap();
    for (path, text) in files {
        let path = home.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let personal = Personal { home: Some(&home), workspace: &workspace };
    let found = personal.read(|name| (name == "GIT_CONFIG_SYSTEM").then(|| home.join("system")));
    let home = home.display().to_string();
    let plain = |(key, value): (String, String)| (key, value.replace(&home, "HOME"));
    PersonalGit {
        settings: found.settings.into_iter().map(plain).collect(),
        unreadable: found.unreadable.map(|why| why.replace(&home, "HOME")),
        ..found
    }
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn what_decides_about_content_is_told_and_nothing_else() {
    let (settings, attributes) = read(&[
        ("system", "[filter \"lfs\"]\nclean = git-lfs clean -- %f\nrequired"),
        (
            ".gitconfig",
            "[user]\nname = n\nsigningkey = KEY\n[core]\nhooksPath = ~/hooks\neditor = vi\nattributesFile = ~/attributes\n\
             [commit]\ngpgSign\n[gpg \"ssh\"]\nprogram = x\n[alias]\nst = !evil\n[credential]\nhelper = !token",
        ),
        ("attributes", "*.bin filter=lfs\n"),
        (".config/git/attributes", "not this one\n"),
    ]);
    let expected = [
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("filter.lfs.required", "true"),
        ("user.signingkey", "KEY"),
        ("core.hookspath", "HOME/hooks"),
        ("commit.gpgsign", "true"),
    ];
    assert_eq!((settings, attributes), (pairs(&expected), "*.bin filter=lfs\n".to_owned()));
}

#[test]
fn the_files_are_read_in_the_order_of_git_and_those_that_they_include() {
    let (settings, attributes) = read(&[
        (".config/git/config", "[commit]\ngpgSign = true\n[include]\npath = more"),
        (".config/git/more", "[tag]\ngpgSign = true\n[include]\npath = none"),
        (".config/git/attributes", "*.x filter=x\n"),
        (".gitconfig", "[commit]\ngpgSign = false\n[include]\npath = ~/absent\n"),
    ]);
    assert_eq!(settings.last(), Some(&("commit.gpgsign".to_owned(), "false".to_owned())));
    assert!(settings.contains(&("tag.gpgsign".to_owned(), "true".to_owned())));
    assert_eq!(attributes, "*.x filter=x\n");
}

#[test]
fn a_condition_counts_unless_it_plainly_does_not_hold() {
    for (condition, counts) in [
        ("gitdir:~/work/", true),
        ("gitdir:~/other/", false),
        ("gitdir:~/**/", true),
        ("gitdir/i:~/other/", true),
        ("onbranch:main", true),
        ("gitdir:~/other", true),
    ] {
        let text = format!("[includeIf \"{condition}\"]\npath = signing");
        let (settings, _) = read(&[(".gitconfig", &text), ("signing", "[commit]\ngpgSign = true")]);
        let expected: &[_] = if counts { &[("commit.gpgsign", "true")] } else { &[] };
        assert_eq!(settings, pairs(expected), "{condition}");
    }
}

#[test]
fn what_is_not_known_in_full_is_told() {
    for (files, why) in [
        (vec![(".gitconfig", "[include]\npath = .gitconfig")], "more than 20 files"),
        (vec![(".gitconfig", "[core\n")], "HOME/.gitconfig: line 2 is not git configuration"),
        (vec![(".config/git/attributes", &*"x".repeat(49 << 10))], "cannot read HOME/.config/git/attributes"),
    ] {
        let unreadable = personal(&files).unreadable.unwrap_or_default();
        assert!(unreadable.starts_with(why), "{unreadable}");
    }
}
