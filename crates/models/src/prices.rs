//! Token prices. A model that is not in the table has no price: nothing is guessed.
//!
//! A row applies to its own name and for that name's dated snapshots: `gpt-4o-mini-2024-07-18` is billed as `gpt-4o-mini`, but
//! neither `gpt-4o-audio` as `gpt-4o` nor `claude-opus-4-9` as anything. A family has a price only if a row ends with `*` (`acme*`). The longest row wins.

mod file;
mod table;

pub use file::PriceFault;
pub use table::PUBLISHED;

use crate::event::Usage;
use crate::spec::{ModelSpec, Provider};
use std::collections::BTreeMap;

/// USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
    /// Read from the provider's cache; as `input` if absent.
    pub cached_input: Option<f64>,
    /// Read and written to the provider's cache; as `input` if absent.
    pub cache_write: Option<f64>,
}

impl Price {
    /// A free model.
    pub const FREE: Self = Self::new(0.0, 0.0);

    /// A price that is the same whether the input is cached or not.
    #[must_use]
    pub const fn new(input: f64, output: f64) -> Self {
        Self { input, output, cached_input: None, cache_write: None }
    }

    /// Whether it costs nothing.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.input <= 0.0 && self.output <= 0.0
    }

    /// Fresh input, cache reads, cache writes and output, each at its own price, in USD.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        let written = usage.cache_written.min(usage.input - cached);
        let fresh = usage.input - cached - written;
        let read_price = self.cached_input.unwrap_or(self.input);
        let write_price = self.cache_write.unwrap_or(self.input);
        let input = tokens(fresh) * self.input + tokens(cached) * read_price + tokens(written) * write_price;
        (input + tokens(usage.output) * self.output) / 1_000_000.0
    }

    /// The maximum cost of this many tokens in USD, whatever the provider reads from its cache or writes to it.
    #[must_use]
    pub fn at_most(&self, input: u64, output: u64) -> f64 {
        let dearest = [self.cached_input, self.cache_write].into_iter().flatten().fold(self.input, f64::max);
        (tokens(input) * dearest + tokens(output) * self.output) / 1_000_000.0
    }
}

/// Exact up to 2^53 tokens.
#[allow(clippy::cast_precision_loss)]
const fn tokens(count: u64) -> f64 {
    count as f64
}

/// The table's answer for a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lookup {
    /// This.
    Known(Price),
    /// Nothing.
    Unknown,
}

/// The cost of an exchange.
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

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    price: Price,
    origin: PriceOrigin,
}

/// Where a price comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceOrigin {
    /// The built-in table, as this provider published it ([`PUBLISHED`]).
    Published(&'static str),
    /// Added by the operator.
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    On,
    Off,
}

impl Default for Prices {
    fn default() -> Self {
        let rows = table::ROWS.into_iter().map(|row| {
            let table::Published { maker, model, input, output, cache_read, cache_write } = row;
            let price = Price { input, output, cached_input: Some(cache_read), cache_write };
            (model.to_owned(), Row { price, origin: PriceOrigin::Published(maker) })
        });
        Self { rows: rows.collect(), counting: Counting::On }
    }
}

impl Prices {
    /// A table for a run whose costs are not counted: no model has a price, and none is required.
    #[must_use]
    pub const fn off() -> Self {
        Self { rows: BTreeMap::new(), counting: Counting::Off }
    }

    /// Whether costs are counted.
    #[must_use]
    pub fn are_counted(&self) -> bool {
        self.counting == Counting::On
    }

    /// Adds or replaces a row. A name that ends in `*` applies to every model whose name begins with the part before
    /// it.
    pub fn set(&mut self, name: impl Into<String>, price: Price) {
        self.rows.insert(name.into(), Row { price, origin: PriceOrigin::Own });
    }

    /// Every row, by name.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Price, PriceOrigin)> {
        self.rows.iter().map(|(name, row)| (name.as_str(), row.price, row.origin))
    }

    /// The price of a model as a [`Model`](crate::Model) calls itself.
    #[must_use]
    pub fn named(&self, name: &str) -> Lookup {
        name.parse::<ModelSpec>().map_or_else(|_| self.lookup(name), |spec| self.of(&spec))
    }

    /// The price of a provider's model. `vendor/model` is looked up unchanged, then as `model`; a published price only
    /// if the vendor published it.
    #[must_use]
    pub fn lookup(&self, model: &str) -> Lookup {
        let bare = || {
            let (vendors, bare) = model.rsplit_once('/')?;
            let vendor = vendors.rsplit('/').next();
            self.row(bare).filter(|row| match row.origin {
                PriceOrigin::Own => true,
                PriceOrigin::Published(maker) => vendor == Some(maker),
            })
        };
        self.row(model).or_else(bare).map_or(Lookup::Unknown, |row| Lookup::Known(row.price))
    }

    /// The price of a model as `--model` names it: local and recorded models cost nothing.
    #[must_use]
    pub fn of(&self, spec: &ModelSpec) -> Lookup {
        let own = self.row(&spec.to_string()).or_else(|| self.row(&spec.name)).map(|row| row.price);
        match spec.provider {
            _ if !self.are_counted() => Lookup::Unknown,
            // A subscription or a key pays for it, and its own words around a request are not known.
            Provider::ClaudeCli => self.row(&spec.to_string()).map_or(Lookup::Unknown, |row| Lookup::Known(row.price)),
            Provider::Ollama | Provider::Replay => Lookup::Known(own.unwrap_or(Price::FREE)),
            _ => own.map_or_else(|| self.lookup(&spec.name), Lookup::Known),
        }
    }

    /// Whether this model is paid by its tokens at a price that is not known.
    #[must_use]
    pub fn lack(&self, name: &str) -> bool {
        let by_tokens = |spec: ModelSpec| spec.provider != Provider::ClaudeCli;
        self.are_counted() && self.named(name) == Lookup::Unknown && name.parse().map_or(true, by_tokens)
    }

    /// The cost of the exchange.
    #[must_use]
    pub fn cost(&self, spec: &ModelSpec, usage: &Usage) -> Cost {
        match self.of(spec) {
            Lookup::Known(price) => Cost::Usd(price.cost(usage)),
            Lookup::Unknown => Cost::Unknown,
        }
    }

    fn row(&self, model: &str) -> Option<&Row> {
        let matching = self.rows.iter().filter(|(name, _)| match name.strip_suffix('*') {
            Some(family) => model.starts_with(family),
            None => model.strip_prefix(name.as_str()).is_some_and(is_snapshot),
        });
        matching
            .max_by_key(|(name, _)| name.trim_end_matches('*').len() * 2 + usize::from(!name.ends_with('*')))
            .map(|(_, row)| row)
    }
}

/// Whether the rest of a name says which snapshot of the model it is: nothing, `-latest`, `-20250929`, `@20250929`,
/// `-2025-09-29`. A further version (`-2`) is another model.
fn is_snapshot(rest: &str) -> bool {
    let Some(date) = rest.strip_prefix(['-', '@']) else { return rest.is_empty() };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match date.split('-').collect::<Vec<_>>().as_slice() {
        [word] => *word == "latest" || (word.len() == 8 && digits(word)),
        [year, month, day] => {
            (year.len(), month.len(), day.len()) == (4, 2, 2) && digits(year) && digits(month) && digits(day)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
