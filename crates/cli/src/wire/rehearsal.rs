//! What a dry run adds to a gate: the list of what would have been done, and a copy of the workspace that commands run in.

mod copy;
mod plan;

pub use copy::rehearsal;
pub use plan::Plan;
