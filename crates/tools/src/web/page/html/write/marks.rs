//! What wraps a run of text: emphasis, code, links, images. The text is collected first and wrapped when it ends.

use super::super::Style;
use super::super::tags::Tag;
use super::super::tree::Node;
use super::{Close, Gap, Run, Writer};

impl Writer<'_> {
    pub(super) fn begin_mark(&mut self, mark: &'static str) -> Close {
        self.inline.push(Run::default());
        Close::Mark(mark)
    }

    pub(super) fn marks(&self, has_block: bool) -> bool {
        self.style == Style::Markdown && !has_block && self.in_heading == 0 && self.in_code == 0
    }

    /// Wraps a run, with its outer blanks outside of the marks, where markdown wants them.
    pub(super) fn end_mark(&mut self, mark: &str) {
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        if inner.is_empty() || inner.starts_with(mark) {
            return self.run(&run);
        }
        let wrapped = if mark == "^" { format!("^{inner}") } else { format!("{mark}{inner}{mark}") };
        self.rewrapped(&run, inner, &wrapped);
    }

    pub(super) fn end_code(&mut self) {
        self.in_code -= 1;
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        if inner.is_empty() || self.style == Style::Plain || self.in_heading > 0 {
            return self.run(&run);
        }
        let wrapped = if inner.contains('`') { format!("`` {inner} ``") } else { format!("`{inner}`") };
        self.rewrapped(&run, inner, &wrapped);
    }

    pub(super) fn end_link(&mut self, node: usize) {
        let run = self.inline.pop().unwrap_or_default().text;
        let inner = run.trim();
        let address = self.tree.get(node).map(|node| self.tree.words(node)).unwrap_or_default();
        // The sign beside a heading that links to the heading.
        if address.starts_with('#') && inner.chars().count() < 3 && !inner.contains(char::is_alphanumeric) {
            return;
        }
        let target =
            if self.style == Style::Markdown && !inner.is_empty() { self.links.absolute(address) } else { None };
        match target {
            None => self.run(&run),
            Some(target) if target == inner => self.rewrapped(&run, inner, &format!("<{inner}>")),
            Some(target) => self.rewrapped(&run, inner, &format!("[{}]({target})", without_brackets(inner))),
        }
    }

    /// Writes `wrapped` for the `inner` part of `run`, and keeps the blanks around it.
    pub(super) fn rewrapped(&mut self, run: &str, inner: &str, wrapped: &str) {
        if run.starts_with(char::is_whitespace) {
            self.run(" ");
        }
        self.run(wrapped);
        if run.ends_with(char::is_whitespace) && !inner.is_empty() {
            self.run(" ");
        }
    }

    pub(super) fn image(&mut self, node: &Node) {
        let (alt, source) = self.tree.words(node).split_once('\0').unwrap_or_default();
        let alt = alt.split_whitespace().collect::<Vec<_>>().join(" ");
        // Within a line or a heading it says what a word would say; a picture on its own is not text.
        let in_line = match self.inline.last() {
            Some(run) => self.in_heading > 0 || !run.text.trim().is_empty(),
            None => self.gap == Gap::None && !self.out.is_empty(),
        };
        if alt.is_empty() || !(in_line || self.chosen.with_pictures) {
            return;
        }
        match self.links.absolute(source) {
            Some(address) if self.style == Style::Markdown && self.in_heading == 0 => {
                self.text(&format!("![{}]({address})", without_brackets(&alt)));
            }
            _ => self.text(&alt),
        }
    }

    /// Whether what is raised is a power rather than a note.
    pub(super) fn is_power(&self, index: usize) -> bool {
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
}

/// Brackets that would end the text of a link.
fn without_brackets(text: &str) -> String {
    let balanced = text.matches('[').count() == text.matches(']').count();
    if !balanced { text.replace('[', "\\[").replace(']', "\\]") } else { text.to_owned() }
}
