//! Brings a file's content to the searcher: small files whole, in one read, large ones in pieces.

use super::Halt;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink};
use palanca_core::ports::Reader;
use std::io::{self, ErrorKind, Read};

/// Files up to this size are searched in one piece: one call to the system instead of two or more. Larger ones go
/// through a small buffer that stays in the processor's cache.
const WHOLE: usize = 512 << 10;
/// Bytes looked at to tell text from other files, as git does.
const SNIFFED: usize = 8_000;
/// The longest line, in bytes, of a file that is read in pieces; with a longer one the file counts as unsearchable.
const LONGEST_LINE: usize = 64 << 20;

/// What one thread needs to search files, used again for every file.
pub(super) struct Scratch {
    pub matcher: RegexMatcher,
    whole: Searcher,
    pieces: Searcher,
    buffer: Vec<u8>,
    /// How much of the buffer is a whole file; none after one that was read in pieces.
    whole_file: usize,
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// It was searched.
    Text,
    /// It was left alone.
    Binary,
}

impl Scratch {
    /// For lines of context on both sides.
    pub fn new(matcher: RegexMatcher, context: usize) -> Self {
        let mut builder = SearcherBuilder::new();
        builder
            .line_terminator(grep_matcher::LineTerminator::crlf())
            .line_number(true)
            .before_context(context)
            .after_context(context)
            .heap_limit(Some(LONGEST_LINE));
        let whole = builder.build();
        let pieces = builder.binary_detection(BinaryDetection::quit(0)).build();
        Self { matcher, whole, pieces, buffer: Vec::new(), whole_file: 0 }
    }

    /// Searches one file of about `size` bytes. Of a large file with a NUL far down, `sink` may see lines before it is
    /// told.
    pub fn search<S: Sink<Error = io::Error>>(
        &mut self,
        (content, size): (&mut dyn Reader, u64),
        halt: Halt<'_>,
        sink: &mut S,
    ) -> io::Result<Content> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let filled = fill(content, &mut self.buffer, size.min(WHOLE))?;
        let head = self.buffer.get(..filled).unwrap_or_default();
        let sniffed = head.get(..SNIFFED).unwrap_or(head);
        if has_nul(sniffed) {
            return Ok(Content::Binary);
        }
        self.whole_file = if size <= WHOLE { filled } else { 0 };
        if size <= WHOLE {
            self.whole.search_slice(&self.matcher, head, sink)?;
        } else {
            let pieces = Pieces { rest: head.chain(content), halt };
            self.pieces.search_reader(&self.matcher, pieces, sink)?;
        }
        Ok(Content::Text)
    }

    /// Whether the file that was searched last holds a NUL anywhere. Of one that was read in pieces, `sink` was told.
    pub fn has_nul(&self) -> bool {
        has_nul(self.buffer.get(..self.whole_file).unwrap_or_default())
    }
}

/// Every second byte of UTF-16 text is NUL; its mark tells that it is text, and the searcher decodes it.
fn has_nul(bytes: &[u8]) -> bool {
    !matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) && memchr::memchr(0, bytes).is_some()
}

/// Reads `size` bytes or up to the end into the front of `buffer`, which only grows; what stands behind them is old.
fn fill(content: &mut dyn Reader, buffer: &mut Vec<u8>, size: usize) -> io::Result<usize> {
    if buffer.len() < size {
        buffer.resize(size.next_power_of_two(), 0);
    }
    let mut filled = 0;
    while let Some(free) = buffer.get_mut(filled..size).filter(|free| !free.is_empty()) {
        match content.read(free) {
            Ok(0) => break,
            Ok(read) => filled = filled.saturating_add(read),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A long file, which ends early when the search is halted.
struct Pieces<'a, R> {
    rest: R,
    halt: Halt<'a>,
}

impl<R: Read> Read for Pieces<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.halt)() { Ok(0) } else { self.rest.read(buffer) }
    }
}
