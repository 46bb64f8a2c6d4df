//! Where it cannot be seen what stands at a name, nothing is made there: what is there would be taken for new, and be
//! removed by an undo.

use crate::profiles::Telling;
use crate::space::{Space, built, text};
use palanca_sandbox::Level;
use palanca_testkit::{Faults, nested};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

const PROGRAM: &str = include_str!("unseen.c");

/// EIO, ENOTDIR, ENAMETOOLONG, ELOOP, EOVERFLOW, ESTALE.
const ERRORS: [i32; 6] = [5, 20, 36, 40, 75, 116];
const EACCES: i32 = 13;

/// What was called and did not fail with its name's number, and which new names were asked for.
fn tried(space: &Space, names: &[(String, i32)]) -> (Vec<String>, usize) {
    let program = built(space, "unseen", PROGRAM);
    let words: Vec<_> = names.iter().map(|(name, _)| name.as_str()).collect();
    let ended = space.sh(&format!("{program} {}", words.join(" ")));
    let told = text(&ended.stdout);
    assert_eq!(told.lines().count(), names.len() * 12, "{told}{}", text(&ended.stderr));
    let expected = |line: &&str| names.iter().any(|(name, error)| line.ends_with(&format!(" {name} {error}")));
    // Without namespaces there are no sockets.
    let none = |line: &&str| space.door().level() == Level::Filters && line.starts_with("bind ");
    let wrong = told.lines().filter(|line| !expected(line) && !none(line)).map(str::to_owned).collect();
    let asked = ended.written.changed.iter().filter(|made| made.path.relative().iter().count() > 1);
    (wrong, asked.count())
}

fn space() -> Option<Space> {
    let space = Space::with(|settings| settings.writes = Arc::new(Telling::default()));
    space.door().supervises().then_some(space)
}

#[test]
fn every_error_of_looking_refuses_every_call() {
    let Some(space) = space().filter(|_| !nested()) else { return };
    let folder = space.path("ws/f");
    fs::create_dir(&folder).unwrap();
    let Some(faults) = Faults::over(&folder) else { return };
    let names: Vec<_> = ERRORS.iter().map(|error| (format!("f/error-{error}"), *error)).collect();
    assert_eq!(tried(&space, &names), (Vec::new(), 0));
    assert!(faults.changes().is_empty(), "{faults:?}");
}

#[test]
fn in_a_folder_that_cannot_be_entered_nothing_is_new() {
    let Some(space) = space() else { return };
    for mode in [0o600, 0o200, 0o000] {
        let folder = space.path("ws/c");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("there"), "precious").unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        let names = ["c/there", "c/absent", "c/there/below"].map(|name| (name.to_owned(), EACCES));
        assert_eq!(tried(&space, &names), (Vec::new(), 0), "{mode:o}");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(fs::read_to_string(folder.join("there")).unwrap(), "precious");
    }
}
