//! An index that is brought up to date, some sources at a time.

use palanca_core::ports::{IndexFault, IndexedSource, MemoryIndex, NewSource};
use palanca_memory::Stems;
use std::collections::HashMap;

/// Bytes of text that are taken up in one step.
const STEP: usize = 4 << 20;

/// A refresh under way.
pub(super) struct Refresh<'i> {
    index: &'i mut dyn MemoryIndex,
    /// What it has read of the kind that is looked at, and was not seen yet.
    unseen: HashMap<String, IndexedSource>,
    pub(super) stems: Stems,
    changed: Vec<NewSource>,
    bytes: usize,
    left_out: Vec<String>,
    /// The first error ends it.
    fault: Option<IndexFault>,
}

/// Which sources the index forgets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gone {
    Unseen,
    Nothing,
}

impl<'i> Refresh<'i> {
    pub(super) fn of(index: &'i mut dyn MemoryIndex) -> Self {
        let (stems, changed, left_out) = (Stems::default(), Vec::new(), Vec::new());
        Self { index, unseen: HashMap::new(), stems, changed, bytes: 0, left_out, fault: None }
    }

    /// Sources whose names begin so are looked at from now on.
    pub(super) fn look_at(&mut self, beginning: &str) {
        match self.index.sources(beginning) {
            Ok(sources) => self.unseen.extend(sources.into_iter().map(|source| (source.name.clone(), source))),
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// What is known of a source that is still there.
    pub(super) fn known(&mut self, name: &str) -> Option<IndexedSource> {
        self.unseen.remove(name)
    }

    pub(super) const fn has_failed(&self) -> bool {
        self.fault.is_some()
    }

    /// Takes up what is new, if anything is.
    pub(super) fn add(&mut self, new: Option<NewSource>) {
        let Some(new) = new else { return };
        self.bytes += new.passages.iter().flatten().map(|passage| passage.text.len()).sum::<usize>();
        self.changed.push(new);
        if self.bytes >= STEP {
            self.flush(&[]);
        }
    }

    /// A source that cannot be read now.
    pub(super) fn leave_out(&mut self, name: &str, before: Option<&IndexedSource>) {
        self.left_out.push(name.to_owned());
        if before.is_some() {
            self.flush(&[name.to_owned()]);
        }
    }

    /// Forgets what was looked at and not seen.
    pub(super) fn forget(&mut self, gone: Gone) {
        let unseen: Vec<String> = self.unseen.drain().map(|(name, _)| name).collect();
        self.flush(if gone == Gone::Unseen { &unseen } else { &[] });
    }

    /// What could not be read.
    pub(super) fn end(mut self) -> Result<Vec<String>, IndexFault> {
        self.flush(&[]);
        self.fault.map_or(Ok(self.left_out), Err)
    }

    fn flush(&mut self, gone: &[String]) {
        let changed = std::mem::take(&mut self.changed);
        self.bytes = 0;
        let is_needed = !changed.is_empty() || !gone.is_empty();
        if is_needed && self.fault.is_none() {
            self.fault = self.index.update(gone, &changed).err();
        }
    }
}
