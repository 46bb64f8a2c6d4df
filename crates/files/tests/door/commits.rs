//! What a commit makes, and what it leaves when it makes nothing.

use crate::space::{Open, Space, at, commit, delete, hash, kind, origin, write};
use palanca_core::call::Access;
use palanca_core::ports::{Change, ClosedBy, Committed, Expect, FileErrorKind as K, Files, PathRefusal, PathRules};
use palanca_files::{Disk, Overlay};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;

fn mode(space: &Space, relative: &str) -> u32 {
    space.ws().join(relative).metadata().unwrap().mode() & 0o7777
}

fn set_mode(space: &Space, relative: &str, mode: u32) {
    std::fs::set_permissions(space.ws().join(relative), std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_new_file_with_its_parents() {
    let space = Space::new();
    let disk = space.disk();
    let path = at(&disk, "new/deep/x.txt");
    let committed = commit(&disk, &[write(&path, "x", Expect::Absent)]).unwrap();
    assert_eq!(committed, [Committed { path, before: None, after: Some(hash("x")) }]);
    assert_eq!(space.content("new/deep/x.txt"), "x");
    // As an ordinary program would have made it, under the umask of this process.
    std::fs::write(space.ws().join("ordinary"), "").unwrap();
    assert_eq!(mode(&space, "new/deep/x.txt"), mode(&space, "ordinary"));
    assert_eq!(space.leftovers(), [] as [std::path::PathBuf; 0]);
}

#[test]
fn an_old_file_keeps_what_is_not_its_content() {
    let space = Space::new();
    let disk = space.disk();
    for (old, given, new) in
        [(0o600, None, 0o600), (0o755, None, 0o755), (0o644, Some(0o755), 0o755), (0o4755, None, 0o755)]
    {
        set_mode(&space, "README.md", old);
        let path = at(&disk, "README.md");
        let change = Change::Write { path, content: b"new".to_vec(), expect: Expect::Anything, mode: given };
        commit(&disk, &[change]).unwrap();
        assert_eq!(mode(&space, "README.md"), new, "from {old:o} with {given:?}");
    }
    let file = space.ws().join("README.md");
    if rustix::fs::setxattr(&file, "user.kept", b"yes", rustix::fs::XattrFlags::empty()).is_ok() {
        commit(&disk, &[write(&at(&disk, "README.md"), "newer", Expect::Anything)]).unwrap();
        let mut value = [0; 8];
        assert_eq!(rustix::fs::getxattr(&file, "user.kept", &mut value[..]).unwrap(), 3);
    }
}

#[test]
fn a_hard_link_to_the_outside_is_cut() {
    let space = Space::new();
    std::fs::hard_link(space.path("outside/plain.txt"), space.ws().join("h")).unwrap();
    let before = space.outside();
    let disk = space.disk();
    commit(&disk, &[write(&at(&disk, "h"), "mine", Expect::Anything)]).unwrap();
    assert_eq!((space.content("h"), space.outside()), ("mine".to_owned(), before));
}

#[test]
fn expectations() {
    let space = Space::new();
    let disk = space.disk();
    let readme = at(&disk, "README.md");
    let new = at(&disk, "made/new.txt");
    let inside = space.inside();
    for (path, expect, wanted) in [
        (&readme, Expect::Absent, K::Exists),
        (&readme, Expect::Content(hash("other")), K::Changed),
        (&new, Expect::Content(hash("other")), K::Changed),
    ] {
        assert_eq!(kind(commit(&disk, &[write(path, "x", expect)])), wanted, "{path} {expect:?}");
    }
    assert_eq!(
        kind(commit(&disk, &[Change::Delete { path: readme.clone(), expect: Expect::Content(hash("no")) }])),
        K::Changed
    );
    assert_eq!(inside, space.inside(), "nothing changed, and no parents were left");
    let old = hash(space.content("README.md"));
    let committed = commit(&disk, &[write(&readme, "x", Expect::Content(old))]).unwrap();
    assert_eq!(committed, [Committed { path: readme.clone(), before: Some(old), after: Some(hash("x")) }]);
    commit(&disk, &[Change::Delete { path: readme, expect: Expect::Content(hash("x")) }]).unwrap();
    assert!(!space.exists("README.md"));
}

#[test]
fn all_or_nothing() {
    let space = Space::new();
    let disk = space.disk();
    let inside = space.inside();
    let good = || write(&at(&disk, "README.md"), "x", Expect::Anything);
    let to = at(&disk, "moved/lib.rs");
    let moved = || Change::Move { from: at(&disk, "src/lib.rs"), to: to.clone() };
    let made = || write(&at(&disk, "made/a/b.txt"), "x", Expect::Absent);
    let removed = || delete(&at(&disk, "docs"));
    for (bad, wanted) in [
        (write(&at(&disk, "src/main.rs"), "x", Expect::Absent), K::Exists),
        (write(&at(&disk, "src"), "x", Expect::Anything), K::IsDirectory),
        (delete(&at(&disk, "missing")), K::NotFound),
        (Change::Move { from: at(&disk, "missing"), to: at(&disk, "m2") }, K::NotFound),
        (Change::Move { from: at(&disk, "sub/in.txt"), to: at(&disk, "src/main.rs") }, K::Exists),
        (Change::MakeDirectory { path: at(&disk, "src/main.rs") }, K::NotADirectory),
    ] {
        let changes = [good(), moved(), made(), removed(), bad];
        assert_eq!(kind(commit(&disk, &changes)), wanted);
        assert_eq!(inside, space.inside());
    }
    commit(&disk, &[good(), moved(), made(), removed()]).unwrap();
    assert_eq!(space.content("README.md"), "x");
    assert_eq!(space.content("moved/lib.rs"), "//! lib\n");
    assert!(!space.exists("docs") && !space.exists("src/lib.rs"));
    assert_eq!(space.leftovers(), [] as [std::path::PathBuf; 0]);
}

/// Lets somebody else change a file after it was examined, in the moment before names change.
struct Meddler(std::path::PathBuf);

impl PathRules for Meddler {
    fn refuse(&self, relative: &Path, _access: Access) -> Option<PathRefusal> {
        if relative == Path::new("docs/guide.md") {
            std::fs::write(&self.0, "somebody else's\n").unwrap();
        }
        None
    }
}

#[test]
fn a_change_that_slips_in_is_seen_and_everything_taken_back() {
    let space = Space::new();
    let disk = Disk::open(&space.ws(), &[], Arc::new(Meddler(space.ws().join("src/main.rs")))).unwrap();
    let changes = [
        write(&at(&disk, "README.md"), "mine", Expect::Anything),
        write(&at(&disk, "made/new.txt"), "mine", Expect::Absent),
        Change::Move { from: at(&disk, "src/lib.rs"), to: at(&disk, "lib.rs") },
        write(&at(&disk, "src/main.rs"), "mine", Expect::Anything),
        delete(&at(&disk, "docs")),
    ];
    assert_eq!(kind(commit(&disk, &changes)), K::Changed);
    assert_eq!(space.content("src/main.rs"), "somebody else's\n");
    assert_eq!(space.content("README.md"), "# read me\n");
    assert!(space.exists("docs/guide.md") && space.exists("src/lib.rs"));
    assert!(!space.exists("made") && !space.exists("lib.rs"));
    assert_eq!(space.leftovers(), [] as [std::path::PathBuf; 0]);
}

#[test]
fn changes_that_build_on_each_other() {
    let space = Space::new();
    let disk = space.disk();
    let (old, new) = (at(&disk, "src/lib.rs"), at(&disk, "src/new.rs"));
    let moved = Change::Move { from: old.clone(), to: new.clone() };
    let edited = write(&new, "edited", Expect::Content(hash("//! lib\n")));
    let again = write(&old, "another", Expect::Absent);
    commit(&disk, &[moved, edited, again]).unwrap();
    assert_eq!((space.content("src/new.rs"), space.content("src/lib.rs")), ("edited".into(), "another".into()));
    let docs = at(&disk, "docs");
    commit(&disk, &[delete(&docs), write(&docs, "a file now", Expect::Absent)]).unwrap();
    assert_eq!(space.content("docs"), "a file now");
    for fighting in [
        vec![write(&old, "1", Expect::Anything), write(&old, "2", Expect::Anything)],
        vec![write(&old, "1", Expect::Anything), delete(&old)],
        vec![delete(&at(&disk, "deep")), write(&at(&disk, "deep/x/new"), "1", Expect::Anything)],
        vec![Change::Move { from: at(&disk, "deep"), to: at(&disk, "deep/x/y/deep") }],
        vec![delete(&at(&disk, "."))],
        vec![write(&at(&disk, "."), "x", Expect::Anything)],
        vec![Change::Move { from: at(&disk, "."), to: at(&disk, "w") }],
    ] {
        let inside = space.inside();
        assert_eq!(kind(commit(&disk, &fighting)), K::Invalid, "{fighting:?}");
        assert_eq!(inside, space.inside());
    }
}

/// Every change of these in one commit, on the disk and in a dry run.
fn exchanges(disk: &dyn Files) -> Vec<Vec<Change>> {
    vec![
        // A file becomes a folder.
        vec![delete(&at(disk, "README.md")), write(&at(disk, "README.md/a/b.txt"), "b", Expect::Absent)],
        // A folder becomes a file, with the folders in it.
        vec![delete(&at(disk, "deep/x/y/z.txt")), write(&at(disk, "deep"), "file", Expect::Absent)],
        // Two change sides.
        vec![
            delete(&at(disk, "deep")),
            delete(&at(disk, "README.md/a/b.txt")),
            write(&at(disk, "deep/one"), "1", Expect::Absent),
            write(&at(disk, "deep/two/three"), "3", Expect::Absent),
            write(&at(disk, "README.md"), "again", Expect::Absent),
        ],
    ]
}

#[test]
fn files_become_folders_and_folders_files() {
    let space = Space::new();
    let disk = Arc::new(space.disk());
    let overlay = Overlay::new(Arc::clone(&disk) as Arc<dyn Files>);
    for number in 0..3 {
        for door in [&overlay as &dyn Files, &*disk] {
            let changes = exchanges(door).swap_remove(number);
            commit(door, &changes).unwrap();
        }
        assert_eq!(space.leftovers(), [] as [std::path::PathBuf; 0]);
    }
    for (path, content) in [("deep/one", "1"), ("deep/two/three", "3"), ("README.md", "again")] {
        assert_eq!(space.content(path), content);
        assert_eq!(crate::space::read(&overlay, path).unwrap(), content.as_bytes());
    }
    assert!(!space.exists("deep/x"));
}

#[test]
fn an_exchange_that_fails_leaves_all_as_it_was() {
    let space = Space::new();
    space.put("held/gone", "g");
    space.put("held/stays", "s");
    space.put("closed/gone", "g");
    space.put("closed/.env", "s");
    std::fs::create_dir(space.ws().join("held/empty")).unwrap();
    let disk = Arc::new(Disk::open(&space.ws(), &[], crate::space::policy()).unwrap());
    let overlay = Overlay::new(Arc::clone(&disk) as Arc<dyn Files>);
    let later = [write(&at(&*disk, "src/lib.rs"), "x", Expect::Content(hash("not this")))];
    let inside = space.inside();
    for changes in exchanges(&*disk).into_iter().take(2) {
        let failing: Vec<_> = changes.into_iter().chain(later.clone()).collect();
        assert_eq!(kind(commit(&*disk, &failing)), K::Changed);
        assert_eq!(inside, space.inside());
    }
    for (gone, folder, left) in [
        (vec!["held/gone"], "held", vec!["held/stays", "held/empty"]),
        (vec!["held/gone", "held/stays"], "held", vec!["held/empty"]),
        (vec!["closed/gone"], "closed", vec!["than what this removes"]),
    ] {
        let deleted = gone.iter().map(|path| delete(&at(&*disk, path)));
        let changes: Vec<_> = deleted.chain([write(&at(&*disk, folder), "x", Expect::Absent)]).collect();
        for door in [&overlay as &dyn Files, &*disk] {
            let error = commit(door, &changes).unwrap_err();
            assert_eq!((error.kind, error.path.as_str()), (K::Invalid, folder));
            assert!(left.iter().any(|left| error.detail.ends_with(left)), "{}", error.detail);
        }
        assert_eq!(inside, space.inside());
        assert_eq!(overlay.changes().unwrap(), []);
    }
    // A folder of which nothing is removed, and a file that stays.
    let error = commit(&*disk, &[write(&at(&*disk, "held/empty"), "x", Expect::Anything)]).unwrap_err();
    assert_eq!(error.kind, K::IsDirectory);
    let error = commit(&*disk, &[write(&at(&*disk, "README.md/x"), "x", Expect::Anything)]).unwrap_err();
    assert_eq!(error.kind, K::NotADirectory);
    assert_eq!((inside, space.leftovers()), (space.inside(), vec![]));
}

#[test]
fn removing_trees() {
    let space = Space::new();
    space.put("tree/a/b/c.txt", "c");
    space.link("tree/a/out", space.path("outside"));
    space.link("tree/dangling", "nowhere");
    space.link("alias", space.path("outside"));
    let before = space.outside();
    let disk = space.disk();
    commit(&disk, &[delete(&at(&disk, "tree"))]).unwrap();
    commit(&disk, &[delete(&disk.locate_entry("alias").unwrap())]).unwrap();
    assert!(!space.exists("tree") && !space.exists("alias"));
    assert_eq!((before, space.leftovers()), (space.outside(), vec![]));
}

#[test]
fn a_very_deep_tree() {
    let space = Space::new();
    let path = vec!["d"; 1_500].join("/");
    space.put(&format!("{path}/x.txt"), "deep");
    let disk = space.disk();
    assert_eq!(at(&disk, &format!("{path}/x.txt")).relative(), Path::new(&format!("{path}/x.txt")));
    commit(&disk, &[delete(&at(&disk, "d"))]).unwrap();
    assert!(!space.exists("d"));
}

#[test]
fn trees_that_hold_closed_files_stay() {
    let space = Space::new();
    space.put("box/ok.txt", "ok");
    space.put("box/.env", "KEY=1");
    space.put("repo/.git/hooks/pre-commit", "x");
    space.put("d/pre-commit", "x");
    let disk = Disk::open(&space.ws(), &[], crate::space::policy()).unwrap();
    let inside = space.inside();
    let moving = |from: &str, to: &str| Change::Move { from: at(&disk, from), to: at(&disk, to) };
    for (change, wanted) in [
        (delete(&at(&disk, "box")), K::Secret(ClosedBy::Rule)),
        (delete(&at(&disk, "repo")), K::Protected(ClosedBy::Rule)),
        (moving("box", "elsewhere"), K::Secret(ClosedBy::Rule)),
        (moving("repo", "elsewhere"), K::Protected(ClosedBy::Rule)),
        (moving("d", ".git/hooks/d"), K::Protected(ClosedBy::Rule)),
        (write(&at(&disk, ".env"), "x", Expect::Anything), K::Secret(ClosedBy::Rule)),
        (write(&at(&disk, ".git/config"), "x", Expect::Anything), K::Protected(ClosedBy::Rule)),
    ] {
        assert_eq!(kind(commit(&disk, std::slice::from_ref(&change))), wanted, "{change:?}");
        assert_eq!(inside, space.inside());
    }
}

#[test]
fn read_only_roots() {
    let space = Space::new();
    let disk = Disk::open(&space.ws(), &[space.path("ro"), space.ws().join("deep")], Arc::new(Open)).unwrap();
    let library = at(&disk, &space.path("ro/lib.txt").display().to_string());
    assert_eq!(library.to_string(), "root1:lib.txt");
    let nested = at(&disk, &space.ws().join("deep/x/y/z.txt").display().to_string());
    assert_eq!(nested.to_string(), "root2:x/y/z.txt");
    for path in [library, nested, at(&disk, "deep/x/y/z.txt")] {
        assert_eq!(kind(commit(&disk, &[write(&path, "x", Expect::Anything)])), K::ReadOnly, "{path}");
        assert!(disk.open(&path).is_ok());
    }
}

#[test]
fn directories() {
    let space = Space::new();
    let disk = space.disk();
    let made = Change::MakeDirectory { path: at(&disk, "one/two/three") };
    commit(&disk, std::slice::from_ref(&made)).unwrap();
    assert!(space.ws().join("one/two/three").is_dir());
    commit(&disk, &[made]).unwrap();
    let inside_file = write(&at(&disk, "one/four"), "x", Expect::Absent);
    commit(&disk, &[Change::MakeDirectory { path: at(&disk, "one/five") }, inside_file]).unwrap();
    assert!(space.exists("one/five") && space.exists("one/four"));
}

#[test]
fn special_files_are_not_replaced() {
    let space = Space::new();
    let fifo = space.ws().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let disk = space.disk();
    let path = at(&disk, "fifo");
    assert_eq!(kind(commit(&disk, &[write(&path, "x", Expect::Anything)])), K::Special);
    assert_eq!(kind(disk.open(&path)), K::Special);
    commit(&disk, &[delete(&path)]).unwrap();
    assert!(!space.exists("fifo"));
}

#[test]
fn a_name_like_a_temporary_is_not_ours_for_it() {
    let space = Space::new();
    let dead = ".palanca-999999999-0123456789abcdef-0123456789abcdef.tmp";
    let tree = ".palanca-999999998-0123456789abcdef-0123456789abcdef.tmp";
    for name in [dead, &format!("{tree}/a/b")] {
        space.put(name, "x");
    }
    let disk = space.disk();
    let listed: Vec<_> = disk.entries(&at(&disk, ".")).unwrap().into_iter().map(|entry| entry.name).collect();
    assert!(listed.contains(&dead.to_owned()) && listed.contains(&tree.to_owned()), "{listed:?}");
    disk.commit(&[write(&at(&disk, "README.md"), "x", Expect::Anything)], &origin()).unwrap();
    assert!(space.exists(dead) && space.exists(&format!("{tree}/a/b")));
}

/// Of the same size, and with the time of the one before.
#[test]
fn a_file_that_was_replaced_shows_without_being_read() {
    let space = Space::new();
    let disk = space.disk();
    let path = disk.locate("README.md").unwrap();
    let before = disk.info(&path).unwrap();
    let new = std::fs::File::create(space.path("new")).unwrap();
    new.set_len(before.size).unwrap();
    new.set_modified(before.modified.unwrap()).unwrap();
    std::fs::rename(space.path("new"), space.ws().join("README.md")).unwrap();
    let after = disk.info(&path).unwrap();
    assert_eq!((after.size, after.modified), (before.size, before.modified));
    assert_ne!(after, before);
}
