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

/// Before the id of a bot in a profile.
const BOT: &str = "bot:";

impl Delegation {
    /// The profile of the bot of this id.
    #[must_use]
    pub fn profile_of_bot(id: &str) -> String {
        format!("{BOT}{id}")
    }

    /// A message to another bot, whose answer is waited for.
    #[must_use]
    pub fn to_bot(id: &str, message: impl Into<String>) -> Self {
        Self {
            profile: Self::profile_of_bot(id),
            task: message.into(),
            context: String::new(),
            files: Vec::new(),
            waiting: Waiting::ForResult,
        }
    }

    /// The bot that it goes to, if it goes to one.
    #[must_use]
    pub fn bot(&self) -> Option<&str> {
        self.profile.strip_prefix(BOT)
    }
}
