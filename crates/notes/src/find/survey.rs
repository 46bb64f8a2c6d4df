//! One bounded walk over the workspace, to find further notes and the skills whose globs match files here. Ignored and
//! hidden folders are not entered.

use super::notes::NOTE_NAMES;
use globset::GlobSet;
use palanca_core::ports::{EntryKind, Files, Flow, Visit, WalkOptions};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of names visited.
const MAX_ENTRIES: usize = 20_000;
/// Maximum depth below the root.
const MAX_DEPTH: usize = 8;

/// The result of the walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Files of notes, relative to the workspace, sorted; for each folder the first name.
    pub notes: Vec<String>,
    /// The numbers of the globs that a file matched, ascending.
    pub matched: Vec<usize>,
    /// Whether the walk stopped before the end of the workspace.
    pub partial: bool,
}

/// Walks the workspace. `globs` are tried against paths relative to it.
#[must_use]
pub fn survey(files: &dyn Files, globs: &GlobSet) -> Survey {
    let Ok(root) = files.locate(".") else { return Survey::default() };
    let options = WalkOptions { max_depth: MAX_DEPTH, ignore_files: Visit::Hide, hidden: Visit::Show };
    let (seen, notes, matched) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()), Mutex::new(BTreeSet::new()));
    // ignored: a root that cannot be walked yields nothing.
    let _ = files.walk(&root, options, &|entry| {
        if seen.fetch_add(1, Ordering::Relaxed) >= MAX_ENTRIES {
            return Flow::Stop;
        }
        let Some(path) = entry.path.to_str() else { return Flow::Skip };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if entry.kind == EntryKind::Directory {
            let skipped = name.starts_with('.') || name == "node_modules";
            return if skipped { Flow::Skip } else { Flow::Continue };
        }
        if entry.kind != EntryKind::File {
            return Flow::Continue;
        }
        let rank = NOTE_NAMES.iter().position(|known| *known == name);
        if let Some(rank) = rank {
            notes.lock().insert((folder.to_owned(), rank));
        }
        if !globs.is_empty() {
            matched.lock().extend(globs.matches(entry.path));
        }
        Flow::Continue
    });
    let mut firsts: Vec<(String, usize)> = notes.into_inner().into_iter().collect();
    firsts.dedup_by(|next, first| next.0 == first.0);
    let path = |(folder, rank): (String, usize)| {
        let name = NOTE_NAMES.get(rank).copied().unwrap_or_default();
        super::read::join(&folder, name)
    };
    Survey {
        notes: firsts.into_iter().map(path).collect(),
        matched: matched.into_inner().into_iter().collect(),
        partial: seen.into_inner() > MAX_ENTRIES,
    }
}
