//! Whether a shell pattern aims at the files of a glob, told from the two patterns alone.
//!
//! Two patterns nearly always have some name in common: `*.rs` and `secrets.*` share `secrets.rs`. So a pattern aims at a
//! glob when they share a name *and* the pattern says something about that name which the glob says too: `sec*`, `*.pem`
//! against `*.pem`, `[s]ecrets.yaml`, but neither `*` nor `*.rs`. What this lets pass, the kernel still keeps closed.

/// A shell pattern, folded, in components.
pub(super) struct Aim<'p> {
    components: Vec<&'p str>,
}

impl<'p> Aim<'p> {
    /// None when the pattern says nothing about the name.
    pub(super) fn new(pattern: &'p str) -> Option<Self> {
        let components: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        components.iter().any(|part| part.chars().any(char::is_alphanumeric)).then_some(Self { components })
    }

    /// Whether the pattern, or a folder on its way, aims at this glob.
    pub(super) fn meets(&self, glob: &str) -> bool {
        let (anywhere, rest) = match glob.strip_prefix("**/") {
            Some(rest) => (true, rest),
            None => (false, glob),
        };
        let wanted: Vec<&str> = rest.split('/').collect();
        let starts = if anywhere { self.components.len() } else { 1 };
        (0..starts).any(|start| {
            let window = self.components.get(start..start + wanted.len()).unwrap_or_default();
            !window.is_empty() && window.iter().zip(&wanted).all(|(word, rule)| component(word, rule))
        })
    }
}

fn component(word: &str, rule: &str) -> bool {
    if word == rule || rule == "**" {
        return true;
    }
    // A pattern of the shell never matches a leading dot that it does not write.
    if rule.starts_with('.') && word.starts_with(['*', '?', '[']) {
        return false;
    }
    // Open where the other is closed: all that they share is invented.
    let crossed = (rule.ends_with('*') && word.starts_with('*')) || (rule.starts_with('*') && word.ends_with('*'));
    let says = word.chars().any(char::is_alphanumeric);
    says && !crossed && common(&tokens(word), &tokens(rule))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Is(char),
    One,
    Any,
}

/// Classes stand for any one character and alternatives for anything: too much rather than too little.
fn tokens(pattern: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        found.push(match character {
            '*' => Token::Any,
            '?' => Token::One,
            '[' => {
                // A class of one character is that character.
                let class: Vec<char> = characters.by_ref().take_while(|end| *end != ']').collect();
                if let [only] = class.as_slice() { Token::Is(*only) } else { Token::One }
            }
            '{' => {
                characters.by_ref().find(|end| *end == '}');
                Token::Any
            }
            '\\' => characters.next().map_or(Token::One, Token::Is),
            other => Token::Is(other),
        });
    }
    found
}

/// Whether some text matches both: a table over what is left of each.
fn common(one: &[Token], other: &[Token]) -> bool {
    let width = other.len() + 1;
    let mut below = vec![false; width];
    for at in (0..=one.len()).rev() {
        let mut row = vec![false; width];
        for beside in (0..width).rev() {
            let down = below.get(beside).copied().unwrap_or_default();
            let right = row.get(beside + 1).copied().unwrap_or_default();
            let both = below.get(beside + 1).copied().unwrap_or_default();
            let here = match (one.get(at), other.get(beside)) {
                (None, None) => true,
                (Some(Token::Any), None) => down,
                (None, Some(Token::Any)) => right,
                (Some(_), None) | (None, Some(_)) => false,
                (Some(Token::Any), Some(_)) | (Some(_), Some(Token::Any)) => down || right || both,
                (Some(Token::Is(a)), Some(Token::Is(b))) => a == b && both,
                (Some(_), Some(_)) => both,
            };
            if let Some(slot) = row.get_mut(beside) {
                *slot = here;
            }
        }
        below = row;
    }
    below.first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_pattern_aims_at_what_it_names() {
        for (pattern, glob, expected) in [
            ("sec*", "**/secrets.*", true),
            ("s?crets.yaml", "**/secrets.*", true),
            ("[s]ecrets.yaml", "**/secrets.yaml", true),
            ("*.yaml", "**/secrets.yaml", true),
            ("*.pem", "**/*.pem", true),
            ("server.p*", "**/*.pem", false),
            ("keys/*.pem", "keys/*.pem", true),
            ("keys/*", "**/keys", true),
            (".e*", "**/.env", true),
            ("src/{a,secrets}.yaml", "**/secrets.yaml", true),
            ("*", "**/secrets.yaml", false),
            ("*.*", "**/secrets.yaml", false),
            ("*.rs", "**/secrets.*", false),
            ("*nv", "**/.env", false),
            ("src/*.rs", "**/*.pem", false),
            ("a*", "b/**", false),
            ("b/a*", "b/**", true),
            ("other/a*", "b/a*", false),
        ] {
            let met = Aim::new(pattern).is_some_and(|aim| aim.meets(glob));
            assert_eq!(met, expected, "{pattern} against {glob}");
        }
    }

    #[test]
    fn common_names_are_found() {
        for (one, other, expected) in [
            ("a*c", "ab*", true),
            ("a*c", "*b", false),
            ("", "", true),
            ("*", "", true),
            ("?", "", false),
            ("*a*", "*b*", true),
            ("ab", "a[bc]", true),
            ("ab", "a[c]", false),
        ] {
            assert_eq!(common(&tokens(one), &tokens(other)), expected, "{one} and {other}");
            assert_eq!(common(&tokens(other), &tokens(one)), expected, "{other} and {one}");
        }
    }
}
