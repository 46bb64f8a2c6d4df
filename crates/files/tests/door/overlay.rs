//! What an overlay shows is what the disk would show.

use crate::space::{Open, Space, at, commit, delete, hash, kind, policy, read, write};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{Change, ClosedBy, EntryKind, Expect, FileErrorKind as K, Files, Flow, Visit, WalkOptions};
use palanca_files::{Changed, Disk, Overlay};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

const ALL: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };

fn walked(door: &dyn Files, from: &str, options: WalkOptions) -> BTreeMap<String, (EntryKind, usize, String)> {
    let seen = Mutex::new(BTreeMap::new());
    let end = door
        .walk(&at(door, from), options, &|entry| {
            let mut content = String::new();
            if let Ok(mut file) = entry.open() {
                file.content.read_to_string(&mut content).unwrap();
            }
            seen.lock().unwrap().insert(entry.path.display().to_string(), (entry.kind, entry.depth, content));
            Flow::Continue
        })
        .unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(end.seen, seen.len());
    seen
}

#[test]
fn writes_stay_in_memory() {
    let space = Space::new();
    let overlay = Overlay::new(Arc::new(space.disk()));
    let inside = space.inside();
    let readme = at(&overlay, "README.md");
    commit(&overlay, &[write(&readme, "new", Expect::Content(hash("# read me\n")))]).unwrap();
    commit(&overlay, &[write(&readme, "newer", Expect::Content(hash("new")))]).unwrap();
    commit(&overlay, &[write(&at(&overlay, "made/x/y.txt"), "y", Expect::Absent)]).unwrap();
    commit(&overlay, &[delete(&at(&overlay, "docs"))]).unwrap();
    commit(&overlay, &[Change::Move { from: at(&overlay, "src"), to: at(&overlay, "made/src") }]).unwrap();
    assert_eq!(inside, space.inside());
    assert_eq!(read(&overlay, "README.md").unwrap(), b"newer");
    assert_eq!(read(&overlay, "made/src/lib.rs").unwrap(), b"//! lib\n");
    assert_eq!(kind(read(&overlay, "docs/guide.md")), K::NotFound);
    assert_eq!(kind(read(&overlay, "src/lib.rs")), K::NotFound);
    let names: Vec<_> = overlay.entries(&at(&overlay, "made")).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["src", "x"]);
    let paths: Vec<_> = walked(&overlay, "made", ALL).into_keys().collect();
    assert_eq!(paths, ["made/src", "made/src/lib.rs", "made/src/main.rs", "made/x", "made/x/y.txt"]);
    let shallow = walked(&overlay, ".", WalkOptions { max_depth: 1, hidden: Visit::Hide, ..ALL });
    assert_eq!(shallow.into_keys().collect::<Vec<_>>(), ["README.md", "a b", "deep", "made", "sub", "uni"]);
    let changed: Vec<_> = overlay.changes().unwrap().into_iter().map(|changed| changed.path.to_string()).collect();
    assert_eq!(
        changed,
        [
            "README.md",
            "docs/guide.md",
            "made/src/lib.rs",
            "made/src/main.rs",
            "made/x/y.txt",
            "src/lib.rs",
            "src/main.rs"
        ]
    );
    let first = overlay.changes().unwrap().remove(0);
    let (before, after) = (Some(b"# read me\n".to_vec()), Some(b"newer".to_vec()));
    assert_eq!(first, Changed { path: readme, before, after, mode_before: first.mode_before, mode: first.mode });
    overlay.clear();
    assert_eq!(overlay.changes().unwrap(), []);
}

