#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

#[test]
fn what_is_found_holds_until_something_appears() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, mode: u32| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    };
    let look = |depth: u8| {
        let mut look = Look { at: Instant::now(), directories: Vec::new(), found: Vec::new() };
        look.look_in(directory.path(), depth);
        look.found.sort();
        look
    };
    file("open", 0o644);
    let (closed, deep) = (file("closed", 0o600), file("a/b/deep", 0o640));
    let first = look(3);
    assert_eq!(first.found, [deep, closed.clone()]);
    assert_eq!(look(2).found, [closed]);
    assert!(first.holds());
    file("a/b/new", 0o644);
    assert!(!first.holds());
    assert!(look(3).holds());
    let Some(before) = Instant::now().checked_sub(BELIEVED) else { return };
    assert!(!Look { at: before, ..look(3) }.holds());
}

#[test]
fn a_second_look_is_the_first() {
    let settings = PrivateSettings::default();
    assert_eq!(settings.found(), private_settings());
    assert_eq!(settings.found(), private_settings());
}
