//! What a fetched body says: bytes in, text that a model can read out. Pure; nothing is fetched, opened or awaited here.
//!
//! It refuses nothing: whatever comes is shown as far as it can be, and a [`Message`] says what was left out or guessed.
//! A body is judged by what it holds, not by what its header claims. Every pass is a loop over a flat list, bounded in
//! depth, nodes and bytes, so no page can make it recurse or grow. What comes out is foreign text: mark it before a
//! model sees it.

mod binary;
mod charset;
mod html;
mod json;
mod kind;
mod pdf;
mod window;

use palanca_core::Message;
use palanca_derive::Args;
use std::borrow::Cow;

pub use kind::media_type;
pub use pdf::pdf_text;
pub use window::{Window, window};

/// How a page is to be shown.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The main content, as markdown.
    Markdown,
    /// The main content as plain lines, without marks or addresses.
    Text,
    /// The source as it came, decoded.
    Html,
}

/// How much of a page of HTML is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Its main content.
    Main,
    /// All that people see of it.
    Whole,
}

/// Whether a body is all that the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// It is.
    Whole,
    /// It is the beginning; the rest was not fetched.
    Cut,
}

/// What a body turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// HTML or XHTML.
    Html,
    /// JSON, or lines of JSON.
    Json,
    /// Any other text: plain, markdown, CSV, XML, feeds, source code.
    Text,
    /// A PDF document.
    Pdf,
    /// No text; described, never shown.
    Binary,
    /// Nothing, or nothing but white space.
    Empty,
}

/// A body and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The bytes, decompressed; at most 2 MiB are expected (the network door's own limit).
    pub body: &'a [u8],
    /// The header `content-type`, as it came.
    pub content_type: Option<&'a str>,
    /// The final address, against which links are resolved.
    pub url: &'a str,
    /// Whether `body` is everything.
    pub completeness: Completeness,
}

/// Parts of a page that are not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// How many.
    pub parts: usize,
    /// Their characters, without blanks.
    pub characters: usize,
}

/// What is not shown of a page of HTML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Taken for something else than the main content; [`Extent::Whole`] shows it.
    pub chosen: Parts,
    /// Hidden by the page itself; never shown.
    pub hidden: Parts,
}

/// What a body says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is.
    pub kind: PageKind,
    /// Its title, on one line, at most 300 characters. Foreign text.
    pub title: Option<String>,
    /// Its text, not cut: page through it with [`window`]. Foreign text; no control characters but line ends and tabs.
    pub text: String,
    /// What of it is not in the text.
    pub left_out: LeftOut,
    /// What a reader should know: what was guessed, left out or could not be read.
    pub notes: Vec<Message>,
}

impl Page {
    fn new(kind: PageKind, text: String) -> Self {
        Self { kind, title: None, text, left_out: LeftOut::default(), notes: Vec::new() }
    }

    fn noting(mut self, note: Message) -> Self {
        self.notes.push(note);
        self
    }
}

/// Reads a body. Bounded in time and memory whatever it holds; never fails.
#[must_use]
pub fn read(source: &Source<'_>, format: Format, extent: Extent) -> Page {
    if source.body.iter().all(u8::is_ascii_whitespace) {
        return Page::new(PageKind::Empty, String::new()).noting(Message::new("page-empty"));
    }
    let page = match kind::of(source) {
        kind::Kind::Pdf => pdf::read(source),
        kind::Kind::Binary(name) => binary::describe(source, name),
        kind::Kind::Textual(textual) => read_text(source, textual, (format, extent)),
    };
    match page.kind {
        PageKind::Binary | PageKind::Pdf => page,
        _ if page.text.trim().is_empty() && page.notes.is_empty() => page.noting(Message::new("page-no-text")),
        _ => page,
    }
}

fn read_text(source: &Source<'_>, textual: kind::Textual, (format, extent): (Format, Extent)) -> Page {
    let charset::Decoded { text, note } = charset::decode(source.body, source.content_type, textual);
    let page = match (textual, format) {
        (kind::Textual::Html, Format::Markdown) => html::read(&text, source.url, (html::Style::Markdown, extent)),
        (kind::Textual::Html, Format::Text) => html::read(&text, source.url, (html::Style::Plain, extent)),
        (kind::Textual::Html, Format::Html) => Page::new(PageKind::Html, without_controls(text)),
        (kind::Textual::Json, Format::Markdown | Format::Text) => json::read(&text, source.completeness),
        (kind::Textual::Json, Format::Html) => Page::new(PageKind::Json, without_controls(text)),
        (kind::Textual::Other, _) => Page::new(PageKind::Text, without_controls(text)),
    };
    match note {
        Some(note) => page.noting(note),
        None => page,
    }
}

/// `text` without control characters; line ends become `\n`. Invisible characters are the marker's concern.
fn without_controls(text: Cow<'_, str>) -> String {
    let unwanted = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(unwanted) {
        return text.into_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' if characters.peek() != Some(&'\n') => kept.push('\n'),
            c if unwanted(c) => {}
            c => kept.push(c),
        }
    }
    kept
}

#[cfg(test)]
mod tests;
