//! What cannot be seen is not taken for absent: a program makes nothing there, and an undo looks behind what the program
//! itself closed.

use crate::space::{Space, origin, policy};
use crate::undone::{Kept, Tried, kept};
use palanca_core::ports::{Found, NameChange, NewName, Place, ProgramWrites, WriteLog};
use palanca_files::{Disk, Force, JournalError, StepNumber, Writes};
use palanca_testkit::Faults;
use rustix::fs::{self as sys, AtFlags, Mode, OFlags};
use std::ffi::OsStr;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// EIO, EACCES, ENOTDIR, ENAMETOOLONG, ELOOP, EOVERFLOW, ESTALE.
const ERRORS: [i32; 7] = [5, 13, 20, 36, 40, 75, 116];

fn folder(kept: &Kept, path: &str) -> OwnedFd {
    sys::open(kept.space.ws().join(path), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap()
}

fn found(folder: &OwnedFd, name: &str) -> Found {
    let stat = sys::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).unwrap();
    let size = u64::try_from(stat.st_size).unwrap();
    Found { device: stat.st_dev, inode: stat.st_ino, links: stat.st_nlink, size, mode: stat.st_mode }
}

/// Everything that makes a name, of that name: new things, a further name of `README.md`, and `README.md` itself.
fn each(kept: &Kept, (parent, path): (&OwnedFd, &Path), mut deed: impl FnMut(&NameChange<'_>)) {
    let (top, from) = (folder(kept, ""), Path::new("README.md"));
    let to = || Place { path, parent: parent.as_fd(), name: path.file_name().unwrap() };
    let readme = || Place { path: from, parent: top.as_fd(), name: from.as_os_str() };
    let found = found(&top, "README.md");
    for new in [NewName::File, NewName::Folder, NewName::Special, NewName::Link(OsStr::new("to"))] {
        deed(&NameChange::Create { at: to(), new });
    }
    deed(&NameChange::HardLink { from: Some(readme()), found, to: to() });
    deed(&NameChange::Move { from: readme(), found, to: to(), replaced: None });
}

#[test]
fn no_error_of_looking_makes_a_name_new() {
    let kept = kept();
    fs::create_dir(kept.space.ws().join("f")).unwrap();
    let Some(faults) = Faults::over(&kept.space.ws().join("f")) else { return };
    let before = kept.space.inside();
    let parent = folder(&kept, "f");
    for error in ERRORS {
        let path = PathBuf::from(format!("f/error-{error}"));
        each(&kept, (&parent, &path), |change| {
            let mut log = kept.writes.begin(Some(&origin()), &[]).unwrap();
            let refused: Tried = log.before(change).map(drop);
            assert!(refused.is_err(), "{error}: {change:?}");
            log.finish();
        });
    }
    assert!(kept.steps().iter().flatten().all(|change| !change.contains("error-")), "{:?}", kept.steps());
    kept.undo(0).unwrap();
    assert_eq!((kept.space.inside(), faults.changes()), (before, Vec::new()));
}

#[test]
fn what_others_make_where_a_program_failed_is_theirs() {
    let kept = kept();
    let parent = folder(&kept, "docs");
    each(&kept, (&parent, Path::new("docs/new")), |change| {
        for killed in [false, true] {
            let file = kept.space.ws().join("docs/new");
            let mut log = kept.writes.begin(Some(&origin()), &[]).unwrap();
            log.before(change).unwrap();
            fs::write(&file, "theirs").unwrap();
            log.failed(change);
            if killed {
                drop(log);
                kept.writes.recover();
            } else {
                log.finish();
            }
            kept.undo(0).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "theirs", "{change:?}");
            fs::remove_file(&file).unwrap();
        }
    });
}

