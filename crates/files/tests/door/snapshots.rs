//! What programs do to a tree is one step of the session, and can be taken back.

use crate::space::{Space, at, origin, write};
use palanca_core::call::SessionId;
use palanca_core::ports::{Expect, Files};
use palanca_files::{
    Altered, Coverage, Disk, Force, Journal, JournalError, SnapshotLimits, Snapshotter, StateDirectory, StepNumber,
};
use palanca_store::Database;
use proptest::prelude::*;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const LIMITS: SnapshotLimits = SnapshotLimits { files: 30_000, bytes: 64 << 20 };

struct Kept {
    space: Space,
    journal: Arc<Journal>,
    disk: Arc<Disk>,
    snapshotter: Arc<Snapshotter>,
}

fn kept() -> Kept {
    kept_in(Space::new(), LIMITS)
}

fn kept_in(space: Space, limits: SnapshotLimits) -> Kept {
    let state = StateDirectory::open(&space.path("state")).unwrap();
    let journal = Arc::new(Journal::open(&state, Arc::new(Database::lazy(state.path()))).unwrap());
    let disk = Arc::new(space.disk().with_journal(Arc::clone(&journal)));
    let snapshotter = Arc::new(Snapshotter::new(Arc::clone(&disk), &[".".to_owned()], limits).unwrap());
    Kept { space, journal, disk, snapshotter }
}

fn session() -> SessionId {
    SessionId::from("s1")
}

impl Kept {
    /// As a program would: around `act`.
    fn program(&self, act: impl FnOnce(&PathBuf)) -> Vec<Altered> {
        let taken = self.snapshotter.before(&origin()).unwrap();
        act(&self.space.ws());
        taken.settle()
    }

    fn steps(&self) -> Vec<Vec<String>> {
        self.journal.list(&session()).unwrap().into_iter().map(|step| step.changes).collect()
    }

    fn undo(&self, to: usize) -> Result<palanca_files::Undone, JournalError> {
        self.journal.undo(&self.disk, &session(), StepNumber(to), Force::Refuse)
    }
}

