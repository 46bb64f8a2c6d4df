//! The same again at the other levels, and as an ordinary user: one test at a time, while the one here waits.

use crate::space::{Space, built, helper};
use crate::writes::STORM;
use palanca_testkit::{again, skipped};
use rustix::process::geteuid;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::process::Command;
use tempfile::TempDir;

/// Nobody: owns nothing and may do nothing special.
const NOBODY: u32 = 65_534;

/// This binary, without any isolation.
fn unsandboxed() -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env("PALANCA_TEST_ISOLATION", "none");
    command
}

/// The level below: where no namespace can be made, as in many containers.
pub(crate) fn filtered() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c"]);
    command.arg("echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"");
    command.arg(std::env::current_exe().unwrap()).env("PALANCA_TEST_ISOLATION", "filters");
    command
}

/// Where nobody can be asked about system calls, as before Linux 5.0: programs are kept by mounts and rights alone.
pub(crate) fn unasked(space: &Space) -> Command {
    let mut command = Command::new(built(space, "storm", STORM));
    command.arg("unasked").arg(std::env::current_exe().unwrap()).env("PALANCA_TEST_UNASKED", "1");
    command.env("PALANCA_TEST_ISOLATION", "full");
    command
}

/// As an ordinary user, who takes root to become; with the folder that is his home.
pub(crate) fn ordinary() -> Option<(TempDir, Command)> {
    if !geteuid().is_root() {
        skipped("an ordinary user beside this one", "only root can be another");
        return None;
    }
    let home = tempfile::tempdir().unwrap();
    chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    // The binaries may lie where an ordinary user cannot look. Another program copies them: a file that this one had
    // open for writing, a child forked meanwhile by another test still holds, and it cannot be run.
    for (from, to) in [(std::env::current_exe().unwrap(), "processes"), (helper(), "helper")] {
        let copied = Command::new("install").args(["-m", "755"]).arg(from).arg(home.path().join(to)).status();
        assert!(copied.unwrap().success(), "{to} cannot be copied");
    }
    let mut command = Command::new(home.path().join("processes"));
    command.current_dir(home.path()).env("TMPDIR", home.path()).env("HOME", home.path());
    command.env("PALANCA_TEST_HELPER", home.path().join("helper")).env("PALANCA_TEST_ISOLATION", "best");
    command.env("PALANCA_TEST_COMPILED", home.path().join("compiled")).uid(NOBODY).gid(NOBODY);
    Some((home, command))
}

#[test]
fn without_isolation() {
    let tests = ["ends::", "limits::nothing", "surroundings::", "terminals::", "lost::", "attached::w", "profiles::"];
    again("without isolation", &mut unsandboxed(), &tests);
}

#[test]
fn without_namespaces() {
    let tests = [
        "ends::",
        "limits::nothing",
        "surroundings::",
        "terminals::",
        "background::a_",
        "writes::",
        "loopback::",
        "above::",
        "unseen::",
        "supervisors::",
        "asking::",
        "attached::w",
        "profiles::",
        "engine::",
    ];
    again("without namespaces", &mut filtered(), &tests);
}

#[test]
fn without_notifications() {
    again("without notifications", &mut unasked(&Space::new()), &["writes::", "profiles::", "asking::", "loopback::"]);
}

#[test]
fn as_an_ordinary_user() {
    let Some((_home, mut command)) = ordinary() else { return };
    let tests = [
        "ends::",
        "limits::",
        "surroundings::",
        "terminals::",
        "lost::",
        "background::a_",
        "writes::",
        "loopback::",
        "above::",
        "unseen::",
        "supervisors::",
        "asking::",
        "attached::w",
        "profiles::",
    ];
    again("as an ordinary user", &mut command, &tests);
}
