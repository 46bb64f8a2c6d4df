//! What is looked for: the words of a question, each in all its forms.

use crate::words::{Stems, each_word, is_stop_word};
use std::fmt::Write as _;

/// Characters of a question.
pub const LONGEST_QUERY: usize = 1_000;
/// Words that are looked for; a question has fewer.
const MOST: usize = 48;
/// Letters from which on a word is found as the beginning of a longer one, too.
const BEGINNING: usize = 4;

/// One word of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The folded word first, then its stems.
    pub forms: Vec<String>,
}

impl Term {
    /// The word itself, where longer ones that begin with it count, too.
    pub(crate) fn beginning(&self) -> Option<&str> {
        self.forms.first().filter(|word| word.chars().count() >= BEGINNING).map(String::as_str)
    }
}

/// A question: the words that say something, then those that are in every text. Without any of the former, the latter are what is
/// looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    terms: Vec<Term>,
    /// How many of them say something.
    telling: usize,
}

impl Query {
    /// The words of a question; none where it has none.
    #[must_use]
    pub fn new(question: &str) -> Option<Self> {
        let mut stems = Stems::default();
        let (mut telling, mut others) = (Vec::<Term>::new(), Vec::<Term>::new());
        each_word(question, |word| {
            let forms = stems.forms(word).to_vec();
            let plain = forms.first().map(String::as_str).unwrap_or_default();
            let terms = if is_stop_word(word, plain) { &mut others } else { &mut telling };
            if !plain.is_empty() && terms.len() < MOST && terms.iter().all(|term| term.forms != forms) {
                terms.push(Term { forms });
            }
        });
        let count = if telling.is_empty() { others.len() } else { telling.len() };
        telling.append(&mut others);
        (count > 0).then_some(Self { terms: telling, telling: count })
    }

    /// Its words.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Those that a passage must have one of.
    pub(crate) fn telling(&self) -> &[Term] {
        self.terms.get(..self.telling).unwrap_or_default()
    }

    /// As an expression of SQLite's FTS5 that any of its telling words in any form satisfies. Words are letters and digits, in quotes,
    /// so nothing in them is an operator.
    #[must_use]
    pub fn expression(&self) -> String {
        let mut all = String::new();
        for term in self.telling() {
            for form in &term.forms {
                let or = if all.is_empty() { "" } else { " OR " };
                // ignored: writing to a String cannot fail.
                let _ = write!(all, "{or}\"{form}\"");
            }
            if let Some(word) = term.beginning() {
                // ignored: as above.
                let _ = write!(all, " OR \"{word}\" *");
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_says_little_is_looked_for_only_if_it_is_all() {
        let words = |question| {
            let query = Query::new(question).unwrap();
            let words = |terms: &[Term]| terms.iter().map(|term| term.forms[0].clone()).collect::<Vec<_>>();
            (words(query.telling()), words(query.terms()).split_off(query.telling().len()))
        };
        let both = |telling: &[&str], others: &[&str]| {
            let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
            (owned(telling), owned(others))
        };
        let expected = both(&["vive", "madre", "ana"], &["donde", "la", "de"]);
        assert_eq!(words("¿Dónde vive la madre de Ana?"), expected);
        let expected = both(&["ana", "s", "mother", "live"], &["where", "does", "and"]);
        assert_eq!(words("where does Ana's mother live, and where?"), expected);
        assert_eq!(words("¿Te gusta el té?"), both(&["gusta", "te"], &["te", "el"]));
        assert_eq!(words("who is it"), both(&["who", "is", "it"], &[]));
        assert_eq!(Query::new("the tea").unwrap().expression(), "\"tea\"");
        assert_eq!(Query::new(" ¿? \"*\" -- "), None);
        let long = Query::new(&(0..500).map(|word| format!("w{word} ")).collect::<String>()).unwrap();
        assert_eq!(long.terms().len(), MOST);
    }

    proptest! {
        #[test]
        fn an_expression_is_quoted_words(question in ".{0,80}") {
            if let Some(query) = Query::new(&question) {
                for part in query.expression().split(" OR ") {
                    let part = part.strip_suffix(" *").unwrap_or(part);
                    let word = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
                    prop_assert!(!word.is_empty() && !word.contains('"'), "{}", part);
                }
            }
        }
    }
}
