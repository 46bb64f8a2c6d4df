//! The end of a running program's output so far, for observers.
//!
//! It is a sample and never a record: the program's result holds the output. So a flood costs one bounded copy per chunk,
//! and the program never waits for the observer.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::Notify;

/// The last lines of a program's output; clones see the same.
#[derive(Clone, Debug, Default)]
pub struct Tail(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    kept: Mutex<Kept>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Whether earlier output was dropped.
    cut: bool,
}

impl Tail {
    /// Bytes that are kept: enough for a whole private key before the lines that an observer shows, so that it is
    /// recognized.
    pub const BYTES: usize = 16 << 10;

    /// Adds output.
    pub fn push(&self, bytes: &[u8]) {
        let new = bytes.get(bytes.len().saturating_sub(Self::BYTES)..).unwrap_or_default();
        let mut kept = self.0.kept.lock();
        let over = (kept.bytes.len() + new.len()).saturating_sub(Self::BYTES);
        kept.cut |= over > 0 || new.len() < bytes.len();
        kept.bytes.drain(..over);
        kept.bytes.extend(new);
        drop(kept);
        self.0.news.notify_one();
    }

    /// Returns when something was printed since it last returned. One observer at a time.
    pub async fn changed(&self) {
        self.0.news.notified().await;
    }

    /// The kept output, from the beginning of a line; invalid UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> String {
        let mut kept = self.0.kept.lock();
        let cut = kept.cut;
        let bytes = &*kept.bytes.make_contiguous();
        let from = if cut { bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1) } else { 0 };
        String::from_utf8_lossy(bytes.get(from..).unwrap_or_default()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn the_last_whole_lines_are_kept() {
        let long = "x".repeat(Tail::BYTES);
        for (pushed, expected) in [
            (&["one\n", "two"][..], "one\ntwo".to_owned()),
            (&["", "\u{ff}"], "\u{ff}".to_owned()),
            (&[&long, "\nlast\n"], "last\n".to_owned()),
            (&[&long, "x"], String::new()),
            (&[&format!("secret{long}\nlast\n")], "last\n".to_owned()),
        ] {
            let tail = Tail::default();
            pushed.iter().for_each(|bytes| tail.push(bytes.as_bytes()));
            assert_eq!(tail.text(), expected);
            assert!(tail.0.kept.lock().bytes.len() <= Tail::BYTES);
        }
    }
}
