//! Which encoding a body is in, and its text. In order: byte order mark, the header, what the document itself says in its
//! first 1,024 bytes, UTF-8 where that is valid, windows-1252. A claim that the bytes contradict is not believed.

use super::kind::Textual;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use palanca_core::Message;
use std::borrow::Cow;

/// How far into a document its own claim is looked for.
const PRESCAN: usize = 1024;

/// A body's text.
pub(super) struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub(super) text: Cow<'a, str>,
    /// That the encoding was guessed, or that bytes did not fit it.
    pub(super) note: Option<Message>,
}

/// Decodes a body. Bytes that do not fit become U+FFFD.
pub(super) fn decode<'a>(body: &'a [u8], content_type: Option<&str>, textual: Textual) -> Decoded<'a> {
    if let Some((encoding, skip)) = Encoding::for_bom(body) {
        return with(encoding, body.get(skip..).unwrap_or_default());
    }
    let claimed = content_type.and_then(of_header).or_else(|| of_document(body, textual));
    match claimed {
        // Headers and templates outlive the pages under them, so a claim yields to bytes that only UTF-8 explains.
        Some(encoding) if encoding != UTF_8 => {
            if is_utf8(body, encoding) {
                guessed(body)
            } else {
                with(encoding, body)
            }
        }
        Some(encoding) => match std::str::from_utf8(body) {
            Ok(text) => Decoded { text: text.into(), note: None },
            Err(error) if error.error_len().is_none() => {
                with(encoding, body.get(..error.valid_up_to()).unwrap_or(body))
            }
            Err(_) if mostly_valid(body) => with(encoding, body),
            Err(_) => guessed(body),
        },
        None => guessed(body),
    }
}

fn with<'a>(encoding: &'static Encoding, body: &'a [u8]) -> Decoded<'a> {
    let (text, malformed) = encoding.decode_without_bom_handling(body);
    let note = malformed.then(|| Message::new("page-malformed").with("encoding", encoding.name()));
    Decoded { text, note }
}

fn guessed(body: &[u8]) -> Decoded<'_> {
    if let Some(encoding) = wide(body) {
        return with(encoding, body);
    }
    match std::str::from_utf8(body) {
        Ok(text) => Decoded { text: text.into(), note: None },
        // A body that was cut inside a character.
        Err(error) if error.error_len().is_none() => with(UTF_8, body.get(..error.valid_up_to()).unwrap_or(body)),
        Err(_) if mostly_valid(body) => with(UTF_8, body),
        Err(_) => {
            let mut decoded = with(WINDOWS_1252, body);
            decoded.note = Some(Message::new("page-encoding-guessed").with("encoding", WINDOWS_1252.name()));
            decoded
        }
    }
}

/// Whether a body is UTF-8 although it claims `encoding`. Two bytes of other characters can look like one of UTF-8, eight such
/// pairs without a broken one between them do not happen.
fn is_utf8(body: &[u8], encoding: &'static Encoding) -> bool {
    let whole = match std::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let wide_claim = encoding == UTF_16LE || encoding == UTF_16BE;
    let least = match (whole, encoding.is_single_byte()) {
        _ if wide_claim => return whole && wide(body).is_none(),
        (true, true) => 1,
        _ => 8,
    };
    let sequences = body.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| !c.is_ascii());
    sequences.take(least).count() == least && mostly_valid(body)
}

/// Whether a body is UTF-8 with a few broken bytes rather than something else: at least eight sequences fit for each that
/// does not.
fn mostly_valid(body: &[u8]) -> bool {
    let (mut fitting, mut broken) = (0_usize, 0_usize);
    for chunk in body.utf8_chunks() {
        fitting += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    fitting >= broken.saturating_mul(8)
}

/// UTF-16 without a mark: nearly every second byte of the beginning is zero.
fn wide(body: &[u8]) -> Option<&'static Encoding> {
    let head = body.get(..body.len().min(256))?;
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    match pairs >= 4 {
        true if odd * 10 >= pairs * 9 && even * 10 <= pairs => Some(UTF_16LE),
        true if even * 10 >= pairs * 9 && odd * 10 <= pairs => Some(UTF_16BE),
        _ => None,
    }
}

/// The parameter `charset` of a header.
fn of_header(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| Encoding::for_label_no_replacement(value.as_bytes()))
            .flatten()
    })
}

/// What a document says of itself: `<meta charset=…>`, `<meta … content="…; charset=…">`, `<?xml … encoding="…"?>`.
fn of_document(body: &[u8], textual: Textual) -> Option<&'static Encoding> {
    let head = body.get(..body.len().min(PRESCAN))?.to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let is_xml = head.trim_start().starts_with("<?xml");
    let of_xml = || head.split_once("?>").and_then(|(declaration, _)| value_after(declaration, "encoding"));
    let of_meta = || {
        without_comments(&head)
            .split("<meta")
            .skip(1)
            .find_map(|meta| meta.split('>').next().and_then(|meta| value_after(meta, "charset")))
    };
    let claim = match textual {
        Textual::Json => None,
        Textual::Html => is_xml.then(of_xml).flatten().or_else(of_meta),
        Textual::Other => is_xml.then(of_xml).flatten(),
    };
    let encoding = Encoding::for_label_no_replacement(claim?.as_bytes())?;
    // A document that could be read this far is not UTF-16.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

fn without_comments(head: &str) -> String {
    let mut kept = String::with_capacity(head.len());
    let mut rest = head;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// What stands after `name` and an equals sign, with or without quotes.
fn value_after(text: &str, name: &str) -> Option<String> {
    let (_, after) = text.split_once(name)?;
    let value = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end =
        value.find(|c: char| matches!(c, '"' | '\'' | ';' | '>' | '/') || c.is_whitespace()).unwrap_or(value.len());
    value.get(..end).filter(|value| !value.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