fn mode(path: PathBuf, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn what_a_program_did_is_one_step_and_is_taken_back_and_done_again() {
    let kept = kept();
    kept.space.link("to-docs", "docs/guide.md");
    kept.space.link("turned", "one");
    let before = kept.space.inside();
    let altered = kept.program(|ws| {
        std::fs::write(ws.join("README.md"), "in place\n").unwrap();
        std::fs::create_dir_all(ws.join("made/deep")).unwrap();
        std::fs::write(ws.join("made/deep/new.txt"), "new\n").unwrap();
        std::fs::remove_dir_all(ws.join("deep")).unwrap();
        std::fs::rename(ws.join("src/lib.rs"), ws.join("src/moved.rs")).unwrap();
        mode(ws.join("src/main.rs"), 0o755);
        std::fs::remove_file(ws.join("to-docs")).unwrap();
        std::fs::remove_file(ws.join("turned")).unwrap();
        symlink("two", ws.join("turned")).unwrap();
        symlink("/etc", ws.join("made/out")).unwrap();
        // A file becomes a folder, a folder becomes a link, a file becomes a link.
        std::fs::remove_file(ws.join("docs/guide.md")).unwrap();
        std::fs::create_dir(ws.join("docs/guide.md")).unwrap();
        std::fs::remove_dir_all(ws.join("uni")).unwrap();
        symlink("docs", ws.join("uni")).unwrap();
        std::fs::remove_file(ws.join("sub/in.txt")).unwrap();
        symlink("../README.md", ws.join("sub/in.txt")).unwrap();
    });
    let paths: Vec<String> = altered.iter().map(|file| file.path.to_string()).collect();
    assert_eq!(
        paths,
        [
            "README.md",
            "deep/x/y/z.txt",
            "docs/guide.md",
            "made/deep/new.txt",
            "src/lib.rs",
            "src/main.rs",
            "src/moved.rs",
            "sub/in.txt",
            "uni/\u{e9}.txt"
        ]
    );
    assert_eq!(
        (altered[0].before.as_deref(), altered[0].after.as_deref()),
        (Some(&b"# read me\n"[..]), Some(&b"in place\n"[..]))
    );
    assert_eq!(kept.steps().len(), 1);
    let after = kept.space.inside();
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
    kept.undo(1).unwrap();
    assert_eq!(after, kept.space.inside());
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
}

#[test]
fn nothing_changed_is_no_step_and_leaves_nothing_pending() {
    let kept = kept();
    assert_eq!(kept.program(|_| {}), []);
    assert_eq!(kept.steps(), Vec::<Vec<String>>::new());
    assert_eq!(std::fs::read_dir(kept.space.path("state/undo/contents/pending")).unwrap().count(), 0);
}

#[test]
fn a_process_that_died_meanwhile_is_made_up_for() {
    let kept = kept();
    let before = kept.space.inside();
    let taken = kept.snapshotter.before(&origin()).unwrap();
    kept.space.put("README.md", "changed\n");
    kept.space.put("new.txt", "x");
    // Held by a living process: nobody else settles it.
    assert_eq!(kept.snapshotter.recover(), 0);
    drop(taken);
    // A process that another test starts at this moment holds a copy of the lock until it has become its program.
    let start = Instant::now();
    let mut made_up = 0;
    while made_up == 0 && start.elapsed() < std::time::Duration::from_secs(10) {
        made_up = kept.snapshotter.recover();
    }
    assert_eq!(made_up, 1);
    assert_eq!(kept.snapshotter.recover(), 0);
    assert_eq!(kept.steps(), [["write README.md", "create new.txt"]]);
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
}

#[test]
fn what_is_left_out_is_named_and_left_alone() {
    let kept = kept();
    kept.space.put(".gitignore", "build/\n*.log\n");
    kept.space.put("build/out", "1");
    kept.space.put("run.log", "1");
    kept.space.put("node_modules/a/index.js", "1");
    kept.space.put("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55");
    kept.space.put(".git/objects/ab/cd", "1");
    let Coverage::Without(mut names) = kept.snapshotter.coverage() else { panic!() };
    names.sort();
    assert_eq!(names, ["build", "cache", "node_modules"]);
    let altered = kept.program(|ws| {
        for path in ["build/out", "run.log", "node_modules/a/index.js", "cache/x", ".git/objects/ab/ce"] {
            std::fs::write(ws.join(path), "2").unwrap();
        }
    });
    assert_eq!((altered.len(), kept.steps().len()), (0, 0));
}

#[test]
fn hiding_a_file_afterwards_does_not_hide_its_change() {
    let kept = kept();
    let before = kept.space.inside();
    let altered = kept.program(|ws| {
        std::fs::write(ws.join(".gitignore"), "*\n").unwrap();
        std::fs::write(ws.join("src/CACHEDIR.TAG"), "").unwrap();
        std::fs::write(ws.join("src/lib.rs"), "worse\n").unwrap();
        std::fs::remove_file(ws.join("README.md")).unwrap();
    });
    let paths: Vec<String> = altered.iter().map(|file| file.path.to_string()).collect();
    assert_eq!(paths, ["README.md", "src/lib.rs"]);
    kept.undo(0).unwrap();
    assert_eq!(kept.space.content("src/lib.rs"), "//! lib\n");
    assert_eq!(kept.space.content("README.md"), "# read me\n");
    // What was new and hidden is what the documents say: left out.
    std::fs::remove_file(kept.space.ws().join(".gitignore")).unwrap();
    std::fs::remove_file(kept.space.ws().join("src/CACHEDIR.TAG")).unwrap();
    assert_eq!(before, kept.space.inside());
}

#[test]
fn what_was_hidden_before_is_not_taken_for_new() {
    let kept = kept();
    kept.space.put(".gitignore", "mine/\n");
    kept.space.put("mine/notes.txt", "a person's\n");
    // The kernel stamps files once a tick: until the next one they are as young as the snapshot.
    std::thread::sleep(std::time::Duration::from_millis(20));
    kept.program(|ws| std::fs::remove_file(ws.join(".gitignore")).unwrap());
    assert_eq!(kept.steps(), [["delete .gitignore"]]);
    kept.undo(0).unwrap();
    assert_eq!(kept.space.content("mine/notes.txt"), "a person's\n");
}

#[test]
fn beyond_the_limits_nothing_is_covered_and_that_is_said() {
    for limits in [SnapshotLimits { files: 5, ..LIMITS }, SnapshotLimits { bytes: 20, ..LIMITS }] {
        let kept = kept_in(Space::new(), limits);
        assert_eq!(kept.snapshotter.coverage(), Coverage::TooLarge(limits));
        assert!(kept.snapshotter.before(&origin()).is_none());
    }
}

#[test]
fn a_tree_that_outgrows_the_limits_keeps_what_was_there() {
    let kept = kept_in(Space::new(), SnapshotLimits { files: 60, ..LIMITS });
    kept.program(|ws| {
        std::fs::write(ws.join("README.md"), "changed\n").unwrap();
        (0..100).for_each(|at| std::fs::write(ws.join(format!("many{at}")), "x").unwrap());
    });
    assert_eq!(kept.steps(), [["write README.md"]]);
    kept.undo(0).unwrap();
    assert_eq!(kept.space.content("README.md"), "# read me\n");
}

#[test]
fn tools_and_programs_take_turns() {
    let kept = kept();
    let before = kept.space.inside();
    let readme = at(&*kept.disk, "README.md");
    kept.disk.commit(&[write(&readme, "tool\n", Expect::Anything)], &origin()).unwrap();
    kept.program(|ws| std::fs::write(ws.join("README.md"), "program\n").unwrap());
    kept.disk.commit(&[write(&readme, "tool again\n", Expect::Anything)], &origin()).unwrap();
    assert_eq!(kept.steps().len(), 3);
    kept.undo(1).unwrap();
    assert_eq!(kept.space.content("README.md"), "tool\n");
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
    kept.space.put("README.md", "a person's\n");
    assert!(matches!(kept.undo(1), Err(JournalError::Changed(_))));
}

#[test]
fn lesson_24_files_of_others_are_never_removed() {
    let kept = kept();
    kept.program(|ws| {
        std::fs::create_dir(ws.join("made")).unwrap();
        std::fs::write(ws.join("made/by-program"), "x").unwrap();
    });
    kept.space.put("made/by-person", "precious");
    kept.space.put("untracked", "precious");
    kept.undo(0).unwrap();
    assert_eq!(kept.space.content("made/by-person"), "precious");
    assert_eq!(kept.space.content("untracked"), "precious");
    assert!(!kept.space.exists("made/by-program"));
}

/// Two thousand files: `cargo test -p palanca-files --release -- --ignored --nocapture how_long`.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn how_long_it_takes() {
    for count in [2_000, 20_000] {
        let kept = kept();
        for at in 0..count {
            kept.space.put(&format!("f/{}/{}/{at}.txt", at % 40, at % 7), format!("{at}\n").repeat(300));
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        // CPU time beside the time by the clock: the machine may have other work.
        let timed = |what: &str, start: (Instant, u64)| {
            println!("{count} files, {what}: {:?}, CPU {} ms", start.0.elapsed(), (cpu() - start.1) / 1_000_000);
        };
        for round in ["first", "second", "third"] {
            let start = (Instant::now(), cpu());
            let taken = kept.snapshotter.before(&origin()).unwrap();
            timed(&format!("{round} before"), start);
            kept.space.put("one.txt", round);
            let start = (Instant::now(), cpu());
            let _ = taken.settle();
            timed(&format!("{round} settle"), start);
        }
        let fresh = Arc::new(Snapshotter::new(Arc::clone(&kept.disk), &[".".to_owned()], LIMITS).unwrap());
        let start = (Instant::now(), cpu());
        let taken = fresh.before(&origin()).unwrap();
        timed("before in another process", start);
        let start = (Instant::now(), cpu());
        assert_eq!(fresh.coverage(), Coverage::Whole);
        timed("coverage", start);
        let _ = taken.settle();
    }
}

/// Nanoseconds that this process has computed.
fn cpu() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap()
}

