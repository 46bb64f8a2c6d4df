//! The text of a PDF document. A document that is hostile, protected, cut or scanned is said to be so.
//!
//! The parser is a library's and was not written for hostile bytes: what it may unpack is bounded before it begins, it stops
//! between pages when its time is over, and a panic in it ends the reading, not the program.

use super::{Completeness, Page, PageKind, Source};
use lopdf::content::Content;
use lopdf::{Document, Encoding, LoadOptions, Object, ObjectId};
use memchr::memmem;
use palanca_core::Message;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Pages that are read.
const PAGES: usize = 200;
/// Time after which no further page is begun.
const TIME: Duration = Duration::from_secs(3);
/// Bytes of text.
const TEXT: usize = 2 << 20;
/// Bytes that all packed objects may unpack to, and one page's drawing.
const UNPACKED: usize = 4 << 20;
const DRAWING: usize = 1 << 20;
/// Values that are kept of a document: each takes some 100 bytes.
const VALUES: usize = 80_000;

thread_local! {
    /// Values that may still be kept: the parser's filter is a plain function, so this is where it counts.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// Reads a document.
pub(super) fn read(source: &Source<'_>) -> Page {
    let page = Page::new(PageKind::Pdf, String::new());
    if source.completeness == Completeness::Cut {
        return page.noting(Message::new("page-pdf-cut").with("bytes", source.body.len()));
    }
    // What the parser leaves behind is dropped with it.
    match catch_unwind(AssertUnwindSafe(|| extract(source.body))) {
        Ok(page) => page,
        Err(_) => page.noting(broken("the parser gave up")),
    }
}

/// The text of a whole document, and what a reader should know of it: also why it is empty, if it is.
#[must_use]
pub fn pdf_text(body: &[u8]) -> (String, Vec<Message>) {
    let page = read(&Source { body, content_type: None, url: "", completeness: Completeness::Whole });
    (page.text, page.notes)
}

fn broken(detail: &str) -> Message {
    Message::new("page-pdf-broken")
        .with("detail", detail.chars().filter(|c| !c.is_control()).take(200).collect::<String>())
}

fn extract(body: &[u8]) -> Page {
    let began = Instant::now();
    let page = Page::new(PageKind::Pdf, String::new());
    // Packs of objects are unpacked at once; none of them may take what is meant for all.
    let packs = (memmem::find_iter(body, b"ObjStm").count() + disguised_names(body)).max(1);
    LEFT.set(VALUES);
    let options = LoadOptions {
        filter: Some(within_budget),
        max_decompressed_size: Some((UNPACKED / packs).max(1 << 14)),
        ..LoadOptions::default()
    };
    let document = match Document::load_mem_with_options(body, options) {
        Ok(document) => document,
        Err(lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_)) => {
            return page.noting(Message::new("page-pdf-encrypted"));
        }
        Err(error) => return page.noting(broken(&error.to_string())),
    };
    if document.is_encrypted() {
        return page.noting(Message::new("page-pdf-encrypted"));
    }
    // A tree of pages may name one page a million times.
    let pages: Vec<ObjectId> = document.page_iter().take(10_000).collect();
    let mut text = String::new();
    let mut shown = 0;
    for id in pages.iter().take(PAGES) {
        if text.len() >= TEXT || began.elapsed() > TIME {
            break;
        }
        if shown > 0 && !text.is_empty() {
            text.push_str("\n\n");
        }
        // A page that cannot be read leaves a gap, not a failure.
        page_text(&document, *id, &mut text);
        shown += 1;
    }
    let mut page = Page::new(PageKind::Pdf, tidy(&text));
    page.title = title(&document);
    if page.text.is_empty() {
        return page.noting(Message::new("page-pdf-no-text").with("pages", pages.len()));
    }
    if shown < pages.len() {
        return page.noting(Message::new("page-pdf-pages").with("shown", shown).with("pages", pages.len()));
    }
    page
}

/// Names with a letter written as its number (`/Obj#53tm`): valid, hardly ever needed, and a way to be overlooked. Random bytes
/// of a picture look so about once in a megabyte.
fn disguised_names(body: &[u8]) -> usize {
    memchr::memchr_iter(b'#', body)
        .filter(|at| {
            let before = body.get(at.saturating_sub(6)..*at).unwrap_or_default();
            let digits = body.get(at + 1..at + 3).unwrap_or_default();
            before.contains(&b'/') && digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit)
        })
        .count()
}

/// Keeps an object while there is room.
fn within_budget(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    let cost = values(object);
    let left = LEFT.get().checked_sub(cost)?;
    LEFT.set(left);
    // The parser keeps its own of some objects and the answer of others, so it needs both.
    Some((id, object.clone()))
}

