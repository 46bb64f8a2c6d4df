#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use std::collections::HashSet;

fn directory(path: &std::path::Path) -> Arc<OwnedFd> {
    Arc::new(fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap())
}

#[test]
fn names_are_recognised_and_never_repeat() {
    let names: HashSet<_> = (0..1_000).map(|_| fresh_name()).collect();
    assert_eq!(names.len(), 1_000);
    assert!(names.iter().all(|name| is_temporary(name)));
    for other in [
        "palanca-1-0123456789abcdef-0123456789abcdef.tmp",
        ".palanca-1-0123456789abcdef-0123456789abcdef",
        ".palanca-x-0123456789abcdef-0123456789abcdef.tmp",
        ".palanca-1-0123456789abcdeg-0123456789abcdef.tmp",
        ".palanca-1-0123456789abcdef.tmp",
        ".palanca-1-0123456789abcdef-0123456789abcdef-1.tmp",
        ".palanca-.tmp",
        ".palanca",
    ] {
        assert!(!is_temporary(OsStr::new(other)), "{other}");
    }
}

#[test]
fn dropped_ones_are_removed() {
    let top = tempfile::tempdir().unwrap();
    let place = directory(top.path());
    let mut kept = Temporary::create(&place, Mode::RUSR).unwrap();
    kept.write(b"x").unwrap();
    kept.disarm();
    drop(kept);
    drop(Temporary::create(&place, Mode::RUSR).unwrap());
    assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 1);
}

#[test]
fn a_locked_one_of_a_foreign_process_is_alive() {
    let top = tempfile::tempdir().unwrap();
    let name = ".palanca-999999999-0123456789abcdef-0123456789abcdef.tmp";
    std::fs::write(top.path().join(name), "x").unwrap();
    let holder = File::open(top.path().join(name)).unwrap();
    fs::flock(&holder, FlockOperation::LockExclusive).unwrap();
    let place = directory(top.path());
    Swept::default().sweep(place.as_fd(), (1, 1));
    assert!(top.path().join(name).exists());
    drop(holder);
    Swept::default().sweep(place.as_fd(), (1, 1));
    assert!(!top.path().join(name).exists());
}

#[test]
fn many_files_are_synced_by_several_threads() {
    let top = tempfile::tempdir().unwrap();
    let files: Vec<File> = (0..50).map(|at| File::create(top.path().join(at.to_string())).unwrap()).collect();
    for count in [0, 1, 3, 4, 50] {
        sync_files(&files.iter().take(count).collect::<Vec<_>>()).unwrap();
    }
}
