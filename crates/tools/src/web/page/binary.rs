//! What is said about a body that is no text: its type, its size, and the size of an image.

use super::{Page, PageKind, Source, media_type};
use palanca_core::Message;

/// Describes a body.
pub(super) fn describe(source: &Source<'_>, name: Option<&'static str>) -> Page {
    let claimed = source.content_type.and_then(media_type);
    let what = name.or(claimed.as_deref()).unwrap_or("application/octet-stream");
    let bytes = source.body.len();
    let note = match dimensions(source.body) {
        Some((width, height)) => Message::new("page-image")
            .with("type", what)
            .with("width", width)
            .with("height", height)
            .with("bytes", bytes),
        None => Message::new("page-binary").with("type", what).with("bytes", bytes),
    };
    Page::new(PageKind::Binary, String::new()).noting(note)
}

/// Width and height in pixels, where the first bytes of an image tell them.
fn dimensions(body: &[u8]) -> Option<(u32, u32)> {
    let size = match body {
        _ if body.starts_with(b"\x89PNG\r\n\x1a\n") => (big(body, 16, 4)?, big(body, 20, 4)?),
        _ if body.starts_with(b"GIF8") => (little(body, 6, 2)?, little(body, 8, 2)?),
        _ if body.starts_with(b"BM") => (little(body, 18, 4)?, little(body, 22, 4)?),
        _ if body.starts_with(b"\xff\xd8\xff") => jpeg(body)?,
        _ if body.get(8..16) == Some(b"WEBPVP8X") => (little(body, 24, 3)? + 1, little(body, 27, 3)? + 1),
        _ if body.get(8..16) == Some(b"WEBPVP8 ") => (little(body, 26, 2)? & 0x3fff, little(body, 28, 2)? & 0x3fff),
        _ if body.get(8..16) == Some(b"WEBPVP8L") => {
            let bits = little(body, 21, 4)?;
            ((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
        }
        _ => return None,
    };
    (size.0 > 0 && size.1 > 0).then_some(size)
}

/// The frame header of a JPEG image, behind segments that say how long they are.
fn jpeg(body: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    // A real image has some dozen segments before its frame.
    for _ in 0..1000 {
        let marker = (*body.get(at)? == 0xff).then(|| body.get(at + 1).copied()).flatten()?;
        match marker {
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(body, at + 7, 2)?, big(body, at + 5, 2)?));
            }
            0xff => at += 1,
            _ => at += 2 + usize::try_from(big(body, at + 2, 2)?).ok()?.max(2),
        }
    }
    None
}

fn big(body: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(body.get(at..at + length)?.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn little(body: &[u8], at: usize, length: usize) -> Option<u32> {
    Some(body.get(at..at + length)?.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests;
