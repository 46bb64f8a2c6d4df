//! Telephone numbers, and the file of names for them: a JSON object that people write, too.
//!
//! What stands in it and is no number stays as it is. Names count without regard to letter case.

use serde_json::{Map, Value};
use std::fmt;

/// Digits of a number in international form (ITU-T E.164), with the country's code.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// A telephone number in international form: `+` and its digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhoneNumber(String);

impl PhoneNumber {
    /// Reads one. People write spaces, dots, dashes and brackets between the digits; nothing else, and no number without its
    /// country.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('+')?;
        let between = |character: &char| matches!(character, ' ' | '\u{a0}' | '.' | '-' | '(' | ')');
        let digits: String = digits.chars().filter(|character| !between(character)).collect();
        let is_one = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        (is_one && DIGITS.contains(&digits.len())).then(|| Self(format!("+{digits}")))
    }

    /// As it is called.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PhoneNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contacts(Map<String, Value>);

impl Contacts {
    /// Reads it; nothing at all is a file without contacts.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        serde_json::from_str(text).map(Self).map_err(|error| error.to_string())
    }

    /// As it is written.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(&self.0).unwrap_or_default() + "\n"
    }

    /// What stands under a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&str> {
        let wanted = folded(name);
        self.entries().find(|(known, _)| folded(known) == wanted).map(|(_, number)| number)
    }

    /// Whether somebody has this number.
    #[must_use]
    pub fn has(&self, number: &PhoneNumber) -> bool {
        self.entries().any(|(_, known)| PhoneNumber::parse(known).as_ref() == Some(number))
    }

    /// Names with what stands under them, in the file's order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, number)| Some((name.as_str(), number.as_str()?)))
    }

    /// Sets a contact; returns what stood there. A person may have written the name twice, in other letter case: one is left.
    pub(super) fn set(&mut self, name: &str, number: &PhoneNumber) -> Option<String> {
        let before = self.remove(name);
        while self.remove(name).is_some() {}
        self.0.insert(folded(name), Value::String(number.to_string()));
        before
    }

    /// Takes a contact out; returns what stood there.
    pub(super) fn remove(&mut self, name: &str) -> Option<String> {
        let wanted = folded(name);
        let key = self.0.iter().find(|(known, number)| folded(known) == wanted && number.is_string())?.0.clone();
        self.0.shift_remove(&key)?.as_str().map(str::to_owned)
    }
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests;
