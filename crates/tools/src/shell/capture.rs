//! The part of a stream that a model gets: its beginning and its end, within a number of lines *and* a number of bytes.
//!
//! Bytes are cut before they are read as text, so that what is said of the rest is exact, and never inside a character. If
//! there is too much, every line gets the same share and short ones leave the rest to long ones: one line of 50 MB
//! among short ones costs itself and not its neighbours. Of a line that was drawn over and over, the last state counts.

use super::screen;
use palanca_core::ports::Captured;
use palanca_core::{Message, Text};
use std::borrow::Cow;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Lines; of a longer stream the first half of this and the last quarter.
    pub(crate) lines: usize,
    /// Bytes, markers not counted.
    pub(crate) bytes: usize,
}

/// What is shown.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Without the line ends at its end. Nothing when the stream was empty.
    pub(super) text: Text,
    /// Whether something was left out.
    pub(super) cut: bool,
    /// Whether something was not UTF-8 and is shown as `U+FFFD`.
    pub(super) mended: bool,
}

/// What is shown of the stream, within this room.
pub(super) fn show(captured: &Captured, room: Room) -> Shown {
    if is_binary(captured) {
        return binary(captured);
    }
    let mut shown = if captured.omitted_bytes == 0 {
        let whole = screen::settled(joined(captured));
        let lines: Vec<&[u8]> = without_ends(&whole).split(|byte| *byte == b'\n').collect();
        complete(&lines, room)
    } else {
        torn(captured, room)
    };
    if let (true, Some(whole)) = (shown.cut, &captured.whole) {
        shown.text = shown.text.line(Message::new("command-whole").with("place", whole));
    }
    shown
}

/// Looked at to tell text from other bytes.
const SAMPLE: usize = 8 << 10;
/// Fewer bytes are shown as they are.
const TOO_FEW: usize = 32;

/// Whether the stream is not for reading: text has no NUL, and what is neither UTF-8 nor printed stays below three tenths
/// (Latin-1 in a language of many accents has one).
pub(super) fn is_binary(captured: &Captured) -> bool {
    if memchr::memchr(0, &captured.head).is_some() || memchr::memchr(0, &captured.tail).is_some() {
        return true;
    }
    let sample = captured.head.get(..SAMPLE).unwrap_or(&captured.head);
    let unreadable = |chunk: std::str::Utf8Chunk<'_>| {
        chunk.invalid().len() + chunk.valid().bytes().filter(|byte| matches!(byte, 1..=6 | 14..=26 | 28..=31)).count()
    };
    sample.len() >= TOO_FEW && sample.utf8_chunks().map(unreadable).sum::<usize>() * 10 > sample.len() * 3
}

/// A stream that is not for reading, in a sentence.
pub(super) fn binary(captured: &Captured) -> Shown {
    let mut text = Text::from(Message::new("command-binary").with("bytes", captured.total_bytes()));
    if let Some(whole) = &captured.whole {
        text = text.line(Message::new("command-whole").with("place", whole));
    }
    Shown { text, cut: true, mended: false }
}

/// All bytes of a stream of which nothing was left out.
pub(super) fn joined(captured: &Captured) -> Cow<'_, [u8]> {
    if captured.tail.is_empty() {
        Cow::Borrowed(&captured.head)
    } else {
        Cow::Owned([captured.head.as_slice(), captured.tail.as_slice()].concat())
    }
}

/// The bytes without the line ends at their end.
pub(super) fn without_ends(bytes: &[u8]) -> &[u8] {
    let kept = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    bytes.get(..kept).unwrap_or_default()
}

/// The bytes without the part of a character that was torn off at their end.
pub(super) fn whole_end(bytes: &[u8]) -> &[u8] {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let length = match bytes.get(at) {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            Some(0x80..=0xbf) => continue,
            _ => break,
        };
        if length > back {
            return bytes.get(..at).unwrap_or_default();
        }
        break;
    }
    bytes
}

/// The bytes without the part of a character that was torn off at their beginning.
pub(super) fn whole_start(bytes: &[u8]) -> &[u8] {
    let torn = bytes.iter().take(3).take_while(|byte| is_inside(byte)).count();
    bytes.get(torn..).unwrap_or_default()
}

const fn is_inside(byte: &u8) -> bool {
    matches!(byte, 0x80..=0xbf)
}

