//! Writes the content down, as markdown or as plain lines. One loop over the flat tree with a stack of what is open; marks
//! that would only be noise to a reader (escapes, padding of tables, links into the page itself) are left out.

use super::content::Chosen;
use super::links::Links;
use super::table::Rows;
use super::tags::Tag;
use super::tree::{Node, Tree};
use super::Style;

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

impl<'a> Writer<'a> {
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
            Tag::Term => self.begin_block(Gap::Blank),
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

    fn begin_block(&mut self, gap: Gap) -> Close {
        self.gap(gap);
        Close::Gap(gap)
    }

    fn begin_heading(&mut self, level: u8) -> Close {
        self.gap(Gap::Blank);
        if self.in_heading > 0 || !self.inline.is_empty() {
            return Close::Gap(Gap::Blank);
        }
        self.in_heading += 1;
        let mark = if self.style == Style::Markdown { "#".repeat(usize::from(level)) + " " } else { String::new() };
        self.inline.push(Run { text: mark });
        Close::Heading
    }

    fn end_heading(&mut self) {
        self.in_heading -= 1;
        let line = self.inline.pop().unwrap_or_default().text;
        if line.trim_start_matches('#').trim().is_empty() {
            return;
        }
        self.raw(line.trim());
        self.gap(Gap::Blank);
    }

    fn begin_list(&mut self, node: &Node) -> Close {
        self.gap(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
        let numbered = node.tag == Tag::Numbered;
        self.lists.push(numbered.then(|| self.tree.words(node).trim().parse().unwrap_or(1)));
        Close::List
    }

    fn begin_item(&mut self) -> Close {
        if !self.inline.is_empty() || self.prefixes.len() >= LEVELS {
            self.gap(Gap::Line);
            return Close::Gap(Gap::Line);
        }
        self.gap(Gap::Line);
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => "- ".to_owned(),
        };
        self.prefixes.push(if marker == "- " { "  " } else { "   " });
        self.marker = Some(marker);
        Close::Prefix
    }

    fn begin_definition(&mut self) -> Close {
        self.gap(Gap::Line);
        if self.style == Style::Plain || !self.inline.is_empty() || self.prefixes.len() >= LEVELS {
            return Close::Gap(Gap::Line);
        }
        self.prefixes.push("  ");
        self.marker = Some(": ".to_owned());
        Close::Prefix
    }

    fn begin_quotation(&mut self) -> Close {
        self.gap(Gap::Blank);
        if self.style == Style::Plain || !self.inline.is_empty() || self.prefixes.len() >= LEVELS {
            return Close::Gap(Gap::Blank);
        }
        self.prefixes.push("> ");
        Close::Quotation
    }

    fn begin_mark(&mut self, mark: &'static str) -> Close {
        self.inline.push(Run::default());
        Close::Mark(mark)
    }

    fn marks(&self, has_block: bool) -> bool {
        self.style == Style::Markdown && !has_block && self.in_heading == 0 && self.in_code == 0
    }

    /// Wraps a run, with its outer blanks outside of the marks, where markdown wants them.
    fn end_mark(&mut self, mark: &str) {
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        if inner.is_empty() || inner.starts_with(mark) {
            return self.run(&run);
        }
        let wrapped = if mark == "^" { format!("^{inner}") } else { format!("{mark}{inner}{mark}") };
        self.rewrapped(&run, inner, &wrapped);
    }

    fn end_code(&mut self) {
        self.in_code -= 1;
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        if inner.is_empty() || self.style == Style::Plain || self.in_heading > 0 {
            return self.run(&run);
        }
        let wrapped = if inner.contains('`') { format!("`` {inner} ``") } else { format!("`{inner}`") };
        self.rewrapped(&run, inner, &wrapped);
    }

