//! A program's output, in bounded memory: the beginning, the end, and exact counts of the rest.
//!
//! It never cuts at characters and never decodes: bytes are bytes, and the tools decide how to show them. When something
//! must be omitted, the stream goes to a file from its very first byte, because the ring still holds everything then.

mod pump;
mod spill;

pub(crate) use pump::{Stream, pump};
pub(crate) use spill::SpillFile;

use crate::settings::Spill;
use palanca_core::ports::{Captured, Keep};
use std::collections::VecDeque;

/// One stream while it is being read.
pub(crate) struct Capture {
    keep: Keep,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    omitted_bytes: u64,
    omitted_lines: u64,
    spill: Spilling,
}

enum Spilling {
    /// Nothing was left out so far.
    Ready(Spill),
    Open(SpillFile),
    Off,
}

impl Capture {
    /// Keeps so much; with a place to spill, the whole stream goes there once something is left out.
    pub(crate) fn new(keep: Keep, spill: Option<&Spill>) -> Self {
        Self {
            keep,
            head: Vec::new(),
            tail: VecDeque::new(),
            omitted_bytes: 0,
            omitted_lines: 0,
            spill: spill.map_or(Spilling::Off, |spill| Spilling::Ready(spill.clone())),
        }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(self.keep.head.saturating_sub(self.head.len())));
        self.head.extend_from_slice(head);
        if rest.is_empty() {
            return;
        }
        let over = (self.tail.len() + rest.len()).saturating_sub(self.keep.tail);
        if over > 0 || matches!(self.spill, Spilling::Open(_)) {
            self.spill(rest);
        }
        // The oldest leave first: from the ring, then from what has just come.
        let from_tail = over.min(self.tail.len());
        let (skipped, kept) = rest.split_at(over - from_tail);
        let lines = self.lines_in_tail(from_tail) + memchr::memchr_iter(b'\n', skipped).count();
        self.tail.drain(..from_tail);
        self.omitted_bytes += length(over);
        self.omitted_lines += length(lines);
        self.tail.extend(kept);
    }

    /// In its oldest bytes, of which there must be so many.
    fn lines_in_tail(&self, bytes: usize) -> usize {
        let (older, newer) = self.tail.as_slices();
        let (older, newer) =
            (older.split_at(bytes.min(older.len())).0, newer.split_at(bytes.saturating_sub(older.len())).0);
        memchr::memchr_iter(b'\n', older).count() + memchr::memchr_iter(b'\n', newer).count()
    }

    /// Writes to the file, which begins with everything that was kept so far.
    fn spill(&mut self, bytes: &[u8]) {
        if let Spilling::Ready(spill) = &self.spill {
            // ignored: without a file the counts still tell what is missing, and the program must not fail for it.
            self.spill = SpillFile::create(spill).map_or(Spilling::Off, Spilling::Open);
            if let Spilling::Open(file) = &mut self.spill {
                file.write(&self.head);
                let (older, newer) = self.tail.as_slices();
                file.write(older);
                file.write(newer);
            }
        }
        if let Spilling::Open(file) = &mut self.spill {
            file.write(bytes);
        }
    }

    pub(crate) fn finish(self) -> Captured {
        let mut captured = Captured {
            head: self.head,
            tail: self.tail.into(),
            omitted_bytes: self.omitted_bytes,
            omitted_lines: self.omitted_lines,
            whole: None,
        };
        if captured.omitted_bytes == 0 {
            captured.head.append(&mut captured.tail);
        }
        if let Spilling::Open(file) = self.spill {
            captured.whole = file.finish();
        }
        captured
    }

    /// Takes what is there and leaves an empty one. An unfinished character at the end stays for the next time.
    pub(crate) fn drain(&mut self, rest: Unfinished) -> Captured {
        let next = Self::new(self.keep, None);
        let mut captured = std::mem::replace(self, next).finish();
        if rest == Unfinished::Kept {
            let last = if captured.tail.is_empty() { &mut captured.head } else { &mut captured.tail };
            self.push(&last.split_off(last.len() - unfinished(last)));
        }
        captured
    }
}

/// What happens to the beginning of a character whose rest has not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It stays, because the rest may still come.
    Kept,
    /// It is handed out.
    Given,
}

/// Bytes at the end that begin a UTF-8 character and do not finish it.
fn unfinished(bytes: &[u8]) -> usize {
    for (back, byte) in bytes.iter().rev().take(3).enumerate() {
        let wanted = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => 0,
        };
        return if wanted > back + 1 { back + 1 } else { 0 };
    }
    0
}

pub(crate) fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
