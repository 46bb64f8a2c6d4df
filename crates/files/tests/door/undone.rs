//! What programs change through the port is one step of the session, and can be taken back.

use crate::space::{Space, at, origin, write};
use palanca_core::call::SessionId;
use palanca_core::ports::{
    Expect, FileError, FileErrorKind, Files, Found, NameChange, NewName, NotKept, Place, ProgramWrites, WriteLog,
};
use palanca_core::tool::FileDelta;
use palanca_files::{Disk, Force, Journal, JournalError, KeepLimits, StateDirectory, StepNumber, Undone, Writes};
use palanca_store::Database;
use palanca_testkit::{until, waiting::some};
use proptest::prelude::*;
use rustix::fs::{self as sys, AtFlags, FileType, Mode, OFlags};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const LIMITS: KeepLimits = KeepLimits { copied: 64 << 20, all: 1 << 30 };

pub struct Kept {
    pub space: Space,
    pub journal: Arc<Journal>,
    pub disk: Arc<Disk>,
    pub writes: Writes,
}

pub fn kept() -> Kept {
    kept_in(Space::new(), LIMITS)
}

fn kept_in(space: Space, limits: KeepLimits) -> Kept {
    let state = space.path("state");
    kept_with(space, (&state, &state), limits)
}

pub fn kept_with(space: Space, (state, database): (&Path, &Path), limits: KeepLimits) -> Kept {
    let state = StateDirectory::open(state).unwrap();
    let journal = Arc::new(Journal::open(&state, Arc::new(Database::lazy(database))).unwrap());
    let disk = Arc::new(space.disk().with_journal(Arc::clone(&journal)));
    let count = |before: &str, after: &str| (after.lines().count(), before.lines().count());
    let writes = Writes::new(Arc::clone(&disk)).keeping(limits, count);
    Kept { space, journal, disk, writes }
}

fn session() -> SessionId {
    SessionId::from("s1")
}

impl Kept {
    pub fn start(&self) -> Program {
        Program { ws: self.space.ws(), log: self.writes.begin(Some(&origin()), &[]).unwrap(), linked: BTreeSet::new() }
    }

    /// As a program would: every change is asked for.
    pub fn program(&self, act: impl FnOnce(&mut Program)) -> Vec<FileDelta> {
        let mut program = self.start();
        act(&mut program);
        program.log.finish()
    }

    pub fn steps(&self) -> Vec<Vec<String>> {
        self.journal.list(&session()).unwrap().into_iter().map(|step| step.changes).collect()
    }

    pub fn undo(&self, to: usize) -> Result<Undone, JournalError> {
        self.journal.undo(&self.disk, &session(), StepNumber(to), Force::Refuse)
    }

    /// Names, contents, modes, link targets, which names are one file, and times of files.
    pub fn tree(&self) -> BTreeMap<PathBuf, String> {
        let mut seen = self.space.inside();
        let mut first: BTreeMap<u64, PathBuf> = BTreeMap::new();
        for (path, shown) in &mut seen {
            let stat = path.symlink_metadata().unwrap();
            if stat.is_file() {
                let one = first.entry(stat.ino()).or_insert_with(|| path.clone());
                *shown += &format!(" {}.{} is {}", stat.mtime(), stat.mtime_nsec(), one.display());
            }
        }
        seen
    }
}

pub type Tried = Result<(), FileError>;

/// A program whose system calls are asked for, as the supervisor does it.
pub struct Program {
    ws: PathBuf,
    log: Box<dyn WriteLog>,
    /// Files that it gave another name.
    linked: BTreeSet<u64>,
}

struct Spot {
    path: PathBuf,
    parent: OwnedFd,
}

impl Spot {
    fn place(&self) -> Place<'_> {
        Place { path: &self.path, parent: self.parent.as_fd(), name: self.path.file_name().unwrap() }
    }

    fn found(&self) -> Option<Found> {
        let stat = sys::statat(&self.parent, self.path.file_name()?, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(Found {
            device: stat.st_dev,
            inode: stat.st_ino,
            links: stat.st_nlink,
            size: u64::try_from(stat.st_size).unwrap(),
            mode: stat.st_mode,
        })
    }
}

fn absent(path: &Path) -> FileError {
    FileError::new(FileErrorKind::NotFound, path.display().to_string())
}

