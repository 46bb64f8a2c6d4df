//! The numbers of one account.
//!
//! Money is counted in whole picodollars, because limits must hold exactly and sums of floating numbers depend on their
//! order: a token of the cheapest models costs a few thousand of them.

use super::ledger::{RequestEstimate, Source};
use crate::report::Costs;
use palanca_models::{Lookup, Usage};

/// In a dollar.
const PICO: f64 = 1e12;

/// Money. Saturates at about eighteen million dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Picodollars(u64);

impl Picodollars {
    /// The most that so much costs, rounded up; nothing where the price is not known.
    pub(super) fn of(price: Lookup, input: u64, output: u64) -> Self {
        match price {
            Lookup::Unknown => Self(0),
            Lookup::Known(price) => Self::up(price.at_most(input, output)),
        }
    }

    /// A limit, rounded up: a budget of so many dollars and cents is never a picodollar too small.
    pub(super) fn of_limit(dollars: f64) -> Self {
        Self::up(dollars)
    }

    /// Not negative, and what is no number is nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn up(dollars: f64) -> Self {
        // The noise of a sum that was computed in floating point is no picodollar.
        Self((dollars * PICO - 1e-3).ceil() as u64)
    }

    #[allow(clippy::cast_precision_loss)]
    pub(super) fn dollars(self) -> f64 {
        self.0 as f64 / PICO
    }

    pub(super) fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Tokens at so many dollars a million.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(super) fn buys(self, per_million: f64) -> Option<u64> {
        if per_million <= 0.0 {
            return Some(u64::MAX);
        }
        // A little less, so that rounding never buys a token too many.
        Some((self.dollars() * 1e6 / per_million - 1e-6).floor() as u64)
    }
}

/// What is set aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) tokens: u64,
    pub(super) money: Picodollars,
    pub(super) calls: u32,
}

impl Held {
    pub(super) fn of(estimate: &RequestEstimate, output: u64) -> Self {
        let tokens = estimate.input.saturating_add(output);
        Self { tokens, money: Picodollars::of(estimate.price, estimate.input, output), calls: 1 }
    }
}

#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) costs: Costs,
    pub(super) money: Picodollars,
    pub(super) calls: u32,
    pub(super) held: Held,
}

impl Account {
    pub(super) fn new(costs: Costs, calls: u32) -> Self {
        let money = costs.total_cost_usd.map_or(Picodollars(0), Picodollars::up);
        Self { costs, money, calls, held: Held::default() }
    }

    /// Tokens, those that are set aside included.
    pub(super) fn tokens(&self) -> u64 {
        self.costs.total_tokens.saturating_add(self.held.tokens)
    }

    /// Money, that which is set aside included.
    pub(super) fn money_and_held(&self) -> Picodollars {
        Picodollars(self.money.0.saturating_add(self.held.money.0))
    }

    pub(super) fn hold(&mut self, more: &Held) {
        let held = &mut self.held;
        held.tokens = held.tokens.saturating_add(more.tokens);
        held.money.0 = held.money.0.saturating_add(more.money.0);
        held.calls = held.calls.saturating_add(more.calls);
    }

    pub(super) fn release(&mut self, less: &Held) {
        let held = &mut self.held;
        held.tokens = held.tokens.saturating_sub(less.tokens);
        held.money.0 = held.money.0.saturating_sub(less.money.0);
        held.calls = held.calls.saturating_sub(less.calls);
    }

    pub(super) fn enter(&mut self, source: Source, usage: &Usage, dollars: Option<f64>) {
        self.calls = self.calls.saturating_add(1);
        if let Some(dollars) = dollars {
            self.money.0 = self.money.0.saturating_add(Picodollars::up(dollars).0);
        }
        self.costs.add(source, usage, dollars);
    }
}

impl Costs {
    /// Adds one model call; `dollars` is none where the price is not known.
    pub(crate) fn add(&mut self, source: Source, usage: &Usage, dollars: Option<f64>) {
        self.total_input_tokens = self.total_input_tokens.saturating_add(usage.input);
        self.total_output_tokens = self.total_output_tokens.saturating_add(usage.output);
        self.total_cached_tokens = self.total_cached_tokens.saturating_add(usage.cached);
        self.total_tokens = self.total_input_tokens.saturating_add(self.total_output_tokens);
        if let Some(dollars) = dollars {
            *self.total_cost_usd.get_or_insert(0.0) += dollars;
            let of_source = match source {
                Source::Agent => &mut self.by_source.agent,
                Source::Summary => &mut self.by_source.summary,
                Source::Subagent => &mut self.by_source.subagent,
            };
            *of_source.get_or_insert(0.0) += dollars;
        }
    }
}
