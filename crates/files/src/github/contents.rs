//! Contents of one commit by path, bounded. What an archive brings stays as long as there is room; what was asked for
//! singly makes room for the next.

use bytes::Bytes;
use std::collections::{HashMap, VecDeque};

#[derive(Default)]
pub(super) struct Contents {
    by_path: HashMap<String, Bytes>,
    singles: VecDeque<String>,
    bytes: usize,
}

impl Contents {
    pub(super) fn get(&self, path: &str) -> Option<Bytes> {
        self.by_path.get(path).cloned()
    }

    /// Keeps it if it fits.
    pub(super) fn fill(&mut self, path: String, content: Bytes, most: usize) {
        if self.bytes.saturating_add(content.len()) <= most && !self.by_path.contains_key(&path) {
            self.bytes = self.bytes.saturating_add(content.len());
            self.by_path.insert(path, content);
        }
    }

    /// Keeps it, and drops other single ones for it.
    pub(super) fn keep(&mut self, path: &str, content: &Bytes, most: usize) {
        while self.bytes.saturating_add(content.len()) > most {
            let Some(oldest) = self.singles.pop_front() else { return };
            let removed = self.by_path.remove(&oldest).map_or(0, |content| content.len());
            self.bytes = self.bytes.saturating_sub(removed);
        }
        if self.by_path.insert(path.to_owned(), content.clone()).is_none() {
            self.bytes = self.bytes.saturating_add(content.len());
            self.singles.push_back(path.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn there_is_a_bound() {
        let mut contents = Contents::default();
        let four = Bytes::from_static(b"four");
        contents.fill("a".to_owned(), four.clone(), 10);
        contents.keep("b", &four, 10);
        contents.keep("c", &four, 10);
        contents.fill("d".to_owned(), four.clone(), 10);
        let kept = ["a", "b", "c", "d"].map(|path| contents.get(path).is_some());
        assert_eq!((kept, contents.bytes), ([true, false, true, false], 8));
    }
}
