//! A reservation that was not made: which limit is in the way.

use super::ledger::{Allowance, Wanted};
use crate::report::{Costs, StopReason};
use palanca_core::Message;

/// Which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limited {
    /// Of tokens.
    Tokens,
    /// Of dollars.
    Dollars,
    /// Of model calls.
    Calls,
    /// Of time.
    Time,
    /// Of dollars, which cannot be held because the model's price is not known.
    Price,
}

impl Limited {
    /// How a run ends that meets this limit.
    #[must_use]
    pub const fn reason(self) -> StopReason {
        match self {
            Self::Tokens => StopReason::TokenLimit,
            Self::Dollars | Self::Price => StopReason::BudgetExceeded,
            Self::Calls => StopReason::MaxSteps,
            Self::Time => StopReason::Timeout,
        }
    }
}

/// Whether it stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lasting {
    /// Waiting does not help.
    ForGood,
    /// Others have set aside what they may not need.
    UntilOthersSettle,
}

/// What is in the way of a reservation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what:?} over the limit: {allowance:?}")]
pub struct Over {
    /// Which limit.
    pub what: Limited,
    /// Whether it stays so.
    pub lasting: Lasting,
    /// The limits of the account that says no; it may be one above.
    pub allowance: Allowance,
    /// What that account has used.
    pub spent: Costs,
    /// What was wanted.
    pub wanted: Wanted,
}

impl Over {
    /// The sentence for people: what is left and what was needed.
    #[must_use]
    pub fn message(&self) -> Message {
        let needed = self.wanted.input.saturating_add(self.wanted.least_output);
        match self.what {
            Limited::Tokens => {
                let limit = self.allowance.tokens.unwrap_or(u64::MAX);
                Message::new("agent-over-tokens")
                    .with("limit", limit)
                    .with("left", limit.saturating_sub(self.spent.total_tokens))
                    .with("needed", needed)
            }
            Limited::Dollars => Message::new("agent-over-dollars")
                .with("limit", format!("{}", self.allowance.dollars.unwrap_or(0.0)))
                .with("spent", format!("{:.4}", self.spent.total_cost_usd.unwrap_or(0.0)))
                .with("needed", needed),
            Limited::Price => {
                Message::new("agent-over-unpriced").with("limit", format!("{}", self.allowance.dollars.unwrap_or(0.0)))
            }
            Limited::Calls => Message::new("agent-over-calls").with("limit", self.allowance.calls.unwrap_or(0)),
            Limited::Time => Message::new("agent-reason-timeout"),
        }
    }
}
