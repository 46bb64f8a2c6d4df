//! Thoughts that a model writes into its text, between tags or before a closing one alone, because the server's template
//! has opened them.
//!
//! Tags in code, in quotation marks and in the middle of a line are words about thoughts. A closing tag alone comes too
//! late to hold the text before it back: it takes that text back.

use crate::embedded::{Line, THOUGHTS, beginning_of};

/// The ends of thoughts whose beginning may be missing.
const ENDS: [&str; 5] = ["</think>", "</thinking>", "</thought>", "</seed:think>", "[/THINK]"];

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Thought(String),
    /// All text so far was thoughts.
    TextWasThought,
}

enum Tag {
    Opens(usize, &'static str),
    Closes(usize),
    Perhaps,
    None,
}

/// Separates thoughts from the text of an answer that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Thoughts {
    held: String,
    /// The end of the thoughts in which the held text is.
    inside: Option<&'static str>,
    seen: bool,
    /// Something else than white space is text.
    told: bool,
    /// White space between thoughts and answer is neither.
    trim: bool,
    line: Line,
    /// The first characters of the line.
    margin: String,
    fenced: bool,
}

impl Thoughts {
    /// Adds the next piece.
    pub(crate) fn push(&mut self, piece: String) -> Vec<Piece> {
        let mut out = Vec::with_capacity(1);
        if self.held.is_empty() && self.inside.is_none() && !piece.contains(['<', '[']) {
            self.tell(piece, &mut out);
            return out;
        }
        self.held.push_str(&piece);
        self.advance(&mut out, false);
        out
    }

    /// Takes the rest.
    pub(crate) fn finish(&mut self) -> Vec<Piece> {
        let mut out = Vec::new();
        self.advance(&mut out, true);
        out
    }

    fn advance(&mut self, out: &mut Vec<Piece>, is_last: bool) {
        while !self.held.is_empty() {
            if let Some(close) = self.inside {
                let end = self.held.find(close);
                let kept = if is_last { 0 } else { beginning_of(close, &self.held) };
                let thought: String = self.held.drain(..end.unwrap_or(self.held.len() - kept)).collect();
                if !thought.is_empty() {
                    out.push(Piece::Thought(thought));
                }
                if end.is_none() {
                    return;
                }
                self.held.drain(..close.len());
                self.inside = None;
                self.trim = !self.told;
                continue;
            }
            let at = self.held.find(['<', '[']).unwrap_or(self.held.len());
            let before = self.held.drain(..at).collect();
            self.tell(before, out);
            match self.tag() {
                Tag::Opens(length, close) => {
                    self.held.drain(..length);
                    self.inside = Some(close);
                    self.seen = true;
                }
                Tag::Closes(length) => {
                    self.held.drain(..length);
                    self.seen = true;
                    self.trim = true;
                    if std::mem::take(&mut self.told) {
                        out.push(Piece::TextWasThought);
                    }
                }
                Tag::Perhaps if !is_last => return,
                Tag::Perhaps | Tag::None => {
                    let length = self.held.chars().next().map_or(0, char::len_utf8);
                    let mark = self.held.drain(..length).collect();
                    self.tell(mark, out);
                }
            }
        }
    }

    /// What the held text begins with.
    fn tag(&self) -> Tag {
        if self.fenced || self.margin_opens_fence() || self.line.is_quoted() {
            return Tag::None;
        }
        let opens = !self.told || self.line.is_blank();
        let pairs = THOUGHTS.iter().filter(|_| opens);
        if let Some((open, close)) = pairs.clone().find(|(open, _)| self.held.starts_with(open)) {
            return Tag::Opens(open.len(), close);
        }
        let ends = ENDS.iter().filter(|_| !self.seen);
        if let Some(end) = ends.clone().find(|end| self.held.starts_with(**end)) {
            return Tag::Closes(end.len());
        }
        let mut marks = pairs.map(|(open, _)| open).chain(ends);
        if marks.any(|mark| mark.starts_with(&self.held)) { Tag::Perhaps } else { Tag::None }
    }

    fn tell(&mut self, text: String, out: &mut Vec<Piece>) {
        let text = if self.trim { text.trim_start().to_owned() } else { text };
        if text.is_empty() {
            return;
        }
        self.trim = false;
        self.told |= !text.trim_start().is_empty();
        for part in text.split_inclusive('\n') {
            let room = 8_usize.saturating_sub(self.margin.len());
            self.margin.extend(part.chars().take(room));
            if part.ends_with('\n') {
                self.fenced ^= self.margin_opens_fence();
                self.margin.clear();
            }
        }
        self.line.push(&text);
        out.push(Piece::Text(text));
    }

    fn margin_opens_fence(&self) -> bool {
        let margin = self.margin.trim_start();
        margin.starts_with("```") || margin.starts_with("~~~")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, and thoughts, whatever the pieces.
    fn read(answer: &str, size: usize) -> (String, String) {
        let mut thoughts = Thoughts::default();
        let (mut text, mut thought) = (String::new(), String::new());
        let letters: Vec<char> = answer.chars().collect();
        let mut pieces: Vec<Piece> =
            letters.chunks(size).flat_map(|piece| thoughts.push(piece.iter().collect())).collect();
        pieces.extend(thoughts.finish());
        for piece in pieces {
            match piece {
                Piece::Text(piece) => text.push_str(&piece),
                Piece::Thought(piece) => thought.push_str(&piece),
                Piece::TextWasThought => thought.push_str(&std::mem::take(&mut text)),
            }
        }
        (text, thought)
    }

    #[test]
    fn thoughts_are_no_text() {
        for (answer, text, thought) in [
            ("<think>\nFour? Five?\n</think>\n\nIt is 4.", "It is 4.", "\nFour? Five?\n"),
            ("Four? Five?\n</think>\n\nIt is 4.", "It is 4.", "Four? Five?\n"),
            ("</think>It is 4.", "It is 4.", ""),
            ("[THINK]é[/THINK]It is 4.", "It is 4.", "é"),
            ("<think></think>\n<think>b</think>It is 4.", "It is 4.", "b"),
            ("One.\n<think>b</think>\nTwo.", "One.\n\nTwo.", "b"),
            ("<think>It ends here", "", "It ends here"),
            ("The tag <think> opens, </thin closes.", "The tag <think> opens, </thin closes.", ""),
            ("`</think>` closes.", "`</think>` closes.", ""),
            ("As in:\n```\n<think>\na\n</think>\n```\nSo.", "As in:\n```\n<think>\na\n</think>\n```\nSo.", ""),
            ("a < b [1] <", "a < b [1] <", ""),
            ("<think>a</think>b </think> c", "b </think> c", "a"),
        ] {
            for size in [1, 2, 5, 100] {
                assert_eq!(read(answer, size), (text.to_owned(), thought.to_owned()), "{answer} by {size}");
            }
        }
    }
}
