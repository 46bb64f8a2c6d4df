//! What a dry run adds to a gate: the list of what would have been done, and a layer over the workspace that commands run under.

mod layered;
mod plan;

pub use layered::rehearsal;
pub use plan::Plan;
