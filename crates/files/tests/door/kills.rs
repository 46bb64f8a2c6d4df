//! A writer that is killed at any moment leaves the old file or the new one, and nothing that stays.

use crate::space::{Open, Space, at, commit, origin, write};
use palanca_core::ports::{Expect, Files};
use palanca_files::{Disk, Journal, StateDirectory};
use palanca_store::Database;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const SIZE: usize = 256 << 10;

#[test]
#[ignore = "started by kill_writers"]
fn child_writes() {
    let Some(workspace) = std::env::var_os("DOOR_WORKSPACE") else { return };
    let workspace = Path::new(&workspace);
    let disk = Disk::open(workspace, &[], Arc::new(Open)).unwrap().with_journal(journal(workspace));
    let (big, other) = (at(&disk, "big.bin"), at(&disk, "sub/other.bin"));
    for letter in (b'a'..=b'z').cycle() {
        let both = [
            write(&big, vec![letter; SIZE], Expect::Anything),
            write(&other, vec![letter; SIZE / 4], Expect::Anything),
        ];
        disk.commit(&both, &origin()).unwrap();
        std::io::stderr().write_all(b"x\n").unwrap();
    }
}

/// The journal of the state beside a workspace.
fn journal(workspace: &Path) -> Arc<Journal> {
    let state = StateDirectory::open(&workspace.with_file_name("state")).unwrap();
    Arc::new(Journal::open(&state, Arc::new(Database::lazy(state.path()))).unwrap())
}

fn whole(space: &Space, name: &str, size: usize) {
    let content = std::fs::read(space.ws().join(name)).unwrap();
    assert_eq!(content.len(), size, "{name}");
    assert!(content.iter().all(|byte| *byte == content[0]), "{name} is torn");
}

#[test]
fn killed_writers_leave_whole_files() {
    kill_writers(20);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn killed_writers_leave_whole_files() {
        super::kill_writers(1_000);
    }
}

/// Kills so many writers, and others until one was killed while it wrote.
fn kill_writers(least: u64) {
    let space = Space::in_memory();
    space.put("big.bin", vec![b'0'; SIZE]);
    space.put("sub/other.bin", vec![b'0'; SIZE / 4]);
    let mut left = 0;
    let mut round = 0;
    while round < least || left == 0 {
        assert!(round < least + 1_000, "no writer was killed while it wrote");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", "child_writes", "kills::child_writes"])
            .env("DOOR_WORKSPACE", space.ws())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut commits = BufReader::new(child.stderr.take().unwrap());
        // A few commits, then somewhere within the next one: commits take about 100 microseconds.
        let mut line = String::new();
        for _ in 0..=round % 3 {
            commits.read_line(&mut line).unwrap();
        }
        std::thread::sleep(Duration::from_micros(round * 7 % 211));
        child.kill().unwrap();
        child.wait().unwrap();
        whole(&space, "big.bin", SIZE);
        whole(&space, "sub/other.bin", SIZE / 4);
        left += space.leftovers().len();
        // Another process would sweep at its first commit: a fresh door stands for it.
        let disk = space.disk().with_journal(journal(&space.ws()));
        let small = [write(&at(&disk, "n"), "n", Expect::Anything), write(&at(&disk, "sub/n"), "n", Expect::Anything)];
        commit(&disk, &small).unwrap();
        assert_eq!(space.leftovers(), [] as [std::path::PathBuf; 0], "round {round}");
        round += 1;
    }
    // What only has such a name stays, whoever made it and whatever it is.
    let name = ".palanca-999999-0123456789abcdef-0123456789abcdef.tmp";
    space.put(&format!("{name}/precious"), "x");
    space.put(&format!("sub/{name}"), "y");
    let disk = space.disk().with_journal(journal(&space.ws()));
    commit(&disk, &[write(&at(&disk, "sub/n"), "m", Expect::Anything)]).unwrap();
    assert_eq!(
        (space.content(&format!("{name}/precious")), space.content(&format!("sub/{name}"))),
        ("x".into(), "y".into())
    );
}
