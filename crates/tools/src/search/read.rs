//! Brings a file's content to the searcher: small files whole, in one read, large ones in pieces.
//!
//! Text is decoded as in the tools that read files, so that hits can be read and edited as shown.
//! Where that finds nothing in a file that is not UTF-8, its bytes are searched as they are, too: one stray byte does not
//! hide the rest.

use super::Halt;
use super::matcher::LineMatcher;
use super::sink::Lines;
use encoding_rs::WINDOWS_1252;
use grep_searcher::{BinaryDetection, Encoding, Searcher, SearcherBuilder};
use palanca_core::ports::Reader;
use palanca_files::text;
use std::io::{self, ErrorKind, Read, SeekFrom};

/// Files up to this size are searched in one piece: one call to the system instead of two or more. Larger ones go
/// through a small buffer that stays in the processor's cache.
const WHOLE: usize = 512 << 10;
/// Bytes looked at to tell text from other files, as git does.
const SNIFFED: usize = 8_000;
/// The longest line, in bytes, of a file that is read in pieces; with a longer one the file counts as unsearchable.
const LONGEST_LINE: usize = 64 << 20;

/// What one thread needs to search files, used again for every file.
pub(super) struct Scratch {
    pub matcher: LineMatcher,
    whole: Searcher,
    pieces: Searcher,
    /// The same for a file that is neither UTF-8 nor marked.
    legacy: Searcher,
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
    pub fn new(matcher: LineMatcher, context: usize) -> Self {
        let mut builder = SearcherBuilder::new();
        builder
            .line_terminator(grep_matcher::LineTerminator::crlf())
            .line_number(true)
            .before_context(context)
            .after_context(context)
            .heap_limit(Some(LONGEST_LINE));
        let whole = builder.build();
        let pieces = builder.binary_detection(BinaryDetection::quit(0)).build();
        // ignored: the name is one that the library knows; without it such files would be searched as they are.
        let encoding = Encoding::new(WINDOWS_1252.name()).ok();
        let legacy = builder.bom_sniffing(false).encoding(encoding).build();
        Self { matcher, whole, pieces, legacy, buffer: Vec::new(), whole_file: 0 }
    }

    /// Searches one file of about `size` bytes. Of a large file with a NUL far down, `sink` may see lines before it is
    /// told.
    pub fn search(
        &mut self,
        (content, size): (&mut dyn Reader, u64),
        halt: Halt<'_>,
        sink: &mut Lines<'_>,
    ) -> io::Result<Content> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let filled = fill(content, &mut self.buffer, size.min(WHOLE))?;
        let head = self.buffer.get(..filled).unwrap_or_default();
        let sniffed = head.get(..SNIFFED).unwrap_or(head);
        if has_nul(sniffed) {
            return Ok(Content::Binary);
        }
        self.whole_file = if size <= WHOLE { filled } else { 0 };
        if size > WHOLE {
            return self.search_pieces((content, filled), halt, sink);
        }
        if simdutf8::basic::from_utf8(head).is_ok() {
            self.whole.search_slice(&self.matcher, head, sink)?;
            return Ok(Content::Text);
        }
        let Ok(decoded) = text::decode(head) else { return Ok(Content::Binary) };
        self.whole.search_slice(&self.matcher, decoded.text.as_bytes(), &mut *sink)?;
        if sink.hits == 0 {
            self.whole.search_slice(&self.matcher, head, sink)?;
        }
        Ok(Content::Text)
    }

    /// Searches a file whose first `filled` bytes are in the buffer.
    fn search_pieces(
        &mut self,
        (content, filled): (&mut dyn Reader, usize),
        halt: Halt<'_>,
        sink: &mut Lines<'_>,
    ) -> io::Result<Content> {
        let head = self.buffer.get(..filled).unwrap_or_default();
        let marked = is_utf16(head);
        let mut pieces = Pieces { rest: head.chain(&mut *content), halt, text: Utf8::default() };
        self.pieces.search_reader(&self.matcher, &mut pieces, &mut *sink)?;
        if marked || !pieces.text.broken {
            return Ok(Content::Text);
        }
        if text::looks_binary(head) {
            return Ok(Content::Binary);
        }
        let raw = sink.take();
        content.seek(SeekFrom::Start(0))?;
        let pieces = Pieces { rest: content, halt, text: Utf8::default() };
        self.legacy.search_reader(&self.matcher, pieces, &mut *sink)?;
        if sink.hits == 0 && !sink.binary {
            sink.put(raw);
        }
        Ok(Content::Text)
    }

    /// Whether the file that was searched last holds a NUL anywhere. Of one that was read in pieces, `sink` was told.
    pub fn has_nul(&self) -> bool {
        has_nul(self.buffer.get(..self.whole_file).unwrap_or_default())
    }
}

/// Every second byte of UTF-16 text is NUL; its mark tells that it is text, and it is decoded before it is searched.
fn has_nul(bytes: &[u8]) -> bool {
    !is_utf16(bytes) && memchr::memchr(0, bytes).is_some()
}

const fn is_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
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

/// A long file, which ends early when the search is halted, and is watched for bytes that are not UTF-8.
struct Pieces<'a, R> {
    rest: R,
    halt: Halt<'a>,
    text: Utf8,
}

impl<R: Read> Read for Pieces<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.halt)() {
            return Ok(0);
        }
        let read = self.rest.read(buffer)?;
        self.text.watch(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

/// Whether what passed is UTF-8 so far.
#[derive(Default)]
struct Utf8 {
    /// The beginning of a character that the last piece ended in.
    begun: Vec<u8>,
    broken: bool,
}

impl Utf8 {
    /// Takes the next piece; an empty one is the end of the file.
    fn watch(&mut self, piece: &[u8]) {
        if piece.is_empty() {
            self.broken |= !self.begun.is_empty();
        }
        if self.broken {
            return;
        }
        let joined;
        let bytes = if self.begun.is_empty() {
            piece
        } else {
            joined = [&self.begun, piece].concat();
            &joined
        };
        match std::str::from_utf8(bytes) {
            Ok(_) => self.begun.clear(),
            Err(error) if error.error_len().is_none() => {
                self.begun = bytes.get(error.valid_up_to()..).unwrap_or_default().to_vec();
            }
            Err(_) => self.broken = true,
        }
    }
}
