#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

use super::*;
use crate::beneath::Opener;
use palanca_policy::paths::PathRules as Rules;
use rustix::fd::AsFd;
use rustix::fs::{Mode, OFlags};
use std::ffi::OsStr;
use std::fs::write;
use std::os::unix::ffi::OsStrExt;

/// Later than the time within which a change might leave no trace.
const LATER: i128 = 10_000_000_000;

struct Place(tempfile::TempDir);

impl Place {
    fn file(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = self.0.path().join("ws").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, "").unwrap();
        path
    }

    /// What is closed, as a new process finds it that was told of these rules in these words.
    fn masked(&self, words: &str, deny: &[&str]) -> Vec<PathBuf> {
        let deny: Vec<String> = deny.iter().map(|glob| (*glob).to_owned()).collect();
        let rules = Rules::new(&deny, &[], None).unwrap();
        let top = self.0.path().join("ws");
        let handle = fs::open(&top, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let tree = Tree { handle: handle.as_fd(), path: &top, opener: Opener::probe(handle.as_fd()), but: None };
        let closed = Closed::kept_in(self.0.path().to_owned(), words);
        let unmet = closed.look_at(tree, &rules, now() + LATER).unwrap();
        let mut masked = closed.masks(tree, &unmet).unwrap();
        masked.sort();
        masked
    }

    fn kept(&self) -> PathBuf {
        let mut files = std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        files.find(|path| path.file_name().unwrap().as_bytes().starts_with(b"closed-")).unwrap()
    }
}

#[test]
fn what_was_found_is_there_for_the_next_process_under_the_same_rules() {
    let place = Place(tempfile::tempdir().unwrap());
    for folder in 0..600 {
        place.file(format!("many/{folder}/f"));
    }
    let (env, odd) =
        (place.file("many/9/.env"), place.file(Path::new(OsStr::from_bytes(b"caf\xe9/x\n")).join("a.pem")));
    let ssh = place.file(".ssh/id").parent().unwrap().to_owned();
    let linked = env.parent().unwrap().parent().unwrap().join("linked");
    std::fs::hard_link(&env, &linked).unwrap();
    let mut wanted = vec![env.clone(), odd, ssh, linked];
    wanted.sort();
    assert_eq!(place.masked("a", &[]), wanted);
    assert_eq!(place.masked("a", &[]), wanted);
    // No folder was read again: other rules under the same words find nothing else.
    assert_eq!(place.masked("a", &["f"]), wanted);
    assert_eq!(place.masked("b", &["many/7/f"]).len(), wanted.len() + 1);
    assert_eq!(place.masked("a", &[]), wanted);
    // A further link, made where nothing was found before.
    let further = place.file("many/10/f").with_file_name("further");
    std::fs::hard_link(&env, &further).unwrap();
    wanted.push(further);
    wanted.push(place.file("many/8/new.pem"));
    wanted.sort();
    assert_eq!(place.masked("a", &[]), wanted);
    let text = std::fs::read(place.kept()).unwrap();
    for length in [0, 1, text.len() / 2, text.len() - 1] {
        write(place.kept(), &text[..length]).unwrap();
        assert_eq!(place.masked("a", &[]), wanted, "{length}");
    }
}