impl Program {
    fn spot(&self, path: impl AsRef<Path>) -> Result<Spot, FileError> {
        let path = path.as_ref();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut parent = sys::open(&self.ws, flags, Mode::empty()).unwrap();
        for name in path.parent().unwrap() {
            parent = sys::openat(&parent, name, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(|_| absent(path))?;
        }
        Ok(Spot { path: path.to_owned(), parent })
    }

    /// Asks, acts, tells.
    fn ask(&mut self, change: &NameChange<'_>, act: impl FnOnce() -> rustix::io::Result<()>) -> Tried {
        self.log.before(change)?;
        act().map_err(|errno| {
            self.log.failed(change);
            FileError::new(FileErrorKind::Io, errno.to_string())
        })
    }

    fn create(&mut self, path: impl AsRef<Path>, new: NewName<'_>) -> Tried {
        let spot = self.spot(path)?;
        let (parent, name) = (&spot.parent, spot.path.file_name().unwrap());
        let mode = Mode::from_raw_mode(0o644);
        self.ask(&NameChange::Create { at: spot.place(), new }, || match new {
            NewName::File => sys::openat(parent, name, OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY, mode).map(drop),
            NewName::Folder => sys::mkdirat(parent, name, Mode::from_raw_mode(0o755)),
            NewName::Link(target) => sys::symlinkat(target, parent, name),
            NewName::Special => sys::mknodat(parent, name, FileType::Fifo, mode, 0),
        })?;
        self.log.made(&spot.place(), spot.found().unwrap());
        Ok(())
    }

    /// Opens for writing in place, as a shell's `>` does.
    fn open(&mut self, path: impl AsRef<Path>, flags: OFlags) -> Result<File, FileError> {
        let spot = self.spot(path)?;
        if spot.found().is_none() {
            self.create(&spot.path, NewName::File)?;
        }
        let found = spot.found().unwrap();
        let (parent, name) = (&spot.parent, spot.path.file_name().unwrap());
        let file = sys::openat(parent, name, OFlags::PATH | OFlags::NOFOLLOW, Mode::empty()).unwrap();
        self.log.before(&NameChange::Write { at: spot.place(), file: file.as_fd(), found })?;
        sys::openat(parent, name, flags | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK, Mode::empty())
            .map(File::from)
            .map_err(|errno| FileError::new(FileErrorKind::Io, errno.to_string()))
    }

    pub fn write(&mut self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Tried {
        self.open(path, OFlags::TRUNC)?.write_all(content.as_ref()).map_err(|_| absent(Path::new("")))
    }

    pub fn remove(&mut self, path: impl AsRef<Path>) -> Tried {
        let spot = self.spot(path)?;
        let found = spot.found().ok_or_else(|| absent(&spot.path))?;
        let folder = FileType::from_raw_mode(found.mode) == FileType::Directory;
        let flags = if folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        self.ask(&NameChange::Remove { at: spot.place(), found }, || {
            sys::unlinkat(&spot.parent, spot.path.file_name().unwrap(), flags)
        })
    }

    fn remove_all(&mut self, path: impl AsRef<Path>) -> Tried {
        let path = path.as_ref();
        if self.ws.join(path).symlink_metadata().is_ok_and(|found| found.is_dir()) {
            for name in std::fs::read_dir(self.ws.join(path)).unwrap() {
                self.remove_all(path.join(name.unwrap().file_name()))?;
            }
        }
        self.remove(path)
    }

    pub fn rename(&mut self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Tried {
        let (from, to) = (self.spot(from)?, self.spot(to)?);
        let found = from.found().ok_or_else(|| absent(&from.path))?;
        let change = NameChange::Move { from: from.place(), found, to: to.place(), replaced: to.found() };
        self.ask(&change, || {
            sys::renameat(&from.parent, from.path.file_name().unwrap(), &to.parent, to.path.file_name().unwrap())
        })
    }

    fn hard_link(&mut self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> Tried {
        let (from, to) = (self.spot(from)?, self.spot(to)?);
        let found = from.found().ok_or_else(|| absent(&from.path))?;
        let change = NameChange::HardLink { from: Some(from.place()), found, to: to.place() };
        let name = |spot: &Spot| spot.path.file_name().unwrap().to_owned();
        self.ask(&change, || sys::linkat(&from.parent, name(&from), &to.parent, name(&to), AtFlags::empty()))?;
        self.log.made(&to.place(), to.found().unwrap());
        if found.links == 1 {
            self.linked.insert(found.inode);
        }
        Ok(())
    }

    fn touch(&mut self, path: impl AsRef<Path>) -> Tried {
        let spot = self.spot(path)?;
        let found = spot.found().ok_or_else(|| absent(&spot.path))?;
        self.ask(&NameChange::Attributes { at: spot.place(), found }, || {
            let time = sys::Timespec { tv_sec: 1_000_000_000, tv_nsec: i64::from(found.size as u32) };
            let times = sys::Timestamps { last_access: time, last_modification: time };
            sys::utimensat(&spot.parent, spot.path.file_name().unwrap(), &times, AtFlags::empty())
        })
    }

    pub fn mode(&mut self, path: impl AsRef<Path>, mode: u32) -> Tried {
        let spot = self.spot(path)?;
        let found = spot.found().ok_or_else(|| absent(&spot.path))?;
        if FileType::from_raw_mode(found.mode) == FileType::Symlink {
            return Ok(());
        }
        let mode = Mode::from_raw_mode(mode);
        self.ask(&NameChange::Attributes { at: spot.place(), found }, || {
            sys::chmodat(&spot.parent, spot.path.file_name().unwrap(), mode, AtFlags::empty())
        })
    }
}

/// What is different, and nothing else.
#[track_caller]
fn same(before: &BTreeMap<PathBuf, String>, after: &BTreeMap<PathBuf, String>, what: &str) {
    let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let all: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let told: Vec<_> = all.into_iter().filter(differs).map(|path| (path, before.get(path), after.get(path))).collect();
    assert!(told.is_empty(), "{what}: {told:#?}");
}

fn told(deltas: &[FileDelta]) -> Vec<String> {
    deltas.iter().map(ToString::to_string).collect()
}

#[test]
fn what_a_program_did_is_one_step_and_is_taken_back_and_done_again() {
    let kept = kept();
    kept.space.link("to-docs", "docs/guide.md");
    kept.space.link("turned", "one");
    let before = kept.tree();
    let deltas = kept.program(|program| {
        program.write("README.md", "in place\n").unwrap();
        program.create("made", NewName::Folder).unwrap();
        program.write("made/new.txt", "new\n").unwrap();
        program.remove_all("deep").unwrap();
        program.rename("src/lib.rs", "src/moved.rs").unwrap();
        program.mode("src/main.rs", 0o755).unwrap();
        program.mode("sub", 0o700).unwrap();
        program.remove("to-docs").unwrap();
        program.remove("turned").unwrap();
        program.create("turned", NewName::Link(OsStr::new("two"))).unwrap();
        program.create("made/out", NewName::Link(OsStr::new("/etc"))).unwrap();
        program.create("made/fifo", NewName::Special).unwrap();
        // A file becomes a folder, a folder becomes a link, a file becomes a link.
        program.remove("docs/guide.md").unwrap();
        program.create("docs/guide.md", NewName::Folder).unwrap();
        program.remove_all("uni").unwrap();
        program.create("uni", NewName::Link(OsStr::new("docs"))).unwrap();
        program.remove("sub/in.txt").unwrap();
        program.create("sub/in.txt", NewName::Link(OsStr::new("../README.md"))).unwrap();
        // Made and removed again, moved there and back: nothing.
        program.write("gone", "x").unwrap();
        program.remove("gone").unwrap();
        program.rename("a b", "c d").unwrap();
        program.rename("c d", "a b").unwrap();
    });
    assert_eq!(
        told(&deltas),
        [
            "M README.md",
            "D deep/x/y/z.txt",
            "D docs/guide.md",
            "A made/fifo",
            "A made/new.txt",
            "A made/out",
            "R src/lib.rs -> src/moved.rs",
            "M src/main.rs",
            "M sub/in.txt",
            "D to-docs",
            "M turned",
            "A uni",
            "D uni/\u{e9}.txt"
        ]
    );
    let shown = (deltas[0].before.as_deref(), deltas[0].after.as_deref(), deltas[0].added);
    assert_eq!(shown, (Some(&b"# read me\n"[..]), Some(&b"in place\n"[..]), 1));
    let after = kept.tree();
    let steps = kept.steps();
    assert_eq!(steps.len(), 1);
    for told in ["move src/lib.rs -> src/moved.rs", "mode src/main.rs 644 -> 755", "delete deep/x/y", "write README.md"]
    {
        assert!(steps[0].iter().any(|change| change == told), "{told}: {steps:?}");
    }
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(1).unwrap();
    same(&after, &kept.tree(), "");
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    assert_eq!(kept.space.leftovers(), Vec::<PathBuf>::new());
}

#[test]
fn nothing_changed_is_no_step_and_leaves_nothing_behind() {
    let kept = kept();
    let batches = || std::fs::read_dir(kept.space.path("state/undo/batches")).unwrap().count();
    assert_eq!(kept.program(|_| {}), []);
    let deltas = kept.program(|program| {
        // Opened for writing and left as it is; refused by the system.
        drop(program.open("README.md", OFlags::empty()).unwrap());
        assert!(program.create("src", NewName::Folder).is_err());
        assert!(program.remove("docs").is_err());
        program.mode("src/lib.rs", 0o644).unwrap();
        (0..50).for_each(|at| program.write(format!("t{at}"), "x").unwrap());
        (0..50).for_each(|at| program.remove(format!("t{at}")).unwrap());
    });
    assert_eq!((deltas, kept.steps().len(), batches()), (vec![], 0, 0));
}

#[test]
fn times_come_back_and_equal_contents_are_not_told() {
    let kept = kept();
    let before = kept.tree();
    let deltas = kept.program(|program| {
        program.write("README.md", "# read me\n").unwrap();
        program.write("new", "guide\n").unwrap();
        program.rename("new", "docs/guide.md").unwrap();
        program.touch("src/lib.rs").unwrap();
    });
    assert_eq!(deltas, []);
    assert_eq!(kept.steps(), [["write README.md", "write docs/guide.md", "touch src/lib.rs"]]);
    kept.program(|program| program.touch("src/lib.rs").unwrap());
    kept.program(|program| program.write("src/lib.rs", "changed\n").unwrap());
    kept.program(|program| program.rename("src/lib.rs", "src/moved.rs").unwrap());
    let (after, steps) = (kept.tree(), kept.steps().len());
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(steps).unwrap();
    same(&after, &kept.tree(), "");
}

#[test]
fn every_change_is_told_a_move_with_both_names() {
    let kept = kept();
    kept.space.link("old-link", "README.md");
    let deltas = kept.program(|program| {
        program.rename("README.md", "READ.md").unwrap();
        program.rename("docs", "doc").unwrap();
        program.mode("src/lib.rs", 0o755).unwrap();
        program.remove("old-link").unwrap();
        program.create("new-link", NewName::Link(OsStr::new("src"))).unwrap();
        program.touch("src/lib.rs").unwrap();
        program.write("own", "x").unwrap();
        program.rename("own", "kept").unwrap();
    });
    let mut told = told(&deltas);
    told.sort();
    assert_eq!(told, ["A kept", "A new-link", "D old-link", "M src/lib.rs", "R README.md -> READ.md", "R docs -> doc"]);
}

#[test]
fn folders_that_were_there_take_their_names_along() {
    type Deeds = fn(&mut Program);
    let moves: [(&str, Deeds); 6] = [
        ("renamed", |p| p.rename("src", "lib").unwrap()),
        ("into a new one", |p| {
            p.create("new", NewName::Folder).unwrap();
            p.rename("src", "new/src").unwrap();
            p.write("new/src/lib.rs", "changed\n").unwrap();
            p.remove("new/src/main.rs").unwrap();
        }),
        ("another takes its name", |p| {
            p.write("src/lib.rs", "before\n").unwrap();
            p.rename("src", "old").unwrap();
            p.create("src", NewName::Folder).unwrap();
            p.write("src/lib.rs", "other\n").unwrap();
            p.write("old/lib.rs", "after\n").unwrap();
            p.write("old/new.rs", "new\n").unwrap();
        }),
        ("inside out", |p| {
            p.rename("deep/x/y", "y").unwrap();
            p.rename("deep/x", "y/x").unwrap();
            p.rename("deep", "y/x/deep").unwrap();
        }),
        ("new ones", |p| {
            p.create("n", NewName::Folder).unwrap();
            p.write("n/f", "1").unwrap();
            p.rename("README.md", "n/README.md").unwrap();
            p.rename("n", "m").unwrap();
            p.write("m/f", "2").unwrap();
            p.rename("docs", "m/docs").unwrap();
            p.rename("m", "o").unwrap();
            p.remove("o/f").unwrap();
            p.write("o/g", "3").unwrap();
        }),
        ("over an empty one", |p| {
            p.remove("docs/guide.md").unwrap();
            p.rename("src", "docs").unwrap();
            p.mode("docs", 0o700).unwrap();
        }),
    ];
    for (name, act) in moves {
        let kept = kept();
        let before = kept.tree();
        kept.program(act);
        let after = kept.tree();
        assert_ne!(before, after, "{name}");
        kept.undo(0).unwrap();
        same(&before, &kept.tree(), name);
        kept.undo(1).unwrap();
        same(&after, &kept.tree(), &format!("{name}, again"));
    }
}

#[test]
fn hard_links_stay_what_they_are() {
    let kept = kept();
    let link = |from: &str, to: &str| {
        std::fs::hard_link(kept.space.ws().join(from), kept.space.ws().join(to)).unwrap();
    };
    link("README.md", "same.md");
    link("src/lib.rs", "src/same.rs");
    link("docs/guide.md", "docs/two.md");
    let before = kept.tree();
    kept.program(|program| {
        // One name goes; the file is written through one name; both names go; a new name, written through it.
        program.remove("same.md").unwrap();
        program.write("src/lib.rs", "through one name\n").unwrap();
        program.remove_all("docs").unwrap();
        program.hard_link("sub/in.txt", "sub/new.txt").unwrap();
        program.open("sub/new.txt", OFlags::APPEND).unwrap().write_all(b"more\n").unwrap();
    });
    let after = kept.tree();
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(1).unwrap();
    same(&after, &kept.tree(), "");
}

#[test]
fn a_process_that_was_killed_is_made_up_for() {
    let kept = kept();
    let before = kept.tree();
    let mut program = kept.start();
    program.write("README.md", "changed\n").unwrap();
    program.write("new.txt", "x").unwrap();
    program.rename("src", "lib").unwrap();
    program.remove("lib/main.rs").unwrap();
    // Announced, and not done any more.
    let (from, to) = (program.spot("docs").unwrap(), program.spot("moved").unwrap());
    let found = from.found().unwrap();
    let change = NameChange::Move { from: from.place(), found, to: to.place(), replaced: None };
    program.log.before(&change).unwrap();
    // Held by a living process: nobody else settles it.
    assert_eq!(kept.writes.recover(), 0);
    drop(program);
    // A process that another test starts at this moment holds a copy of the lock until it has become its program.
    let made_up = some("it is made up for", || Some(kept.writes.recover()).filter(|made_up| *made_up > 0));
    assert_eq!((made_up, kept.writes.recover()), (1, 0));
    assert_eq!(kept.steps(), [["write README.md", "create new.txt", "move src -> lib", "delete lib/main.rs"]]);
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
}

#[test]
fn a_record_that_was_torn_anywhere_gives_back_what_it_says() {
    let record = |kept: &Kept| {
        let folder = std::fs::read_dir(kept.space.path("state/undo/batches")).unwrap().next().unwrap().unwrap();
        folder.path().join("record")
    };
    let whole = {
        let kept = kept_in(Space::in_memory(), LIMITS);
        let mut program = kept.start();
        deeds_of_a_killed_one(&mut program);
        std::fs::read(record(&kept)).unwrap().len()
    };
    for cut in (0..whole).step_by(7) {
        let kept = kept_in(Space::in_memory(), LIMITS);
        let before = kept.tree();
        let mut program = kept.start();
        deeds_of_a_killed_one(&mut program);
        let path = record(&kept);
        drop(program);
        File::options().write(true).open(&path).unwrap().set_len(cut as u64).unwrap();
        until("it is made up for", || kept.writes.recover() > 0 || cut <= 200 || !path.exists());
        // What it no longer says is left alone, and nothing else is touched.
        let _ = kept.undo(0);
        let now = kept.tree();
        for (path, shown) in before.iter().filter(|(path, _)| path.starts_with(kept.space.ws().join("docs"))) {
            assert_eq!(Some(shown), now.get(path), "cut at {cut}");
        }
    }
}

fn deeds_of_a_killed_one(program: &mut Program) {
    program.write("new", "1").unwrap();
    program.write("README.md", "changed\n").unwrap();
    program.remove("src/lib.rs").unwrap();
    program.rename("deep", "deeper").unwrap();
    program.write("deeper/x/y/z.txt", "z\n").unwrap();
}

#[test]
fn what_cannot_be_kept_is_not_replaced() {
    let kept = kept_in(Space::new(), KeepLimits { copied: 1 << 20, ..LIMITS });
    kept.space.put("large", vec![b'l'; 3 << 20]);
    kept.space.put("half", vec![b'h'; 600 << 10]);
    kept.space.put("other half", vec![b'h'; 600 << 10]);
    // Blocks that are not there cost nothing.
    File::create(kept.space.ws().join("sparse")).unwrap().set_len(50 << 30).unwrap();
    kept.program(|program| {
        let error = program.write("large", "small").unwrap_err();
        assert_eq!((error.kind, error.path.as_str()), (FileErrorKind::TooLarge, "large"));
        assert!(error.detail.contains("3 MiB") && error.detail.contains("undo.max_bytes"), "{error}");
        program.write("half", "1").unwrap();
        assert_eq!(program.write("other half", "2").unwrap_err().kind, FileErrorKind::TooLarge);
        // A name that goes costs no copy.
        program.remove("large").unwrap();
        let sparse = program.open("sparse", OFlags::empty()).unwrap();
        sparse.write_all_at(b"x", 5 << 30).unwrap();
    });
    assert!(kept.space.content("other half").starts_with("hhh"));
    kept.undo(0).unwrap();
    assert_eq!(std::fs::metadata(kept.space.ws().join("large")).unwrap().len(), 3 << 20);
    let sparse = std::fs::metadata(kept.space.ws().join("sparse")).unwrap();
    assert_eq!((sparse.len(), sparse.blocks()), (50 << 30, 0));
}

#[test]
fn a_full_disk_while_contents_are_kept_changes_nothing() {
    let (folder, database) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(_mounted) = crate::system::small_disk(folder.path()) else { return };
    let kept = kept_with(Space::new(), (folder.path(), database.path()), LIMITS);
    kept.space.put("large", vec![b'l'; 600 << 10]);
    let before = kept.tree();
    kept.program(|program| {
        for tried in [program.write("large", "x"), program.remove("large"), program.rename("large", "other")] {
            assert_eq!(tried.unwrap_err().kind, FileErrorKind::NotKept(NotKept::DiskFull));
        }
        program.write("README.md", "changed\n").unwrap();
    });
    assert_eq!(kept.steps(), [["write README.md"]]);
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
}

#[test]
fn contents_come_back_from_another_file_system() {
    let Some(other) = ["/dev/shm", "/tmp"].map(Path::new).into_iter().find(|other| {
        let device = |path: &Path| std::fs::metadata(path).map(|found| found.dev()).ok();
        device(other) != device(&std::env::temp_dir())
    }) else {
        return;
    };
    let state = tempfile::tempdir_in(other).unwrap();
    let kept = kept_with(Space::new(), (state.path(), state.path()), LIMITS);
    let before = kept.tree();
    kept.program(|program| {
        program.remove_all("src").unwrap();
        program.rename("README.md", "moved").unwrap();
        program.write("docs/guide.md", "x").unwrap();
        program.rename("deep", "deeper").unwrap();
    });
    let after = kept.tree();
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(1).unwrap();
    same(&after, &kept.tree(), "");
}

#[test]
fn what_was_moved_has_its_time_again_and_a_new_empty_file_is_not_one_that_went() {
    let kept = kept();
    let old: Vec<String> = (0..8).map(|number| format!("empty{number}")).collect();
    old.iter().for_each(|name| std::fs::write(kept.space.ws().join(name), "").unwrap());
    let before = kept.tree();
    let deltas = kept.program(|program| {
        program.rename("README.md", "moved").unwrap();
        program.touch("moved").unwrap();
        program.rename("empty0", "elsewhere").unwrap();
        program.touch("elsewhere").unwrap();
        // Most file systems give a new file the number of one that has just gone.
        old[1..].iter().for_each(|name| program.remove(name).unwrap());
        (1..8).for_each(|number| program.write(format!("new{number}"), "").unwrap());
    });
    assert!(deltas.iter().all(|delta| delta.from.is_none()), "{:?}", told(&deltas));
    let after = kept.tree();
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(1).unwrap();
    same(&after, &kept.tree(), "");
}

#[test]
fn tools_and_programs_take_turns_and_what_others_changed_is_refused() {
    let kept = kept();
    let before = kept.space.inside();
    let readme = at(&*kept.disk, "README.md");
    kept.disk.commit(&[write(&readme, "tool\n", Expect::Anything)], &origin()).unwrap();
    kept.program(|program| program.write("README.md", "program\n").unwrap());
    kept.disk.commit(&[write(&readme, "tool again\n", Expect::Anything)], &origin()).unwrap();
    kept.program(|program| program.rename("README.md", "README").unwrap());
    assert_eq!(kept.steps().len(), 4);
    kept.undo(1).unwrap();
    assert_eq!(kept.space.content("README.md"), "tool\n");
    kept.undo(0).unwrap();
    assert_eq!(before, kept.space.inside());
    kept.space.put("README.md", "a person's\n");
    assert!(matches!(kept.undo(1), Err(JournalError::Changed(names)) if names.contains(&"README.md".to_owned())));
}

#[test]
fn only_what_a_tool_can_make_again_or_is_ignored_is_left() {
    let ignores = [(".gitignore", "*.log\n/out/\n!keep.log\n"), ("sub/.gitignore", "*.tmp\n")];
    for (path, stays) in [
        ("target/debug/a", true),
        ("a.log", true),
        ("out/deep/a", true),
        ("sub/a.tmp", true),
        ("a.tmp", false),
        ("keep.log", false),
        ("src/out/a", false),
        (".git/index", false),
        ("target/.git/index", false),
    ] {
        let kept = kept();
        let put = |path: &str, text: &str| {
            let path = kept.space.ws().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        ignores.iter().for_each(|(path, text)| put(path, text));
        put("README.md", "one\n");
        let mut program = kept.start();
        let folders: Vec<_> = Path::new(path).ancestors().skip(1).filter(|path| path.parent().is_some()).collect();
        for folder in folders.into_iter().rev().filter(|folder| !kept.space.ws().join(folder).exists()) {
            program.create(folder, NewName::Folder).unwrap();
        }
        program.write(path, "made\n").unwrap();
        program.write("README.md", "two\n").unwrap();
        program.log.finish();
        put(path, "theirs\n");
        let plan = kept.journal.plan_undo(&kept.disk, &session(), (StepNumber(0), Force::Refuse));
        let Ok(plan) = plan else {
            assert!(!stays, "{path}: {plan:?}");
            continue;
        };
        assert!(stays, "{path}");
        assert_eq!(plan.left(), [path]);
        kept.journal.perform(&plan, &session()).unwrap();
        let read = |path: &str| std::fs::read_to_string(kept.space.ws().join(path)).unwrap();
        assert_eq!((read(path), read("README.md")), ("theirs\n".to_owned(), "one\n".to_owned()), "{path}");
        kept.journal.undo(&kept.disk, &session(), StepNumber(0), Force::Overwrite).unwrap();
        assert!(!kept.space.ws().join(path).exists(), "{path}");
    }
}

#[test]
fn files_of_others_are_never_removed() {
    let kept = kept();
    kept.program(|program| {
        program.create("made", NewName::Folder).unwrap();
        program.write("made/by-program", "x").unwrap();
        program.remove_all("docs").unwrap();
    });
    kept.space.put("made/by-person", "precious");
    kept.space.put("untracked", "precious");
    kept.undo(0).unwrap();
    assert_eq!(
        (kept.space.content("made/by-person"), kept.space.content("untracked")),
        ("precious".into(), "precious".into())
    );
    assert!(!kept.space.exists("made/by-program") && kept.space.exists("docs/guide.md"));
    // A folder of theirs in the place of a file of ours.
    kept.program(|program| program.remove("README.md").unwrap());
    kept.space.put("README.md/precious", "x");
    let steps = kept.steps().len();
    let forced = kept.journal.undo(&kept.disk, &session(), StepNumber(steps - 1), Force::Overwrite);
    assert!(matches!(forced, Err(JournalError::Changed(_))), "{forced:?}");
    assert_eq!(kept.space.content("README.md/precious"), "x");
}

#[test]
fn two_programs_change_the_same_files_at_once() {
    let kept = kept();
    let before = kept.tree();
    let (mut one, mut other) = (kept.start(), kept.start());
    one.write("README.md", "one\n").unwrap();
    other.write("README.md", "other\n").unwrap();
    one.remove("README.md").unwrap();
    other.write("README.md", "other again\n").unwrap();
    other.rename("src/lib.rs", "src/l.rs").unwrap();
    one.remove("docs/guide.md").unwrap();
    one.log.finish();
    other.log.finish();
    assert_eq!(kept.steps().len(), 2);
    // What each left is not what the other found, so this takes force.
    assert!(matches!(kept.undo(0), Err(JournalError::Changed(names)) if names == ["README.md"]));
    kept.journal.undo(&kept.disk, &session(), StepNumber(0), Force::Overwrite).unwrap();
    same(&before, &kept.tree(), "");
}

#[test]
fn what_a_program_handed_to_another_is_told_and_not_lost() {
    let kept = kept();
    let before = kept.tree();
    let (other, mut program) = (kept.start(), kept.start());
    let handed = program.open("README.md", OFlags::empty()).unwrap();
    assert_eq!(program.log.finish(), []);
    (&handed).write_all(b"gone").unwrap();
    other.log.finish();
    assert!(matches!(kept.undo(0), Err(JournalError::Changed(names)) if names == ["README.md"]));
    kept.journal.undo(&kept.disk, &session(), StepNumber(0), Force::Overwrite).unwrap();
    same(&before, &kept.tree(), "forced");
}

#[test]
fn a_link_that_was_swapped_in_gives_permissions_to_nothing_outside() {
    let kept = kept();
    let outside = kept.space.path("another");
    std::fs::write(&outside, "x").unwrap();
    sys::chmod(&outside, Mode::RUSR).unwrap();
    kept.program(|program| program.mode("README.md", 0o400).unwrap());
    let plan = kept.journal.plan_undo(&kept.disk, &session(), (StepNumber(0), Force::Refuse)).unwrap();
    let there = kept.space.ws().join("README.md");
    std::fs::remove_file(&there).unwrap();
    std::os::unix::fs::symlink(&outside, &there).unwrap();
    assert!(kept.journal.perform(&plan, &session()).is_err());
    assert_eq!(outside.metadata().unwrap().mode() & 0o777, 0o400);
}

#[test]
fn names_that_are_no_text_deep_trees_and_ignored_folders_come_back() {
    let kept = kept();
    let odd = OsStr::from_bytes(b"no\xfftext\n");
    kept.space.put(".gitignore", "*\n");
    std::fs::write(kept.space.ws().join(odd), "odd").unwrap();
    let deep: PathBuf = std::iter::repeat_n("d", 200).collect();
    kept.space.put(deep.join("file").to_str().unwrap(), "deep");
    let before = kept.tree();
    kept.program(|program| {
        program.write(odd, "changed").unwrap();
        program.remove_all("d").unwrap();
        program.create(OsStr::from_bytes(b"new\xfe"), NewName::Folder).unwrap();
        program.write(Path::new(OsStr::from_bytes(b"new\xfe/\xfd")), "x").unwrap();
    });
    let after = kept.tree();
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
    kept.undo(1).unwrap();
    same(&after, &kept.tree(), "");
}

#[test]
fn all_names_of_a_file_are_given_back_as_they_were_before_one_of_them_changed() {
    let deeds: [fn(&mut Program) -> Tried; 3] = [
        |program| program.touch("README.md"),
        |program| program.mode("README.md", 0o600),
        |program| program.write("README.md", "longer than it was before\n"),
    ];
    for deed in deeds {
        let kept = kept();
        std::fs::hard_link(kept.space.ws().join("README.md"), kept.space.ws().join("sub/also")).unwrap();
        let before = kept.tree();
        kept.program(|program| {
            deed(program).unwrap();
            program.remove("README.md").unwrap();
            program.remove("sub/also").unwrap();
        });
        kept.undo(0).unwrap();
        same(&before, &kept.tree(), "");
    }
}

#[test]
fn the_oldest_contents_go_first() {
    let kept = kept_in(Space::new(), KeepLimits { all: 1 << 20, ..LIMITS });
    let session = |step: usize| kept.journal.undo(&kept.disk, &session(), StepNumber(step), Force::Refuse);
    for name in ["one", "two", "three"] {
        kept.space.put(name, vec![b'x'; 700 << 10]);
        kept.program(|program| program.remove(name).unwrap());
    }
    assert!(matches!(session(0), Err(JournalError::NotKept(names)) if names == ["one", "two"]));
    session(2).unwrap();
    assert!(kept.space.exists("three"));
}

/// What is asked of every change: `cargo test -p palanca-files --release --test door -- --ignored --nocapture how_long`.
#[test]
#[ignore = "a measurement"]
fn how_long_it_takes() {
    const COUNT: usize = 10_000;
    let kept = kept_in(Space::in_memory(), KeepLimits { copied: 1 << 30, all: 1 << 30 });
    for at in 0..COUNT {
        kept.space.put(&format!("old/{at}"), vec![b'x'; 4096]);
        kept.space.put(&format!("written/{at}"), vec![b'x'; 4096]);
    }
    let timed = |what: &str, asked: std::time::Duration| {
        println!("{what}: {:.2} us each", asked.as_secs_f64() * 1e6 / COUNT as f64);
    };
    let mut program = kept.start();
    program.create("new", NewName::Folder).unwrap();
    let mut asked = std::time::Duration::ZERO;
    for at in 0..COUNT {
        let spot = program.spot(format!("new/{at}")).unwrap();
        let start = std::time::Instant::now();
        program.log.before(&NameChange::Create { at: spot.place(), new: NewName::File }).unwrap();
        asked += start.elapsed();
        std::fs::write(kept.space.ws().join(&spot.path), "x").unwrap();
        let found = spot.found().unwrap();
        let start = std::time::Instant::now();
        program.log.made(&spot.place(), found);
        asked += start.elapsed();
    }
    timed("a file that is made", asked);
    let start = std::time::Instant::now();
    program.log.finish();
    println!("settling them: {:?}", start.elapsed());
    let mut program = kept.start();
    for (what, folder) in [("a name that goes", "old"), ("4 KiB that are overwritten", "written")] {
        let mut asked = std::time::Duration::ZERO;
        for at in 0..COUNT {
            let spot = program.spot(format!("{folder}/{at}")).unwrap();
            let found = spot.found().unwrap();
            let file = sys::openat(&spot.parent, spot.path.file_name().unwrap(), OFlags::PATH, Mode::empty()).unwrap();
            let change = match folder {
                "old" => NameChange::Remove { at: spot.place(), found },
                _ => NameChange::Write { at: spot.place(), file: file.as_fd(), found },
            };
            let start = std::time::Instant::now();
            program.log.before(&change).unwrap();
            asked += start.elapsed();
        }
        timed(what, asked);
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Write(usize, u8),
    Append(usize),
    Remove(usize),
    Move(usize, usize),
    HardLink(usize, usize),
    Mode(usize, u32),
    Link(usize, usize),
    Folder(usize),
    Fifo(usize),
}

const NAMES: [&str; 14] = [
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
    "deep",
    "link",
    "sub/in.txt",
    "src/new",
];

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let name = || 0..NAMES.len();
    let modes = prop_oneof![Just(0o755), Just(0o700), Just(0o644)];
    let deed = prop_oneof![
        3 => (name(), 0_u8..4).prop_map(|(at, text)| Deed::Write(at, text)),
        1 => name().prop_map(Deed::Append),
        2 => name().prop_map(Deed::Remove),
        4 => (name(), name()).prop_map(|(from, to)| Deed::Move(from, to)),
        1 => (name(), name()).prop_map(|(from, to)| Deed::HardLink(from, to)),
        1 => (name(), modes).prop_map(|(at, mode)| Deed::Mode(at, mode)),
        1 => (name(), name()).prop_map(|(at, to)| Deed::Link(at, to)),
        2 => name().prop_map(Deed::Folder),
        1 => name().prop_map(Deed::Fifo),
    ];
    proptest::collection::vec(deed, 1..16)
}

impl Program {
    /// What a program may try; what the system refuses did not happen.
    fn perform(&mut self, deed: &Deed) {
        let name = |at: &usize| NAMES[*at];
        let is_fifo = |path: &str| {
            use std::os::unix::fs::FileTypeExt;
            self.ws.join(path).symlink_metadata().is_ok_and(|found| found.file_type().is_fifo() || !found.is_file())
        };
        // A file that had several names before this program: the others are not known, and where the one that is used goes,
        // they keep what was written (docs/undo.md, "Not restored").
        let is_shared = |path: &str| {
            let found = self.ws.join(path).symlink_metadata();
            found.is_ok_and(|found| found.is_file() && found.nlink() > 1 && !self.linked.contains(&found.ino()))
        };
        let _ = match deed {
            Deed::Write(at, _) | Deed::Append(at) if is_fifo(name(at)) => Ok(()),
            Deed::Write(at, _) | Deed::Append(at) | Deed::Mode(at, _) if is_shared(name(at)) => Ok(()),
            Deed::Write(at, text) => self.write(name(at), format!("text {text}\n")),
            Deed::Append(at) => self.open(name(at), OFlags::APPEND).map(|mut file| file.write_all(b"+").unwrap()),
            Deed::Remove(at) => self.remove_all(name(at)),
            Deed::Move(from, to) => self.rename(name(from), name(to)),
            Deed::HardLink(from, to) => self.hard_link(name(from), name(to)),
            Deed::Mode(at, mode) => self.mode(name(at), *mode),
            Deed::Link(at, to) => self.create(name(at), NewName::Link(OsStr::new(name(to)))),
            Deed::Folder(at) => self.create(name(at), NewName::Folder),
            Deed::Fifo(at) => self.create(name(at), NewName::Special),
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// Whatever programs did, taking it back gives the tree from before, and taking that back the tree from after; killed
    /// or not.
    #[test]
    fn whatever_programs_did_is_taken_back(runs in proptest::collection::vec(deeds(), 1..4), killed in any::<bool>()) {
        let linked = runs.iter().flatten().any(|deed| matches!(deed, Deed::HardLink(..)));
        taken_back(&runs, killed, if linked { Refusal::Fine } else { Refusal::Wrong });
    }
}

/// What an undo may answer that cannot tell what stands where.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Wrong,
    /// The limit in docs/undo.md: names that share a file. Nothing is changed then.
    Fine,
}

fn taken_back(runs: &[Vec<Deed>], killed: bool, refusal: Refusal) {
    let kept = kept_in(Space::in_memory(), LIMITS);
    let before = kept.space.inside();
    for run in runs {
        let mut program = kept.start();
        run.iter().for_each(|deed| program.perform(deed));
        if killed {
            drop(program);
            while std::fs::read_dir(kept.space.path("state/undo/batches"))
                .unwrap()
                .any(|batch| batch.unwrap().path().join("record").exists())
            {
                kept.writes.recover();
            }
        } else {
            program.log.finish();
        }
    }
    let after = kept.space.inside();
    let steps = kept.steps().len();
    for (to, expected) in [(0, &before), (steps, &after)] {
        let standing = kept.space.inside();
        match kept.undo(to) {
            Ok(_) => same(expected, &kept.space.inside(), &format!("{runs:?}")),
            Err(JournalError::Changed(_) | JournalError::NotKept(_)) if refusal == Refusal::Fine => {
                same(&standing, &kept.space.inside(), &format!("{runs:?}"));
                return;
            }
            Err(error) => panic!("{error}: {runs:?}"),
        }
    }
}

/// What the property found once.
#[test]
fn sequences_that_went_wrong_are_taken_back() {
    use Deed::*;
    let found: [&[&[Deed]]; 13] = [
        &[&[Mode(4, 0o700), Move(4, 5), Remove(5)]],
        &[&[Folder(5), Move(4, 6), Remove(5)]],
        &[&[Folder(5), Move(4, 6), Move(6, 11), Remove(5)]],
        // A rename that failed.
        &[&[Remove(12)], &[Folder(11), Write(12, 0), Move(11, 12)]],
        // Another file with the same content and time.
        &[&[Write(8, 3), Write(0, 3)], &[Move(8, 5), Move(0, 8), Move(5, 0)]],
        // Something else where a folder was.
        &[&[Mode(4, 0o700)], &[Remove(4), Fifo(4)]],
        &[&[Move(12, 5), Mode(3, 0o755), Move(4, 12)], &[Remove(12)]],
        &[&[HardLink(12, 5)], &[HardLink(0, 13), Write(0, 1), Mode(13, 0o755)]],
        // Names that share a file, one of which is replaced.
        &[&[Write(8, 1)], &[Remove(2), HardLink(8, 2), Write(12, 1)], &[Move(2, 12)]],
        // A folder onto which a rename failed goes after another one has moved.
        &[&[Move(0, 4), Move(2, 5), Remove(4), Write(4, 0)]],
        &[&[Move(2, 5), Folder(6), Move(5, 6), Move(9, 7), Remove(5)]],
        // The kept file itself is given back, and then its permissions.
        &[&[Move(1, 12), Mode(0, 0o755)], &[Move(0, 13)], &[Remove(13), Remove(12)]],
        // A folder whose rename failed goes.
        &[&[Remove(3), Move(4, 9), Remove(4)]],
    ];
    for runs in found {
        let runs: Vec<_> = runs.iter().map(|run| run.to_vec()).collect();
        taken_back(&runs, false, Refusal::Wrong);
        taken_back(&runs, true, Refusal::Wrong);
    }
}

#[test]
fn a_file_with_several_names_gets_its_content_back_under_all_of_them() {
    let kept = kept();
    let before = kept.tree();
    kept.program(|program| program.hard_link("README.md", "new").unwrap());
    kept.program(|program| program.write("new", "changed\n").unwrap());
    kept.undo(0).unwrap();
    same(&before, &kept.tree(), "");
}

#[test]
fn a_name_that_goes_after_its_file_was_written_under_another_comes_back() {
    for removed in [true, false] {
        let kept = kept();
        for name in ["one", "other", "src/third"] {
            std::fs::hard_link(kept.space.ws().join("README.md"), kept.space.ws().join(name)).unwrap();
        }
        let before = kept.tree();
        kept.program(|program| {
            program.write("one", "a longer content\n").unwrap();
            program.mode("one", 0o600).unwrap();
            if removed { program.remove("other").unwrap() } else { program.rename("other", "moved").unwrap() }
        });
        kept.undo(0).unwrap();
        same(&before, &kept.tree(), &format!("removed: {removed}"));
    }
}
