//! Taking back what a session did.

use crate::overlay::{acts, change};
use crate::space::{Open, Space, at, delete, hash, origin, write};
use palanca_core::call::SessionId;
use palanca_core::ports::{Change, Expect, FileErrorKind, Files};
use palanca_files::{Disk, Force, Journal, JournalError, StateDirectory, StepNumber};
use palanca_store::Database;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

struct Kept {
    space: Space,
    journal: Arc<Journal>,
    disk: Arc<Disk>,
}

fn kept() -> Kept {
    kept_in(Space::new())
}

fn kept_in(space: Space) -> Kept {
    let state = StateDirectory::open(&space.path("state")).unwrap();
    let index = Arc::new(Database::lazy(state.path()));
    let journal = Arc::new(Journal::open(&state, index).unwrap());
    let disk = Arc::new(space.disk().with_journal(Arc::clone(&journal)));
    Kept { space, journal, disk }
}

impl Kept {
    fn commit(&self, changes: &[Change]) {
        self.disk.commit(changes, &origin()).unwrap();
    }

    fn at(&self, path: &str) -> palanca_core::CanonicalPath {
        at(&*self.disk, path)
    }

    fn undo(&self, to: usize, force: Force) -> Result<palanca_files::Undone, JournalError> {
        self.journal.undo(&self.disk, &session(), StepNumber(to), force)
    }
}

fn session() -> SessionId {
    SessionId::from("s1")
}

#[test]
fn a_session_is_taken_back_and_again() {
    let kept = kept();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(kept.space.ws().join("README.md"), mode).unwrap();
    let before = kept.space.inside();
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    kept.commit(&[
        write(&kept.at("README.md"), "two", Expect::Anything),
        write(&kept.at("new/a.txt"), "a", Expect::Absent),
    ]);
    kept.commit(&[delete(&kept.at("docs/guide.md")), delete(&kept.at("deep"))]);
    kept.commit(&[Change::Move { from: kept.at("src"), to: kept.at("new/src") }]);
    kept.commit(&[write(&kept.at("new/src/lib.rs"), "changed", Expect::Anything)]);
    let after = kept.space.inside();
    let steps: Vec<_> = kept.journal.list(&session()).unwrap().into_iter().map(|step| step.changes).collect();
    assert_eq!(
        steps,
        [
            vec!["write README.md"],
            vec!["make directory new", "write README.md", "create new/a.txt"],
            vec!["delete docs/guide.md", "delete deep"],
            vec!["move src -> new/src"],
            vec!["write new/src/lib.rs"],
        ]
    );
    let undone = kept.undo(0, Force::Refuse).unwrap();
    assert_eq!(before, kept.space.inside());
    assert_eq!((undone.restored.len(), undone.removed.len()), (5, 3));
    kept.undo(5, Force::Refuse).unwrap();
    assert_eq!(after, kept.space.inside());
    kept.undo(1, Force::Refuse).unwrap();
    assert_eq!(kept.space.content("README.md"), "one");
    assert!(kept.space.exists("deep/x/y/z.txt") && !kept.space.exists("new"));
}

#[test]
fn files_that_became_folders_and_folders_that_became_files_come_back() {
    let kept = kept();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o750);
    std::fs::set_permissions(kept.space.ws().join("deep"), mode).unwrap();
    let before = kept.space.inside();
    kept.commit(&[
        delete(&kept.at("README.md")),
        delete(&kept.at("deep/x/y/z.txt")),
        write(&kept.at("README.md/a/b.txt"), "b", Expect::Absent),
        write(&kept.at("deep"), "file", Expect::Absent),
    ]);
    let after = kept.space.inside();
    for _ in 0..2 {
        let steps = kept.journal.list(&session()).unwrap().len();
        kept.undo(steps - 1, Force::Refuse).unwrap();
        assert_eq!(before, kept.space.inside());
        let restored = std::fs::metadata(kept.space.ws().join("deep")).unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&restored.permissions()) & 0o777, 0o750);
        kept.undo(steps, Force::Refuse).unwrap();
        assert_eq!(after, kept.space.inside());
    }
    kept.space.put("README.md/a/person.txt", "mine");
    let inside = kept.space.inside();
    assert!(matches!(kept.undo(0, Force::Refuse), Err(JournalError::Changed(_))));
    assert_eq!(inside, kept.space.inside());
}

#[test]
fn what_others_changed_since_is_refused() {
    let kept = kept();
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    kept.commit(&[write(&kept.at("sub/in.txt"), "one", Expect::Anything)]);
    kept.space.put("README.md", "a person's\n");
    let inside = kept.space.inside();
    let JournalError::Changed(names) = kept.undo(0, Force::Refuse).unwrap_err() else { panic!() };
    assert_eq!((names, inside), (vec!["README.md".to_owned()], kept.space.inside()));
    kept.undo(0, Force::Overwrite).unwrap();
    assert_eq!(kept.space.content("README.md"), "# read me\n");
    // The forced undo is a step too: the person's text can be had back.
    let steps = kept.journal.list(&session()).unwrap().len();
    kept.undo(steps - 1, Force::Refuse).unwrap();
    assert_eq!(kept.space.content("README.md"), "a person's\n");
}

