//! Whoever makes which part of a repository, in whatever order: nothing of it starts a program.

use crate::programs::{Program, does};
use crate::space::{at, commit, write};
use palanca_core::ports::{Change, Expect, FileError, FileErrorKind, ProgramWrites, WriteLog};
use palanca_files::{Disk, Writes};
use palanca_policy::paths::PathRules;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};

const EVIL: &str = "[core]\n\tfsmonitor = touch x\n";
const PLAIN: &str = "[core]\n\tbare = true\n";

fn open(top: &Path, state: &Path) -> Disk {
    let rules = Arc::new(PathRules::new(&[], &[], None).unwrap());
    Disk::open(top, &[], rules).unwrap().remembering(state.to_owned(), "")
}

fn log(disk: Disk) -> Box<dyn WriteLog> {
    Writes::new(Arc::new(disk)).begin(None, &[]).unwrap()
}

fn tool(disk: &Disk, path: &str, content: &str) -> Result<(), FileError> {
    commit(disk, &[write(&at(disk, path), content, Expect::Anything)]).map(drop)
}

/// A program writes a file, and makes the folder for it.
fn program(program: &mut Program, path: &str, content: &str) -> Result<(), FileError> {
    let folder = path.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !program.path(folder).exists());
    folder.map_or(Ok(()), |folder| program.does(&format!("mkdir {folder}")))?;
    let content = content.replace('\n', "\\n").replace('\t', "\\t");
    program.does(&format!("make {path} {content}"))?;
    // A configuration of what is a repository is made empty, and judged when it is written.
    let is_empty = fs::read(program.path(path)).unwrap().is_empty();
    if is_empty { program.does(&format!("fill {path} {content}")) } else { Ok(()) }
}

fn orders(parts: &[usize]) -> Vec<Vec<usize>> {
    let ordered = |first: &usize| {
        let rest: Vec<usize> = parts.iter().copied().filter(|part| part != first).collect();
        orders(&rest).into_iter().map(|order| [vec![*first], order].concat()).collect::<Vec<_>>()
    };
    if parts.is_empty() { vec![Vec::new()] } else { parts.iter().flat_map(ordered).collect() }
}

#[test]
fn the_last_part_is_refused_in_every_order_whoever_makes_it() {
    // `true`: whichever of these comes last is refused.
    let repositories = [
        vec![
            ("config", EVIL, true),
            ("HEAD", "ref: refs/heads/x", false),
            ("objects/a", "x", true),
            ("refs/a", "x", true),
        ],
        vec![("hooks/update", "x", true), ("objects/a", "x", true), ("refs/a", "x", true)],
        vec![("info/attributes", "x", true), ("objects/a", "x", true), ("refs/a", "x", true)],
        vec![("config.worktree", EVIL, true), ("HEAD", "x", true), ("commondir", "..", true)],
        vec![
            ("config", PLAIN, false),
            ("HEAD", "ref: refs/heads/x", false),
            ("objects/a", "x", false),
            ("refs/a", "x", false),
        ],
    ];
    for (parts, who) in repositories.iter().flat_map(|parts| (0..1 << parts.len()).map(move |who: u32| (parts, who))) {
        for order in orders(&(0..parts.len()).collect::<Vec<_>>()) {
            let mut space = Program::new("mkdir b");
            let state = palanca_testkit::in_memory();
            let disk = open(space.top.path(), state.path());
            let last = order.iter().rposition(|part| parts[*part].2);
            for (index, part) in order.iter().enumerate() {
                let (name, content, _) = parts[*part];
                let path = format!("b/{name}");
                let by_tool = who >> part & 1 == 0;
                let made = if by_tool { tool(&disk, &path, content) } else { program(&mut space, &path, content) };
                let shown = format!("{name} of {order:?}, {who:b}: {made:?}");
                assert_eq!(made.is_ok(), Some(index) != last, "{shown}");
                if let Err(refused) = made {
                    assert!(matches!(refused.kind, FileErrorKind::Protected(_)), "{shown}");
                    assert!(!by_tool || !space.path(&path).exists(), "{shown}");
                }
            }
        }
    }
}

