//! The same again at the other levels, and as an ordinary user.

use crate::space::{Space, helper};
use crate::writes::{STORM, built};
use rustix::process::geteuid;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Nobody: owns nothing and may do nothing special.
const NOBODY: u32 = 65_534;

/// Runs some tests of this binary with this level asked for. Races are run in full at the best level.
fn again(command: &mut Command, level: &str, tests: &[&str]) {
    let output =
        command.args(tests).env("PALANCA_TEST_ISOLATION", level).env("PALANCA_TEST_TRIES", "1000").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn without_isolation() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    again(
        &mut command,
        "none",
        &["ends::", "limits::nothing", "surroundings::", "terminals::", "lost::", "attached::w", "profiles::"],
    );
}

/// The level below: where no namespace can be made, as in many containers.
#[test]
fn without_namespaces() {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c"]);
    command.arg("echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"");
    command.arg(std::env::current_exe().unwrap());
    let tests = [
        "ends::",
        "limits::nothing",
        "surroundings::",
        "terminals::",
        "background::a_",
        "writes::",
        "supervisors::",
        "asking::",
        "attached::w",
        "profiles::",
        "engine::",
    ];
    again(&mut command, "filters", &tests);
}

/// Where nobody can be asked about system calls, as before Linux 5.0: programs are kept by mounts and rights alone.
#[test]
fn without_notifications() {
    let space = Space::new();
    let mut command = Command::new(built(&space, "storm", STORM));
    command.arg("unasked").arg(std::env::current_exe().unwrap()).env("PALANCA_TEST_UNASKED", "1");
    again(&mut command, "full", &["writes::", "profiles::", "asking::"]);
}

#[test]
fn as_an_ordinary_user() {
    if !geteuid().is_root() {
        eprintln!("already an ordinary user");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    // The binaries may lie where an ordinary user cannot look. Another program copies them: a file that this one had open
    // for writing, a child forked meanwhile by another test still holds, and it cannot be run ("text file busy").
    for (from, to) in [(std::env::current_exe().unwrap(), "processes"), (helper(), "helper")] {
        let copied = Command::new("install").args(["-m", "755"]).arg(from).arg(home.path().join(to)).status();
        assert!(copied.unwrap().success(), "{to} cannot be copied");
    }
    let mut command = Command::new(home.path().join("processes"));
    command.current_dir(home.path()).env("TMPDIR", home.path()).env("HOME", home.path());
    command.env("PALANCA_TEST_HELPER", home.path().join("helper")).uid(NOBODY).gid(NOBODY);
    let tests = [
        "ends::",
        "limits::",
        "surroundings::",
        "terminals::",
        "lost::",
        "background::a_",
        "writes::",
        "supervisors::",
        "asking::",
        "attached::w",
        "profiles::",
    ];
    again(&mut command, "best", &tests);
}
