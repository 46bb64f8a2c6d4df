//! The limits of a run (steps, tokens, dollars, time) and its usage.
//!
//! Every model call reserves its maximum cost before it is made, in the account of its run and in those of its parents; actual
//! cost is recorded afterwards. The limit of steps is the agent's and is counted by the loop.

mod account;
mod deadline;
mod forecast;
mod ledger;
mod line;
mod over;

pub(crate) use deadline::Deadline;
pub(crate) use forecast::Forecast;
pub use ledger::{Allowance, Ledger, RequestEstimate, Reservation, Source};
pub use line::summary_line;
pub use over::{Lasting, Limited, Over};

use std::time::Duration;
use tokio::time::Instant;

/// The limits of one run. Not set: no limit. The limit of steps is the agent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Tokens read and written, over all model calls.
    pub max_total_tokens: Option<u64>,
    /// Dollars. A model whose price is not known is not asked then.
    pub budget_usd: Option<f64>,
    /// Dollars at which a warning is given.
    pub warn_at_usd: Option<f64>,
    /// The whole run, from start to end. Tools end a tenth earlier (fifteen seconds at most).
    pub timeout: Option<Duration>,
    /// Tokens of one answer; the provider's own limit where not set, or 8,192 where tokens or dollars are limited.
    pub max_output_tokens: Option<u32>,
    /// Calls of one answer that run side by side; 1 for one after another.
    pub parallel: usize,
}

impl Limits {
    /// The account of a run with these limits that begins now.
    #[must_use]
    pub fn allowance(&self) -> Allowance {
        Allowance {
            tokens: self.max_total_tokens,
            dollars: self.budget_usd,
            calls: None,
            deadline: self.timeout.and_then(|limit| Instant::now().checked_add(limit)),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_total_tokens: None,
            budget_usd: None,
            warn_at_usd: None,
            timeout: None,
            max_output_tokens: None,
            parallel: 4,
        }
    }
}