    fn end_link(&mut self, node: usize) {
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        let address = self.tree.get(node).map(|node| self.tree.words(node)).unwrap_or_default();
        // The sign beside a heading that links to the heading.
        if address.starts_with('#') && inner.chars().count() < 3 && !inner.contains(char::is_alphanumeric) {
            return;
        }
        let target = if self.style == Style::Markdown && !inner.is_empty() { self.links.absolute(address) } else { None };
        match target {
            None => self.run(&run),
            Some(target) if target == inner => self.rewrapped(&run, inner, &format!("<{inner}>")),
            Some(target) => self.rewrapped(&run, inner, &format!("[{}]({target})", without_brackets(inner))),
        }
    }

    /// Writes `wrapped` for the `inner` part of `run`, and keeps the blanks around it.
    fn rewrapped(&mut self, run: &str, inner: &str, wrapped: &str) {
        if run.starts_with(char::is_whitespace) {
            self.run(" ");
        }
        self.run(wrapped);
        if run.ends_with(char::is_whitespace) && !inner.is_empty() {
            self.run(" ");
        }
    }

    fn image(&mut self, node: &Node) {
        let (alt, source) = self.tree.words(node).split_once('\0').unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        if alt.is_empty() {
            return;
        }
        match self.links.absolute(source) {
            Some(address) if self.style == Style::Markdown && self.in_heading == 0 => {
                self.text(&format!("![{}]({address})", without_brackets(&alt)));
            }
            _ => self.text(&alt),
        }
    }

    /// A block of code: as it was written, between fences that it does not hold itself.
    fn preformatted(&mut self, index: usize, node: &Node) {
        let (tree, mut code) = (self.tree, String::new());
        let mut language = tree.words(node);
        for (at, inner) in (index + 1..node.end as usize).filter_map(|at| self.tree.get(at).map(|inner| (at, inner))) {
            match inner.tag {
                Tag::Text if self.chosen.dropped.get(at) != Some(&true) => code.push_str(self.tree.words(inner)),
                Tag::Break => code.push('\n'),
                Tag::Code if language.is_empty() => language = tree.words(inner),
                _ => {}
            }
        }
        if language.is_empty() {
            language = self.language_around(node);
        }
        let code: String = code.replace("\r\n", "\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        let code = code.trim_matches('\n').trim_end();
        if code.trim().is_empty() {
            return;
        }
        if !self.inline.is_empty() {
            let line = code.split_whitespace().collect::<Vec<_>>().join(" ");
            return self.run(&if self.style == Style::Markdown { format!(" `{line}` ") } else { format!(" {line} ") });
        }
        self.gap(Gap::Blank);
        if self.style == Style::Markdown {
            let longest = longest_run(code, '`');
            let fence = "`".repeat(longest.max(2) + 1);
            let begin = format!("{fence}{language}");
            self.lines(std::iter::once(begin.as_str()).chain(code.split('\n')).chain(std::iter::once(fence.as_str())));
        } else {
            self.lines(code.split('\n'));
        }
        self.gap(Gap::Blank);
    }

    /// Highlighters name the language on an element around the code.
    fn language_around(&self, node: &Node) -> &'a str {
        let tree = self.tree;
        let mut parent = node.parent as usize;
        for _ in 0..3 {
            let Some(node) = tree.get(parent).filter(|node| node.tag == Tag::Block) else { break };
            if node.length > 0 {
                return tree.words(node);
            }
            parent = node.parent as usize;
        }
        ""
    }

    /// Whether a table holds data; one that lays out a page is read as blocks.
    fn is_data(&self, index: usize) -> bool {
        if !self.inline.is_empty() {
            return false;
        }
        let end = self.tree.get(index).map_or(0, |node| node.end as usize);
        let mut cells = 0_usize;
        for node in (index + 1..end).filter_map(|at| self.tree.get(at)) {
            match node.tag {
                Tag::Table | Tag::Heading(1..=3) | Tag::Preformatted => return false,
                Tag::HeadCell => return true,
                Tag::Cell => cells += 1,
                _ => {}
            }
        }
        cells > 1
    }

