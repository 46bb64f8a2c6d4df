//! What begins and ends a block: headings, lists, quotations, code, and which tables are tables.

use super::super::Style;
use super::super::tags::Tag;
use super::super::tree::Node;
use super::{Close, Gap, LEVELS, Run, Writer};

impl<'a> Writer<'a> {
    pub(super) fn begin_block(&mut self, gap: Gap) -> Close {
        self.gap(gap);
        Close::Gap(gap)
    }

    pub(super) fn begin_heading(&mut self, level: u8) -> Close {
        self.gap(Gap::Blank);
        if self.in_heading > 0 || !self.inline.is_empty() {
            return Close::Gap(Gap::Blank);
        }
        self.in_heading += 1;
        let mark = if self.style == Style::Markdown { "#".repeat(usize::from(level)) + " " } else { String::new() };
        self.inline.push(Run { text: mark });
        Close::Heading
    }

    pub(super) fn end_heading(&mut self) {
        self.in_heading -= 1;
        let line = self.inline.pop().unwrap_or_default().text;
        if line.trim_start_matches('#').trim().is_empty() {
            return;
        }
        self.raw(line.trim());
        self.gap(Gap::Blank);
    }

    pub(super) fn begin_list(&mut self, node: &Node) -> Close {
        self.gap(if self.lists.is_empty() { Gap::Blank } else { Gap::Line });
        let numbered = node.tag == Tag::Numbered;
        self.lists.push(numbered.then(|| self.tree.words(node).trim().parse().unwrap_or(1)));
        Close::List
    }

    pub(super) fn begin_item(&mut self) -> Close {
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

    pub(super) fn begin_definition(&mut self) -> Close {
        self.gap(Gap::Line);
        if self.style == Style::Plain || !self.inline.is_empty() || self.prefixes.len() >= LEVELS {
            return Close::Gap(Gap::Line);
        }
        self.prefixes.push("  ");
        self.marker = Some(": ".to_owned());
        Close::Prefix
    }

    pub(super) fn begin_quotation(&mut self) -> Close {
        self.gap(Gap::Blank);
        if self.style == Style::Plain || !self.inline.is_empty() || self.prefixes.len() >= LEVELS {
            return Close::Gap(Gap::Blank);
        }
        self.prefixes.push("> ");
        Close::Quotation
    }

    /// A block of code: as it was written, between fences that it does not hold itself.
    pub(super) fn preformatted(&mut self, index: usize, node: &Node) {
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
        let code: String =
            code.replace("\r\n", "\n").chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
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
    pub(super) fn language_around(&self, node: &Node) -> &'a str {
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
    pub(super) fn is_data(&self, index: usize) -> bool {
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
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut current) = (0, 0);
    for c in text.chars() {
        current = if c == wanted { current + 1 } else { 0 };
        longest = longest.max(current);
    }
    longest
}
