//! The word that a regular expression cannot match without, told from its syntax.

use regex_syntax::hir::{Hir, HirKind};

/// Shorter words are everywhere.
const SHORTEST: usize = 3;

/// The longest run of plain characters that every match contains, in small letters.
pub(super) fn needed(pattern: &str) -> Option<String> {
    let mut runs = Runs::default();
    runs.read(&regex_syntax::parse(pattern).ok()?);
    runs.end();
    (runs.longest.len() >= SHORTEST).then_some(runs.longest)
}

#[derive(Default)]
struct Runs {
    current: String,
    longest: String,
}

impl Runs {
    fn read(&mut self, part: &Hir) {
        match part.kind() {
            HirKind::Literal(literal) => literal.0.iter().for_each(|byte| match byte.is_ascii() {
                true => self.current.push(char::from(byte.to_ascii_lowercase())),
                false => self.end(),
            }),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.read(part)),
            HirKind::Capture(group) => self.read(&group.sub),
            HirKind::Repetition(again) if again.min > 0 => {
                self.read(&again.sub);
                self.end();
            }
            _ => self.end(),
        }
    }

    fn end(&mut self) {
        let run = std::mem::take(&mut self.current);
        if run.len() > self.longest.len() {
            self.longest = run;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        for (pattern, expected) in [
            (r"git\s+push", Some("push")),
            (r"Eval\(", Some("eval(")),
            ("abc?", None),
            ("abcd?", Some("abc")),
            ("abcd{0,2}ef", Some("abc")),
            ("abcd+", Some("abcd")),
            ("abc|def", None),
            ("(abc|def)ghi", Some("ghi")),
            ("[abc]defg[]hijkl]", Some("defg")),
            ("[[:alpha:]xyz]ab", None),
            (r"\x41bcd", Some("abcd")),
            (r"\bword\b", Some("word")),
            ("(?i)word", None),
            ("^import os$", Some("import os")),
            ("a.c", None),
            ("Straße", Some("stra")),
        ] {
            assert_eq!(needed(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
