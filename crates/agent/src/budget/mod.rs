//! What a run may use: steps, tokens, dollars, time; and what it has used.
//!
//! Limits are checked before every model call and after it. Nothing is reserved beforehand, so one call may go over a
//! limit, and no second one follows it.

mod deadline;
mod ledger;

pub(crate) use deadline::Deadline;
pub use ledger::summary_line;
pub(crate) use ledger::{Ledger, Source};

use std::time::Duration;

/// The limits of one run. Not set: no limit. The limit of steps is the agent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Tokens read and written, over all model calls.
    pub max_total_tokens: Option<u64>,
    /// Dollars. Cannot be held for a model whose price is not known; that is said.
    pub budget_usd: Option<f64>,
    /// Dollars at which a warning is given.
    pub warn_at_usd: Option<f64>,
    /// The whole run, from start to end. Tools end a tenth earlier (fifteen seconds at most).
    pub timeout: Option<Duration>,
    /// Tokens of one answer; the provider's own limit where not set.
    pub max_output_tokens: Option<u32>,
    /// Calls of one answer that run side by side; 1 for one after another.
    pub parallel: usize,
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
