//! Who said something to an agent.

use serde::{Deserialize, Serialize};

/// Who said something to an agent. Set by whoever passes the words on, never taken from them.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::call::Speaker;
///
/// assert!(Speaker::User.is_trusted());
/// assert!(!Speaker::Stranger { name: "eve".to_owned() }.is_trusted());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Speaker {
    /// The agent's user.
    #[default]
    User,
    /// Somebody whose words the user lets count as their own.
    Trusted {
        /// The name that others know.
        name: String,
    },
    /// The agent that gave a task to this one: neither the user's words nor foreign ones.
    Agent,
    /// Anybody else who is heard, such as in a group: what they say is foreign text.
    Stranger {
        /// The name that others know.
        name: String,
    },
}

impl Speaker {
    /// Whether the words are the user's task.
    #[must_use]
    pub const fn is_trusted(&self) -> bool {
        matches!(self, Self::User | Self::Trusted { .. })
    }

    /// Whether it is the user themselves.
    #[must_use]
    pub fn is_user(&self) -> bool {
        *self == Self::User
    }
}
