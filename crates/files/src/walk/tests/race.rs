//! A second thread swaps directories and files for links while the tree is walked: nothing outside may be shown.

use super::*;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// Swaps two names until told to stop; counts the swaps.
fn swap_until(stop: &AtomicBool, swaps: &AtomicUsize, pair: (PathBuf, PathBuf)) {
    while !stop.load(Ordering::Relaxed) {
        renameat_with(CWD, &pair.0, CWD, &pair.1, RenameFlags::EXCHANGE).unwrap();
        swaps.fetch_add(1, Ordering::Relaxed);
        thread::yield_now();
    }
}

#[test]
fn swapped_links_lead_nowhere() {
    swapped_links(400);
}

mod stress {
    #[test]
    #[ignore = "cargo xtask stress"]
    fn swapped_links_lead_nowhere() {
        super::swapped_links(20_000);
    }
}

/// Tries at least so often, and until enough of the tries met each of both.
fn swapped_links(tries: usize) {
    let outside = tree(&["outside-name=OUTSIDE", "in/outside-name=OUTSIDE", "file=OUTSIDE"]);
    let root = tree(&["d/in/name=inside", "d/file=inside", "x"]);
    symlink(outside.path(), root.path().join("l")).unwrap();
    symlink(outside.path().join("file"), root.path().join("m")).unwrap();
    let (stop, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (inside, as_link) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for (left, right) in [("d", "l"), ("x", "m")] {
            let pair = (root.path().join(left), root.path().join(right));
            scope.spawn(|| swap_until(&stop, &swaps, pair));
        }
        let met = || [&swaps, &inside, &as_link].iter().all(|count| count.load(Ordering::Relaxed) > tries / 100);
        for _ in (0..tries * 100).take_while(|at| *at < tries || !met()) {
            walk_from(root.path(), "", EVERYTHING, &|entry| {
                assert!(!entry.path.ends_with("outside-name"), "{entry:?}");
                match entry.kind {
                    EntryKind::Link => drop(as_link.fetch_add(1, Ordering::Relaxed)),
                    EntryKind::File => {
                        let mut text = String::new();
                        if let Ok(mut file) = entry.open() {
                            file.content.read_to_string(&mut text).unwrap();
                        }
                        assert!(!text.contains("OUTSIDE"), "{entry:?}");
                        inside.fetch_add(usize::from(text == "inside"), Ordering::Relaxed);
                    }
                    EntryKind::Directory | EntryKind::Special => {}
                }
                Flow::Continue
            });
        }
        stop.store(true, Ordering::Relaxed);
    });
    // Otherwise nothing was tried.
    for count in [swaps, inside, as_link] {
        assert!(count.into_inner() > tries / 100);
    }
}
