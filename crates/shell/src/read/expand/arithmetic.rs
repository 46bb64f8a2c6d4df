//! Arithmetic: values that are evaluated again, and the substitutions that hide in them.
//!
//! A variable's value is an expression, too, and the subscript in it is expanded: `x='a[$(id)]'; echo $((x))` runs `id`.

use super::Quotes;
use super::number::{Names, evaluate};
use crate::command::Word;
use crate::read::grammar::{self, tree::Part};
use crate::read::limits::{Within, deeper};
use crate::read::state::{Reach, State, Value};
use crate::read::walk::{Scope, Walker};

impl Walker<'_> {
    /// The value of an arithmetic text.
    pub(in crate::read) fn arithmetic(&mut self, parts: &[Part], scope: &Scope) -> Within<Option<i64>> {
        if let [Part::Quoted(text)] = parts {
            return self.arithmetic_text(text, scope);
        }
        let choices = self.choices(parts, Quotes::Inside, scope)?;
        let mut values = Vec::new();
        for choice in choices {
            let word = super::fields::join(choice);
            values.push(match word.literal() {
                Some(text) => self.arithmetic_text(text, scope)?,
                None => None,
            });
        }
        values.dedup();
        Ok(if values.len() == 1 { values.pop().flatten() } else { None })
    }

    /// The value of a text that is already expanded.
    pub(in crate::read) fn arithmetic_text(&mut self, text: &str, scope: &Scope) -> Within<Option<i64>> {
        self.budget.step()?;
        self.hidden_substitutions(text, scope)?;
        let mut names = Known { state: &mut self.state, depth: 0 };
        Ok(evaluate(text, &mut names))
    }

    /// Runs what stands in subscripts of the text and of the values that it names.
    fn hidden_substitutions(&mut self, text: &str, scope: &Scope) -> Within<()> {
        if text.contains("$(") || text.contains('`') || text.contains("${") {
            let parts = grammar::parse_quoted(text, deeper(scope.depth)?, self.budget)?;
            self.choices(&parts, Quotes::Inside, &scope.deeper()?)?;
        }
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let tail = rest.get(start..).unwrap_or_default();
            let end = tail.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(tail.len());
            let (name, after) = tail.split_at(end);
            rest = after;
            self.budget.copy(name.len())?;
            let Some((values, _)) = self.state.variable(name) else { continue };
            let texts: Vec<String> = values
                .iter()
                .filter_map(|value| match value {
                    Value::Scalar(word) => word.literal(),
                    _ => None,
                })
                .filter(|value| value.contains(['[', '`', '$']) || value.starts_with(char::is_alphabetic))
                .filter(|value| *value != text)
                .map(str::to_owned)
                .collect();
            for value in texts {
                let inner = scope.deeper()?;
                self.hidden_substitutions(&value, &inner)?;
            }
        }
        Ok(())
    }
}

struct Known<'s> {
    state: &'s mut State,
    depth: u32,
}

impl Names for Known<'_> {
    fn value(&mut self, name: &str) -> Option<i64> {
        let text = match self.state.variable(name)? {
            ([Value::Scalar(word)], _) => word.literal()?.to_owned(),
            ([Value::Unset], _) => return Some(0),
            _ => return None,
        };
        if self.depth > 4 {
            return None;
        }
        self.depth += 1;
        let value = evaluate(&text, self);
        self.depth -= 1;
        value
    }

    fn assign(&mut self, name: &str, value: Option<i64>) {
        let word = value.map_or_else(crate::read::state::unknown_word, |value| Word::text(value.to_string()));
        self.state.assign(name, vec![Value::Scalar(word)], Reach::Shell);
    }
}
