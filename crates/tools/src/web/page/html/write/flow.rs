//! How text flows: blanks, gaps between blocks, and what each line begins with.

use super::{Gap, Writer};

impl Writer<'_> {
    /// Text of the page: blanks are one blank, control characters are gone.
    pub(super) fn text(&mut self, text: &str) {
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
    pub(super) fn run(&mut self, text: &str) {
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
    pub(super) fn raw(&mut self, line: &str) {
        self.fill_gap();
        self.out.push_str(line);
    }

    pub(super) fn lines<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        for line in lines {
            self.fill_gap();
            self.out.push_str(line);
            self.gap = self.gap.max(Gap::Line);
        }
        self.gap(Gap::Blank);
    }

    pub(super) fn line_break(&mut self) {
        match self.inline.last_mut() {
            Some(run) => {
                if !run.text.is_empty() && !run.text.ends_with(' ') {
                    run.text.push(' ');
                }
            }
            None => self.gap(Gap::Line),
        }
    }

    pub(super) fn gap(&mut self, gap: Gap) {
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

    pub(super) fn fill_gap(&mut self) {
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
                let quotation = self.prefixes.contains(&"> ");
                if quotation && self.marker.is_none() {
                    let prefix: String = self.prefixes.concat();
                    self.out.push_str(prefix.trim_end());
                }
                self.out.push('\n');
                self.write_prefix();
            }
        }
    }

    pub(super) fn new_line(&mut self) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
        self.out.push('\n');
    }

    pub(super) fn write_prefix(&mut self) {
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
