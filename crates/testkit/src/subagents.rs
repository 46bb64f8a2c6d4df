//! Subagents that answer at once.

use futures_util::future::BoxFuture;
use palanca_core::call::{Delegation, Origin, Scope, Waiting};
use palanca_core::gate::{Parent, Subagents};
use palanca_core::ports::{NotTaken, TaskState, TaskStatus};
use parking_lot::Mutex;

/// Every task succeeds with the same answer.
#[derive(Debug)]
pub struct FakeSubagents {
    answer: String,
    foreign: bool,
    given: Mutex<Vec<Delegation>>,
}

impl FakeSubagents {
    /// With this answer.
    pub fn answering(answer: impl Into<String>) -> Self {
        Self { answer: answer.into(), foreign: false, given: Mutex::default() }
    }

    /// With answers based on foreign text.
    #[must_use]
    pub fn foreign(mut self) -> Self {
        self.foreign = true;
        self
    }

    /// With this earlier task.
    #[must_use]
    pub fn done_with(self, task: &str) -> Self {
        self.given.lock().push(Delegation {
            profile: "general".to_owned(),
            task: task.to_owned(),
            context: String::new(),
            files: Vec::new(),
            waiting: Waiting::Background,
        });
        self
    }

    /// The delegated tasks.
    pub fn given(&self) -> Vec<Delegation> {
        self.given.lock().clone()
    }

    fn status(&self, number: usize, delegation: &Delegation, depth: u8) -> TaskStatus {
        TaskStatus {
            id: format!("t{number}").as_str().into(),
            task: delegation.task.clone(),
            profile: delegation.profile.clone(),
            depth,
            state: TaskState::Done,
            reason: Some("llm_done".to_owned()),
            answer: Some(self.answer.clone()),
            foreign: self.foreign,
            steps: 1,
            tokens: 110,
        }
    }
}

impl Subagents for FakeSubagents {
    fn delegate<'a>(
        &'a self,
        delegation: &'a Delegation,
        parent: Parent,
    ) -> BoxFuture<'a, Result<TaskStatus, NotTaken>> {
        let mut given = self.given.lock();
        given.push(delegation.clone());
        let above = match parent.origin {
            Origin::Subagent { depth, .. } => depth,
            _ => 0,
        };
        let status = self.status(given.len(), delegation, above + 1);
        Box::pin(async move { Ok(status) })
    }

    fn tasks(&self, _scope: &Scope) -> Vec<TaskStatus> {
        self.given().iter().zip(1..).map(|(delegation, number)| self.status(number, delegation, 1)).collect()
    }
}
