//! What tokens cost. A model that is not in the table has no price: nothing is guessed.
//!
//! The longest entry wins. Of the built-in ones only a date, a version or `latest` may follow it: `gpt-4o-mini-2024-07-18`
//! is billed as `gpt-4o-mini`, and neither `gpt-5` nor `gpt-4o-audio` as `gpt-4o`. An entry that somebody added holds for
//! every model whose name goes on behind it with a new part: whoever writes `acme` means all of that family.

mod file;

use crate::event::Usage;
use crate::spec::{ModelSpec, Provider};
use std::collections::BTreeMap;

/// USD for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from the provider's cache; as `input` where absent.
    pub cached_input: Option<f64>,
}

impl Price {
    /// A model that runs for nothing.
    pub const FREE: Self = Self { input: 0.0, output: 0.0, cached_input: None };

    /// Whether it costs nothing.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.input <= 0.0 && self.output <= 0.0
    }

    /// `(input − cached) · in + cached · cached_in + output · out`, in USD.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        let fresh = usage.input - cached;
        let cached_price = self.cached_input.unwrap_or(self.input);
        (tokens(fresh) * self.input + tokens(cached) * cached_price + tokens(usage.output) * self.output) / 1_000_000.0
    }
}

/// Exact up to 2^53 tokens.
#[allow(clippy::cast_precision_loss)]
const fn tokens(count: u64) -> f64 {
    count as f64
}

/// What the table says of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lookup {
    /// This.
    Known(Price),
    /// Nothing.
    Unknown,
}

/// What an exchange cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// USD.
    Usd(f64),
    /// The model has no price.
    Unknown,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    rows: BTreeMap<String, Row>,
    counting: Counting,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    price: Price,
    reach: Reach,
}

/// Which names a row holds for, beside its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Versions,
    Family,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    On,
    Off,
}

pub use file::PriceFault;

/// Published prices: model, input, output, cached input.
const BUILT_IN: [(&str, f64, f64, f64); 10] = [
    ("gpt-4o", 2.5, 10.0, 1.25),
    ("gpt-4o-mini", 0.15, 0.6, 0.075),
    ("gpt-4.1", 2.0, 8.0, 0.5),
    ("gpt-4.1-mini", 0.4, 1.6, 0.1),
    ("gpt-4.1-nano", 0.1, 0.4, 0.025),
    ("o1", 15.0, 60.0, 7.5),
    ("o3-mini", 1.1, 4.4, 0.55),
    ("claude-opus-4-6", 15.0, 75.0, 1.5),
    ("claude-sonnet-4-6", 3.0, 15.0, 0.3),
    ("claude-haiku-4-5", 0.8, 4.0, 0.08),
];

impl Default for Prices {
    fn default() -> Self {
        let rows = BUILT_IN.into_iter().map(|(name, input, output, cached)| {
            let price = Price { input, output, cached_input: Some(cached) };
            (name.to_owned(), Row { price, reach: Reach::Versions })
        });
        Self { rows: rows.collect(), counting: Counting::On }
    }
}

impl Prices {
    /// A table for a run whose costs are not counted: nothing has a price, and nobody asks for one.
    #[must_use]
    pub const fn off() -> Self {
        Self { rows: BTreeMap::new(), counting: Counting::Off }
    }

    /// Whether costs are counted.
    #[must_use]
    pub fn are_counted(&self) -> bool {
        self.counting == Counting::On
    }

    /// Adds or replaces a row; the name may be the beginning of a model's name.
    pub fn set(&mut self, name: impl Into<String>, price: Price) {
        self.rows.insert(name.into(), Row { price, reach: Reach::Family });
    }

    /// The price of a model as a [`Model`](crate::Model) calls itself.
    #[must_use]
    pub fn named(&self, name: &str) -> Lookup {
        name.parse::<ModelSpec>().map_or_else(|_| self.lookup(name), |spec| self.of(&spec))
    }

    /// The price of a provider's model; `vendor/model` is looked up as it is, then as `model`.
    #[must_use]
    pub fn lookup(&self, model: &str) -> Lookup {
        let bare = model.rsplit('/').next().unwrap_or(model);
        [model, bare].into_iter().find_map(|name| self.row(name)).map_or(Lookup::Unknown, Lookup::Known)
    }

    /// The price of a model as `--model` names it: what runs here, or was recorded, costs nothing.
    #[must_use]
    pub fn of(&self, spec: &ModelSpec) -> Lookup {
        let own = self.row(&spec.to_string()).or_else(|| self.row(&spec.name));
        match spec.provider {
            _ if !self.are_counted() => Lookup::Unknown,
            Provider::Ollama | Provider::Replay => Lookup::Known(own.unwrap_or(Price::FREE)),
            _ => own.map_or_else(|| self.lookup(&spec.name), Lookup::Known),
        }
    }

    /// What the exchange cost.
    #[must_use]
    pub fn cost(&self, spec: &ModelSpec, usage: &Usage) -> Cost {
        match self.of(spec) {
            Lookup::Known(price) => Cost::Usd(price.cost(usage)),
            Lookup::Unknown => Cost::Unknown,
        }
    }

    fn row(&self, model: &str) -> Option<Price> {
        self.rows
            .iter()
            .filter(|(name, row)| {
                model.strip_prefix(name.as_str()).is_some_and(|rest| match row.reach {
                    Reach::Versions => is_version(rest),
                    Reach::Family => !rest.starts_with(|next: char| next.is_alphanumeric()),
                })
            })
            .max_by_key(|(name, _)| name.len())
            .map(|(_, row)| row.price)
    }
}

/// Whether the rest of a name leaves the model the same.
fn is_version(rest: &str) -> bool {
    rest.is_empty()
        || rest
            .strip_prefix(['-', '@', ':'])
            .is_some_and(|version| version == "latest" || version.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
