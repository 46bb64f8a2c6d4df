//! `[[ … ]]` and `(( … ))`.

use super::{Output, Scope, Status, Walker};
use crate::command::Word;
use crate::read::grammar;
use crate::read::grammar::tree::{Part, Word as Written};
use crate::read::limits::Within;
use std::sync::Arc;

/// Operators whose sides are arithmetic.
const ARITHMETIC: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Walker<'_> {
    /// `((rm -rf x))` is arithmetic that fails, but other shells take it for a subshell in a subshell.
    pub(in crate::read) fn not_arithmetic(&mut self, parts: &[Part], scope: &Scope) -> Within<()> {
        let [Part::Quoted(text)] = parts else { return Ok(()) };
        let mut words = text.split_whitespace();
        let named = words.next().is_some_and(|name| {
            name.starts_with(char::is_alphabetic)
                && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        });
        let given = words.next().is_some_and(|operand| match operand.strip_prefix('-') {
            Some(option) => option.trim_start_matches(['-', '/']).starts_with(char::is_alphabetic),
            None => operand.starts_with(|c: char| c.is_alphabetic() || "/~.$\"'".contains(c)),
        });
        if named && given {
            let inner = scope.deeper()?;
            let body = grammar::parse(text, inner.depth, self.budget)?;
            let mark = self.state.mark();
            self.body(&body, &inner)?;
            self.state.forget(mark);
        }
        Ok(())
    }

    pub(super) fn test(&mut self, words: &[Written], source: &Arc<str>, scope: &Scope) -> Within<Output> {
        let mut all: Vec<Word> = Vec::new();
        for written in words {
            let mut found = self.single(written, scope)?;
            all.extend(if found.is_empty() { None } else { Some(found.swap_remove(0)) });
        }
        for (place, word) in all.iter().enumerate() {
            let Some(operator) = word.literal() else { continue };
            if ARITHMETIC.contains(&operator) {
                for side in [place.checked_sub(1), Some(place + 1)].into_iter().flatten() {
                    if let Some(text) = all.get(side).and_then(Word::literal) {
                        self.arithmetic_text(text, scope)?;
                    }
                }
            } else if matches!(operator, "-v" | "-R")
                && let Some(text) = all.get(place + 1).and_then(Word::literal)
            {
                self.arithmetic_text(text, scope)?;
            }
        }
        let status = match all.as_slice() {
            [one] if one.literal().is_some_and(|text| !text.is_empty()) => Status::True,
            _ => Status::Open,
        };
        let mut command = self.blank(source, scope);
        command.words.push(Word::text("[["));
        command.words.extend(all);
        command.words.push(Word::text("]]"));
        self.emit(command)?;
        Ok(Output::silent().with(status))
    }

    pub(super) fn arithmetic_command(&mut self, parts: &[Part], source: &Arc<str>, scope: &Scope) -> Within<Output> {
        let value = self.arithmetic(parts, scope)?;
        self.not_arithmetic(parts, scope)?;
        let mut command = self.blank(source, scope);
        command.words.push(Word::text("(("));
        command.words.push(Word::text(&**source));
        self.emit(command)?;
        let status = match value {
            Some(0) => Status::False,
            Some(_) => Status::True,
            None => Status::Open,
        };
        Ok(Output::silent().with(status))
    }
}
