//! Parses server-sent events from bytes in arbitrary pieces.
//!
//! Own code rather than a crate because "compatible" servers need what the standard allows but existing crates refuse:
//! a line without a colon, an unknown field, a repeated field and a last event without its blank line are all accepted.
//! It refuses only an event that never ends.

use std::borrow::Cow;

/// Longest event, in bytes; the longest real ones carry a whole answer of a few hundred kilobytes.
const MAX_EVENT: usize = 16 << 20;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// The `event:` field; empty where it is missing.
    pub(crate) name: String,
    /// The `data:` lines, joined by line feeds.
    pub(crate) data: String,
}

/// An event of more than [`MAX_EVENT`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndlessEvent;

/// Bytes in, events out.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    buffer: Vec<u8>,
    /// Everything before has been processed.
    start: usize,
    /// There is no line end between `start` and here.
    scanned: usize,
    skip_line_feed: bool,
    past_first_line: bool,
    pending: Option<SseEvent>,
}

impl SseParser {
    /// Takes the next bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), EndlessEvent> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        let held = self.pending.as_ref().map_or(0, |event| event.data.len());
        if self.buffer.len() + held + bytes.len() > MAX_EVENT {
            return Err(EndlessEvent);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// The next complete event, if there is one.
    pub(crate) fn next(&mut self) -> Option<SseEvent> {
        while let Some((line, after)) = self.line_end() {
            let line = line_text(self.buffer.get(self.start..line)?, &mut self.past_first_line);
            self.start = after;
            self.scanned = after;
            if line.is_empty() {
                if let Some(event) = self.pending.take() {
                    return Some(event);
                }
            } else {
                field(&mut self.pending, &line);
            }
        }
        None
    }

    /// The last event, if the stream ended without the blank line. Call it when [`SseParser::next`] has no more.
    pub(crate) fn finish(&mut self) -> Option<SseEvent> {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        let line = line_text(rest, &mut self.past_first_line);
        if !line.is_empty() {
            field(&mut self.pending, &line);
        }
        self.buffer.clear();
        (self.start, self.scanned) = (0, 0);
        self.pending.take()
    }

    /// The end of the next line, and the beginning of the one after it.
    fn line_end(&mut self) -> Option<(usize, usize)> {
        if self.skip_line_feed {
            let first = *self.buffer.get(self.start)?;
            self.skip_line_feed = false;
            if first == b'\n' {
                self.start += 1;
                self.scanned = self.start;
            }
        }
        let rest = self.buffer.get(self.scanned..)?;
        let Some(offset) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = self.scanned + offset;
        self.skip_line_feed = self.buffer.get(end) == Some(&b'\r');
        Some((end, end + 1))
    }
}

/// One line as text; the first one without a byte order mark.
fn line_text<'b>(bytes: &'b [u8], past_first_line: &mut bool) -> Cow<'b, str> {
    let first = !std::mem::replace(past_first_line, true);
    let bytes = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) if first => rest,
        _ => bytes,
    };
    String::from_utf8_lossy(bytes)
}

fn field(pending: &mut Option<SseEvent>, line: &str) {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let value = value.strip_prefix(' ').unwrap_or(value);
    match name {
        "data" => match pending {
            Some(event) if !event.data.is_empty() => {
                event.data.push('\n');
                event.data.push_str(value);
            }
            _ => pending.get_or_insert_default().data.push_str(value),
        },
        "event" => value.clone_into(&mut pending.get_or_insert_default().name),
        // Comments, ids, retry hints and other additions.
        _ => {}
    }
}

#[cfg(test)]
mod tests;