fn complete(lines: &[&[u8]], room: Room) -> Shown {
    let mut page = Page::default();
    if lines.len() <= room.lines {
        page.lines(lines, share(lines.iter(), room.bytes));
    } else {
        let (first, last) = (room.lines / 2, room.lines / 4);
        let (first, last) =
            (lines.get(..first).unwrap_or_default(), lines.get(lines.len() - last..).unwrap_or_default());
        let share = share(first.iter().chain(last), room.bytes);
        page.lines(first, share);
        page.gap(Message::new("command-lines-omitted").with("lines", lines.len() - first.len() - last.len()));
        page.lines(last, share);
    }
    page.end()
}

/// A stream whose middle the door did not keep.
fn torn(captured: &Captured, room: Room) -> Shown {
    let (head, tail) = (&*screen::settled((&captured.head).into()), &*screen::settled((&captured.tail).into()));
    let kept = without_ends(tail);
    let ended = head.ends_with(b"\n");
    let before: Vec<&[u8]> = without_end(head).split(|byte| *byte == b'\n').collect();
    let after: Vec<&[u8]> = kept.split(|byte| *byte == b'\n').collect();
    let (take, leave) = (before.len().min(room.lines / 2), after.len() - after.len().min(room.lines / 4));
    let (mut first, mut last) =
        (before.get(..take).unwrap_or_default().to_vec(), after.get(leave..).unwrap_or_default().to_vec());
    let share = share(first.iter().chain(&last), room.bytes);
    let mut page = Page::default();
    if (ended || take < before.len()) && leave > 0 {
        let ends = count_ends(head) + count_ends(kept) + captured.omitted_lines;
        let shown = length(first.len() + last.len());
        page.lines(&first, share);
        page.gap(Message::new("command-lines-omitted").with("lines", (ends + 1).saturating_sub(shown)));
        page.lines(&last, share);
        return page.end();
    }
    // A line is torn: what is cut off beside the tear belongs to it.
    if let Some(line) = first.last_mut() {
        *line = whole_end(line.get(..share.min(line.len())).unwrap_or_default());
    }
    if let Some(line) = last.first_mut() {
        *line = whole_start(line.get(line.len() - share.min(line.len())..).unwrap_or_default());
    }
    let seen = |lines: &[&[u8]]| lines.iter().map(|line| line.len() + 1).sum::<usize>().saturating_sub(1);
    let shown = length(seen(&first) + seen(&last) + (tail.len() - kept.len()));
    page.lines(&first, share);
    page.gap(Message::new("command-bytes-omitted").with("bytes", captured.total_bytes().saturating_sub(shown)));
    page.lines(&last, share);
    page.end()
}

fn without_end(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}

fn count_ends(bytes: &[u8]) -> u64 {
    length(memchr::memchr_iter(b'\n', bytes).count())
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// The most that one line may take so that all fit, when short ones leave what they do not need.
fn share<'a>(lines: impl Iterator<Item = &'a &'a [u8]>, room: usize) -> usize {
    let mut lengths: Vec<usize> = lines.map(|line| line.len()).collect();
    lengths.sort_unstable();
    let mut left = room;
    for (place, length) in lengths.iter().enumerate() {
        let fair = left / (lengths.len() - place);
        if *length > fair {
            return fair;
        }
        left -= length;
    }
    usize::MAX
}

/// Lines as they are collected, and what is said between them.
#[derive(Default)]
struct Page {
    shown: Shown,
    plain: String,
    begun: bool,
}

impl Page {
    fn lines(&mut self, lines: &[&[u8]], share: usize) {
        for line in lines {
            self.fresh_line();
            if line.len() <= share {
                self.bytes(line);
                continue;
            }
            let (front, back) = (share - share / 3, share / 3);
            let front = whole_end(line.get(..front).unwrap_or_default());
            let back = whole_start(line.get(line.len() - back..).unwrap_or_default());
            self.bytes(front);
            self.plain.push(' ');
            self.say(Message::new("command-bytes-omitted").with("bytes", line.len() - front.len() - back.len()));
            self.plain.push(' ');
            self.bytes(back);
        }
    }

    fn gap(&mut self, message: Message) {
        self.fresh_line();
        self.say(message);
    }

    fn fresh_line(&mut self) {
        if self.begun {
            self.plain.push('\n');
        }
        self.begun = true;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.shown.mended |= matches!(text, Cow::Owned(_));
        self.plain.push_str(&text);
    }

    fn say(&mut self, message: Message) {
        self.flush();
        self.shown.text = std::mem::take(&mut self.shown.text).then(message);
        self.shown.cut = true;
    }

    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.shown.text = std::mem::take(&mut self.shown.text).then(std::mem::take(&mut self.plain));
        }
    }

    fn end(mut self) -> Shown {
        self.flush();
        self.shown
    }
}

#[cfg(test)]
mod tests;
