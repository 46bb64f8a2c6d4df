//! What a program leaves for others to stumble over, and what it is given by mistake: links, descriptors, files that run
//! as their owner, terminals.

use crate::driver::{Place, User, users};
use crate::host::Host;
use crate::probes::program;
use crate::work::{there, with_terminal};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::{Errno, FdFlags, fcntl_setfd};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A link that a program made is a link: who opens files as the file tools do does not follow it out.
#[test]
fn a_link_made_inside_does_not_escape_resolution_beneath() {
    for user in users() {
        let (host, place) = (Host::new(user), Place::new(user, "full"));
        let outside = host.directory().display();
        place.sh(&format!(
            "ln -s {outside}/secret l; ln -s {outside} d; ln -s /proc/self/root r; ln -s ../.. u; mkfifo p"
        ));
        let workspace = openat(CWD, place.workspace(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        for path in ["l", "d/secret", "r/etc/passwd", "u/etc/passwd"] {
            let opened = openat2(&workspace, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty(), beneath);
            assert_eq!(opened.err(), Some(Errno::XDEV), "{user:?}: {path}");
        }
    }
}

/// Not even those that were never meant to stay in the family.
#[test]
fn no_descriptor_of_the_parent_is_inherited() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("secret"), "canary").unwrap();
    let held: Vec<_> = (0..60)
        .map(|number| {
            let path = if number % 2 == 0 { directory.path().to_owned() } else { directory.path().join("secret") };
            let file = fs::File::open(path).unwrap();
            fcntl_setfd(&file, FdFlags::empty()).unwrap();
            file
        })
        .collect();
    for user in users() {
        for level in ["full", "filters", "none"] {
            let place = Place::new(user, level);
            // The last one is that by which the directory is read.
            assert_eq!(place.run(&["ls", "/proc/self/fd"]).output, "0\n1\n2\n3\n", "{user:?} {level}");
            let reached = place.sh("for n in $(seq 3 200); do ls -l /proc/self/fd/$n/secret; done 2>/dev/null; true");
            assert_eq!(reached.output, "", "{user:?} {level}");
        }
    }
    drop(held);
}

#[test]
fn a_program_that_runs_as_its_owner_does_not() {
    if !rustix::process::geteuid().is_root() {
        return palanca_testkit::skipped("programs that run as root", "only root can make one");
    }
    let tools = tempfile::tempdir().unwrap();
    fs::set_permissions(tools.path(), Permissions::from_mode(0o755)).unwrap();
    let made = Command::new("install").args(["-m", "6755", "/usr/bin/id"]).arg(tools.path().join("id")).status();
    assert!(made.unwrap().success());
    for level in ["full", "filters"] {
        let mut place = Place::new(User::Ordinary, level);
        place.readable = vec![tools.path().to_owned()];
        let seen = place.sh(&format!("{0}/id -u; {0}/id -g", tools.path().display()));
        let ordinary = crate::driver::ORDINARY;
        assert_eq!(seen.output, format!("{ordinary}\n{ordinary}\n"), "{level}");
    }
}

const TERMINAL: [&str; 8] = [
    "tty-TIOCSTI denied EPERM",
    "tty-TIOCSTI-high-bits denied EPERM",
    "tty-TIOCLINUX denied EPERM",
    "tty-TIOCCONS denied EPERM",
    "tty-steal denied EPERM",
    "tty-size allowed -",
    "tty-process-group allowed -",
    "tty-waiting allowed -",
];

/// A terminal of the program's own, made by `script`, for everybody.
#[test]
fn nothing_is_typed_into_a_terminal_made_inside() {
    if !there("script") {
        return palanca_testkit::skipped("a terminal made inside", "no `script` here");
    }
    for user in users() {
        let place = Place::new(user, "full");
        put_probes(&place);
        terminal_is_tame(&place.sh("script -qec './probes terminal' /dev/null").output);
    }
}

/// The host's: its other end is ours.
#[test]
fn nothing_is_typed_into_a_terminal_of_the_host() {
    let place = Place::new(User::Own, "full");
    put_probes(&place);
    terminal_is_tame(&with_terminal(place.workspace(), "./probes terminal"));
}

fn terminal_is_tame(seen: &str) {
    let lines: Vec<&str> = seen.lines().map(str::trim).filter(|line| line.starts_with("tty-")).collect();
    assert_eq!(lines, TERMINAL, "{seen}");
}

fn put_probes(place: &Place) {
    place.install(&program(), "probes");
}

/// What `git` obeys outside, in a repository that was at a program's mercy. Beside its settings and hooks these decide
/// where it looks for settings: a `commondir`, and a repository without a directory of its own, which it finds when
/// `.git` is none any more.
#[test]
fn git_outside_runs_nothing_that_was_planted_where_it_looks_first() {
    if !there("git") {
        return palanca_testkit::skipped("git outside", "no git here");
    }
    // As the program there sees itself: `$1` gets settings that start something.
    const EVIL: &str = r#"evil() { mkdir -p $1; cp -r .git/objects .git/refs $1; echo 'ref: refs/heads/master' > $1/HEAD
        printf '[core]\n\trepositoryformatversion=0\n\tfsmonitor=touch %s;\n\tbare=false\n\tworktree=%s\n' $PWD/ran $PWD > $1/config; }"#;
    for (plant, closed) in [
        ("evil e; echo ../e > .git/commondir", &[".git/commondir"][..]),
        ("evil .; mv .git/HEAD .git/h", &["refs", "commondir"]),
        ("mkdir e; evil e; mv e/HEAD .; echo e > commondir; mv .git/HEAD .git/h", &["refs", "commondir"]),
    ] {
        let script = format!("{EVIL}\n{plant}");
        if !git_runs_it(&script, &[]) {
            palanca_testkit::unreached(plant, "this git does not fall for it");
        }
        assert!(!git_runs_it(&script, closed), "{plant}");
    }
}

fn git_runs_it(plant: &str, closed: &[&str]) -> bool {
    let place = Place::new(User::Own, "full").protect(&[&[".git/config", ".git/hooks"], closed].concat());
    let git = |words: &str| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=master"]);
        git.args(words.split(' ')).current_dir(place.workspace()).env("HOME", place.workspace()).output().unwrap()
    };
    place.file("file", "");
    assert!(["init", "add file", "commit -m x"].iter().all(|words| git(words).status.success()));
    place.sh(plant);
    git("status");
    place.path("ran").exists()
}
