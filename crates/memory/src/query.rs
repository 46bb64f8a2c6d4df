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

/// A question: its words without those that say nothing, unless there are no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query(Vec<Term>);

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
        let terms = if telling.is_empty() { others } else { telling };
        if terms.is_empty() { None } else { Some(Self(terms)) }
    }

    /// Its words.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.0
    }

    /// As an expression of SQLite's FTS5 that any of its words in any form satisfies. Words are letters and digits, in quotes,
    /// so nothing in them is an operator.
    #[must_use]
    pub fn expression(&self) -> String {
        let mut all = String::new();
        for term in &self.0 {
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
    fn what_says_nothing_is_left_out_unless_it_is_all() {
        let words = |question| {
            let query = Query::new(question).unwrap();
            query.terms().iter().map(|term| term.forms[0].clone()).collect::<Vec<_>>()
        };
        assert_eq!(words("¿Dónde vive la madre de Ana?"), ["vive", "madre", "ana"]);
        assert_eq!(words("where does Ana's mother live, and where?"), ["ana", "s", "mother", "live"]);
        assert_eq!(words("¿Te gusta el té?"), ["gusta", "te"]);
        assert_eq!(words("who is it"), ["who", "is", "it"]);
        assert_eq!(Query::new(" ¿? \"*\" -- "), None);
        assert!(
            Query::new(&(0..500).map(|word| format!("w{word} ")).collect::<String>()).unwrap().terms().len() == MOST
        );
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
