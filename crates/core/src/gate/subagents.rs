//! The port that runs subagents, and what each of them gets from the call, such as its parent's tools.

use crate::call::{Cancel, Delegation, Origin, Scope};
use crate::ports::{CallSubagents, NotTaken, TaskStatus};
use crate::registry::Toolset;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// The caller that delegates a task: the upper limit of what its subagent may do.
#[derive(Clone)]
pub struct Parent {
    /// Where the call belongs. The subagent's calls belong there, too, so counters, memory and verdicts of a session
    /// cover all its agents.
    pub scope: Scope,
    /// Who asked for the call.
    pub origin: Origin,
    /// The tools that were offered to the caller.
    pub toolset: Toolset,
    /// Ended with the call.
    pub cancel: Cancel,
}

/// Runs subagents.
pub trait Subagents: Send + Sync {
    /// Gives a task to another agent. Returns when it has ended if the delegation waits, otherwise at once.
    fn delegate<'a>(
        &'a self,
        delegation: &'a Delegation,
        parent: Parent,
    ) -> BoxFuture<'a, Result<TaskStatus, NotTaken>>;

    /// The tasks delegated by this session's agents, oldest first.
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
