//! Literals with variables and expressions in them.

use super::made::size;
use super::{DEPTH, Folder, Value};
use crate::command::{Piece, UnknownKind, Word};
use crate::unwrap::code::tokens::{Style, tokens};
use crate::unwrap::words::{LIMIT, anything, push};

/// The home as a variable of a literal, behind the sigil.
const HOMES: [&str; 6] = ["ENV{HOME}", "ENV{'HOME'}", "ENV{\"HOME\"}", "_ENV[HOME]", "_ENV['HOME']", "_SERVER[HOME]"];

impl Folder<'_> {
    /// A literal with variables in it: `$x`, `${x}`, `#{x}`, `@{x}`.
    pub(super) fn mixed(&self, text: &str) -> Word {
        let mut out = Word::default();
        let mut rest = text;
        while let Some(place) = rest.find(['$', '#']) {
            if size(&out) > LIMIT {
                return anything(UnknownKind::Other);
            }
            let (before, after) = rest.split_at(place);
            push(&mut out, Piece::Text(before.to_owned()));
            let mark = after.get(..1).unwrap_or_default();
            let tail = after.get(1..).unwrap_or_default();
            let (name, left) = match tail.strip_prefix('{') {
                Some(inner) => inner.split_once('}').unwrap_or((inner, "")),
                None if mark == "$" => {
                    let end = tail.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tail.len());
                    // perl's `$ENV{HOME}`, php's `$_ENV[HOME]`
                    let home = HOMES.into_iter().find(|own| tail.starts_with(own));
                    match home.and_then(|own| tail.strip_prefix(own)) {
                        Some(left) => ("HOME", left),
                        None => tail.split_at(end),
                    }
                }
                None => ("", tail),
            };
            let known = [name.to_owned(), format!("${name}"), format!("@{name}")];
            if name.is_empty() {
                push(&mut out, Piece::Text(mark.to_owned()));
            } else if let Some(word) = known.iter().find_map(|name| self.variables.get(name)).and_then(Value::word) {
                word.pieces.into_iter().for_each(|piece| push(&mut out, piece));
            } else if name == "HOME" || name.contains("'HOME'") || name.contains(".HOME") || name.contains("\"HOME\"") {
                push(&mut out, Piece::Home(None));
            } else if let Some(word) = self.inside(name) {
                word.pieces.into_iter().for_each(|piece| push(&mut out, piece));
            } else {
                anything(UnknownKind::Other).pieces.into_iter().for_each(|piece| push(&mut out, piece));
            }
            rest = left;
        }
        push(&mut out, Piece::Text(rest.to_owned()));
        out
    }

    /// An expression inside a literal.
    fn inside(&self, text: &str) -> Option<Word> {
        if self.depth > DEPTH || !text.contains(['(', '\'', '"', '+']) {
            return None;
        }
        let tokens = tokens(text, Style::Script);
        let mut inner = Folder { depth: self.depth + 8, ..Folder::new(&tokens, 0, self.variables) };
        inner.expression().word()
    }
}
