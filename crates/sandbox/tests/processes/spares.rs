//! The helper that waits for the next program: it is used, or dropped, and never outlives the door.

use crate::space::{Space, text, without};
use palanca_sandbox::Level;
use palanca_testkit::{PATIENCE, until};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Processes that wait as helpers below this one, at any depth.
fn helpers_of(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open = vec![pid];
    while let Some(pid) = open.pop() {
        for task in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            open.extend(children.split_ascii_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if line == b"palanca\0__sandbox\0" {
            found.push(pid);
        }
    }
    found
}

/// A helper outside, its init, and the process that will become the program.
const ONE: usize = 3;

/// Started by the next test, which kills it.
#[test]
#[ignore = "is started by another test"]
fn a_process_with_a_spare() {
    let Some(ready) = std::env::var_os("PALANCA_TEST_READY") else { return };
    let none_waits = || until("none waits", || helpers_of(std::process::id()).is_empty());
    let with_a_spare = || {
        let space = Space::new();
        space.sh("true");
        none_waits();
        // One that could not be started is tried again with the next program.
        until("one waits", || {
            space.sh("sleep 0.1");
            helpers_of(std::process::id()).len() == ONE
        });
        space
    };
    drop(with_a_spare());
    none_waits();
    let _space = with_a_spare();
    fs::write(ready, "").unwrap();
    std::thread::sleep(PATIENCE);
}

#[test]
fn one_waits_from_the_second_program_on_and_ends_with_us_or_the_door() {
    let space = Space::new();
    if space.door().level() != Level::Full || !space.door().supervises() {
        return without("a helper that waits", "without supervision in namespaces there is none");
    }
    let ready = space.path("ready");
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "spares::a_process_with_a_spare"])
        .env("PALANCA_TEST_READY", &ready)
        .env("TMPDIR", space.path(""))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until("it has one", || {
        let ended = process.try_wait().unwrap();
        assert!(ended.is_none(), "the process that should have one ended: {ended:?}");
        ready.exists()
    });
    let helpers = helpers_of(process.id());
    assert_eq!(helpers.len(), ONE);
    let gone = || helpers.iter().all(|pid| !Path::new(&format!("/proc/{pid}")).exists());
    process.kill().unwrap();
    process.wait().unwrap();
    until("they are gone", gone);
}

#[test]
fn what_changed_meanwhile_is_seen_and_what_is_hidden_stays_hidden() {
    let tools = tempfile::tempdir().unwrap();
    let tool = tools.path().canonicalize().unwrap().join("tool");
    let space = Space::with(|settings| {
        fs::create_dir(&tool).unwrap();
        settings.readable = vec![tool.clone()];
        settings.masked = vec![settings.workspace.join("secret"), settings.workspace.join("later")];
    });
    let version = |text: &str| {
        fs::remove_dir_all(&tool).unwrap();
        fs::create_dir(&tool).unwrap();
        fs::write(tool.join("version"), text).unwrap();
    };
    let replaced = |name: &str| {
        fs::write(space.path("new"), "hidden").unwrap();
        fs::rename(space.path("new"), space.path("ws").join(name)).unwrap();
    };
    let check = |number: &str| {
        version(number);
        // Time for a spare to be built, and none.
        for script in ["sleep 0.1", "true", "sleep 0.1"] {
            space.sh(script);
            let seen = space.sh(&format!("cat {}/version; cat secret later 2> /dev/null", tool.display()));
            assert_eq!(text(&seen.stdout), number);
            ["secret", "later"].into_iter().for_each(replaced);
        }
    };
    check("one");
    check("two");
}