#[test]
fn a_change_between_two_steps_is_not_lost_either() {
    let kept = kept();
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    kept.space.put("README.md", "a person's\n");
    kept.commit(&[write(&kept.at("README.md"), "two", Expect::Anything)]);
    assert!(matches!(kept.undo(0, Force::Refuse), Err(JournalError::Changed(_))));
    kept.undo(1, Force::Refuse).unwrap();
    assert_eq!(kept.space.content("README.md"), "a person's\n");
}

#[test]
fn failed_commits_leave_no_step() {
    let kept = kept();
    let failing =
        [write(&kept.at("README.md"), "x", Expect::Anything), write(&kept.at("src/lib.rs"), "x", Expect::Absent)];
    assert!(kept.disk.commit(&failing, &origin()).is_err());
    assert_eq!(kept.journal.list(&session()).unwrap(), []);
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    assert_eq!(kept.journal.list(&session()).unwrap().len(), 1);
    kept.undo(0, Force::Refuse).unwrap();
    assert_eq!(kept.space.content("README.md"), "# read me\n");
    let sessions = kept.journal.sessions().unwrap();
    assert_eq!(sessions.iter().map(|found| (found.session.as_str(), found.lines)).collect::<Vec<_>>(), [("s1", 2)]);
}

#[test]
fn a_line_whose_change_never_happened_is_nothing_to_undo() {
    let kept = kept();
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    // As after a crash between the line and the change.
    kept.space.put("README.md", "# read me\n");
    let undone = kept.undo(0, Force::Refuse).unwrap();
    assert_eq!((undone.restored, undone.removed), (vec![], vec![]));
}

#[test]
fn what_was_not_kept_is_named() {
    let kept = kept();
    kept.space.link("tree/link", "nowhere");
    kept.space.put("tree/file", "x");
    kept.commit(&[delete(&kept.at("tree"))]);
    let JournalError::NotKept(names) = kept.undo(0, Force::Refuse).unwrap_err() else { panic!() };
    assert_eq!(names, ["tree (1 entries)"]);
    assert!(!kept.space.exists("tree"));
}

#[test]
fn a_journal_that_cannot_be_written_stops_the_commit() {
    let kept = kept();
    std::fs::write(kept.space.path("state/palanca.db"), "this is no database, and stays what it is").unwrap();
    let inside = kept.space.inside();
    let error = kept.disk.commit(&[write(&kept.at("new/README.md"), "x", Expect::Anything)], &origin()).unwrap_err();
    assert!(error.detail.contains("nothing was changed") && error.detail.contains("damaged"), "{error}");
    assert_eq!(inside, kept.space.inside());
    assert!(kept.space.content("../state/palanca.db").starts_with("this is no database"));
}

#[test]
fn large_files_are_kept_in_pieces() {
    let kept = kept();
    let large = vec![b'l'; 5 << 20];
    kept.space.put("large", &large);
    kept.commit(&[write(&kept.at("large"), "small", Expect::Content(hash(&large)))]);
    kept.undo(0, Force::Refuse).unwrap();
    assert_eq!(std::fs::read(kept.space.ws().join("large")).unwrap(), large);
}

#[test]
fn other_sessions_other_workspaces_other_steps() {
    let kept = kept();
    kept.commit(&[write(&kept.at("README.md"), "one", Expect::Anything)]);
    assert_eq!(kept.journal.list(&SessionId::from("../s1 other")).unwrap(), []);
    assert!(matches!(kept.undo(2, Force::Refuse), Err(JournalError::NoSuchStep { steps: 1, .. })));
    let elsewhere = Arc::new(Disk::open(&kept.space.path("outside"), &[], Arc::new(Open)).unwrap());
    let refused = kept.journal.undo(&elsewhere, &session(), StepNumber(0), Force::Refuse);
    assert!(matches!(refused, Err(JournalError::OtherWorkspace { .. })));
    let origin = palanca_core::ports::ChangeOrigin { session: SessionId::from("../s1 other"), ..origin() };
    kept.disk.commit(&[write(&kept.at("README.md"), "two", Expect::Anything)], &origin).unwrap();
    assert_eq!(kept.journal.list(&origin.session).unwrap().len(), 1);
    assert_eq!(kept.disk.info(&kept.at("README.md")).map(|info| info.size), Ok(3));
    assert!(matches!(kept.undo(0, Force::Refuse), Err(JournalError::Changed(_))));
    assert_eq!(kept.disk.locate("..").unwrap_err().kind, FileErrorKind::Outside);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Whatever a session did, taking all of it back gives the tree from before, and taking that back the tree from after.
    #[test]
    fn any_session_is_taken_back(acts in acts()) {
        let kept = kept_in(Space::in_memory());
        let before = kept.space.inside();
        for act in &acts {
            // ignored: what the door refuses is no step.
            let _ = kept.disk.commit(&[change(act)], &origin());
        }
        let after = kept.space.inside();
        let steps = kept.journal.list(&session()).unwrap().len();
        kept.undo(0, Force::Refuse).unwrap();
        prop_assert_eq!(&before, &kept.space.inside(), "{:?}", acts);
        kept.undo(steps, Force::Refuse).unwrap();
        let again = kept.space.inside();
        prop_assert_eq!(files_of(&after), files_of(&again), "{:?}", acts);
    }
}

fn files_of(tree: &BTreeMap<PathBuf, String>) -> Vec<(&PathBuf, &String)> {
    tree.iter().filter(|(_, shown)| !shown.starts_with("4")).collect()
}
