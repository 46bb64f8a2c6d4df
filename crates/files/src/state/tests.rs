#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

#[test]
fn where_state_lives() {
    for (home, data, user, wanted) in [
        (Some("/p"), Some("/d"), Some("/h"), Some("/p")),
        (None, Some("/d"), Some("/h"), Some("/d/palanca")),
        (None, None, Some("/h"), Some("/h/.local/share/palanca")),
        (Some(""), Some("relative"), Some("/h"), Some("/h/.local/share/palanca")),
        (None, None, None, None),
    ] {
        let path = StateDirectory::default_path(|name| {
            match name {
                "PALANCA_HOME" => home,
                "XDG_DATA_HOME" => data,
                _ => user,
            }
            .map(OsString::from)
        });
        assert_eq!(path, wanted.map(PathBuf::from));
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o777
}

#[test]
fn for_its_owner_alone() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a/b/state");
    let state = StateDirectory::open(&path).unwrap();
    state.write("one.json", "1").unwrap();
    state.write("one.json", "2").unwrap();
    state.log("log").unwrap().append(b"x\n").unwrap();
    state.log("log").unwrap().append(b"y\n").unwrap();
    assert_eq!((state.read("one.json", 10).unwrap(), state.read("log", 10).unwrap()), ("2".into(), "x\ny\n".into()));
    assert_eq!((mode(&path), mode(&path.join("one.json")), mode(&path.join("log"))), (0o700, 0o600, 0o600));
    assert_eq!(state.directory("sub").unwrap().names().unwrap(), [] as [String; 0]);
    assert_eq!(state.names().unwrap(), ["log", "one.json", "sub"]);
    state.remove("log").unwrap();
    state.remove("log").unwrap();
    assert!(state.read("log", 10).unwrap_err().is_not_found());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    StateDirectory::open(&path).unwrap();
    assert_eq!(mode(&path), 0o700, "one that was open to others is closed");
}

#[test]
fn texts_have_limits() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("text");
    std::fs::write(&path, "12345").unwrap();
    assert_eq!(read_text(&path, 5).unwrap(), "12345");
    assert!(read_text(&path, 4).unwrap_err().to_string().contains("longer than 4 bytes"));
    std::fs::write(&path, b"\xff").unwrap();
    assert!(read_text(&path, 4).is_err());
    assert!(read_text(&top.path().join("none"), 4).unwrap_err().is_not_found());
}

#[test]
fn reports_replace_files_and_follow_the_operators_links() {
    let top = tempfile::tempdir().unwrap();
    let (report, link) = (top.path().join("report.md"), top.path().join("link"));
    write_report(&report, "1").unwrap();
    std::os::unix::fs::symlink(&report, &link).unwrap();
    write_report(&link, "2").unwrap();
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "2");
    assert!(link.is_symlink());
    write_report(Path::new("/dev/null"), "gone").unwrap();
    assert!(write_report(top.path(), "x").is_err());
    assert!(write_report(&top.path().join("none/x"), "x").unwrap_err().is_not_found());
    assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 2);
}
