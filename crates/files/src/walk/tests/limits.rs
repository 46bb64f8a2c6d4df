//! Large, deep and broken trees, and visitors that end a walk.

use super::*;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, unlinkat};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_entry_of_a_wide_tree_is_shown_once() {
    let names: Vec<String> = (0..40).flat_map(|d| (0..60).map(move |f| format!("d{d}/e{}/f{f}", f % 3))).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    let flat: Vec<String> = (0..2_000).map(|f| format!("flat/{f}")).collect();
    names.extend(flat.iter().map(String::as_str));
    let root = tree(&names);
    for _ in 0..20 {
        let shown = shown(root.path(), USUAL);
        let files: BTreeSet<&str> = shown.iter().map(String::as_str).filter(|name| !name.ends_with('/')).collect();
        assert_eq!(files, names.iter().copied().collect());
        assert_eq!(shown.len(), names.len() + 40 + 40 * 3 + 1);
    }
}

/// `levels` directories `d`, one in the other, every fifth with a directory `s` and a file beside; too deep for one path.
struct Deep {
    root: TempDir,
    levels: usize,
}

impl Deep {
    fn new(levels: usize) -> Self {
        let root = palanca_testkit::in_memory();
        let open = OFlags::RDONLY | OFlags::DIRECTORY;
        let mut at = openat(CWD, root.path(), open, Mode::empty()).unwrap();
        for level in 0..levels {
            if level % 5 == 0 {
                mkdirat(&at, "s", Mode::RWXU).unwrap();
                openat(&at, "s/f", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
            }
            mkdirat(&at, "d", Mode::RWXU).unwrap();
            at = openat(&at, "d", open, Mode::empty()).unwrap();
        }
        Self { root, levels }
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        // The library's way holds one directory open for each level.
        let at = openat(CWD, self.root.path(), OFlags::PATH, Mode::empty()).unwrap();
        for _ in 0..self.levels {
            // Not every level has these, and the innermost has nothing.
            let _ = unlinkat(&at, "s/f", AtFlags::empty());
            let _ = unlinkat(&at, "s", AtFlags::REMOVEDIR);
            renameat(&at, "d", &at, "e").unwrap();
            for name in ["s", "d"] {
                let _ = renameat(&at, format!("e/{name}"), &at, name);
            }
            unlinkat(&at, "e", AtFlags::REMOVEDIR).unwrap();
        }
    }
}

#[test]
fn five_thousand_levels_need_few_open_directories() {
    let deep = Deep::new(5_000);
    let (files, deepest, most_open) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let end = walk_from(deep.root.path(), "", EVERYTHING, &|entry| {
        deepest.fetch_max(entry.depth, Ordering::Relaxed);
        if entry.kind == EntryKind::File {
            entry.open().unwrap();
            if files.fetch_add(1, Ordering::Relaxed) % 100 == 0 {
                most_open.fetch_max(open_below(deep.root.path()), Ordering::Relaxed);
            }
        }
        Flow::Continue
    });
    assert_eq!(end, WalkEnd { seen: 7_000, unreadable: Vec::new() });
    assert_eq!((files.into_inner(), deepest.into_inner()), (1_000, 5_000));
    let most_open = most_open.into_inner();
    assert!((1..100).contains(&most_open), "{most_open} directories were open");
}

/// Handles of this process on things in the tree; of very deep ones the system does not tell the path.
fn open_below(root: &Path) -> usize {
    let handles = fs::read_dir("/proc/self/fd").unwrap().flatten();
    handles.filter(|handle| fs::read_link(handle.path()).map_or(true, |path| path.starts_with(root))).count()
}

/// What a thread without the superuser's rights on files sees; the same for an ordinary user.
fn as_ordinary_user<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut mine = capabilities(None).unwrap();
            mine.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
            set_capabilities(None, mine).unwrap();
            run()
        });
        thread.join().unwrap()
    })
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_shown() {
    let root = tree(&["a", "closed/x", "sub/closed/y", "sub/b", ".gitignore=nothing"]);
    for path in ["closed", "sub/closed", ".gitignore"] {
        set_mode(&root.path().join(path), 0);
    }
    let shown = Mutex::new(Vec::new());
    let end = as_ordinary_user(|| {
        walk_from(root.path(), "", USUAL, &|entry| {
            shown.lock().unwrap().push(entry.path.display().to_string());
            Flow::Continue
        })
    });
    for path in ["closed", "sub/closed"] {
        set_mode(&root.path().join(path), 0o700);
    }
    let mut shown = shown.into_inner().unwrap();
    shown.sort();
    assert_eq!(shown, ["a", "closed", "sub", "sub/b", "sub/closed"]);
    assert_eq!(end.unreadable, ["closed: Permission denied", "sub/closed: Permission denied"]);
}

#[test]
fn at_most_twenty_unreadable_directories_are_named() {
    let names: Vec<String> = (0..30).map(|number| format!("d{number}/")).collect();
    let root = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let each = |mode| names.iter().for_each(|name| set_mode(&root.path().join(name), mode));
    each(0);
    let end = as_ordinary_user(|| walk_from(root.path(), "", EVERYTHING, &|_| Flow::Continue));
    each(0o700);
    assert_eq!((end.seen, end.unreadable.len()), (30, 20));
}

#[test]
fn a_start_that_cannot_be_read_is_an_error() {
    let root = tree(&["closed/x"]);
    set_mode(&root.path().join("closed"), 0);
    let error = as_ordinary_user(|| {
        let directory = openat(CWD, root.path().join("closed"), OFlags::PATH, Mode::empty()).unwrap();
        let start =
            Start { directory, prefix: Path::new("closed"), root: None, rules: &Secrets, judge: &|_, _, _| Ok(()) };
        walk(&start, USUAL, &|_| Flow::Continue).unwrap_err()
    });
    set_mode(&root.path().join("closed"), 0o700);
    assert_eq!((error.kind, error.path.as_str()), (FileErrorKind::PermissionDenied, "closed"));
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn stop_ends_the_walk_on_all_threads() {
    let names: Vec<String> = (0..500).map(|number| format!("d{}/f{number}", number % 50)).collect();
    let root = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let seen = AtomicUsize::new(0);
    let end = walk_from(root.path(), "", EVERYTHING, &|_| {
        if seen.fetch_add(1, Ordering::SeqCst) >= 10 { Flow::Stop } else { Flow::Continue }
    });
    let seen = seen.into_inner();
    assert_eq!(end.seen, seen);
    // Each other thread may have one call under way.
    assert!((11..30).contains(&seen), "{seen} entries were shown");
}

#[test]
fn a_panic_of_the_visitor_reaches_the_caller() {
    let names: Vec<String> = (0..500).map(|number| format!("d{}/f{number}", number % 50)).collect();
    let root = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let seen = AtomicUsize::new(0);
    let walked = catch_unwind(AssertUnwindSafe(|| {
        walk_from(root.path(), "", EVERYTHING, &|_| {
            assert!(seen.fetch_add(1, Ordering::SeqCst) != 100, "as the test wants it");
            Flow::Continue
        })
    }));
    assert!(walked.is_err());
}
