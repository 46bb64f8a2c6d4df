//! Prompt files with conditions, so that a prompt names only what is really offered.
//!
//! A line may begin with `[name]`: it is kept, without the bracket, when that name is offered. A section (`## …`) whose
//! every line had a condition that failed is left out with its heading, and numbered lists are counted anew. There is
//! nothing else: a template language would have to be learned by everybody who edits a prompt.

use std::fmt::Write as _;

/// The file's text for these names.
pub(super) fn render(file: &str, offered: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::with_capacity(file.len());
    let mut section = Section::default();
    for line in file.lines() {
        if line.starts_with("## ") {
            std::mem::take(&mut section).finish(&mut text);
        }
        section.line(line, offered);
    }
    section.finish(&mut text);
    text.truncate(text.trim_end().len());
    text
}

#[derive(Default)]
struct Section {
    text: String,
    number: usize,
    kept: usize,
    dropped: usize,
}

impl Section {
    fn line(&mut self, line: &str, offered: &dyn Fn(&str) -> bool) {
        let line = match condition(line) {
            Some((name, rest)) if offered(name) => {
                self.kept += 1;
                rest
            }
            Some(_) => {
                self.dropped += 1;
                return;
            }
            None => line,
        };
        // ignored: writing to a String cannot fail.
        let _ = match numbered(line) {
            Some(rest) => {
                self.number += 1;
                writeln!(self.text, "{}. {rest}", self.number)
            }
            None => writeln!(self.text, "{line}"),
        };
    }

    fn finish(self, text: &mut String) {
        let nothing_left = self.kept == 0 && self.dropped > 0 && self.text.starts_with("## ");
        if !nothing_left {
            text.push_str(&self.text);
        }
    }
}

/// `[name] rest`, where the name is one that a tool or a stop reason may have.
fn condition(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    (is_name && !name.is_empty()).then_some((name, rest))
}

fn numbered(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line.get(digits..)?.strip_prefix(". ").filter(|_| digits > 0)
}
