//! Who asked for a call.

use super::ids::TaskId;
use serde::{Deserialize, Serialize};

/// Who asked. Set by the submitting side, never taken from the arguments.
///
/// Set in a [`Call`](super::Call); see its example.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Origin {
    /// A person at a keyboard or a button.
    #[default]
    Person,
    /// A model's turn in an agent's own loop.
    Model {
        /// The step of the loop, from 1.
        step: u32,
    },
    /// A model's turn in an agent that another agent started.
    Subagent {
        /// 1 for a child of the first agent.
        depth: u8,
        /// The task that it works on.
        task: TaskId,
    },
    /// A hook that calls tools.
    Hook {
        /// The hook's name.
        name: String,
    },
}
