//! The word that a regular expression cannot match without: found by reading it, never by guessing. What is not understood
//! has none.

/// Shorter words are everywhere.
const SHORTEST: usize = 3;

/// The longest run of plain characters that every match contains, in small letters.
pub(super) fn needed(pattern: &str) -> Option<String> {
    // Flags and named groups change what the rest means.
    if pattern.contains("(?") {
        return None;
    }
    let mut runs = Runs::default();
    let mut characters = pattern.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next()? {
                // Characters by number or by class: what follows belongs to them.
                'x' | 'u' | 'U' | 'p' | 'P' => return None,
                escaped if escaped.is_ascii_alphanumeric() || matches!(escaped, '<' | '>') => runs.end(),
                escaped => runs.push(escaped),
            },
            '[' => {
                runs.end();
                skip_class(&mut characters);
            }
            '(' => {
                runs.end();
                skip_group(&mut characters);
            }
            '|' | ')' => return None,
            '?' | '*' => runs.without_last(),
            '{' => {
                runs.without_last();
                characters.by_ref().find(|end| *end == '}');
            }
            '+' | '.' | '^' | '$' => runs.end(),
            plain => runs.push(plain),
        }
    }
    runs.end();
    (runs.longest.len() >= SHORTEST).then_some(runs.longest)
}

#[derive(Default)]
struct Runs {
    current: String,
    longest: String,
}

impl Runs {
    fn push(&mut self, character: char) {
        if character.is_ascii() {
            self.current.push(character.to_ascii_lowercase());
        } else {
            self.end();
        }
    }

    fn without_last(&mut self) {
        self.current.pop();
        self.end();
    }

    fn end(&mut self) {
        let run = std::mem::take(&mut self.current);
        if run.len() > self.longest.len() {
            self.longest = run;
        }
    }
}

type Characters<'p> = std::iter::Peekable<std::str::Chars<'p>>;

/// To the end of a class whose bracket is open.
fn skip_class(characters: &mut Characters<'_>) {
    characters.next_if_eq(&'^');
    characters.next_if_eq(&']');
    let mut open = 1;
    while open > 0 {
        match characters.next() {
            Some('\\') => {
                characters.next();
            }
            Some('[') => open += 1,
            Some(']') => open -= 1,
            Some(_) => {}
            None => return,
        }
    }
}

/// To the end of a group whose parenthesis is open.
fn skip_group(characters: &mut Characters<'_>) {
    let mut open = 1;
    while open > 0 {
        match characters.next() {
            Some('\\') => {
                characters.next();
            }
            Some('[') => skip_class(characters),
            Some('(') => open += 1,
            Some(')') => open -= 1,
            Some(_) => {}
            None => return,
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
            (r"\x41bcd", None),
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
