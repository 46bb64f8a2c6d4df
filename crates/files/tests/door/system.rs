//! What the system refuses: full disks, closed directories, too many files. And everything again as an ordinary user.

use crate::space::{Open, Space, at, commit, delete, kind, write};
use palanca_core::ports::{Change, Expect, FileErrorKind as K};
use palanca_files::Disk;
use palanca_testkit::{again, skipped, until};
use rustix::process::{Resource, Rlimit, geteuid, setrlimit};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Nobody: owns nothing and may do nothing special.
const NOBODY: u32 = 65_534;

pub struct Mount<'a>(&'a Path);

impl Drop for Mount<'_> {
    fn drop(&mut self) {
        // A program that another test starts holds the files of this one until it is another program.
        until("it is no longer mounted", || {
            let done = Command::new("umount").arg(self.0).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success())
        });
    }
}

/// A file system; none where mounting is not allowed.
pub fn mounted<'a>(kind: &str, options: &str, directory: &'a Path) -> Option<Mount<'a>> {
    let mounted = Command::new("mount").args(["-t", kind, "-o", options, kind]).arg(directory).output();
    if mounted.is_ok_and(|output| output.status.success()) {
        return Some(Mount(directory));
    }
    skipped(&format!("what is mounted as {kind}"), "nothing can be mounted here");
    None
}

/// One of 256 KiB.
pub fn small_disk(directory: &Path) -> Option<Mount<'_>> {
    mounted("tmpfs", "size=256k", directory)
}

#[test]
fn a_full_disk_changes_nothing() {
    let space = Space::new();
    let small = space.ws().join("small");
    std::fs::create_dir(&small).unwrap();
    let Some(_mounted) = small_disk(&small) else { return };
    space.put("small/old.txt", "old");
    let disk = Disk::open(&small, &[], Arc::new(Open)).unwrap();
    let inside = space.inside();
    let large = || vec![b'x'; 200 << 10];
    let two =
        [write(&at(&disk, "old.txt"), large(), Expect::Anything), write(&at(&disk, "d/new"), large(), Expect::Absent)];
    assert_eq!(kind(commit(&disk, &two)), K::DiskFull);
    assert_eq!(inside, space.inside());
    commit(&disk, &two[..1]).unwrap();
    // It is not held by what failed: the same works once there is room.
    commit(&disk, &[write(&at(&disk, "old.txt"), "small", Expect::Anything), delete(&at(&disk, "old.txt"))])
        .unwrap_err();
    commit(&disk, &[write(&at(&disk, "old.txt"), "small", Expect::Anything)]).unwrap();
    commit(&disk, &two[1..]).unwrap();
}

#[test]
fn a_mounted_file_system_is_not_emptied() {
    let space = Space::new();
    let mounted = space.ws().join("tree/mounted");
    std::fs::create_dir_all(&mounted).unwrap();
    let bound = Command::new("mount").arg("--bind").args([&space.path("outside"), &mounted]).output();
    if !bound.is_ok_and(|output| output.status.success()) {
        skipped("a file system that is mounted in the workspace", "nothing can be mounted here");
        return;
    }
    let _mount = Mount(&mounted);
    let before = space.outside();
    for disk in [space.disk(), space.disk().without_openat2()] {
        assert_eq!(kind(commit(&disk, &[delete(&at(&disk, "tree"))])), K::Outside);
    }
    assert_eq!(before, space.outside());
}

