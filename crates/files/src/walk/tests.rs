#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]

mod like_ripgrep;
mod limits;
mod race;
mod tables;

use super::{Start, walk};
use palanca_core::call::Access;
use palanca_core::ports::{
    ClosedBy, EntryKind, FileErrorKind, Flow, Inclusion, PathRefusal, PathRules, Visit, WalkEnd, WalkEntry, WalkOptions,
};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;

/// Shows everything.
const EVERYTHING: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Show, hidden: Visit::Show };
/// Leaves out what a person would not expect to see.
const USUAL: WalkOptions = WalkOptions { max_depth: usize::MAX, ignore_files: Visit::Hide, hidden: Visit::Hide };

/// Keeps files named `secret` closed.
struct Secrets;

impl PathRules for Secrets {
    fn refuse(&self, relative: &Path, _access: Access) -> Option<PathRefusal> {
        let refusal = PathRefusal { kind: FileErrorKind::Secret(ClosedBy::Rule), rule: "test".to_owned() };
        relative.file_name().is_some_and(|name| name == "secret").then_some(refusal)
    }
}

/// Makes files (`path`, or `path=content`), directories (`path/`) and links (`path->target`).
fn tree(names: &[&str]) -> TempDir {
    let root = palanca_testkit::in_memory();
    for name in names {
        if let Some((link, target)) = name.split_once("->") {
            symlink(target, made(root.path(), link)).unwrap();
        } else if let Some((path, content)) = name.split_once('=') {
            fs::write(made(root.path(), path), content).unwrap();
        } else if name.ends_with('/') {
            fs::create_dir_all(root.path().join(name)).unwrap();
        } else {
            fs::write(made(root.path(), name), "").unwrap();
        }
    }
    root
}

fn made(root: &Path, path: &str) -> std::path::PathBuf {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

fn walk_from(
    root: &Path,
    prefix: &str,
    options: WalkOptions,
    visit: &(dyn Fn(&WalkEntry<'_>) -> Flow + Sync),
) -> WalkEnd {
    let root_handle = fs::File::open(root).unwrap();
    let directory = fs::File::open(root.join(prefix)).unwrap().into();
    let prefix = Path::new(prefix);
    let root = Some(std::os::fd::AsFd::as_fd(&root_handle));
    walk(&Start { directory, prefix, root, rules: &Secrets, judge: &|_, _, _| Ok(()) }, options, visit).unwrap()
}

/// Everything that a walk shows, sorted; directories end in `/`, links in `@`, special files in `!`.
fn shown_from(root: &Path, prefix: &str, options: WalkOptions) -> Vec<String> {
    let shown = Mutex::new(Vec::new());
    let end = walk_from(root, prefix, options, &|entry| {
        let mark = match entry.kind {
            EntryKind::File => "",
            EntryKind::Directory => "/",
            EntryKind::Link => "@",
            EntryKind::Special => "!",
        };
        let path = entry.path.as_os_str().as_bytes().escape_ascii();
        shown.lock().unwrap().push(format!("{path}{mark}"));
        Flow::Continue
    });
    let mut shown = shown.into_inner().unwrap();
    assert_eq!(end.seen, shown.len());
    assert_eq!(end.unreadable, Vec::<String>::new());
    shown.sort();
    shown
}

fn shown(root: &Path, options: WalkOptions) -> Vec<String> {
    shown_from(root, "", options)
}
