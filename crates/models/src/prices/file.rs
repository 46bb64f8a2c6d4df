//! User-defined prices: a JSON object of models, each an object of dollars per million tokens.
//!
//! ```json
//! { "acme-large": { "input": 2.5, "output": 10, "cached_input": 1.25, "cache_write": 3 } }
//! ```
//!
//! `acme*` applies to every model whose name begins with `acme`. The longer names `input_per_million` and so on mean
//! the same. An unknown key, or a missing or negative price, invalidates the whole file, because a run would otherwise
//! be billed by a part of it.

use super::{Price, Prices};
use palanca_core::Message;
use serde_json::{Map, Value};

/// An error in a price file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceFault {
    /// It is not JSON.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The parser's message.
        reason: String,
    },
    /// A part of it is invalid.
    #[error("{at}: {reason:?}")]
    Entry {
        /// `acme-large.input`; empty for the whole.
        at: String,
        /// What is wrong with it.
        reason: EntryFault,
    },
}

/// An error in a part of a price file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryFault {
    /// An object is needed.
    NotAnObject,
    /// A number of at least 0 is needed.
    NotAPrice,
    /// There is no such key.
    UnknownKey,
    /// It must be there.
    Missing,
    /// It is given twice, under two names.
    Twice,
}

impl PriceFault {
    /// The sentence for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Syntax { line, column, reason } => {
                Message::new("prices-not-json").with("line", *line).with("column", *column).with("reason", reason)
            }
            Self::Entry { at, reason } => Message::new(match reason {
                EntryFault::NotAnObject if at.is_empty() => "prices-no-object",
                EntryFault::NotAnObject => "prices-no-entry",
                EntryFault::NotAPrice => "prices-no-price",
                EntryFault::UnknownKey => "prices-unknown-key",
                EntryFault::Missing => "prices-missing",
                EntryFault::Twice => "prices-twice",
            })
            .with("key", at),
        }
    }
}

impl Prices {
    /// Adds the rows of a file's text.
    ///
    /// # Errors
    /// The first error; no row is added then.
    pub fn add_file(&mut self, text: &str) -> Result<(), PriceFault> {
        let whole: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
            PriceFault::Syntax { line: error.line(), column: error.column(), reason }
        })?;
        let Value::Object(models) = whole else { return Err(fault(String::new(), EntryFault::NotAnObject)) };
        let mut rows = Vec::with_capacity(models.len());
        for (name, entry) in models {
            let Value::Object(entry) = entry else { return Err(fault(name, EntryFault::NotAnObject)) };
            rows.push((name.clone(), price(&name, &entry)?));
        }
        rows.into_iter().for_each(|(name, price)| self.set(name, price));
        Ok(())
    }
}

fn fault(at: String, reason: EntryFault) -> PriceFault {
    PriceFault::Entry { at, reason }
}

fn price(model: &str, entry: &Map<String, Value>) -> Result<Price, PriceFault> {
    let (mut input, mut output, mut cached_input, mut cache_write) = (None, None, None, None);
    for (key, value) in entry {
        let at = || format!("{model}.{key}");
        let place = match key.strip_suffix("_per_million").unwrap_or(key) {
            "input" => &mut input,
            "output" => &mut output,
            "cached_input" => &mut cached_input,
            "cache_write" => &mut cache_write,
            _ => return Err(fault(at(), EntryFault::UnknownKey)),
        };
        let Some(dollars) = value.as_f64().filter(|dollars| dollars.is_finite() && *dollars >= 0.0) else {
            return Err(fault(at(), EntryFault::NotAPrice));
        };
        if place.replace(dollars).is_some() {
            return Err(fault(at(), EntryFault::Twice));
        }
    }
    let needed = |price: Option<f64>, key| price.ok_or_else(|| fault(format!("{model}.{key}"), EntryFault::Missing));
    Ok(Price { input: needed(input, "input")?, output: needed(output, "output")?, cached_input, cache_write })
}
