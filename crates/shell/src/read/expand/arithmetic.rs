//! Arithmetic: sums of known numbers, and the substitutions that hide in values that are evaluated again.
//!
//! A variable's value is an expression, too, and the subscript in it is expanded: `x='a[$(id)]'; echo $((x))` runs `id`.
//! Every operator beyond those of sums makes the value unknown.

use super::Quotes;
use crate::command::{UnknownKind, Word};
use crate::read::grammar::{self, tree::Part};
use crate::read::limits::{Within, deeper};
use crate::read::state::{Reach, State, Value};
use crate::read::walk::{Scope, Walker};
use crate::unwrap::words::something;

/// The longest text that is worth computing, and the numbers in it and in the values that it names.
const LONGEST: usize = 512;
const OPERANDS: u32 = 32;
/// Binary operators, loosest first.
const LEVELS: [&[&str]; 3] = [&["+", "-"], &["*", "/", "%"], &["**"]];

impl Walker<'_> {
    /// The value of an arithmetic text.
    pub(in crate::read) fn arithmetic(&mut self, parts: &[Part], scope: &Scope) -> Within<Option<i64>> {
        if let [Part::Quoted(text)] = parts {
            return self.arithmetic_text(text, scope);
        }
        let mut values = Vec::new();
        for choice in self.choices(parts, Quotes::Inside, scope)? {
            values.push(match super::fields::join(choice).literal() {
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
        let mut value = Some(0);
        for one in text.split(',') {
            let target = one.split_once('=').map(|(name, sum)| (name.trim(), sum));
            let target =
                target.filter(|(name, sum)| !name.is_empty() && next_name(name).0 == *name && !sum.starts_with('='));
            let (name, sum) = target.map_or((None, one), |(name, sum)| (Some(name), sum));
            value = evaluate(sum, &self.state, &mut { OPERANDS });
            if value.is_none() && ["=", "++", "--"].iter().any(|sign| sum.contains(sign)) {
                self.changed_names(sum)?;
            }
            if let Some(name) = name {
                self.state.assign(name, vec![Value::Scalar(number(value))], Reach::Shell);
            }
        }
        Ok(value)
    }

    /// Any name in a text like `x++` or `x*=2` may be another number after it.
    fn changed_names(&mut self, text: &str) -> Within<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let (name, after) = next_name(rest);
            rest = after;
            self.budget.step()?;
            if !name.is_empty() {
                self.widen(name, number(None));
            }
        }
        Ok(())
    }

    /// Runs what stands in subscripts of the text and of the values that it names.
    fn hidden_substitutions(&mut self, text: &str, scope: &Scope) -> Within<()> {
        if text.contains("$(") || text.contains('`') || text.contains("${") {
            let parts = grammar::parse_quoted(text, deeper(scope.depth)?, self.budget)?;
            self.choices(&parts, Quotes::Inside, &scope.deeper()?)?;
        }
        let mut rest = text;
        while !rest.is_empty() {
            let (name, after) = next_name(rest);
            rest = after;
            self.budget.copy(name.len())?;
            let Some((values, _)) = self.state.variable(name) else { continue };
            let texts: Vec<String> = values
                .iter()
                .filter_map(Value::literal)
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

/// A value as a word.
fn number(value: Option<i64>) -> Word {
    value.map_or_else(|| something(UnknownKind::Number), |value| Word::text(value.to_string()))
}

/// The first name of a text, and what follows it; no name when there is none any more.
fn next_name(text: &str) -> (&str, &str) {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text.find(|c: char| part(c) && !c.is_ascii_digit()).unwrap_or(text.len());
    let tail = text.get(start..).unwrap_or_default();
    tail.split_at(tail.find(|c| !part(c)).unwrap_or(tail.len()))
}

/// The value of an expression, `None` when anything in it is not known.
fn evaluate(text: &str, state: &State, operands: &mut u32) -> Option<i64> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { rest: text.trim(), state, operands };
    let value = if reader.rest.is_empty() { Some(0) } else { reader.sum(0) };
    value.filter(|_| reader.rest.is_empty())
}

struct Reader<'t, 'o> {
    rest: &'t str,
    state: &'t State,
    operands: &'o mut u32,
}

impl Reader<'_, '_> {
    fn take(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token).map(str::trim_start);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn sum(&mut self, level: usize) -> Option<i64> {
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.sum(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.take(operator)) {
            let right = self.sum(level + 1)?;
            left = match *operator {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                "%" => left.checked_rem(right),
                _ => left.checked_pow(u32::try_from(right).ok()?),
            }?;
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<i64> {
        *self.operands = self.operands.checked_sub(1)?;
        if self.rest.starts_with("--") {
            return None;
        }
        if self.take("-") {
            return self.operand()?.checked_neg();
        }
        if self.take("(") {
            let value = self.sum(0);
            return value.filter(|_| self.take(")"));
        }
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (token, after) = self.rest.split_at(end);
        self.rest = after.trim_start();
        let digits = token.to_ascii_lowercase();
        match (digits.strip_prefix("0x"), token.strip_prefix('0').filter(|octal| !octal.is_empty())) {
            (Some(hexadecimal), _) => i64::from_str_radix(hexadecimal, 16).ok(),
            (_, Some(octal)) => i64::from_str_radix(octal, 8).ok(),
            _ if token.starts_with(|first: char| first.is_ascii_digit()) => token.parse().ok(),
            _ => match self.state.variable(token)? {
                ([Value::Scalar(word)], _) => evaluate(word.literal()?, self.state, self.operands),
                ([Value::Unset], _) => Some(0),
                _ => None,
            },
        }
    }
}