#[test]
fn the_same_refusals_as_the_disk() {
    let space = Space::new();
    space.put("box/.env", "KEY=1");
    let disk: Arc<dyn Files> = Arc::new(Disk::open(&space.ws(), &[space.path("ro")], policy()).unwrap());
    let overlay = Overlay::new(Arc::clone(&disk));
    let path = |given: &str| at(&*disk, given);
    let library = space.path("ro/lib.txt").display().to_string();
    for change in [
        write(&path("README.md"), "x", Expect::Absent),
        write(&path("README.md"), "x", Expect::Content(hash("no"))),
        write(&path("none"), "x", Expect::Content(hash("no"))),
        write(&path("src"), "x", Expect::Anything),
        write(&path("."), "x", Expect::Anything),
        write(&path(".env"), "x", Expect::Anything),
        write(&path(".git/config"), "x", Expect::Anything),
        write(&path(&library), "x", Expect::Anything),
        delete(&path("none")),
        delete(&path(".")),
        delete(&path("box")),
        delete(&path(".git")),
        Change::Move { from: path("box"), to: path("elsewhere") },
        Change::Move { from: path("src"), to: path("docs") },
        Change::Move { from: path("src"), to: path("src/lib") },
        Change::Move { from: path("none"), to: path("some") },
        Change::MakeDirectory { path: path("README.md") },
    ] {
        let changes = std::slice::from_ref(&change);
        assert_eq!(kind(commit(&overlay, changes)), kind(commit(&*disk, changes)), "{change:?}");
    }
    assert_eq!(kind(read(&overlay, "box/.env")), K::Secret(ClosedBy::Rule));
    assert_eq!(overlay.changes().unwrap(), []);
}

#[test]
fn memory_is_bounded() {
    let space = Space::in_memory();
    let overlay = Overlay::new(Arc::new(space.disk()));
    let block = vec![b'x'; 100 << 20];
    let put = |name: &str| commit(&overlay, &[write(&at(&overlay, name), &block, Expect::Anything)]);
    put("one").unwrap();
    put("two").unwrap();
    put("two").unwrap();
    assert_eq!(kind(put("three")), K::TooLarge);
    commit(&overlay, &[delete(&at(&overlay, "one"))]).unwrap();
    put("three").unwrap();
}

#[derive(Clone, Debug)]
pub enum Act {
    Write(usize, u8),
    Delete(usize),
    Move(usize, usize),
    Make(usize),
}

const NAMES: [&str; 9] = ["a", "b", "a/x", "a/y", "b/x", "b/z/w", "src", "src/lib.rs", "docs/guide.md"];

pub fn acts() -> impl Strategy<Value = Vec<Act>> {
    let name = || 0..NAMES.len();
    let act = prop_oneof![
        (name(), b'a'..=b'z').prop_map(|(name, byte)| Act::Write(name, byte)),
        name().prop_map(Act::Delete),
        (name(), name()).prop_map(|(from, to)| Act::Move(from, to)),
        name().prop_map(Act::Make),
    ];
    proptest::collection::vec(act, 1..10)
}

pub fn change(act: &Act) -> Change {
    let path = |name: usize| CanonicalPath::new(Root::Workspace, NAMES[name].into());
    match act {
        Act::Write(name, byte) => write(&path(*name), [*byte], Expect::Anything),
        Act::Delete(name) => delete(&path(*name)),
        Act::Move(from, to) => Change::Move { from: path(*from), to: path(*to) },
        Act::Make(name) => Change::MakeDirectory { path: path(*name) },
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Any sequence of changes has the same outcome in memory as on the disk, and leaves the same tree.
    #[test]
    fn overlay_and_disk_agree(acts in acts()) {
        let (real, shadow) = (Space::in_memory(), Space::in_memory());
        let disk = Disk::open(&real.ws(), &[], Arc::new(Open)).unwrap();
        let overlay = Overlay::new(Arc::new(shadow.disk()));
        for act in &acts {
            let change = change(act);
            let outcome = |door: &dyn Files| commit(door, std::slice::from_ref(&change)).map_err(|error| error.kind).ok();
            prop_assert_eq!(outcome(&disk), outcome(&overlay), "{:?} of {:?}", act, acts);
        }
        prop_assert_eq!(walked(&disk, ".", ALL), walked(&overlay, ".", ALL), "{:?}", acts);
        let expected: Vec<_> = {
            let rules = Arc::new(Open);
            let before = Disk::open(&shadow.ws(), &[], rules).unwrap();
            let (before, after) = (walked(&before, ".", ALL), walked(&disk, ".", ALL));
            let is_file = |tree: &BTreeMap<String, (EntryKind, usize, String)>, name: &String| tree.get(name).filter(|found| found.0 == EntryKind::File).map(|found| found.2.clone());
            let mut names: Vec<_> = before.keys().chain(after.keys()).cloned().collect();
            names.sort();
            names.dedup();
            names.into_iter().filter(|name| is_file(&before, name) != is_file(&after, name)).collect()
        };
        let mut told: Vec<_> = overlay.changes().unwrap().into_iter().map(|changed| changed.path.to_string()).collect();
        told.sort();
        prop_assert_eq!(told, expected, "{:?}", acts);
    }
}
