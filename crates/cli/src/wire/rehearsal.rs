//! The dry run's additions to a gate: the plan, and a layer over the workspace for commands.

mod layered;
mod plan;

pub use layered::Rehearsal;
pub use plan::Plan;
