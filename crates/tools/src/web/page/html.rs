//! HTML as text: a flat tree, the part of it that is the content, and that part written down.
//!
//! The tokenizer is a library's; tree, choice and writing are ours, since no tree builder at hand bounds depth, attributes
//! or time (a page of 100,000 open elements, or of 300,000 attributes, keeps the usual one busy for minutes), and the usual
//! extractors walk such trees by recursion.

mod attributes;
mod build;
mod content;
mod links;
mod stream;
mod table;
mod tags;
mod tree;
mod write;

use super::{Extent, Page, PageKind};
use palanca_core::Message;

/// How the content is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As markdown.
    Markdown,
    /// As plain lines.
    Plain,
}

/// The main content of a page, or all of it, as asked for or where no main content can be told apart.
pub(super) fn read(source: &str, url: &str, (style, extent): (Style, Extent)) -> Page {
    let tree = build::tree(source);
    let chosen = content::choose(&tree, extent);
    let links = links::Links::new(url, &tree.base);
    let written = write::write(&tree, &chosen, &links, style);
    let mut page = Page::new(PageKind::Html, written.text);
    page.title = title(&tree.title);
    page.left_out = chosen.left_out;
    match chosen.part {
        content::Part::Content | content::Part::Asked => {}
        content::Part::Links => page.notes.push(Message::new("page-links")),
        content::Part::Everything => page.notes.push(Message::new("page-whole")),
    }
    if tree.overfull || written.overfull {
        page.notes.push(Message::new("page-overfull"));
    }
    page
}

fn title(raw: &str) -> Option<String> {
    let words: Vec<&str> =
        raw.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let title: String = words.join(" ").chars().take(300).collect();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests;