#[test]
fn a_commit_makes_no_repository_that_starts_a_program() {
    let made = "mkdir b; make b/HEAD x; mkdir b/objects; make t x; mkdir d; make d/update x; mkdir p";
    let harmful = &format!("{made}; make b/config [core]\\n\\tfsmonitor = x\\n");
    let bare = &format!("{made}; mkdir b/refs");
    for (prepare, changes, allowed) in [
        ("mkdir x", "make b/config EVIL; make b/HEAD x; make b/objects/a x; make b/refs/a x", false),
        ("mkdir x", "make b/config PLAIN; make b/HEAD x; make b/objects/a x; make b/refs/a x", true),
        (harmful, "mkdir b/refs", false),
        (harmful, "make b/refs/heads/deep/x x", false),
        (harmful, "mv t b/refs", false),
        (harmful, "mv d b/REFS", false),
        (harmful, "make b/config PLAIN; mv d b/refs", true),
        (made, "mv d b/refs; make b/config EVIL", false),
        (bare, "make b/config EVIL", false),
        (bare, "make b/config PLAIN", true),
        (bare, "make b/config PLAIN; make b/hooks/update x", false),
        (bare, "make b/hooks/update.sample x", true),
        (bare, "make b/info/attributes x", false),
        (bare, "make b/info/exclude x", true),
        (bare, "make b/commondir ..", false),
        (bare, "mv t b/config", false),
        (bare, "mv d b/hooks", false),
        (bare, "mv t b/hooks/update", false),
        // What was judged where it was made moves as it is.
        (bare, "mv b p/b", true),
        (harmful, "mv b p/b", true),
    ] {
        let space = Program::new(prepare);
        let state = palanca_testkit::in_memory();
        let disk = open(space.top.path(), state.path());
        let before = contents(space.top.path());
        let commits: Vec<Change> = changes.split("; ").map(|line| change(&disk, line)).collect();
        let done = commit(&disk, &commits);
        assert_eq!(done.is_ok(), allowed, "{changes}: {done:?}");
        assert_eq!(contents(space.top.path()) != before, allowed, "{changes}: all or nothing");
    }
}

fn change(disk: &Disk, line: &str) -> Change {
    let words: Vec<&str> = line.split(' ').collect();
    let path = at(disk, words[1]);
    match words[0] {
        "mkdir" => Change::MakeDirectory { path },
        "mv" => Change::Move { from: path, to: at(disk, words[2]) },
        _ => write(&path, words[2].replace("EVIL", EVIL).replace("PLAIN", PLAIN), Expect::Anything),
    }
}

fn contents(top: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            found.insert(path.clone(), fs::read(&path).ok());
            folders.extend(path.is_dir().then_some(path));
        }
    }
    found
}

/// Each door stands for a process: locks are of open files, so doors of one process keep each other out as processes do.
#[test]
fn two_halves_that_are_made_at_once_are_judged_one_after_the_other() {
    let state = palanca_testkit::in_memory();
    for state in [Some(state.path()), None] {
        for round in 0..300 {
            let top = palanca_testkit::in_memory();
            fs::create_dir_all(top.path().join("b/objects")).unwrap();
            let door = || match state {
                Some(state) => open(top.path(), state),
                None => Disk::open(top.path(), &[], Arc::new(PathRules::new(&[], &[], None).unwrap())).unwrap(),
            };
            let ready = Barrier::new(2);
            let settings = || {
                let disk = door();
                ready.wait();
                if round % 2 == 0 {
                    return tool(&disk, "b/config", EVIL);
                }
                does(top.path(), Some(&mut log(disk)), "make b/config [core]\\n\\tfsmonitor = x\\n")
            };
            let structure = || {
                let mut log = log(door());
                ready.wait();
                does(top.path(), Some(&mut log), "mkdir b/refs")
            };
            let (settings, structure) = std::thread::scope(|scope| {
                let (settings, structure) = (scope.spawn(settings), scope.spawn(structure));
                (settings.join().unwrap(), structure.join().unwrap())
            });
            let evil = fs::read(top.path().join("b/config")).unwrap_or_default();
            let made = !evil.is_empty() && top.path().join("b/refs").exists();
            assert!(!made, "round {round}: {settings:?} {structure:?}");
        }
    }
}
