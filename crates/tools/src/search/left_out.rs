//! Entries that a search skipped because of ignore files or excluded directories: their number, and the first names.

use super::shown;
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{EntryKind, WalkEntry};
use parking_lot::Mutex;
use std::collections::BTreeSet;

/// Names that are told.
const NAMED: usize = 5;
/// Longer names are counted and not told.
const LONGEST: usize = 500;

/// Files and directories that were left out; a directory counts as one, whatever is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: usize,
    /// The first five by path, directories with a slash at the end.
    pub names: Vec<String>,
}

/// Collects them on several threads.
#[derive(Debug, Default)]
pub(super) struct Collector(Mutex<(usize, BTreeSet<String>)>);

impl Collector {
    pub(super) fn add(&self, start: &CanonicalPath, entry: &WalkEntry<'_>) {
        let mut kept = self.0.lock();
        let (count, names) = &mut *kept;
        *count = count.saturating_add(1);
        if entry.path.as_os_str().len() > LONGEST {
            return;
        }
        let slash = if entry.kind == EntryKind::Directory { "/" } else { "" };
        names.insert(format!("{}{slash}", shown(start.root(), entry.path)));
        if names.len() > NAMED {
            names.pop_last();
        }
    }

    pub(super) fn into_left_out(self) -> LeftOut {
        let (count, names) = self.0.into_inner();
        LeftOut { count, names: names.into_iter().collect() }
    }
}
