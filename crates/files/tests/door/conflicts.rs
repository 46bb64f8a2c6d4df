//! Many authors of one file: no change is lost without its author being told.

use crate::space::{Open, Space, at, hash, origin, read, write};
use palanca_core::ports::{Expect, FileErrorKind, Files};
use palanca_files::Disk;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Appends one line, again and again until nobody was in between.
fn append(disk: &Disk, line: &str) {
    loop {
        let path = at(disk, "README.md");
        let Ok(old) = read(disk, "README.md") else { continue };
        let new = [&old[..], line.as_bytes(), b"\n"].concat();
        match disk.commit(&[write(&path, new, Expect::Content(hash(&old)))], &origin()) {
            Ok(_) => return,
            Err(error) => assert_eq!(error.kind, FileErrorKind::Changed, "{error}"),
        }
    }
}

#[test]
fn forty_threads_keep_forty_lines() {
    let space = Space::new();
    let disk = space.disk();
    std::thread::scope(|scope| {
        for number in 0..40 {
            let disk = &disk;
            scope.spawn(move || append(disk, &format!("line {number}")));
        }
    });
    let text = space.content("README.md");
    assert_eq!((0..40).filter(|number| text.lines().any(|line| line == format!("line {number}"))).count(), 40);
    assert_eq!((text.lines().count(), space.leftovers().len()), (41, 0));
}

const LINES: usize = 200;

#[test]
#[ignore = "started by three_processes_keep_every_line"]
fn child_appends() {
    let Some(workspace) = std::env::var_os("DOOR_WORKSPACE") else { return };
    let disk = Disk::open(Path::new(&workspace), &[], Arc::new(Open)).unwrap();
    for number in 0..LINES {
        append(&disk, &format!("{} {number}", std::process::id()));
    }
}

#[test]
fn three_processes_keep_every_line() {
    let space = Space::in_memory();
    let children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "conflicts::child_appends"])
                .env("DOOR_WORKSPACE", space.ws())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = space.content("README.md");
    let mut lines: Vec<_> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!((lines.len(), space.leftovers().len()), (3 * LINES, 0));
}
