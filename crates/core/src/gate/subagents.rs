//! The port of agents that take tasks, with what each of them gets of the call: the tools of its parent among it.

use crate::call::{Cancel, Delegation, Origin, Scope};
use crate::ports::{CallSubagents, NotTaken, TaskStatus};
use crate::registry::Toolset;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// Who gives a task: the ceiling of what the one who gets it may do.
#[derive(Clone)]
pub struct Parent {
    /// Where the call belongs. The calls of the other agent belong there, too: what is counted, remembered and judged for
    /// a session is so for all who work in it.
    pub scope: Scope,
    /// Who asked for the call.
    pub origin: Origin,
    /// The tools that were offered to the caller.
    pub toolset: Toolset,
    /// Ended with the call.
    pub cancel: Cancel,
}

/// Agents that take tasks.
pub trait Subagents: Send + Sync {
    /// Gives a task to another agent. Where the delegation waits, returns when it has ended, else at once.
    fn delegate<'a>(
        &'a self,
        delegation: &'a Delegation,
        parent: Parent,
    ) -> BoxFuture<'a, Result<TaskStatus, NotTaken>>;

    /// The tasks that this session's agents have given, oldest first.
    fn tasks(&self, scope: &Scope) -> Vec<TaskStatus>;
}

/// A port without subagents.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSubagents;

impl Subagents for NoSubagents {
    fn delegate<'a>(
        &'a self,
        _delegation: &'a Delegation,
        _parent: Parent,
    ) -> BoxFuture<'a, Result<TaskStatus, NotTaken>> {
        Box::pin(async { Err(NotTaken::Nobody) })
    }

    fn tasks(&self, _scope: &Scope) -> Vec<TaskStatus> {
        Vec::new()
    }
}

/// The port for one call.
pub(super) struct OfCall {
    pub(super) subagents: Arc<dyn Subagents>,
    pub(super) parent: Parent,
}

impl CallSubagents for OfCall {
    fn delegate<'a>(&'a self, delegation: &'a Delegation) -> BoxFuture<'a, Result<TaskStatus, NotTaken>> {
        self.subagents.delegate(delegation, self.parent.clone())
    }

    fn tasks(&self) -> Vec<TaskStatus> {
        self.subagents.tasks(&self.parent.scope)
    }
}
