//! A stream as a terminal's screen would show it, lines as they were last written, and the names of signals.

use palanca_core::ports::Captured;
use std::borrow::Cow;

/// The stream without what only moves a cursor or colours text, with `\n` at the ends of lines. What was written over
/// (a progress bar before it moved on) is gone, as it is on a screen.
pub(super) fn plain(captured: &Captured) -> Cow<'_, Captured> {
    let is_plain = |bytes: &[u8]| !bytes.iter().any(|byte| matches!(byte, 0x1b | b'\r' | 0x08 | 0x07));
    if is_plain(&captured.head) && is_plain(&captured.tail) {
        return Cow::Borrowed(captured);
    }
    Cow::Owned(Captured { head: written(&captured.head), tail: written(&captured.tail), ..captured.clone() })
}

fn written(bytes: &[u8]) -> Vec<u8> {
    let mut kept: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    let mut over = false;
    while let Some(byte) = rest.next() {
        match byte {
            0x1b => escape(&mut rest),
            b'\r' => over = true,
            0x07 => {}
            0x08 => {
                while kept.pop_if(|last| matches!(last, 0x80..=0xbf)).is_some() {}
                kept.pop_if(|last| *last != b'\n');
            }
            b'\n' => {
                over = false;
                kept.push(byte);
            }
            _ => {
                if std::mem::take(&mut over) {
                    let line = kept.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
                    kept.truncate(line);
                }
                kept.push(byte);
            }
        }
    }
    kept
}

/// Each line as it was last written: of progress that is drawn over and over, the last state. Line ends stay as they are,
/// `\r\n` too.
pub(super) fn settled(bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let redrawn = |at: usize| !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r'));
    if !memchr::memchr_iter(b'\r', &bytes).any(redrawn) {
        return bytes;
    }
    let mut kept = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let ends = line.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let body = line.get(..line.len() - ends).unwrap_or_default();
        kept.extend_from_slice(line.get(memchr::memrchr(b'\r', body).map_or(0, |at| at + 1)..).unwrap_or_default());
    }
    Cow::Owned(kept)
}

/// Takes what belongs to a control sequence (ECMA-48): `ESC [ … letter`, `ESC ] … BEL`, `ESC (` and one more.
fn escape(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) {
    match rest.next() {
        Some(b'[') => while rest.next().is_some_and(|byte| !matches!(byte, 0x40..=0x7e)) {},
        Some(b']' | b'P' | b'^' | b'_') => {
            while let Some(byte) = rest.next() {
                if byte == 0x07 {
                    break;
                }
                if byte == 0x1b {
                    rest.next_if_eq(&b'\\');
                    break;
                }
            }
        }
        Some(0x20..=0x2f) => drop(rest.next()),
        _ => {}
    }
}

/// The name of a signal as on Linux, or its number.
pub(super) fn signal(number: i32) -> Cow<'static, str> {
    Cow::Borrowed(match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        other => return Cow::Owned(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn a_screen_shows_the_last_word() {
        let check = |given: &str, expected: &str| {
            assert_eq!(String::from_utf8(written(given.as_bytes())).unwrap(), expected, "{given:?}");
        };
        check("plain\n", "plain\n");
        check("a\r\nb\r\n", "a\nb\n");
        check("\u{1b}[1;31mred\u{1b}[0m", "red");
        check("\u{1b}]0;title\u{7}x\u{1b}]8;;url\u{1b}\\y", "xy");
        check("10%\r50%\r100%\ndone", "100%\ndone");
        check("10%\r\u{1b}[K", "10%");
        check("ab\u{8}c", "ac");
        check("ñ\u{8}\u{8}\u{8}n", "n");
        check("\u{1b}(Bx\u{1b}=y\u{1b}", "xy");
        check("\u{1b}[", "");
    }

    #[test]
    fn a_line_that_is_drawn_over_and_over_is_its_last_state() {
        let check = |given: &str, expected: &str| {
            assert_eq!(settled(Cow::Borrowed(given.as_bytes())), expected.as_bytes(), "{given:?}");
        };
        check("plain\r\nas it is\r\n", "plain\r\nas it is\r\n");
        check("10%\r50%\r100%\ndone", "100%\ndone");
        check("\r10%\r50%\r", "50%\r");
        check("\ra\r\n\rb\n\n", "a\r\nb\n\n");
        check("warning: kept\n1/2\r2/2\r\r\n", "warning: kept\n2/2\r\r\n");
        check("", "");
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal(9), "SIGKILL");
        assert_eq!(signal(64), "64");
    }
}
