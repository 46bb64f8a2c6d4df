//! A task for another agent: the value that is judged, shown and hashed is the one that the agent receives.

use serde::{Deserialize, Serialize};

/// Whether the call waits for the other agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// Its answer is the call's result.
    ForResult,
    /// The call returns at once; the answer is announced later, where the call came from.
    Background,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Delegation {
    /// What kind of agent works on it: `general`, `explore`, `test`, `review`. It can only narrow what the parent may do.
    pub profile: String,
    /// What to do.
    pub task: String,
    /// What the other agent should know; may be empty.
    pub context: String,
    /// Files to start with, as given. Reading them is judged when the agent does it.
    pub files: Vec<String>,
    /// Whether the call waits.
    pub waiting: Waiting,
}
