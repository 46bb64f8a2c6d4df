//! Where given paths lead, with `openat2` and without: the same answers.

use crate::space::{Open, Space, at, commit, kind, read, write};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, Expect, FileErrorKind as K, Files};
use palanca_files::Disk;
use palanca_testkit::skipped;
use proptest::prelude::*;
use std::sync::Arc;

fn doors(space: &Space) -> [Disk; 2] {
    [space.disk(), space.disk().without_openat2()]
}

fn answer(result: Result<CanonicalPath, palanca_core::ports::FileError>) -> Result<String, K> {
    result.map(|path| path.to_string()).map_err(|error| error.kind)
}

#[test]
fn given_paths() {
    let space = Space::new();
    for (name, target) in [
        ("file", "README.md"),
        ("dir", "src"),
        ("up", "deep/x/../.."),
        ("out", "../outside"),
        ("absolute", space.ws().join("README.md").to_str().unwrap()),
        ("dangling", "src/nothing"),
        ("dangling-out", "../outside/nothing"),
        ("loop", "loop"),
        ("ping", "pong"),
        ("pong", "ping"),
        ("src/back", "../docs"),
        ("slash", "README.md/"),
        ("proc", "/proc/self/cwd"),
    ] {
        space.link(name, target);
    }
    let ws = space.ws().display().to_string();
    let top = space.top.path().display().to_string();
    let long = "n".repeat(256);
    let deep = format!("nothing/{long}");
    let table: Vec<(String, Result<&str, K>)> = vec![
        (".".into(), Ok(".")),
        ("src/../README.md".into(), Ok("README.md")),
        (".//src//.//main.rs".into(), Ok("src/main.rs")),
        ("src/".into(), Ok("src")),
        ("file".into(), Ok("README.md")),
        ("dir/main.rs".into(), Ok("src/main.rs")),
        ("dir/back/guide.md".into(), Ok("docs/guide.md")),
        ("dir/../README.md".into(), Ok("README.md")),
        ("up/README.md".into(), Ok("README.md")),
        ("dangling".into(), Ok("src/nothing")),
        ("dangling/more".into(), Ok("src/nothing/more")),
        ("new/deep/file".into(), Ok("new/deep/file")),
        ("new/./file/".into(), Ok("new/file")),
        ("~/x".into(), Ok("~/x")),
        ("$HOME/x".into(), Ok("$HOME/x")),
        (ws.clone(), Ok(".")),
        (format!("{ws}/"), Ok(".")),
        (format!("{ws}/src/main.rs"), Ok("src/main.rs")),
        (format!("//{ws}/./src/"), Ok("src")),
        (format!("{ws}/../ws/README.md"), Err(K::Outside)),
        (format!("{ws}-evil/secret.txt"), Err(K::Outside)),
        (format!("{ws}/README.md/"), Err(K::Invalid)),
        (top, Err(K::Outside)),
        ("/".into(), Err(K::Outside)),
        ("..".into(), Err(K::Outside)),
        ("../ws/README.md".into(), Err(K::Outside)),
        ("src/../../ws/README.md".into(), Err(K::Outside)),
        ("nothing/../../x".into(), Err(K::Outside)),
        ("nothing/../README.md".into(), Err(K::NotFound)),
        ("out".into(), Err(K::Outside)),
        ("out/secret.txt".into(), Err(K::Outside)),
        ("out/../ws/README.md".into(), Err(K::Outside)),
        ("absolute".into(), Err(K::Outside)),
        ("dangling-out".into(), Err(K::Outside)),
        ("proc/README.md".into(), Err(K::Outside)),
        ("loop".into(), Err(K::Invalid)),
        ("ping/x".into(), Err(K::Invalid)),
        ("slash".into(), Err(K::Invalid)),
        ("README.md/".into(), Err(K::Invalid)),
        ("README.md/x".into(), Ok("README.md/x")),
        ("README.md/x/..".into(), Err(K::Invalid)),
        ("file/..".into(), Err(K::Invalid)),
        ("".into(), Err(K::Invalid)),
        ("a\0b".into(), Err(K::Invalid)),
        (long, Err(K::Invalid)),
        (deep, Err(K::Invalid)),
        ("../".repeat(5_000), Err(K::Invalid)),
    ];
    for door in doors(&space) {
        for (given, wanted) in &table {
            assert_eq!(answer(door.locate(given)), wanted.map(str::to_owned), "{given:.80}");
        }
        for (given, wanted) in
            [("out", Ok("out")), ("dir/back", Ok("src/back")), ("out/", Err(K::Outside)), ("loop", Ok("loop"))]
        {
            assert_eq!(answer(door.locate_entry(given)), wanted.map(str::to_owned), "{given}");
        }
        assert_eq!(door.info(&door.locate_entry("out").unwrap()).unwrap().kind, EntryKind::Link);
    }
}

#[test]
fn a_workspace_opened_through_a_link() {
    let space = Space::new();
    std::os::unix::fs::symlink(space.ws(), space.path("alias")).unwrap();
    let disk = Disk::open(&space.path("alias"), &[], Arc::new(Open)).unwrap();
    for start in ["alias", "ws"] {
        let given = space.path(start).join("src/lib.rs").display().to_string();
        assert_eq!(at(&disk, &given).to_string(), "src/lib.rs");
    }
}

