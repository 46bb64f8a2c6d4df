#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

fn file(top: &Path, name: &str, mode: u32) -> PathBuf {
    let path = top.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    path
}

fn look(top: &Path) -> Look {
    let mut look = Look::again(Look::never(top));
    look.found.sort();
    look
}

/// As if it was taken now: on a busy machine seconds may have passed.
fn young(look: &Look) -> Look {
    let Look { place, folders, count, found, .. } = look;
    let (place, folders, found) = (place.clone(), folders.clone(), found.clone());
    Look { place, at: [SystemTime::now(); 2], folders, count: *count, found }
}

#[test]
fn what_is_found_holds_until_something_appears() {
    let top = tempfile::tempdir().unwrap();
    let top = top.path();
    file(top, "open", 0o644);
    file(top, "run", 0o755);
    let (closed, deep) = (file(top, "closed", 0o600), file(top, "a/b/c/d/e/f/g/h/i/deep", 0o640));
    file(top, "shut/x", 0o644);
    fs::set_permissions(top.join("shut"), Permissions::from_mode(0o750)).unwrap();
    let first = look(top);
    assert_eq!(first.found, [deep, closed, top.join("shut")]);
    assert!(young(&first).holds());
    file(top, "a/b/new", 0o644);
    assert!(!young(&first).holds());
    assert!(young(&look(top)).holds());
    let before = SystemTime::now() - MODES;
    assert!(!Look { at: [before; 2], ..look(top) }.holds());
    let later = SystemTime::now() + MODES;
    assert!(!Look { at: [later; 2], ..look(top) }.holds());
}

#[test]
fn a_large_place_is_kept_and_only_what_changed_is_read_again() {
    let top = tempfile::tempdir().unwrap();
    let (top, state) = (top.path().join("place"), top.path().join("state"));
    fs::create_dir(&state).unwrap();
    for number in 0..=LARGE {
        fs::create_dir_all(top.join(format!("few/{number}"))).unwrap();
    }
    let first = file(&top, "few/7/a", 0o600);
    let seen = look(&top);
    assert!(seen.is_large() && seen.holds());
    kept::save(&state, &seen).unwrap();
    let believed = kept::load(&state, &top).unwrap();
    assert_eq!((&believed.found, believed.folders.len()), (&vec![first.clone()], 2));
    assert!(believed.is_part() && believed.is_large() && believed.holds());
    let loaded = kept::load_whole(&state, &top).unwrap();
    assert_eq!((&loaded.found, &loaded.folders), (&vec![first.clone()], &seen.folders));
    assert!(!loaded.is_part() && loaded.holds());
    // The mode of a file shows after an hour, a new file as soon as folders are compared.
    let second = file(&top, "few/8/b", 0o600);
    file(&top, "few/9/c", 0o644);
    let compared = Look::again(Look { at: [SystemTime::UNIX_EPOCH, seen.at[1]], ..loaded });
    let mut found = compared.found.clone();
    found.sort();
    assert_eq!(found, [first.clone(), second.clone()]);
    fs::set_permissions(top.join("few/9/c"), Permissions::from_mode(0o600)).unwrap();
    let compared = Look::again(Look { at: [SystemTime::UNIX_EPOCH, compared.at[1]], ..compared });
    assert_eq!(compared.found.len(), 2);
    let again = Look::again(Look { at: [SystemTime::UNIX_EPOCH; 2], ..compared });
    assert_eq!(again.found.len(), 3);
    // At the top it shows at once.
    file(&top, "new", 0o644);
    assert!(!again.holds() && !believed.holds());
    let kept: Vec<_> = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 2);
    for wrong in ["", "palanca private files 2\0x\0", "palanca private files 0\0"] {
        kept.iter().for_each(|path| fs::write(path, wrong).unwrap());
        assert_eq!((kept::load(&state, &top), kept::load_whole(&state, &top)), (None, None));
    }
}

#[test]
fn a_second_look_is_the_first() {
    // Others may make something private meanwhile.
    palanca_testkit::until("two looks find the same", || {
        let state = tempfile::tempdir().unwrap();
        let settings = PrivateSettings::kept_in(Some(state.path().to_owned()));
        let mut found = settings.found();
        let mut again = PrivateSettings::kept_in(Some(state.path().to_owned())).found();
        let same = found == settings.found();
        found.sort();
        again.sort();
        same && found == again
    });
}

#[test]
fn several_threads_find_what_one_finds() {
    let top = tempfile::tempdir().unwrap();
    let top = top.path();
    let mut expected = Vec::new();
    for number in 0..40 * RUN {
        let mode = if number % 7 == 0 { 0o640 } else { 0o644 };
        let path = file(top, &format!("{}/{number}/file", number % 3), mode);
        expected.extend((mode == 0o640).then_some(path));
    }
    expected.sort();
    let first = Look::again(Look::never(top));
    assert_eq!((&first.found, first.count), (&expected, 1 + 3 + 40 * RUN));
    let folders: Vec<_> = first.folders.keys().cloned().collect();
    let mut each = in_parallel(folders.clone(), Path::to_owned);
    each.sort();
    assert!(each.iter().all(|(folder, made)| folder == made));
    assert_eq!(each.len(), folders.len());
}
