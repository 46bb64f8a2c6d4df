//! Tasks for other agents: starting them, and querying their state.
//!
//! A task is an effect, so it is judged like any other; what the other agent then does is judged call by call. Nothing here
//! knows how agents work: the handle delegates the task, and an answer comes back.

mod answer;
mod collaborate;
mod delegate;
mod dispatch;
mod spawn;
mod status;
mod talks;

pub(crate) use collaborate::Collaborate;
pub(crate) use delegate::DelegateToBot;
pub(crate) use dispatch::DispatchSubagent;
pub(crate) use spawn::{Spawn, SpawnAndWait};
pub(crate) use status::SubagentStatus;
pub use talks::{ALOUD, Talks, gone};