    /// Whether what is raised is a power rather than a note.
    fn is_power(&self, index: usize) -> bool {
        let mut children = self.tree.children(index);
        let only = children.next().and_then(|child| self.tree.get(child)).filter(|_| children.next().is_none());
        only.is_some_and(|child| {
            let words = self.tree.words(child).trim();
            child.tag == Tag::Text
                && (1..=6).contains(&words.len())
                && words.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '−'))
                && !matches!(words, "th" | "st" | "nd" | "rd" | "TM")
        })
    }

    /// Text of the page: blanks are one blank, control characters are gone.
    fn text(&mut self, text: &str) {
        let mut words = String::with_capacity(text.len());
        let mut blank = false;
        for c in text.chars() {
            if c.is_whitespace() {
                blank = true;
            } else if !c.is_control() {
                if std::mem::take(&mut blank) {
                    words.push(' ');
                }
                words.push(c);
            }
        }
        if blank {
            words.push(' ');
        }
        self.run(&words);
    }

    /// Text that is ready to be written.
    fn run(&mut self, text: &str) {
        if let Some(run) = self.inline.last_mut() {
            run.text.push_str(if run.text.ends_with(' ') { text.trim_start_matches(' ') } else { text });
            return;
        }
        let at_start = self.gap > Gap::None || self.out.is_empty() || self.out.ends_with([' ', '\n']);
        let text = if at_start { text.trim_start_matches(' ') } else { text };
        if text.is_empty() {
            return;
        }
        self.fill_gap();
        self.out.push_str(text);
    }

    /// A line as it is.
    fn raw(&mut self, line: &str) {
        self.fill_gap();
        self.out.push_str(line);
    }

    fn lines<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        for line in lines {
            self.fill_gap();
            self.out.push_str(line);
            self.gap = self.gap.max(Gap::Line);
        }
        self.gap(Gap::Blank);
    }

    fn line_break(&mut self) {
        match self.inline.last_mut() {
            Some(run) => {
                if !run.text.is_empty() && !run.text.ends_with(' ') {
                    run.text.push(' ');
                }
            }
            None => self.gap(Gap::Line),
        }
    }

    fn gap(&mut self, gap: Gap) {
        match self.inline.last_mut() {
            Some(run) => {
                if !run.text.is_empty() && !run.text.ends_with(' ') {
                    run.text.push(' ');
                }
            }
            None if self.out.is_empty() => {}
            // The first block of an item stands beside its marker.
            None if self.marker.is_some() && self.gap > Gap::None => {}
            None => self.gap = self.gap.max(gap),
        }
    }

    fn fill_gap(&mut self) {
        if self.out.is_empty() {
            self.write_prefix();
            return;
        }
        match std::mem::replace(&mut self.gap, Gap::None) {
            Gap::None => {
                if self.marker.is_some() {
                    self.new_line();
                    self.write_prefix();
                }
            }
            Gap::Line => {
                self.new_line();
                self.write_prefix();
            }
            Gap::Blank => {
                self.new_line();
                let quotation = self.prefixes.iter().any(|prefix| *prefix == "> ");
                if quotation && self.marker.is_none() {
                    let prefix: String = self.prefixes.concat();
                    self.out.push_str(prefix.trim_end());
                }
                self.out.push('\n');
                self.write_prefix();
            }
        }
    }

    fn new_line(&mut self) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
        self.out.push('\n');
    }

    fn write_prefix(&mut self) {
        let marker = self.marker.take();
        let outer = self.prefixes.len() - usize::from(marker.is_some() && !self.prefixes.is_empty());
        for prefix in self.prefixes.iter().take(outer) {
            self.out.push_str(prefix);
        }
        if let Some(marker) = marker {
            self.out.push_str(&marker);
        }
    }
}

/// Brackets that would end the text of a link.
fn without_brackets(text: &str) -> String {
    let balanced = text.matches('[').count() == text.matches(']').count();
    if !balanced {
        text.replace('[', "\\[").replace(']', "\\]")
    } else {
        text.to_owned()
    }
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut current) = (0, 0);
    for c in text.chars() {
        current = if c == wanted { current + 1 } else { 0 };
        longest = longest.max(current);
    }
    longest
}

#[cfg(test)]
mod tests;
