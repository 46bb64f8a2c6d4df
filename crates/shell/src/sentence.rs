//! A sentence as a key and its arguments, for a catalogue of the caller's to turn into any language.

use std::fmt;

/// One sentence: a stable key (`shell-program-unknown`) and the named values that belong into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    key: &'static str,
    args: Vec<(&'static str, String)>,
}

impl Sentence {
    /// The sentence with this key.
    #[must_use]
    pub const fn new(key: &'static str) -> Self {
        Self { key, args: Vec::new() }
    }

    /// Adds the value of `$name`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.args.push((name, value.into()));
        self
    }

    /// The key.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// The named values, in the order in which they were added.
    #[must_use]
    pub fn args(&self) -> &[(&'static str, String)] {
        &self.args
    }
}

/// The values alone, joined by commas: a rule's id says the rest.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (_, value)) in self.args.iter().enumerate() {
            write!(f, "{}{value}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}
