//! Some lines of a text, bounded: cut out of a text in memory, or read from a stream.

use memchr::{memchr, memchr_iter};
use palanca_core::tool::Cancel;
use std::io::{self, BufRead as _, BufReader, Read};

/// Bytes of a stream that are looked at before giving up on finding the first line.
const SEARCHED: u64 = 4 << 30;
/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// Which lines, and how much of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageLimit {
    /// The first line, from 1.
    pub(crate) start: u64,
    /// The last line.
    pub(crate) end: u64,
    /// Bytes of text at most; a page ends before the line that does not fit.
    pub(crate) bytes: usize,
}

/// Lines of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// The lines with their ends.
    pub(crate) text: String,
    /// The number of the first line.
    pub(crate) first: u64,
    /// The number of the last line that is shown; one less than `first` when there is none.
    pub(crate) last: u64,
    /// Lines of the whole, where that is known.
    pub(crate) total: Option<u64>,
    /// Whether lines that were asked for follow.
    pub(crate) more: bool,
    /// Whether the last line is only the beginning of a longer one.
    pub(crate) cut_line: bool,
    /// Whether bytes that are not UTF-8 were replaced.
    pub(crate) lossy: bool,
}

impl Page {
    /// The page of a text.
    pub(crate) fn of_text(text: &str, limit: PageLimit) -> Self {
        let total = line_count(text.as_bytes());
        let before = limit.start.saturating_sub(1);
        let begin = match before.checked_sub(1) {
            None => Some(0),
            Some(nth) => {
                usize::try_from(nth).ok().and_then(|nth| memchr_iter(b'\n', text.as_bytes()).nth(nth)).map(|at| at + 1)
            }
        };
        let rest = begin.and_then(|at| text.get(at..)).unwrap_or_default();
        let mut page = Self { first: limit.start, last: before, total: Some(total), ..Self::default() };
        for line in rest.split_inclusive('\n') {
            if page.last >= limit.end || !page.push(line, limit.bytes) {
                break;
            }
        }
        page.more = page.last < limit.end.min(total);
        page
    }

    /// The page of a stream of UTF-8; nothing when it is not text. The number of lines of the whole stays unknown unless
    /// the page reaches the end.
    pub(crate) fn of_stream(stream: impl Read, limit: PageLimit, cancel: &Cancel) -> io::Result<Option<Self>> {
        let mut reader = BufReader::with_capacity(CHUNK, stream);
        if memchr(0, head(reader.fill_buf()?)).is_some() {
            return Ok(None);
        }
        let before = limit.start.saturating_sub(1);
        let mut page = Self { first: limit.start, last: before, ..Self::default() };
        let skipped = skip_lines(&mut reader, before, cancel)?;
        if skipped < before {
            page.total = Some(skipped);
            return Ok(Some(page));
        }
        let mut line = Vec::new();
        while page.last < limit.end {
            line.clear();
            let left = limit.bytes.saturating_sub(page.text.len());
            // One byte more than fits tells a line that fits from one that does not.
            let read = (&mut reader).take(left as u64 + 1).read_until(b'\n', &mut line)?;
            if read == 0 {
                page.total = Some(page.last);
                return Ok(Some(page));
            }
            if memchr(0, &line).is_some() {
                return Ok(None);
            }
            if read > left {
                if page.text.is_empty() {
                    page.last += 1;
                    page.cut_line = true;
                    page.take_text(line.get(..left).unwrap_or_default());
                }
                page.more = page.last < limit.end;
                return Ok(Some(page));
            }
            page.take_text(&line);
            page.last += 1;
        }
        page.more = false;
        Ok(Some(page))
    }

    /// Adds bytes as text; half a character at the end of a cut line is dropped.
    fn take_text(&mut self, bytes: &[u8]) {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.text.push_str(text),
            Err(error) if error.error_len().is_none() && self.cut_line => {
                let whole = bytes.get(..error.valid_up_to()).unwrap_or_default();
                self.text.push_str(&String::from_utf8_lossy(whole));
            }
            Err(_) => {
                self.lossy = true;
                self.text.push_str(&String::from_utf8_lossy(bytes));
            }
        }
    }

    /// Adds a line unless it does not fit; the first one is cut to fit. Says whether the next may be tried.
    fn push(&mut self, line: &str, bytes: usize) -> bool {
        if self.text.len() + line.len() <= bytes {
            self.text.push_str(line);
            self.last += 1;
            return true;
        }
        if self.text.is_empty() {
            let at = line.floor_char_boundary(bytes);
            self.text.push_str(line.get(..at).unwrap_or_default());
            self.last += 1;
            self.cut_line = true;
        }
        false
    }
}

/// The part in which binary content shows itself.
fn head(chunk: &[u8]) -> &[u8] {
    chunk.get(..8192).unwrap_or(chunk)
}

fn line_count(text: &[u8]) -> u64 {
    let ends = memchr_iter(b'\n', text).count() as u64;
    ends + u64::from(!text.is_empty() && !text.ends_with(b"\n"))
}

/// Skips this many lines; returns how many there were.
fn skip_lines(reader: &mut BufReader<impl Read>, lines: u64, cancel: &Cancel) -> io::Result<u64> {
    let (mut skipped, mut looked_at, mut open) = (0, 0_u64, false);
    while skipped < lines {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(skipped + u64::from(open));
        }
        if cancel.is_cancelled() || looked_at > SEARCHED {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the first line asked for is too far into the file"));
        }
        let wanted = usize::try_from(lines - skipped).unwrap_or(usize::MAX);
        let (found, last) =
            memchr_iter(b'\n', chunk).take(wanted).fold((0, None), |(count, _), at| (count + 1, Some(at)));
        let used = match last {
            Some(at) if found == wanted => at + 1,
            _ => chunk.len(),
        };
        open = chunk.get(used.wrapping_sub(1)) != Some(&b'\n');
        skipped += found as u64;
        looked_at += used as u64;
        reader.consume(used);
    }
    Ok(skipped)
}

#[cfg(test)]
mod tests;
