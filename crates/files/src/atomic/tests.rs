#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use std::collections::HashSet;

fn directory(path: &std::path::Path) -> Arc<OwnedFd> {
    Arc::new(fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap())
}

#[test]
fn names_never_repeat_and_tell_their_maker() {
    let names: HashSet<_> = (0..1_000).map(|_| fresh_name()).collect();
    assert_eq!(names.len(), 1_000);
    assert!(names.iter().all(|name| maker(name) == Some(getpid().as_raw_nonzero().get())));
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
        assert_eq!(maker(OsStr::new(other)), None, "{other}");
    }
}

#[test]
fn only_what_is_in_flight_in_that_directory_is_hidden() {
    let (top, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (place, elsewhere) = (directory(top.path()), directory(other.path()));
    let temporary = Temporary::create(&place, Mode::RUSR).unwrap();
    let name = temporary.name().to_owned();
    assert!(is_in_flight(&place, &name));
    assert!(!is_in_flight(&elsewhere, &name), "the same name elsewhere is somebody else's");
    assert!(!is_in_flight(&place, &fresh_name()), "a name of the same form, of the same process");
    drop(temporary);
    assert!(!is_in_flight(&place, &name));
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
fn in_state_folders_a_locked_one_of_a_foreign_process_is_alive() {
    let top = tempfile::tempdir().unwrap();
    let name = ".palanca-999999999-0123456789abcdef-0123456789abcdef.tmp";
    std::fs::write(top.path().join(name), "x").unwrap();
    let holder = File::open(top.path().join(name)).unwrap();
    fs::flock(&holder, FlockOperation::LockExclusive).unwrap();
    let place = directory(top.path());
    sweep_state(place.as_fd());
    assert!(top.path().join(name).exists());
    drop(holder);
    sweep_state(place.as_fd());
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