#[test]
fn an_undo_opens_what_the_program_closed() {
    for mode in [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600] {
        let kept = kept();
        let mode_of = |path: &str, mode| {
            fs::set_permissions(kept.space.ws().join(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        for path in ["deep/x/gone", "deep/x/moved"] {
            fs::write(kept.space.ws().join(path), path).unwrap();
        }
        let before = kept.tree();
        kept.program(|program| {
            program.write("deep/x/y/z.txt", "written\n").unwrap();
            program.write("deep/x/new", "new\n").unwrap();
            program.remove("deep/x/gone").unwrap();
            program.rename("deep/x/moved", "deep/x/y/there").unwrap();
            for path in ["deep/x/y", "deep/x", "deep"] {
                program.mode(path, mode).unwrap();
            }
        });
        let open = || ["deep", "deep/x", "deep/x/y"].iter().for_each(|path| mode_of(path, 0o755));
        let close = || ["deep/x/y", "deep/x", "deep"].iter().for_each(|path| mode_of(path, mode));
        let closed = fs::symlink_metadata(kept.space.ws().join("deep")).unwrap().permissions().mode();
        assert_eq!(closed & 0o777, mode);
        kept.undo(0).unwrap_or_else(|error| panic!("{mode:o}: {error}"));
        assert_eq!(kept.tree(), before, "{mode:o}");
        // And the undo is taken back, with what was closed.
        kept.undo(1).unwrap();
        let closed = fs::symlink_metadata(kept.space.ws().join("deep")).unwrap().permissions().mode();
        assert_eq!(closed & 0o777, mode, "{mode:o}");
        open();
        assert_eq!(fs::read_to_string(kept.space.ws().join("deep/x/y/z.txt")).unwrap(), "written\n");
        // What somebody else changed behind it is theirs.
        fs::write(kept.space.ws().join("deep/x/y/z.txt"), "theirs, longer\n").unwrap();
        close();
        let refused = kept.journal.undo(&kept.disk, &origin().session, StepNumber(0), Force::Refuse);
        assert!(matches!(&refused, Err(JournalError::Changed(names)) if *names == ["deep/x/y/z.txt"]), "{refused:?}");
        open();
        assert_eq!(fs::read_to_string(kept.space.ws().join("deep/x/y/z.txt")).unwrap(), "theirs, longer\n");
    }
}

fn place((path, parent): &(PathBuf, OwnedFd)) -> Place<'_> {
    Place { path, parent: parent.as_fd(), name: path.file_name().unwrap() }
}

/// What is closed, and what may not be made or changed there or elsewhere: by name, by structure, because a configuration
/// names it, as a further name of such a file.
#[test]
fn no_rule_is_blinded() {
    const CLOSED: [&str; 12] = [
        ".git/config",
        ".git",
        "h",
        "h/hooks",
        "inc",
        "inc/conf",
        "p",
        "p/repo",
        "p/repo/objects",
        "p/repo/config",
        "s",
        "s/.env",
    ];
    const MAKES: [&str; 5] =
        ["h/hooks/pre-commit", ".git/hooks/pre-commit", "p/repo/hooks/post-update", "inc/named", "p/repo/commondir"];
    const CHANGES: [&str; 3] = ["inc/conf", "h/hooks/there", "other-name"];
    let space = Space::new();
    for (path, content) in [
        (".git/config", "[core]\n\thooksPath = h/hooks\n[include]\n\tpath = ../inc/conf\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
        (".git/hooks/x.sample", ""),
        ("inc/conf", "[core]\n\tfsmonitor = inc/named\n"),
        ("h/hooks/there", ""),
        ("p/repo/HEAD", "ref: refs/heads/main\n"),
        ("p/repo/config", "[core]\n\tbare = true\n"),
        ("p/repo/objects/x", ""),
        ("p/repo/refs/x", ""),
        ("p/repo/hooks/x.sample", ""),
        ("s/.env", "KEY=value\n"),
        ("free", ""),
    ] {
        space.put(path, content);
    }
    fs::hard_link(space.ws().join("s/.env"), space.ws().join("other-name")).unwrap();
    let disk = Arc::new(Disk::open(&space.ws(), &[], policy()).unwrap());
    let writes = Writes::new(disk);
    let parent = |path: &str| {
        let above = space.ws().join(Path::new(path).parent().unwrap());
        (PathBuf::from(path), sys::open(above, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap())
    };
    for closed in CLOSED {
        let top = space.ws().join(closed);
        let open = fs::symlink_metadata(&top).unwrap().permissions();
        for mode in [0o000, 0o200, 0o600] {
            let tries = MAKES.iter().map(|path| (*path, true)).chain(CHANGES.iter().map(|path| (*path, false)));
            for (path, makes) in tries {
                // Held since before.
                let (spot, free) = (parent(path), parent("free"));
                let there = (!makes).then(|| found(&spot.1, spot.0.file_name().unwrap().to_str().unwrap()));
                let first = found(&free.1, "free");
                let change = match there {
                    None => NameChange::Create { at: place(&spot), new: NewName::File },
                    Some(found) if path == "other-name" => NameChange::Attributes { at: place(&spot), found },
                    Some(found) => NameChange::Move { from: place(&spot), found, to: place(&free), replaced: None },
                };
                let refused = |log: &mut dyn WriteLog, when: &str| {
                    let judged = log.before(&change);
                    assert!(judged.is_err(), "{closed} {mode:o} {path}: allowed {when}");
                };
                refused(&mut *writes.begin(None, &[]).unwrap(), "while everything is open");
                let mut logs = [(); 2].map(|()| writes.begin(None, &[]).unwrap());
                // One of them has looked before.
                let touch = NameChange::Attributes { at: place(&free), found: first };
                logs[0].before(&touch).unwrap();
                fs::set_permissions(&top, fs::Permissions::from_mode(mode)).unwrap();
                for log in &mut logs {
                    refused(&mut **log, "while it is closed");
                    // Whatever this says.
                    let _ = log.before(&touch);
                }
                fs::set_permissions(&top, open.clone()).unwrap();
                for log in &mut logs {
                    refused(&mut **log, "after it was open again");
                }
            }
        }
    }
}

#[test]
fn what_a_program_closed_it_may_open_again() {
    let space = Space::new();
    let writes = Writes::new(Arc::new(Disk::open(&space.ws(), &[], policy()).unwrap()));
    for path in [".git", ".git/config", "docs", "docs/guide.md"] {
        let top = space.ws().join(path);
        let open = fs::symlink_metadata(&top).unwrap().permissions();
        let parent = sys::open(top.parent().unwrap(), OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap();
        let name = top.file_name().unwrap();
        let mut log = writes.begin(None, &[]).unwrap();
        for mode in [0o000, open.mode()] {
            let found = found(&parent, name.to_str().unwrap());
            let at = Place { path: Path::new(path), parent: parent.as_fd(), name };
            log.before(&NameChange::Attributes { at, found }).unwrap();
            fs::set_permissions(&top, fs::Permissions::from_mode(mode & 0o777)).unwrap();
        }
    }
}
