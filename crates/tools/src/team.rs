//! Tasks for other agents: giving them, and asking how they stand.
//!
//! A task is an effect, so it is judged like any other; what the other agent then does is judged call by call. Nothing here
//! knows how agents work: the handle gives the task away, and an answer comes back.

mod answer;
mod dispatch;
mod spawn;
mod status;

pub(crate) use dispatch::DispatchSubagent;
pub(crate) use spawn::Spawn;
pub(crate) use status::SubagentStatus;
