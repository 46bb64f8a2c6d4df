//! The first results in path order, out of many that threads hand in.
//!
//! One more than the limit is kept, as proof that there is more: so whether a result says "more" does not depend on
//! which thread came first, and nothing is left out unopened unless it cannot belong to the result. Paths are bounded
//! in bytes, too: those of a few thousand nested folders are gigabytes.

use parking_lot::Mutex;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering as Memory};

/// Bytes of all paths that are kept, more than a conversation holds of one result. Whatever shows them needs many times
/// this memory.
const MOST_BYTES: usize = 256 << 10;

/// Results by path; each path weighs as many results as it brings.
pub(super) struct Best<T> {
    limit: usize,
    full: AtomicBool,
    kept: Mutex<Kept<T>>,
}

struct Kept<T> {
    by_path: BTreeMap<OsString, (usize, T)>,
    weight: usize,
    bytes: usize,
    /// Whether results were dropped that the limit would have let in.
    dropped: bool,
}

impl<T> Best<T> {
    /// Keeps the first `limit` results, and proof of more.
    pub fn new(limit: usize) -> Self {
        let kept = Kept { by_path: BTreeMap::new(), weight: 0, bytes: 0, dropped: false };
        Self { limit, full: AtomicBool::new(false), kept: Mutex::new(kept) }
    }

    /// Whether this path sorts behind all that is kept, and enough is.
    pub fn is_behind(&self, path: &Path) -> bool {
        self.compare_last(|last| path.as_os_str() > last)
    }

    /// Whether everything in this directory does.
    pub fn is_tree_behind(&self, directory: &Path) -> bool {
        let inside = || directory.as_os_str().as_bytes().iter().chain(b"/");
        self.compare_last(|last| inside().cmp(last.as_bytes()) == Ordering::Greater)
    }

    fn compare_last(&self, is_behind: impl FnOnce(&OsStr) -> bool) -> bool {
        if !self.full.load(Memory::Acquire) {
            return false;
        }
        let kept = self.kept.lock();
        kept.by_path.last_key_value().is_some_and(|(last, _)| is_behind(last))
    }

    /// Hands in what one path brings: `weight` results.
    pub fn add(&self, path: &Path, weight: usize, result: T) {
        let mut kept = self.kept.lock();
        let Kept { by_path, weight: total, bytes, dropped } = &mut *kept;
        *total = total.saturating_add(weight);
        // A name that was moved while the tree was walked can come twice.
        match by_path.insert(path.as_os_str().to_owned(), (weight, result)) {
            Some((replaced, _)) => *total = total.saturating_sub(replaced),
            None => *bytes = bytes.saturating_add(path.as_os_str().len()),
        }
        while by_path.len() > 1
            && let Some(last) = by_path.last_entry()
        {
            let without = total.saturating_sub(last.get().0);
            if without <= self.limit && *bytes <= MOST_BYTES {
                break;
            }
            *dropped |= without <= self.limit;
            *bytes = bytes.saturating_sub(last.key().len());
            last.remove();
            *total = without;
        }
        if *total > self.limit || *dropped {
            self.full.store(true, Memory::Release);
        }
    }

    /// Whether results were dropped for the length of their paths.
    pub fn has_dropped(&self) -> bool {
        self.kept.lock().dropped
    }

    /// What was kept, in path order, with the weights. May weigh more than the limit.
    pub fn into_sorted(self) -> impl Iterator<Item = (OsString, usize, T)> {
        let kept = self.kept.into_inner();
        kept.by_path.into_iter().map(|(path, (weight, result))| (path, weight, result))
    }
}
