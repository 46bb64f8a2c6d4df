//! Bytes as text and back, byte for byte: encoding, byte order mark, line ends and the final newline are kept as found.
//!
//! Text is never normalised: line endings are preserved, so text outside an edit is unchanged.
//! Bytes that are not UTF-8 are read as Windows-1252, which gives every byte a character and takes every one back; in a
//! file of some other single- or multi-byte encoding the letters look wrong then, but edits of the rest stay true.

use encoding_rs::{EncoderResult, WINDOWS_1252};
use std::borrow::Cow;

/// How much of a file decides whether it is text.
const SAMPLE: usize = 8 << 10;

/// How characters are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, low byte first; only with a byte order mark.
    Utf16Le,
    /// UTF-16, high byte first; only with a byte order mark.
    Utf16Be,
    /// Windows-1252, which contains Latin-1.
    Windows1252,
}

impl Encoding {
    /// The name that people know.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Windows1252 => "Windows-1252",
        }
    }
}

/// Whether a file starts with a byte order mark, which is not part of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bom {
    /// It does.
    Present,
    /// It does not.
    Absent,
}

/// What ends the lines of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eol {
    /// There is one line without an end.
    None,
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
    /// `\r`.
    Cr,
    /// More than one kind; the one that is used most.
    Mixed(Newline),
}

/// One kind of line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Newline {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
    /// `\r`.
    Cr,
}

impl Newline {
    /// Its characters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
        }
    }
}

impl Eol {
    /// What ends the lines of this text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if !text.contains('\r') {
            return if text.contains('\n') { Self::Lf } else { Self::None };
        }
        let bytes = text.as_bytes();
        let mut counts = [(0_usize, Newline::Lf), (0, Newline::CrLf), (0, Newline::Cr)];
        let [lf, crlf, cr] = &mut counts;
        let mut before = 0;
        for &byte in bytes {
            match (before, byte) {
                (b'\r', b'\n') => {
                    cr.0 -= 1;
                    crlf.0 += 1;
                }
                (_, b'\n') => lf.0 += 1,
                (_, b'\r') => cr.0 += 1,
                _ => {}
            }
            before = byte;
        }
        // The first of equals wins: `\n` before the others.
        let most = counts.iter().rev().max_by_key(|(count, _)| *count).map_or(Newline::Lf, |(_, newline)| *newline);
        match counts.iter().filter(|(count, _)| *count > 0).count() {
            0 => Self::None,
            1 => match most {
                Newline::Lf => Self::Lf,
                Newline::CrLf => Self::CrLf,
                Newline::Cr => Self::Cr,
            },
            _ => Self::Mixed(most),
        }
    }

    /// What a new line of such a text should end with.
    #[must_use]
    pub const fn newline(self) -> Newline {
        match self {
            Self::None | Self::Lf => Newline::Lf,
            Self::CrLf => Newline::CrLf,
            Self::Cr => Newline::Cr,
            Self::Mixed(most) => most,
        }
    }
}

/// Whether the last line ends like the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FinalNewline {
    /// It does, or there is no text at all.
    Present,
    /// It does not.
    Absent,
}

/// Everything about a file's text but the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// How characters are bytes.
    pub encoding: Encoding,
    /// Whether a byte order mark comes first.
    pub bom: Bom,
    /// What ends the lines.
    pub eol: Eol,
    /// Whether the last line ends.
    pub final_newline: FinalNewline,
}

impl Format {
    /// The format of a new file with this text: UTF-8 without a mark.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self::with(Encoding::Utf8, Bom::Absent, text)
    }

    fn with(encoding: Encoding, bom: Bom, text: &str) -> Self {
        let ends = text.is_empty() || text.ends_with(['\n', '\r']);
        let final_newline = if ends { FinalNewline::Present } else { FinalNewline::Absent };
        Self { encoding, bom, eol: Eol::of(text), final_newline }
    }
}

/// A file's text, and how to make bytes of it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, line ends as in the file, without a byte order mark; borrowed where it is the bytes themselves.
    pub text: Cow<'a, str>,
    /// Everything else.
    pub format: Format,
}

/// The bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not text: it holds NUL bytes or too many control characters")]
pub struct Binary;

/// A character that the file's encoding does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{character:?} in line {line} does not exist in {}, the encoding of the file", encoding.name())]
pub struct NotEncodable {
    /// The first such character.
    pub character: char,
    /// Its line, counted from 1.
    pub line: usize,
    /// The file's encoding.
    pub encoding: Encoding,
}

