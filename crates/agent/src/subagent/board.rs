//! The tasks and their states. Ended ones are kept, up to a limit; all writes hold the lock.

use super::ceiling::Ceiling;
use crate::budget::Ledger;
use palanca_core::call::{SessionId, TaskId};
use palanca_core::ports::{TaskState, TaskStatus};
use palanca_core::tool::Cancel;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Ended tasks that are remembered; the oldest that was announced is forgotten first.
const REMEMBERED: usize = 200;

/// Who gave a task: a session's first agent, or the subagent that works on a task.
pub(super) type ParentId = (SessionId, Option<TaskId>);

/// Whether the answer is announced when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// The call that gave the task has the answer, or the parent has been told.
    Yes,
    /// The parent is to be told.
    NotYet,
}

pub(super) struct Task {
    pub(super) status: TaskStatus,
    pub(super) by: ParentId,
    pub(super) cancel: Cancel,
    pub(super) ledger: Ledger,
    pub(super) ceiling: Ceiling,
    pub(super) announced: Announced,
}

impl Task {
    pub(super) const fn is_open(&self) -> bool {
        matches!(self.status.state, TaskState::Waiting | TaskState::Running)
    }
}

#[derive(Default)]
struct Rows {
    tasks: Vec<Task>,
    given: u64,
    places: HashMap<ParentId, Arc<Semaphore>>,
    /// Tasks in progress: until they have ended and their answers have been announced.
    hands: usize,
}

#[derive(Default)]
pub(super) struct Board {
    rows: Mutex<Rows>,
    /// Told whenever a task ends.
    ended: Notify,
}

impl Board {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock()
    }

    /// Enters a task; its name is the next free one.
    pub(super) fn enter(&self, make: impl FnOnce(TaskId) -> Task) -> TaskId {
        let mut rows = self.rows();
        rows.given += 1;
        let id = TaskId::new(format!("t{}", rows.given));
        let task = make(id.clone());
        rows.tasks.push(task);
        if rows.tasks.len() > REMEMBERED {
            let old = rows.tasks.iter().position(|task| !task.is_open() && task.announced == Announced::Yes);
            if let Some(old) = old {
                drop(rows.tasks.remove(old));
            }
        }
        id
    }

    /// So many tasks have names already.
    pub(super) fn number_from(&self, given: u64) {
        let mut rows = self.rows();
        rows.given = rows.given.max(given);
    }

    /// The places of one parent.
    pub(super) fn places(&self, by: &ParentId, at_once: usize) -> Arc<Semaphore> {
        Arc::clone(self.rows().places.entry(by.clone()).or_insert_with(|| Arc::new(Semaphore::new(at_once.max(1)))))
    }

    /// One more task is seen through.
    pub(super) fn begin(&self) {
        self.rows().hands += 1;
    }

    /// One less.
    pub(super) fn leave(&self) {
        let mut rows = self.rows();
        rows.hands = rows.hands.saturating_sub(1);
        drop(rows);
        self.ended.notify_waiters();
    }

    /// Changes a task.
    pub(super) fn change(&self, id: &TaskId, change: impl FnOnce(&mut Task)) {
        if let Some(task) = self.rows().tasks.iter_mut().find(|task| task.status.id == *id) {
            change(task);
        }
    }

    /// Ends a task, and returns how it stands then.
    pub(super) fn end(&self, id: &TaskId, change: impl FnOnce(&mut TaskStatus)) -> Option<TaskStatus> {
        let mut rows = self.rows();
        let task = rows.tasks.iter_mut().find(|task| task.status.id == *id)?;
        change(&mut task.status);
        let status = task.status.clone();
        drop(rows);
        self.ended.notify_waiters();
        Some(status)
    }

    /// What `look` says of a task.
    pub(super) fn look<T>(&self, id: &TaskId, look: impl FnOnce(&Task) -> T) -> Option<T> {
        self.rows().tasks.iter().find(|task| task.status.id == *id).map(look)
    }

    /// Every task of a session, oldest first.
    pub(super) fn of(&self, session: &SessionId) -> Vec<TaskStatus> {
        self.rows().tasks.iter().filter(|task| task.by.0 == *session).map(|task| task.status.clone()).collect()
    }

    /// Answers that the parent has not been told of; it is told now.
    pub(super) fn announcements(&self, by: &ParentId) -> Vec<TaskStatus> {
        let mut rows = self.rows();
        let news = rows
            .tasks
            .iter_mut()
            .filter(|task| task.by == *by && task.announced == Announced::NotYet && !task.is_open());
        news.map(|task| {
            task.announced = Announced::Yes;
            task.status.clone()
        })
        .collect()
    }

    /// Whether the parent waits for answers.
    pub(super) fn expects(&self, by: &ParentId) -> bool {
        self.rows().tasks.iter().any(|task| task.by == *by && task.announced == Announced::NotYet)
    }

    /// Returns when one of the parent's tasks has ended of which it was not told, or it has none.
    pub(super) async fn news(&self, by: &ParentId) {
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            // Enabled before the look, so that an end between both is not missed.
            ended.as_mut().enable();
            let open = self.rows().tasks.iter().any(|task| task.by == *by && task.is_open());
            let told = !self
                .rows()
                .tasks
                .iter()
                .any(|task| task.by == *by && task.announced == Announced::NotYet && !task.is_open());
            if !open || !told {
                return;
            }
            ended.await;
        }
    }

    /// Returns when no task is running and every answer has been announced.
    pub(super) async fn all_ended(&self) {
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.is_idle() {
                return;
            }
            ended.await;
        }
    }

    fn is_idle(&self) -> bool {
        let rows = self.rows();
        rows.hands == 0 && !rows.tasks.iter().any(Task::is_open)
    }

    /// Ends every task that is open.
    pub(super) fn cancel_all(&self) {
        for task in &self.rows().tasks {
            if task.is_open() {
                task.cancel.cancel();
            }
        }
    }
}
