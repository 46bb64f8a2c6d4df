//! A refused reservation: the limit that it would exceed.

use super::ledger::Allowance;
use crate::report::StopReason;
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
    /// Tokens that are used there.
    pub used_tokens: u64,
    /// Dollars that are used there.
    pub used_dollars: f64,
    /// Tokens that were needed at least.
    pub needed: u64,
}

impl Over {
    /// The sentence for people: what is left and what was needed.
    #[must_use]
    pub fn message(&self) -> Message {
        match self.what {
            Limited::Tokens => {
                let limit = self.allowance.tokens.unwrap_or(u64::MAX);
                Message::new("agent-over-tokens")
                    .with("limit", limit)
                    .with("left", limit.saturating_sub(self.used_tokens))
                    .with("needed", self.needed)
            }
            Limited::Dollars => Message::new("agent-over-dollars")
                .with("limit", format!("{}", self.allowance.dollars.unwrap_or(0.0)))
                .with("spent", format!("{:.4}", self.used_dollars))
                .with("needed", self.needed),
            Limited::Price => {
                Message::new("agent-over-unpriced").with("limit", format!("{}", self.allowance.dollars.unwrap_or(0.0)))
            }
            Limited::Calls => Message::new("agent-over-calls").with("limit", self.allowance.calls.unwrap_or(0)),
            Limited::Time => Message::new("agent-reason-timeout"),
        }
    }
}
