//! Subagents: the state of their tasks, the port, and the handle that limits what one call may delegate.

use crate::call::{Cancel, Delegation, Effect, Effects, TaskId};
use crate::message::Message;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// It waits for a free slot.
    Waiting,
    /// An agent works on it.
    Running,
    /// The agent finished.
    Done,
    /// A limit or a person ended it early.
    Stopped,
    /// It could not be carried out.
    Failed,
}

/// A task and its current state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskStatus {
    /// Its id.
    pub id: TaskId,
    /// The task's text, shortened.
    pub task: String,
    /// What kind of agent.
    pub profile: String,
    /// 1 for a task of the first agent.
    pub depth: u8,
    /// Its current state.
    pub state: TaskState,
    /// Why it ended: a stop reason's name.
    pub reason: Option<String>,
    /// The answer, once it has ended.
    pub answer: Option<String>,
    /// Whether the answer is based on foreign text.
    pub foreign: bool,
    /// Model calls so far.
    pub steps: u32,
    /// Tokens so far.
    pub tokens: u64,
}

/// Why a task was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotTaken {
    /// Subagents are not available.
    Nobody,
    /// The parent is already at the maximum depth.
    TooDeep {
        /// The maximum depth.
        limit: u8,
    },
    /// The maximum number is already running, and none finished in time.
    TooMany {
        /// The maximum number of agents running for one parent.
        limit: usize,
    },
    /// No such kind of agent.
    UnknownProfile {
        /// The requested name.
        name: String,
        /// The existing names.
        known: String,
    },
    /// The two have spoken enough for now.
    Cooling {
        /// Until they may again.
        seconds: u64,
    },
    /// Nothing is left of the budget.
    OverBudget,
    /// There is no model to work with.
    NoModel {
        /// What is missing.
        why: String,
    },
    /// The permit does not name this task.
    NotGranted,
    /// The call was ended.
    Cancelled,
}

impl NotTaken {
    /// The sentence for people and models.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Nobody => Message::new("subagents-nobody"),
            Self::TooDeep { limit } => Message::new("subagents-too-deep").with("limit", *limit),
            Self::TooMany { limit } => Message::new("subagents-too-many").with("limit", *limit),
            Self::UnknownProfile { name, known } => {
                Message::new("subagents-unknown-profile").with("name", name).with("known", known)
            }
            Self::Cooling { seconds } => Message::new("subagents-cooldown").with("seconds", seconds.to_string()),
            Self::OverBudget => Message::new("subagents-over-budget"),
            Self::NoModel { why } => Message::new("subagents-no-model").with("why", why),
            Self::NotGranted => Message::new("subagents-not-granted"),
            Self::Cancelled => Message::new("subagents-cancelled"),
        }
    }
}

/// Subagents, bound to one call.
pub(crate) trait CallSubagents: Send + Sync {
    /// Gives a task to another agent.
    fn delegate<'a>(&'a self, delegation: &'a Delegation) -> BoxFuture<'a, Result<TaskStatus, NotTaken>>;

    /// The tasks of the call's session.
    fn tasks(&self) -> Vec<TaskStatus>;
}

/// Subagents as one call may use them: exactly the tasks named by the permit, with at most the call's own tools.
pub struct SubagentsHandle {
    subagents: Arc<dyn CallSubagents>,
    effects: Arc<Effects>,
    /// Once cancelled, the permit is void.
    cancel: Arc<Cancel>,
}

impl SubagentsHandle {
    pub(crate) fn new(subagents: Arc<dyn CallSubagents>, effects: Arc<Effects>, cancel: Arc<Cancel>) -> Self {
        Self { subagents, effects, cancel }
    }

    /// The tasks that this call may delegate, in the order claimed.
    pub fn granted(&self) -> impl Iterator<Item = &Delegation> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Delegate(delegation) => Some(&**delegation),
            _ => None,
        })
    }

    /// See [`Subagents::delegate`](crate::gate::Subagents::delegate).
    ///
    /// # Errors
    /// As there; [`NotTaken::NotGranted`] for anything but exactly what was judged.
    pub async fn delegate(&self, delegation: &Delegation) -> Result<TaskStatus, NotTaken> {
        if self.cancel.is_cancelled() || !self.granted().any(|granted| granted == delegation) {
            return Err(NotTaken::NotGranted);
        }
        self.subagents.delegate(delegation).await
    }

    /// See [`Subagents::tasks`](crate::gate::Subagents::tasks): those of the call's own session.
    #[must_use]
    pub fn tasks(&self) -> Vec<TaskStatus> {
        self.subagents.tasks()
    }
}
