//! Contents by object name, bounded. Contents of an archive stay while they fit; an individually fetched one is evicted
//! by the next.

use bytes::Bytes;
use std::collections::{HashMap, VecDeque};

#[derive(Default)]
pub(super) struct Contents {
    by_object: HashMap<String, Bytes>,
    singles: VecDeque<String>,
    bytes: usize,
}

impl Contents {
    pub(super) fn get(&self, object: &str) -> Option<Bytes> {
        self.by_object.get(object).cloned()
    }

    /// Stores it if it fits.
    pub(super) fn fill(&mut self, object: &str, content: Bytes, most: usize) {
        if self.bytes.saturating_add(content.len()) <= most && !self.by_object.contains_key(object) {
            self.bytes = self.bytes.saturating_add(content.len());
            self.by_object.insert(object.to_owned(), content);
        }
    }

    /// Stores it, evicting other individually fetched ones.
    pub(super) fn keep(&mut self, object: &str, content: &Bytes, most: usize) {
        while self.bytes.saturating_add(content.len()) > most {
            let Some(oldest) = self.singles.pop_front() else { return };
            let removed = self.by_object.remove(&oldest).map_or(0, |content| content.len());
            self.bytes = self.bytes.saturating_sub(removed);
        }
        if self.by_object.insert(object.to_owned(), content.clone()).is_none() {
            self.bytes = self.bytes.saturating_add(content.len());
            self.singles.push_back(object.to_owned());
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
        contents.fill("a", four.clone(), 10);
        contents.keep("b", &four, 10);
        contents.keep("c", &four, 10);
        contents.fill("d", four.clone(), 10);
        let kept = ["a", "b", "c", "d"].map(|object| contents.get(object).is_some());
        assert_eq!((kept, contents.bytes), ([true, false, true, false], 8));
    }
}
