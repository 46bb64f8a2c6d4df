//! The one way to run a tool.
//!
//! Every caller that wants to run a tool submits a [`Call`](crate::Call) here. There is no second way, and the compiler
//! enforces this: a run needs a [`Permit`], and only this module can make one.

mod admit;
mod bound;
mod calls;
mod changed;
mod confirm;
mod dry_run;
mod engine;
mod execute;
mod explain;
mod guardrails;
mod hooks;
mod hops;
mod intake;
mod lanes;
mod network;
mod order;
mod record;
mod resolve;
mod subagents;
mod submit;
mod traced;
mod trail;
mod validate;
mod writes;

pub use crate::ports::CheckedCall;
pub use crate::tool::Permit;
pub use calls::{Calls, CallsHandle};
pub use confirm::ConfirmMode;
pub use dry_run::RunMode;
pub use engine::{Gate, GateBuilder, Limits};
pub use explain::{ExplainedCommand, ExplainedPart, Explanation, StageVerdict};
pub use intake::{Intake, Underway};
pub use lanes::Lanes;
pub use network::NetworkAccess;
pub use order::{CallOrder, Ticket};
pub use subagents::{NoSubagents, Parent, Subagents};

#[cfg(test)]
mod tests;
