//! Answers of a run's subagents.
//!
//! Each answer is a separate message, between two model calls, as soon as it arrives. A model that finishes while answers are
//! pending waits for them: otherwise they would never be read.

use super::course::Course;
use crate::report::StopReason;
use crate::session::{Announced, Entry};
use crate::subagent::headline;
use palanca_core::call::{Origin, SessionId, TaskId};
use palanca_core::ports::{TaskState, TaskStatus};
use palanca_models::Message as Said;

/// What came of waiting.
pub(super) enum Heard {
    /// The model has something to read.
    News,
    /// The run ends.
    Halted(StopReason),
}

impl Course<'_> {
    /// Who asks for the calls of this run.
    pub(super) fn origin(&self) -> Origin {
        let settings = &self.turn.settings;
        match (&settings.worker, &settings.job) {
            (Some(worker), _) => Origin::Subagent { depth: worker.depth, task: worker.task.clone() },
            (None, Some(job)) => Origin::Schedule { job: job.clone() },
            (None, None) => Origin::Model { step: self.step },
        }
    }

    fn parent(&self) -> (SessionId, Option<TaskId>) {
        let settings = &self.turn.settings;
        (settings.scope.session.clone(), settings.worker.as_ref().map(|worker| worker.task.clone()))
    }

    /// Tells the model of the answers that came.
    pub(super) fn hear_subagents(&mut self) {
        let Some(pool) = self.turn.pool else { return };
        for status in pool.announcements(&self.parent()) {
            self.tell_of(&status);
        }
    }

    /// Tells the model of tasks left by an earlier process. Tasks with an unknown end are not restarted.
    pub(super) fn tell_of_lost_tasks(&mut self) {
        for mut status in std::mem::take(&mut self.untold) {
            if matches!(status.state, TaskState::Waiting | TaskState::Running) {
                status.state = TaskState::Stopped;
                status.reason = Some("interrupted".to_owned());
            }
            self.tell_of(&status);
        }
    }

    fn tell_of(&mut self, status: &TaskStatus) {
        let message = Said::user(self.announced(status));
        let task = status.id.clone();
        self.turn.keep(|| Entry::Announced(Announced { task, message: message.clone() }));
        self.add(message);
    }

    /// Waits for answers that are still to come, or for words; nothing when no answer is.
    pub(super) async fn wait_for_subagents(&mut self) -> Option<Heard> {
        let pool = self.turn.pool?;
        let parent = self.parent();
        if !pool.expects(&parent) {
            return None;
        }
        let words = async {
            match self.turn.inbox {
                Some(inbox) => inbox.news().await,
                None => std::future::pending().await,
            }
        };
        let halt = std::sync::Arc::clone(&self.halt);
        tokio::select! {
            biased;
            () = pool.news(&parent) => Some(Heard::News),
            () = words => Some(Heard::News),
            reason = halt.end_of_work() => Some(Heard::Halted(reason)),
        }
    }

    fn announced(&self, status: &TaskStatus) -> String {
        let catalogue = self.turn.catalogue;
        let head = catalogue.render(&headline(status));
        let answer = status.answer.as_deref().unwrap_or_default();
        let answer = if status.foreign {
            self.turn.gate.mark(answer, &format!("subagent {}", status.id))
        } else {
            answer.to_owned()
        };
        format!("{head}\n\n{answer}")
    }
}
