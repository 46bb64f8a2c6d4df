//! Subagents: their profiles, their number, their permissions, their results.
//!
//! A subagent is a [`Turn`](crate::Turn) like any other, over the same gate: same guards, rules, hooks, budget and session,
//! with a ceiling added and never one removed. The surprising decision: its calls carry its parent's session, so
//! that reads, changes and repetitions count for all agents of a session; only the conversation is its own.

mod board;
mod ceiling;
mod home;
mod pool;
mod profile;
mod work;

pub use home::headline;
pub use pool::{Asked, Models, OtherBots, SubagentParts, SubagentPool, Watch};
pub use profile::Profile;

use std::time::Duration;

/// What bounds the subagents of one process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubagentLimits {
    /// Levels below the first agent. 3 unless set; 0 for no subagents.
    pub depth: u8,
    /// Subagents that work at the same time for one parent. 5 unless set.
    pub at_once: usize,
    /// How long a call waits for a place. 30 s unless set.
    pub patience: Duration,
    /// The longest work on one task. Five minutes unless set.
    pub timeout: Duration,
    /// Model calls on one task. 15 unless set.
    pub steps: u32,
    /// Tokens of one task, in and out. What the parent has left unless set.
    pub tokens: Option<u64>,
    /// Dollars of one task. What the parent has left unless set.
    pub dollars: Option<f64>,
}

impl Default for SubagentLimits {
    fn default() -> Self {
        Self {
            depth: 3,
            at_once: 5,
            patience: Duration::from_secs(30),
            timeout: Duration::from_secs(5 * 60),
            steps: 15,
            tokens: None,
            dollars: None,
        }
    }
}