/// Runs one test of this binary as an ordinary user.
fn as_nobody(test: &str) {
    let home = tempfile::tempdir().unwrap();
    // The binary may lie where an ordinary user cannot look. Another program copies it: what this one has open for writing,
    // a child that another test forks meanwhile still holds, and then it cannot be run ("text file busy").
    let binary = home.path().join("door");
    let copied =
        Command::new("install").args(["-m", "755"]).arg(std::env::current_exe().unwrap()).arg(&binary).status();
    assert!(copied.unwrap().success(), "the test binary cannot be copied");
    let mut command = Command::new(binary);
    command.args(["--include-ignored", "--exact"]).current_dir(home.path()).env("TMPDIR", home.path());
    if geteuid().is_root() {
        chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = again("as an ordinary user", &mut command, &[test]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn the_corpus_as_an_ordinary_user() {
    as_nobody("corpus::every_row_ends_as_labelled");
}

#[test]
fn races_as_an_ordinary_user() {
    as_nobody("races::writing_below_a_directory");
}

#[test]
fn folders_that_cannot_be_looked_into_as_an_ordinary_user() {
    as_nobody("closed::a_folder_that_cannot_be_looked_into_is_closed_whole");
}

#[test]
fn closed_directories_as_an_ordinary_user() {
    as_nobody("system::child_meets_closed_directories");
}

#[test]
#[ignore = "started by closed_directories_as_an_ordinary_user"]
fn child_meets_closed_directories() {
    if geteuid().is_root() {
        // For root no directory is closed.
        return;
    }
    let space = Space::new();
    space.put("tree/closed/x.txt", "x");
    space.put("tree/open/y.txt", "y");
    space.put("kept.txt", "k");
    let mode = |name: &str, mode: u32| {
        std::fs::set_permissions(space.ws().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for (name, bits) in [("tree/closed", 0o555), ("src", 0o555), ("kept.txt", 0o444), ("docs", 0o000)] {
        mode(name, bits);
    }
    let disk = space.disk();
    let path = |given: &str| palanca_core::CanonicalPath::new(palanca_core::call::Root::Workspace, given.into());
    let inside = space.inside();
    for change in [
        write(&path("src/lib.rs"), "x", Expect::Anything),
        write(&path("src/new.rs"), "x", Expect::Absent),
        write(&path("kept.txt"), "x", Expect::Anything),
        write(&path("docs/guide.md"), "x", Expect::Anything),
        delete(&path("src/lib.rs")),
        delete(&path("tree")),
        Change::Move { from: path("src/lib.rs"), to: path("lib.rs") },
        Change::MakeDirectory { path: path("src/deep/er") },
    ] {
        let good = write(&path("README.md"), "x", Expect::Anything);
        assert_eq!(kind(commit(&disk, &[good, change.clone()])), K::PermissionDenied, "{change:?}");
        assert_eq!(inside, space.inside(), "{change:?}");
    }
    assert_eq!(kind(disk_locate(&disk, "docs/guide.md")), K::PermissionDenied);
    for name in ["tree/closed", "src", "docs"] {
        mode(name, 0o755);
    }
}

fn disk_locate(disk: &Disk, path: &str) -> Result<palanca_core::CanonicalPath, palanca_core::ports::FileError> {
    palanca_core::ports::Files::locate(disk, path)
}

#[test]
fn too_many_open_files() {
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "system::child_runs_out_of_handles"])
        .env("DOOR_HANDLES", "40")
        .status();
    assert!(done.unwrap().success());
}

#[test]
#[ignore = "started by too_many_open_files"]
fn child_runs_out_of_handles() {
    if std::env::var_os("DOOR_HANDLES").is_none() {
        return;
    }
    let space = Space::new();
    let disk = space.disk();
    let changes: Vec<_> =
        (0..60).map(|number| write(&at(&disk, &format!("d{number}/new")), "x", Expect::Absent)).collect();
    let inside = space.inside();
    setrlimit(Resource::Nofile, Rlimit { current: Some(40), maximum: Some(4096) }).unwrap();
    assert_eq!(kind(commit(&disk, &changes)), K::Io);
    setrlimit(Resource::Nofile, Rlimit { current: Some(4096), maximum: Some(4096) }).unwrap();
    assert_eq!(inside, space.inside());
    commit(&disk, &changes).unwrap();
}

#[test]
fn undo_below_closed_folders_as_an_ordinary_user() {
    as_nobody("unseen::an_undo_opens_what_the_program_closed");
}

#[test]
fn closed_folders_blind_no_rule_as_an_ordinary_user() {
    as_nobody("unseen::no_rule_is_blinded");
    as_nobody("unseen::what_a_program_closed_it_may_open_again");
}
