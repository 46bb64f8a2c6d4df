//! JSON laid out for reading, without being parsed into values: numbers, keys and their order stay as they were written.

use super::{Completeness, Page, PageKind, without_controls};
use palanca_core::Message;

/// Levels that are indented; what lies deeper stays on one line.
const INDENTED: usize = 64;
/// Bytes laid out after which no line is broken any more: ten thousand short values sixty levels down would else grow fifty-fold.
const LAID_OUT: usize = 8 << 20;

/// Lays out JSON; text that is none is shown as it came, with a note.
pub(super) fn read(text: &str, completeness: Completeness) -> Page {
    let text = text.trim();
    match check(text) {
        Validity::One => Page::new(PageKind::Json, laid_out(text)),
        // A page of one value a line reads best as it is.
        Validity::Lines => Page::new(PageKind::Json, without_controls(text.into())),
        Validity::Invalid(_) if completeness == Completeness::Cut => {
            Page::new(PageKind::Json, without_controls(text.into())).noting(Message::new("page-json-cut"))
        }
        Validity::Invalid(detail) => Page::new(PageKind::Text, without_controls(text.into()))
            .noting(Message::new("page-json-invalid").with("detail", detail)),
    }
}

enum Validity {
    One,
    Lines,
    Invalid(String),
}

fn check(text: &str) -> Validity {
    // Ignored values are walked without recursion and without memory for each of them.
    let mut values = 0;
    for value in serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>() {
        match value {
            Ok(_) => values += 1,
            Err(error) => return Validity::Invalid(error.to_string()),
        }
    }
    if values == 1 { Validity::One } else { Validity::Lines }
}

/// Valid JSON with two blanks a level. A second pass over the text itself, so that `1.10` stays `1.10`.
fn laid_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut depth = 0_usize;
    let (mut in_string, mut escaped) = (false, false);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while characters.next_if(|next| next.is_ascii_whitespace()).is_some() {}
                if let Some(close) = characters.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    break_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth < INDENTED {
                    break_line(&mut out, depth);
                }
                out.push(c);
            }
            ',' => {
                out.push(c);
                break_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn break_line(out: &mut String, depth: usize) {
    if depth <= INDENTED && out.len() < LAID_OUT {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}

#[cfg(test)]
mod tests;