/// Whether bytes are no text, judged by at most the first 8 KiB: for programs that look before they read all.
#[must_use]
pub fn looks_binary(start: &[u8]) -> bool {
    if utf16(start).is_some() {
        return false;
    }
    let sample = start.get(..SAMPLE).unwrap_or(start);
    if sample.contains(&0) {
        return true;
    }
    // Counted in bytes, which the processor does many at a time.
    let odd_of = |bytes: &[u8]| bytes.iter().fold(0_u8, |odd, byte| odd + u8::from(is_odd(*byte)));
    let odd: usize = sample.chunks(usize::from(u8::MAX)).map(|bytes| usize::from(odd_of(bytes))).sum();
    // A letter may be cut at the end of the sample.
    let is_utf8 = match std::str::from_utf8(sample) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && sample.len() == SAMPLE,
    };
    if is_utf8 {
        return odd * 10 > sample.len();
    }
    // Five bytes that Windows-1252 leaves undefined: no text has them.
    let undefined = sample.iter().any(|byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d));
    odd * 50 > sample.len() || undefined && odd > 0
}

/// The bytes as text.
///
/// # Errors
/// When they are not text.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, Binary> {
    if let Some((encoding, units)) = utf16(bytes) {
        let text = decode_utf16(encoding, units).filter(|text| !text.contains('\0')).ok_or(Binary)?;
        return Ok(decoded(text.into(), encoding, Bom::Present));
    }
    if looks_binary(bytes) {
        return Err(Binary);
    }
    let (bom, body) = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(body) => (Bom::Present, body),
        None => (Bom::Absent, bytes),
    };
    if let Ok(text) = std::str::from_utf8(body) {
        let text = if bom == Bom::Absent { Cow::Borrowed(text) } else { Cow::Owned(text.to_owned()) };
        return Ok(decoded(text, Encoding::Utf8, bom));
    }
    // A mark before bytes that are not UTF-8 marks nothing: it is read like the rest.
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok(decoded(text, Encoding::Windows1252, Bom::Absent))
}

fn decoded(text: Cow<'_, str>, encoding: Encoding, bom: Bom) -> Decoded<'_> {
    let format = Format::with(encoding, bom, &text);
    Decoded { text, format }
}

/// The text as bytes of a file of this format. Line ends and the final newline are the text's own.
///
/// # Errors
/// The first character that the encoding does not have.
pub fn encode(text: &str, format: &Format) -> Result<Vec<u8>, NotEncodable> {
    let mut bytes = Vec::with_capacity(text.len() + 3);
    match format.encoding {
        Encoding::Utf8 => {
            if format.bom == Bom::Present {
                bytes.extend_from_slice(b"\xef\xbb\xbf");
            }
            bytes.extend_from_slice(text.as_bytes());
        }
        Encoding::Utf16Le => {
            bytes.extend_from_slice(b"\xff\xfe");
            bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        }
        Encoding::Utf16Be => {
            bytes.extend_from_slice(b"\xfe\xff");
            bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
        }
        Encoding::Windows1252 => encode_windows_1252(text, &mut bytes)?,
    }
    Ok(bytes)
}

fn encode_windows_1252(text: &str, bytes: &mut Vec<u8>) -> Result<(), NotEncodable> {
    // One byte for each character, so the first call has room for all.
    bytes.reserve(text.len() + 16);
    let mut encoder = WINDOWS_1252.new_encoder();
    let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(text, bytes, true);
    match result {
        EncoderResult::InputEmpty | EncoderResult::OutputFull => Ok(()),
        EncoderResult::Unmappable(character) => {
            let before = text.get(..read).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            Err(NotEncodable { character, line, encoding: Encoding::Windows1252 })
        }
    }
}

/// The encoding that a byte order mark names, and the bytes after it.
fn utf16(bytes: &[u8]) -> Option<(Encoding, &[u8])> {
    match bytes {
        // A byte order mark of UTF-32, which is no longer in use.
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, rest @ ..] => Some((Encoding::Utf16Le, rest)),
        [0xfe, 0xff, rest @ ..] => Some((Encoding::Utf16Be, rest)),
        _ => None,
    }
}

/// None for half a character at the end, or a surrogate without its partner: they could not be given back.
fn decode_utf16(encoding: Encoding, bytes: &[u8]) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| match encoding {
        Encoding::Utf16Be => u16::from_be_bytes(*pair),
        _ => u16::from_le_bytes(*pair),
    };
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().map(unit)).collect::<Result<String, _>>().ok()
}

/// Control characters that texts do not have; tab, line ends, form feed, backspace and escape are usual.
const fn is_odd(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

#[cfg(test)]
mod tests;