#[test]
fn what_was_opened_stays_open() {
    let space = Space::new();
    let disk = space.disk();
    std::fs::rename(space.ws(), space.path("moved")).unwrap();
    std::os::unix::fs::symlink(space.path("outside"), space.ws()).unwrap();
    assert_eq!(read(&disk, "README.md").unwrap(), b"# read me\n");
    commit(&disk, &[write(&at(&disk, "README.md"), "x", Expect::Anything)]).unwrap();
    assert_eq!(std::fs::read_to_string(space.path("moved/README.md")).unwrap(), "x");
}

#[test]
fn a_link_that_came_after_judging_is_refused() {
    let space = Space::new();
    for door in doors(&space) {
        for (name, target) in [("sub/in.txt", "outside/secret.txt"), ("sub", "outside")] {
            let path = at(&door, "sub/in.txt");
            let directory = at(&door, "sub");
            let (real, aside) = (space.ws().join(name), space.ws().join("aside"));
            std::fs::rename(&real, &aside).unwrap();
            std::os::unix::fs::symlink(space.path(target), &real).unwrap();
            let before = space.outside();
            assert_eq!(kind(door.open(&path)), K::Changed);
            assert_eq!(kind(commit(&door, &[write(&path, "x", Expect::Anything)])), K::Changed);
            if name == "sub" {
                assert_eq!(kind(door.entries(&directory)), K::Changed);
            }
            assert_eq!(before, space.outside());
            std::fs::remove_file(&real).unwrap();
            std::fs::rename(&aside, &real).unwrap();
        }
    }
}

#[test]
fn paths_that_no_door_made() {
    let space = Space::new();
    for door in doors(&space) {
        for made_up in ["../outside/secret.txt", "src/../README.md", "./README.md", "src//lib.rs", "/etc/passwd", "a\0"]
        {
            let path = CanonicalPath::new(Root::Workspace, made_up.into());
            assert_eq!(kind(door.open(&path)), K::Invalid, "{made_up}");
            assert_eq!(kind(commit(&door, &[write(&path, "x", Expect::Anything)])), K::Invalid, "{made_up}");
        }
        let unknown = CanonicalPath::new(Root::ReadOnly(7), "x".into());
        assert_eq!(kind(door.open(&unknown)), K::Outside);
    }
}

#[test]
fn devices_and_sockets_are_not_opened() {
    let space = Space::new();
    let _listener = std::os::unix::net::UnixListener::bind(space.ws().join("socket")).unwrap();
    let null = rustix::fs::makedev(1, 3);
    let device = space.ws().join("null");
    let made = rustix::fs::mknodat(rustix::fs::CWD, &device, rustix::fs::FileType::CharacterDevice, 0o666.into(), null);
    let disk = space.disk();
    assert_eq!(kind(read(&disk, "socket")), K::Special);
    assert_eq!(kind(read(&disk, "src")), K::IsDirectory);
    assert_eq!(kind(disk.entries(&at(&disk, "README.md"))), K::NotADirectory);
    match made {
        Ok(()) => assert_eq!(kind(read(&disk, "null")), K::Special),
        Err(error) => skipped("a device in the workspace", &error.to_string()),
    }
}

#[test]
fn only_short_files_of_the_workspace_are_at_hand() {
    let space = Space::in_memory();
    std::fs::write(space.ws().join("long"), vec![b'x'; 200 << 10]).unwrap();
    space.link("linked", "src/main.rs");
    let disk = space.disk();
    for (path, expected) in [("README.md", true), ("src/main.rs", true), ("long", false), ("nothing", false)] {
        assert_eq!(disk.is_at_hand(&at(&disk, path)), expected, "{path}");
    }
    for made_up in ["../outside/secret.txt", "src/../README.md"] {
        assert!(!disk.is_at_hand(&CanonicalPath::new(Root::Workspace, made_up.into())), "{made_up}");
    }
    assert!(!disk.is_at_hand(&CanonicalPath::new(Root::ReadOnly(7), "README.md".into())));
}

proptest! {
    /// With and without `openat2`: the same canonical path or the same refusal, and never one that climbs.
    #[test]
    fn both_mechanisms_agree(parts in proptest::collection::vec("[.]{1,2}|src|sub|l|m|out|new|README.md|", 0..8), absolute in any::<bool>()) {
        thread_local! {
            static SPACE: Space = {
                let space = Space::in_memory();
                space.link("l", "src/..");
                space.link("src/m", "../sub");
                space.link("out", "../outside");
                space
            };
        }
        SPACE.with(|space| {
            let mut given = parts.join("/");
            if absolute {
                given = format!("{}/{given}", space.ws().display());
            }
            let [kernel, stepwise] = doors(space);
            let found = answer(kernel.locate(&given));
            assert_eq!(found, answer(stepwise.locate(&given)), "{given}");
            assert_eq!(answer(kernel.locate_entry(&given)), answer(stepwise.locate_entry(&given)), "{given}");
            if let Ok(path) = found {
                assert!(path.split('/').all(|name| name != ".."), "{path}");
                assert_eq!(answer(kernel.locate(&path)), Ok(path), "canonical paths are their own");
            }
        });
    }
}
