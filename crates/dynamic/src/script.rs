//! As much of TypeScript as is needed to tell code from comments and texts: for what a person is shown, not a wall.

/// A source in two layers: code with neither comments nor texts, and the texts themselves.
pub(crate) struct Layers {
    /// Code; a comment is a blank, a text its quotes.
    pub(crate) code: String,
    /// Every text in the code, in order.
    pub(crate) texts: Vec<String>,
}

impl Layers {
    pub(crate) fn of(source: &str) -> Self {
        let mut layers = Self { code: String::with_capacity(source.len()), texts: Vec::new() };
        let characters: Vec<char> = source.chars().collect();
        let mut at = 0;
        // What `${` is in: at each `}` of the same depth the template goes on.
        let mut templates: Vec<usize> = Vec::new();
        let mut depth = 0_usize;
        while let Some(&character) = characters.get(at) {
            let next = characters.get(at + 1).copied();
            match character {
                '/' if next == Some('/') => {
                    at += characters.iter().skip(at).take_while(|one| **one != '\n').count();
                    layers.code.push(' ');
                    continue;
                }
                '/' if next == Some('*') => {
                    let mut end = at + 2;
                    while end < characters.len()
                        && !(characters.get(end) == Some(&'*') && characters.get(end + 1) == Some(&'/'))
                    {
                        end += 1;
                    }
                    layers.code.push(' ');
                    at = end + 2;
                    continue;
                }
                '/' if layers.begins_a_value() => at = layers.text(&characters, at, '/'),
                '\'' | '"' => at = layers.text(&characters, at, character),
                '`' => at = layers.template(&characters, at + 1, (&mut templates, depth)),
                '}' if templates.last() == Some(&depth) => {
                    templates.pop();
                    at = layers.template(&characters, at + 1, (&mut templates, depth));
                }
                _ => {
                    match character {
                        '{' => depth += 1,
                        '}' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    layers.code.push(character);
                    at += 1;
                }
            }
        }
        layers
    }

    /// Whether a slash here would begin a regular expression: after an operator, not after a value.
    fn begins_a_value(&self) -> bool {
        let before = self.code.trim_end();
        let word = before.rsplit(|one: char| !one.is_alphanumeric()).next();
        match before.chars().next_back() {
            None => true,
            Some(last) if last.is_alphanumeric() => matches!(word, Some("return" | "typeof" | "case" | "in" | "of")),
            Some(last) => !matches!(last, ')' | ']' | '}' | '_' | '$' | '"'),
        }
    }

    /// A text up to its quote, or to the end of the line.
    fn text(&mut self, characters: &[char], from: usize, quote: char) -> usize {
        let (mut at, mut text, mut class) = (from + 1, String::new(), false);
        while let Some(&character) = characters.get(at) {
            at += 1;
            match character {
                '\\' => {
                    text.extend(characters.get(at));
                    at += 1;
                }
                '\n' => break,
                _ if character == quote && !class => break,
                _ => {
                    class = quote == '/' && (character == '[' || (class && character != ']'));
                    text.push(character);
                }
            }
        }
        self.code.push_str("\"\"");
        self.texts.push(text);
        at
    }

    /// The text of a template up to its end, or to a `${`.
    fn template(&mut self, characters: &[char], from: usize, (templates, depth): (&mut Vec<usize>, usize)) -> usize {
        let (mut at, mut text) = (from, String::new());
        while let Some(&character) = characters.get(at) {
            at += 1;
            match character {
                '\\' => {
                    text.extend(characters.get(at));
                    at += 1;
                }
                '`' => break,
                '$' if characters.get(at) == Some(&'{') => {
                    at += 1;
                    templates.push(depth);
                    break;
                }
                _ => text.push(character),
            }
        }
        self.code.push_str("\"\"");
        self.texts.push(text);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_texts_are_no_code() {
        for (source, code, texts) in [
            ("a // eval(x)\nb", "a  \nb", vec![]),
            ("a /* eval(x) */ b", "a   b", vec![]),
            ("f('eval(x)')", "f(\"\")", vec!["eval(x)"]),
            ("f(`a${g('b')}c`)", "f(\"\"g(\"\")\"\")", vec!["a", "b", "c"]),
            ("f(`a${ {b: 1} }c`)", "f(\"\" {b: 1} \"\")", vec!["a", "c"]),
            ("x = /['\"]/; y", "x = \"\"; y", vec!["['\"]"]),
            ("x = a / b / c", "x = a / b / c", vec![]),
            ("return /[/]/.test(x)", "return \"\".test(x)", vec!["[/]"]),
            ("'it\\'s'", "\"\"", vec!["it's"]),
            ("'open\nx", "\"\"x", vec!["open"]),
            ("/* open", " ", vec![]),
            ("`open ${", "\"\"", vec!["open "]),
        ] {
            let layers = Layers::of(source);
            assert_eq!(
                (layers.code.as_str(), layers.texts.iter().map(String::as_str).collect()),
                (code, texts),
                "{source}"
            );
        }
    }
}