/// The parser bounds how deep values lie in each other, so this may call itself.
fn values(object: &Object) -> usize {
    match object {
        Object::Array(items) => 1 + items.iter().map(values).sum::<usize>(),
        Object::Dictionary(dictionary) => 1 + dictionary.iter().map(|(_, value)| 1 + values(value)).sum::<usize>(),
        Object::Stream(stream) => 1 + stream.dict.iter().map(|(_, value)| 1 + values(value)).sum::<usize>(),
        _ => 1,
    }
}

fn title(document: &Document) -> Option<String> {
    let about =
        document.trailer.get(b"Info").ok()?.as_reference().ok().and_then(|id| document.get_dictionary(id).ok())?;
    let title = lopdf::decode_text_string(about.get(b"Title").ok()?).ok()?;
    let title: String = title.chars().filter(|c| !c.is_control()).take(300).collect();
    Some(title.trim().to_owned()).filter(|title| !title.is_empty())
}

/// Appends the text of a page in the order in which it is drawn, with a line for each change of the line's place.
fn page_text(document: &Document, id: ObjectId, text: &mut String) -> Option<()> {
    let fonts = document.get_page_fonts(id).ok()?;
    let encodings: BTreeMap<Vec<u8>, Encoding<'_>> = fonts
        .into_iter()
        .take(100)
        .filter_map(|(name, font)| Some((name, font.get_font_encoding_with_limit(document, DRAWING / 4).ok()?)))
        .collect();
    let drawing = document.get_page_content_with_limit(id, DRAWING).ok()?;
    let operations = Content::decode(&drawing).ok()?.operations;
    let mut pen = Pen::default();
    for operation in &operations {
        if text.len() >= TEXT {
            break;
        }
        let number = |nth: usize| operation.operands.get(nth).and_then(|value| value.as_float().ok()).unwrap_or(0.0);
        match operation.operator.as_str() {
            "Tf" => {
                let name = operation.operands.first().and_then(|name| name.as_name().ok());
                pen.encoding = name.and_then(|name| encodings.get(name));
                pen.size = number(1).abs();
            }
            "Td" | "TD" => pen.moved(number(0), number(1), text),
            "Tm" => {
                let (x, y) = (number(4), number(5));
                pen.moved(x - pen.x, y - pen.y, text);
                (pen.x, pen.y) = (x, y);
            }
            "T*" => new_line(text),
            "Tj" => pen.show(operation.operands.first(), text),
            "'" => {
                new_line(text);
                pen.show(operation.operands.first(), text);
            }
            "\"" => {
                new_line(text);
                pen.show(operation.operands.get(2), text);
            }
            "TJ" => {
                for item in operation.operands.first().and_then(|items| items.as_array().ok()).into_iter().flatten() {
                    match item {
                        Object::String(..) => pen.show(Some(item), text),
                        // Thousandths of the font's size; kerning takes less, a blank more.
                        item if item.as_float().is_ok_and(|gap| gap < -130.0) => blank(text),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// Where text is being set, and in which encoding.
#[derive(Default)]
struct Pen<'a> {
    encoding: Option<&'a Encoding<'a>>,
    size: f32,
    x: f32,
    y: f32,
}

impl Pen<'_> {
    fn moved(&mut self, across: f32, down: f32, text: &mut String) {
        match down.abs() {
            far if far > self.size.max(1.0) * 1.8 => {
                new_line(text);
                new_paragraph(text);
            }
            near if near > self.size.max(1.0) * 0.4 => new_line(text),
            _ if across.abs() > 0.2 * self.size => blank(text),
            _ => {}
        }
    }

    fn show(&self, words: Option<&Object>, text: &mut String) {
        let (Some(encoding), Some(Object::String(bytes, _))) = (self.encoding, words) else { return };
        if let Ok(words) = Document::decode_text(encoding, bytes) {
            text.push_str(&words);
        }
    }
}

fn blank(text: &mut String) {
    if !text.is_empty() && !text.ends_with([' ', '\n']) {
        text.push(' ');
    }
}

fn new_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

fn new_paragraph(text: &mut String) {
    if text.ends_with('\n') && !text.ends_with("\n\n") {
        text.push('\n');
    }
}

/// Without control characters, and with one empty line at most between two lines.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for line in text.lines() {
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let line = line.trim_end();
        if line.is_empty() && (tidy.is_empty() || tidy.ends_with("\n\n")) {
            continue;
        }
        tidy.push_str(line);
        tidy.push('\n');
    }
    tidy.truncate(tidy.trim_end().len());
    tidy
}

#[cfg(test)]
mod tests;
