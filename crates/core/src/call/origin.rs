//! Who asked for a call.

use super::ids::{BotId, TaskId};
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
    /// A program that calls tools over a protocol; whether a model or a person is behind it, it does not say.
    Client {
        /// What it calls itself.
        name: String,
    },
    /// A job that was due.
    Schedule {
        /// The job's id.
        job: String,
    },
    /// A bot, on behalf of nobody: another bot asked it, or it acts by itself.
    Bot {
        /// The bot's id.
        id: BotId,
    },
    /// A person at the console.
    Console {
        /// The name that the person logged in with.
        person: String,
    },
    /// A script that calls tools.
    Script {
        /// The tool that the script is.
        tool: String,
    },
}

impl Origin {
    /// Whether a person made exactly this call: what they do is not held against a session.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self, Self::Person | Self::Console { .. })
    }
}