#[derive(Clone, Debug)]
enum Deed {
    Write(usize, u8),
    Remove(usize),
    Move(usize, usize),
    Mode(usize, u32),
    Link(usize, usize),
    Folder(usize),
}

const NAMES: [&str; 12] = [
    "README.md",
    "src/main.rs",
    "src",
    "docs/guide.md",
    "docs",
    "new",
    "new/inner",
    "new/inner/x",
    "a b/space name.txt",
    "deep/x/y",
    "link",
    "sub/in.txt",
];

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let name = 0..NAMES.len();
    let deed = prop_oneof![
        (name.clone(), 0_u8..4).prop_map(|(at, text)| Deed::Write(at, text)),
        name.clone().prop_map(Deed::Remove),
        (name.clone(), name.clone()).prop_map(|(from, to)| Deed::Move(from, to)),
        (name.clone(), prop_oneof![Just(0o755), Just(0o600), Just(0o644)]).prop_map(|(at, mode)| Deed::Mode(at, mode)),
        (name.clone(), name.clone()).prop_map(|(at, to)| Deed::Link(at, to)),
        name.prop_map(Deed::Folder),
    ];
    proptest::collection::vec(deed, 1..14)
}

/// What a program may try; what the system refuses did not happen.
fn perform(ws: &std::path::Path, deed: &Deed) {
    let path = |at: &usize| ws.join(NAMES[*at]);
    match deed {
        Deed::Write(at, text) => {
            let _ = std::fs::write(path(at), format!("text {text}\n"));
        }
        Deed::Remove(at) => {
            let path = path(at);
            let _ = if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
        }
        Deed::Move(from, to) => {
            let _ = std::fs::rename(path(from), path(to));
        }
        Deed::Mode(at, bits) => {
            if path(at).symlink_metadata().is_ok_and(|found| found.is_file()) {
                mode(path(at), *bits);
            }
        }
        Deed::Link(at, to) => {
            let _ = symlink(NAMES[*to], path(at));
        }
        Deed::Folder(at) => {
            let _ = std::fs::create_dir(path(at));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Whatever programs did, taking it back gives the tree from before, and taking that back the tree from after.
    #[test]
    fn whatever_programs_did_is_taken_back(runs in proptest::collection::vec(deeds(), 1..4)) {
        let kept = kept_in(Space::in_memory(), LIMITS);
        let before = kept.space.inside();
        for run in &runs {
            kept.program(|ws| run.iter().for_each(|deed| perform(ws, deed)));
        }
        let after = kept.space.inside();
        let steps = kept.steps().len();
        kept.undo(0).unwrap();
        prop_assert_eq!(&before, &kept.space.inside(), "{:?}", runs);
        kept.undo(steps).unwrap();
        prop_assert_eq!(&after, &kept.space.inside(), "{:?}", runs);
    }
}
