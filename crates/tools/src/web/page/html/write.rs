//! Writes the content down, as markdown or as plain lines. One loop over the flat tree with a stack of what is open; marks
//! that would only be noise to a reader (escapes, padding of tables, links into the page itself) are left out.

use super::Style;
use super::content::Chosen;
use super::links::Links;
use super::table::Rows;
use super::tags::Tag;
use super::tree::{Node, Tree};

mod blocks;
mod flow;
mod marks;

/// Bytes that are written at most.
const WRITTEN: usize = 6 << 20;
/// Levels of lists and quotations that are shown.
const LEVELS: usize = 8;

/// A page's text.
pub(super) struct Written {
    pub(super) text: String,
    /// Whether there was more than is written.
    pub(super) overfull: bool,
}

/// Writes down what was chosen.
pub(super) fn write(tree: &Tree, chosen: &Chosen, links: &Links, style: Style) -> Written {
    let mut writer = Writer {
        tree,
        chosen,
        links,
        style,
        out: String::new(),
        gap: Gap::None,
        prefixes: Vec::new(),
        marker: None,
        inline: Vec::new(),
        tables: Vec::new(),
        lists: Vec::new(),
        open: Vec::new(),
        in_heading: 0,
        in_code: 0,
    };
    if let Some(heading) = chosen.heading {
        writer.node(heading);
    }
    writer.node(chosen.root);
    let overfull = writer.out.len() >= WRITTEN;
    let text = writer.out.trim_end().trim_start_matches('\n').to_owned();
    Written { text, overfull }
}

/// What has to come before the next text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Line,
    Blank,
}

/// A run of text that is wrapped or moved when it ends.
#[derive(Debug, Default)]
struct Run {
    text: String,
}

struct Writer<'a> {
    tree: &'a Tree,
    chosen: &'a Chosen,
    links: &'a Links,
    style: Style,
    out: String,
    gap: Gap,
    /// What every line begins with, one for each list and quotation.
    prefixes: Vec<&'static str>,
    /// What the next line begins with instead of the innermost prefix.
    marker: Option<String>,
    inline: Vec<Run>,
    tables: Vec<Rows>,
    /// Numbers of the open lists' next items; nothing for lists without numbers.
    lists: Vec<Option<u64>>,
    open: Vec<Open>,
    in_heading: usize,
    in_code: usize,
}

/// An open node and what its end does.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: usize,
    end: usize,
    close: Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Close {
    Nothing,
    Gap(Gap),
    Prefix,
    List,
    Quotation,
    Heading,
    Link,
    Mark(&'static str),
    Code,
    Cell { is_head: bool },
    Table,
}

impl Writer<'_> {
    /// Writes a node and everything in it.
    fn node(&mut self, root: usize) {
        let end = self.tree.get(root).map_or(0, |node| node.end as usize);
        let mut index = root;
        while index < end && self.out.len() < WRITTEN {
            self.close_before(index);
            let Some(node) = self.tree.get(index).copied() else { break };
            let dropped = self.chosen.dropped.get(index) == Some(&true) && index != root;
            index = if dropped || !self.open(index, &node) { node.end as usize } else { index + 1 };
        }
        self.close_before(usize::MAX);
    }

    fn close_before(&mut self, index: usize) {
        while let Some(open) = self.open.pop_if(|open| open.end <= index) {
            self.close(open);
        }
    }

    /// Begins a node; whether what stands in it is to be written, too.
    fn open(&mut self, index: usize, node: &Node) -> bool {
        let has_block = self.chosen.has_block.get(index) == Some(&true);
        let close = match node.tag {
            Tag::Text => {
                self.text(self.tree.words(node));
                return false;
            }
            Tag::Break => {
                self.line_break();
                return false;
            }
            Tag::Image => {
                self.image(node);
                return false;
            }
            Tag::Rule => {
                self.gap(Gap::Blank);
                if self.style == Style::Markdown && self.inline.is_empty() {
                    self.raw("---");
                    self.gap(Gap::Blank);
                }
                return false;
            }
            Tag::Preformatted => {
                self.preformatted(index, node);
                return false;
            }
            Tag::Heading(level) => self.begin_heading(level),
            Tag::Paragraph | Tag::Figcaption | Tag::Caption => self.begin_block(Gap::Blank),
            Tag::Numbered | Tag::Bulleted => self.begin_list(node),
            Tag::Item => self.begin_item(),
            Tag::Term => {
                self.gap(Gap::Blank);
                Close::Gap(Gap::Line)
            }
            Tag::Definition => self.begin_definition(),
            Tag::Blockquote => self.begin_quotation(),
            Tag::Table if self.is_data(index) => {
                self.gap(Gap::Blank);
                self.tables.push(Rows::default());
                Close::Table
            }
            Tag::Row if !self.tables.is_empty() => {
                if let Some(table) = self.tables.last_mut() {
                    table.begin_row();
                }
                Close::Nothing
            }
            Tag::Cell | Tag::HeadCell if !self.tables.is_empty() => {
                self.inline.push(Run::default());
                Close::Cell { is_head: node.tag == Tag::HeadCell }
            }
            Tag::Anchor if !has_block && self.in_code == 0 => {
                self.inline.push(Run::default());
                Close::Link
            }
            Tag::Code if !has_block && self.in_code == 0 => {
                self.inline.push(Run::default());
                self.in_code += 1;
                Close::Code
            }
            Tag::Strong if self.marks(has_block) => self.begin_mark("**"),
            Tag::Emphasis if self.marks(has_block) => self.begin_mark("*"),
            Tag::Superscript if !has_block && self.in_code == 0 && self.is_power(index) => self.begin_mark("^"),
            tag if tag.is_block() => self.begin_block(Gap::Line),
            _ => Close::Nothing,
        };
        self.open.push(Open { node: index, end: node.end as usize, close });
        true
    }

    fn close(&mut self, open: Open) {
        match open.close {
            Close::Nothing => {}
            Close::Gap(gap) => self.gap(gap),
            Close::Prefix => {
                self.prefixes.pop();
                self.marker = None;
                self.gap(Gap::Line);
            }
            Close::List => {
                self.lists.pop();
                self.gap(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
            }
            Close::Quotation => {
                self.prefixes.pop();
                self.gap(Gap::Blank);
            }
            Close::Heading => self.end_heading(),
            Close::Link => self.end_link(open.node),
            Close::Mark(mark) => self.end_mark(mark),
            Close::Code => self.end_code(),
            Close::Cell { is_head } => {
                let text = self.inline.pop().unwrap_or_default().text;
                if let Some(table) = self.tables.last_mut() {
                    table.cell(&text, is_head);
                }
            }
            Close::Table => {
                let lines = self.tables.pop().unwrap_or_default().laid_out(self.style);
                self.lines(lines.iter().map(String::as_str));
            }
        }
    }
}

#[cfg(test)]
mod tests;
