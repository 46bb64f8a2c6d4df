//! What a read-only root that begins high up does not show.

use crate::space::{Open, Space};
use palanca_core::call::Access;
use palanca_core::ports::{ClosedBy, FileErrorKind as K, Files, Flow, PathRefusal, PathRules, Visit, WalkOptions};
use palanca_files::Disk;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// As the operator of a workspace would say it: by the name from its root.
struct Deny;

impl PathRules for Deny {
    fn refuse(&self, relative: &Path, _access: Access) -> Option<PathRefusal> {
        (relative == "sub/in.txt")
            .then(|| PathRefusal { kind: K::Secret(ClosedBy::Rule), rule: "test.deny".to_owned() })
    }
}

fn above(space: &Space, root: &Path, sealed: &[PathBuf]) -> Disk {
    Disk::open(&space.ws(), &[root.to_owned()], Arc::new(Deny)).unwrap().sealing(sealed)
}

fn judged(disk: &Disk, path: &str, access: Access) -> Result<String, K> {
    let found = disk.locate(path).map_err(|error| error.kind)?;
    disk.judge(&found, access).map_err(|error| error.kind)?;
    Ok(found.to_string())
}

#[test]
fn the_machine_and_the_program_itself_are_closed_and_all_else_is_read_only() {
    let space = Space::new();
    let disk = above(&space, Path::new("/"), &[space.path("outside")]);
    let top = space.top.path().canonicalize().unwrap();
    let name = |path: &str| top.join(path).display().to_string();
    let shown = |path: &str| format!("root1:{}", name(path).trim_start_matches('/'));
    for (path, access, expected) in [
        (name("ro/lib.txt"), Access::Read, Ok(shown("ro/lib.txt"))),
        (name("ro/lib.txt"), Access::Write, Err(K::ReadOnly)),
        (name("ro/new.txt"), Access::Write, Err(K::ReadOnly)),
        (name("outside/plain.txt"), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        (name("outside"), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        (name("outside/../ro/lib.txt"), Access::Read, Ok(shown("ro/lib.txt"))),
        ("/proc/self/environ".to_owned(), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        ("/proc/1/environ".to_owned(), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        ("/dev/null".to_owned(), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        ("/sys".to_owned(), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        // The workspace is the workspace, whatever leads there.
        (name("ws/sub/in.txt"), Access::Read, Err(K::Secret(ClosedBy::Rule))),
        (name("ws/README.md"), Access::Write, Ok("README.md".to_owned())),
        ("../outside/in.txt".to_owned(), Access::Read, Err(K::Outside)),
    ] {
        assert_eq!(judged(&disk, &path, access), expected, "{path} {access:?}");
    }
    std::os::unix::fs::symlink("ws", space.path("alias")).unwrap();
    assert_eq!(judged(&disk, &name("alias/README.md"), Access::Write), Ok("README.md".to_owned()));
    assert_eq!(judged(&disk, &name("alias/sub/in.txt"), Access::Read), Err(K::Secret(ClosedBy::Rule)));
    let environ = disk.locate("/proc/self/environ").unwrap();
    assert!(disk.open(&environ).is_err_and(|error| error.kind == K::Secret(ClosedBy::Rule)));
}

#[test]
fn a_walk_from_above_opens_nothing_that_is_closed() {
    let space = Space::new();
    let disk = above(&space, space.top.path(), &[space.path("outside")]);
    let opened = Mutex::new(Vec::new());
    let top = disk.locate(&space.top.path().display().to_string()).unwrap();
    let options = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };
    disk.walk(&top, options, &|entry| {
        if entry.opener.open(entry).is_ok() {
            opened.lock().unwrap().push(entry.path.display().to_string());
        }
        Flow::Continue
    })
    .unwrap();
    let mut opened = opened.into_inner().unwrap();
    opened.sort_unstable();
    assert_eq!(opened, ["ro/lib.txt", "ws-evil/secret.txt"]);
}

#[test]
fn a_root_inside_such_a_place_is_the_operators_word() {
    let Some(memory) = Some(Path::new("/dev/shm")).filter(|memory| memory.is_dir()) else { return };
    let space = Space::new();
    let folder = tempfile::tempdir_in(memory).unwrap();
    std::fs::write(folder.path().join("a.txt"), "x").unwrap();
    let disk = Disk::open(&space.ws(), &[folder.path().to_owned()], Arc::new(Open)).unwrap();
    let path = folder.path().join("a.txt").display().to_string();
    assert_eq!(judged(&disk, &path, Access::Read), Ok("root1:a.txt".to_owned()));
    // Inside the workspace a read-only root keeps its own name.
    let disk = Disk::open(&space.ws(), &[space.path("ws/docs")], Arc::new(Open)).unwrap();
    let path = space.path("ws/docs/guide.md").display().to_string();
    assert_eq!(judged(&disk, &path, Access::Read), Ok("root1:guide.md".to_owned()));
}
