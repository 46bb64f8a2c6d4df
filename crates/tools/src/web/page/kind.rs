//! What a body is, judged by what it holds. The header decides only between forms of text that look alike.

use super::Source;
use memchr::memmem;

/// A body's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bytes that are not text; the name of the type where the first bytes tell it.
    Binary(Option<&'static str>),
    /// A PDF document.
    Pdf,
    /// Text.
    Textual(Textual),
}

/// Forms of text that are read differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Textual {
    /// HTML or XHTML.
    Html,
    /// JSON.
    Json,
    /// Shown as it is.
    Other,
}

/// Bytes that are looked at.
const HEAD: usize = 1024;

/// First bytes, where in the body they stand, and what they mean.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "PNG image"),
    (0, b"\xff\xd8\xff", "JPEG image"),
    (0, b"GIF87a", "GIF image"),
    (0, b"GIF89a", "GIF image"),
    (8, b"WEBP", "WebP image"),
    (0, b"\0\0\x01\0", "icon"),
    (0, b"BM", "BMP image"),
    (0, b"II*\0", "TIFF image"),
    (0, b"MM\0*", "TIFF image"),
    (4, b"ftypavif", "AVIF image"),
    (4, b"ftypheic", "HEIC image"),
    (4, b"ftyp", "MPEG-4 video or audio"),
    (0, b"\x1a\x45\xdf\xa3", "Matroska or WebM video"),
    (8, b"AVI ", "AVI video"),
    (8, b"WAVE", "WAV audio"),
    (0, b"ID3", "MP3 audio"),
    (0, b"\xff\xfb", "MP3 audio"),
    (0, b"OggS", "Ogg audio or video"),
    (0, b"fLaC", "FLAC audio"),
    (0, b"PK\x03\x04", "ZIP archive or office document"),
    (0, b"PK\x05\x06", "ZIP archive, empty"),
    (0, b"\x1f\x8b", "gzip archive"),
    (0, b"BZh", "bzip2 archive"),
    (0, b"\xfd7zXZ\0", "xz archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (0, b"Rar!\x1a\x07", "RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard archive"),
    (257, b"ustar", "tar archive"),
    (0, b"\x7fELF", "ELF program"),
    (0, b"MZ", "Windows program"),
    (0, b"\xcf\xfa\xed\xfe", "macOS program"),
    (0, b"\xca\xfe\xba\xbe", "Java class or macOS program"),
    (0, b"\0asm", "WebAssembly module"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office document"),
    (0, b"SQLite format 3\0", "SQLite database"),
    (0, b"wOFF", "web font"),
    (0, b"wOF2", "web font"),
    (0, b"\0\x01\0\0\0", "TrueType font"),
    (0, b"OTTO", "OpenType font"),
];

/// A header `content-type` in lower case and without its parameters; only what looks like a type, because a host may write
/// anything there.
pub fn media_type(header: &str) -> Option<String> {
    let named = header.split(';').next()?.trim().to_ascii_lowercase();
    let is_type = |name: &str| {
        name.len() <= 100
            && name.contains('/')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/+-.".contains(&byte))
    };
    is_type(&named).then_some(named)
}

/// How a body is to be read.
pub(super) fn of(source: &Source<'_>) -> Kind {
    let head = source.body.get(..source.body.len().min(HEAD)).unwrap_or_default();
    // Readers accept some bytes of rubbish before the mark.
    if memmem::find(head, b"%PDF-").is_some_and(|at| at == 0 || !looks_like_text(head)) {
        return Kind::Pdf;
    }
    let claimed = source.content_type.and_then(media_type);
    let middle = middle(source.body);
    if !looks_like_text(head) || !looks_like_text(middle) {
        let name = MAGIC.iter().find(|(at, bytes, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)));
        // Invisible characters do not make declared text something else: the marker removes them.
        let hidden =
            || claimed.as_deref().is_some_and(|kind| kind.starts_with("text/")) && is_dotted(head) && is_dotted(middle);
        if name.is_some() || !hidden() {
            return Kind::Binary(name.map(|(_, _, name)| *name));
        }
    }
    Kind::Textual(textual(head, claimed.as_deref().unwrap_or_default()))
}

fn textual(head: &[u8], claimed: &str) -> Textual {
    let begin: Vec<u8> =
        head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).iter().filter(|byte| **byte != 0).copied().collect();
    let begin = begin.trim_ascii_start().to_ascii_lowercase();
    let is_html = begins_html(&begin);
    let is_json = matches!(begin.first(), Some(b'{' | b'['));
    match claimed {
        _ if is_html => Textual::Html,
        _ if claimed == "application/json" || claimed == "text/json" || claimed.ends_with("+json") => Textual::Json,
        // Servers send JSON as HTML now and then; a page never begins with a bracket and a quotation mark.
        "text/html" | "application/xhtml+xml" if is_json && begins_json(&begin) => Textual::Json,
        "text/html" | "application/xhtml+xml" => Textual::Html,
        "text/plain" | "application/octet-stream" | "" if is_json && begins_json(&begin) => Textual::Json,
        "" if begin.first() == Some(&b'<') && memmem::find(&begin, b"<p").is_some() => Textual::Html,
        _ => Textual::Other,
    }
}

/// Whether text begins as only HTML does. XML (feeds, SVG) does not count, unless its root is `html`.
fn begins_html(mut begin: &[u8]) -> bool {
    loop {
        begin = begin.trim_ascii_start();
        let after = match begin {
            _ if begin.starts_with(b"<!--") => memmem::find(begin, b"-->").map(|at| at + 3),
            _ if begin.starts_with(b"<?xml") => memmem::find(begin, b"?>").map(|at| at + 2),
            _ => None,
        };
        match after.and_then(|at| begin.get(at..)) {
            Some(rest) => begin = rest,
            None => break,
        }
    }
    [&b"<!doctype html"[..], b"<html", b"<head", b"<body", b"<title", b"<meta"]
        .iter()
        .any(|start| begin.starts_with(start))
}

fn begins_json(begin: &[u8]) -> bool {
    let inner = begin.get(1..).unwrap_or_default().trim_ascii_start();
    matches!(inner.first(), Some(b'"' | b'{' | b'[' | b']' | b'}' | b'-' | b'0'..=b'9'))
        || [&b"true"[..], b"false", b"null"].iter().any(|word| inner.starts_with(word))
}

/// Some bytes from the middle, where a text header may have hidden a binary body.
fn middle(body: &[u8]) -> &[u8] {
    let at = body.len() / 2;
    body.get(at..(at + HEAD).min(body.len())).unwrap_or_default()
}

/// Whether bytes can be text: no NUL (but for UTF-16), and few other control characters.
fn looks_like_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return true;
    }
    let nul = bytes.iter().filter(|byte| **byte == 0).count();
    let control = bytes.iter().filter(|byte| matches!(byte, 1..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)).count();
    let wide = nul * 10 >= bytes.len() * 4 && nul * 2 <= bytes.len() + 1;
    control * 50 <= bytes.len() && (nul * 200 <= bytes.len() || wide)
}

/// Whether bytes are UTF-8 with control characters strewn in, at most one beside each other character.
fn is_dotted(bytes: &[u8]) -> bool {
    let bytes = bytes.get(bytes.iter().take_while(|byte| **byte & 0xc0 == 0x80).count()..).unwrap_or_default();
    let whole = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let control = bytes.iter().filter(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1f | 0x7f)).count();
    whole && control * 2 <= bytes.len()
}

#[cfg(test)]
mod tests;
