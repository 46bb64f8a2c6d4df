//! The subagents of one process, behind the port that tools know.

use super::board::{Announced, Board, ParentId, Task};
use super::ceiling::Ceiling;
use super::home::Home;
use super::work::{self, Order, Whom};
use super::{Profile, SubagentLimits};
use crate::agents::Agent;
use crate::budget::Ledger;
use crate::event::{NoSink, Sink};
use crate::report::StopReason;
use crate::session::{Delegated, Entry, Session, SubagentEnded};
use crate::turn::Worker;
use futures_util::future::BoxFuture;
use palanca_core::Gate;
use palanca_core::call::{Delegation, Origin, Scope, SessionId, TaskId, Waiting};
use palanca_core::gate::{Parent, Subagents};
use palanca_core::message::Catalogue;
use palanca_core::ports::{NotTaken, TaskState, TaskStatus};
use palanca_hooks::Hooks;
use palanca_models::{Model, Prices};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
use tracing::Instrument as _;

/// Characters of a task that are shown in lists.
const LABEL_CHARS: usize = 60;
/// Tasks of one parent that may wait or be worked on at a time.
const OPEN: usize = 100;

/// Where subagents get their model. Asked when the first task is taken.
pub trait Models: Send + Sync {
    /// The model, or in words why there is none.
    fn model(&self) -> BoxFuture<'_, Result<Arc<dyn Model>, String>>;
}

/// A bot as it answers another, with its model; or why it cannot be asked.
pub type Asked = Result<(Agent, Arc<dyn Model>), NotTaken>;

/// The other bots of the configuration. One that is asked answers as itself, without tools.
pub trait OtherBots: Send + Sync {
    /// The bot of this id.
    fn bot<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Asked>;
}

/// Who watches subagents work.
pub trait Watch: Send + Sync {
    /// Adds an observer of this task; `by` is the session in which it was given.
    fn sink(&self, task: &TaskStatus, by: &SessionId) -> Box<dyn Sink>;

    /// The work has ended. Waiting callers already have the answer.
    fn ended(&self, task: &TaskStatus, by: &SessionId, waiting: Waiting) {
        let _ = (task, by, waiting);
    }
}

/// What subagents are made of.
pub struct SubagentParts {
    /// Where the model comes from.
    pub models: Arc<dyn Models>,
    /// What bounds them.
    pub limits: SubagentLimits,
    /// What tokens cost.
    pub prices: Prices,
    /// The language of everything that is not the model's.
    pub catalogue: Arc<dyn Catalogue>,
    /// The operator's programs around model calls.
    pub hooks: Option<Arc<Hooks>>,
    /// Whom a task for `bot:ID` goes to.
    pub others: Option<Arc<dyn OtherBots>>,
    /// How long their conversations may grow.
    pub context: crate::context::ContextLimits,
}

/// What is known once the gate is built, which knows the pool already.
struct Behind {
    gate: Weak<Gate>,
    ledger: Ledger,
    watch: Arc<dyn Watch>,
    session: Option<Arc<Session>>,
}

/// The subagents of one process. Cheap to clone.
#[derive(Clone)]
pub struct SubagentPool(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) parts: SubagentParts,
    pub(super) board: Board,
    behind: OnceLock<Behind>,
}

impl SubagentPool {
    /// No work starts before a gate is known.
    #[must_use]
    pub fn new(parts: SubagentParts) -> Self {
        Self(Arc::new(Inner { parts, board: Board::default(), behind: OnceLock::new() }))
    }

    /// From now on tasks are taken. The calls go through this gate, the one that was built with this pool; `ledger` is what
    /// the first agent may still spend, subagents spend from the same purse; `watch` sees them work; `session`, begun or taken
    /// up by now, is the first agent's, where it is kept.
    pub fn begin(&self, gate: &Arc<Gate>, ledger: Ledger, watch: Arc<dyn Watch>, session: Option<Arc<Session>>) {
        if let Some(session) = &session {
            self.0.board.number_from(session.totals().tasks);
        }
        // ignored: a pool has one gate, the first.
        let _ = self.0.behind.set(Behind { gate: Arc::downgrade(gate), ledger, watch, session });
    }

    /// Answers that came since this was last asked, for the agent that gave the tasks.
    pub(crate) fn announcements(&self, by: &ParentId) -> Vec<TaskStatus> {
        self.0.board.announcements(by)
    }

    /// Whether answers are still to come or to be told.
    pub(crate) fn expects(&self, by: &ParentId) -> bool {
        self.0.board.expects(by)
    }

    /// Returns when an answer has come, or none will.
    pub(crate) async fn news(&self, by: &ParentId) {
        self.0.board.news(by).await;
    }

    /// Waits until no task is running, at most for `patience`; then ends the rest.
    pub async fn end(&self, patience: Duration) {
        if tokio::time::timeout(patience, self.0.board.all_ended()).await.is_ok() {
            return;
        }
        self.0.board.cancel_all();
        // ignored: a task that does not end is abandoned with the process.
        let _ = tokio::time::timeout(Duration::from_secs(2), self.0.board.all_ended()).await;
    }

    /// Ends everybody's work now.
    pub fn cancel(&self) {
        self.0.board.cancel_all();
    }
}

impl Inner {
    /// Enters the task and keeps that it was taken, or says why not.
    async fn take(self: &Arc<Self>, delegation: &Delegation, parent: Parent) -> Result<Order, NotTaken> {
        let limits = &self.parts.limits;
        let behind = self.behind.get().ok_or(NotTaken::Nobody)?;
        let gate = behind.gate.upgrade().ok_or(NotTaken::Nobody)?;
        // A task that cannot be worked on is not accepted.
        let agent = self.whom(delegation, &parent).await?;
        let (above, by) = whose(&parent);
        if above >= limits.depth && !agent.is_bot {
            return Err(NotTaken::TooDeep { limit: limits.depth });
        }
        let open = self.board.of(&by.0).iter().filter(|task| is_open(task.state)).count();
        if open >= OPEN.max(limits.at_once) {
            return Err(NotTaken::TooMany { limit: OPEN.max(limits.at_once) });
        }
        let inherited = |task: &Task| (task.ledger.clone(), task.cancel.clone(), task.ceiling);
        let (purse, under, above_it) =
            by.1.as_ref()
                .and_then(|task| self.board.look(task, inherited))
                .unwrap_or_else(|| (behind.ledger.clone(), gate.cancel().clone(), Ceiling::Parent));
        let ceiling = agent.ceiling.max(above_it);
        if purse.overspent().is_some() || purse.tokens_left() == Some(0) {
            return Err(NotTaken::OverBudget);
        }
        let cancel = under.child_token();
        let (depth, announced) = (
            above + 1,
            match delegation.waiting {
                Waiting::ForResult => Announced::Yes,
                Waiting::Background => Announced::NotYet,
            },
        );
        let id = self.board.enter(|id| Task {
            status: TaskStatus {
                id,
                task: label(&delegation.task),
                profile: agent.role.name.clone(),
                depth,
                state: TaskState::Waiting,
                reason: None,
                answer: None,
                foreign: false,
                steps: 0,
                tokens: 0,
            },
            by: by.clone(),
            cancel: cancel.clone(),
            ledger: purse.clone(),
            ceiling,
            announced,
        });
        if let (Some(session), Some(task)) = (self.session(), self.board.look(&id, |task| task.status.clone())) {
            // Before the call's result promises an answer.
            let (waiting, session_of_it) = (delegation.waiting, work::below(session.id(), &id));
            session.keep(&Entry::Delegated(Delegated { task, waiting, session: session_of_it }));
        }
        let worker = Worker { task: id, depth };
        Ok(Order { agent, delegation: delegation.clone(), parent, by, worker, gate, purse, ceiling, cancel })
    }

    /// Who the task goes to.
    async fn whom(&self, delegation: &Delegation, parent: &Parent) -> Result<Whom, NotTaken> {
        if let (Some(id), Some(others)) = (delegation.bot(), &self.parts.others) {
            let (role, model) = others.bot(id).await?;
            let toolset = parent.toolset.restrict([]).0;
            return Ok(Whom { role, model, toolset, ceiling: Ceiling::Looking, is_bot: true });
        }
        let profile = Profile::named(&delegation.profile).ok_or_else(|| NotTaken::UnknownProfile {
            name: delegation.profile.clone(),
            known: Profile::ALL.map(Profile::name).join(", "),
        })?;
        Ok(Whom {
            role: profile.agent(&parent.toolset, self.parts.limits.steps),
            model: self.parts.models.model().await.map_err(|why| NotTaken::NoModel { why })?,
            toolset: parent.toolset.clone(),
            ceiling: profile.ceiling(),
            is_bot: false,
        })
    }

    /// Waits for a place, works, and returns how the task ended.
    async fn see_through(self: &Arc<Self>, order: Order, patience: Duration) -> Result<TaskStatus, NotTaken> {
        let at_once = self.parts.limits.at_once;
        let id = order.worker.task.clone();
        let waiting = order.delegation.waiting;
        self.board.begin();
        let _ends = Ends { inner: self, id: &id, by: order.by.0.clone(), waiting };
        let places = self.board.places(&order.by, at_once);
        let place = tokio::select! {
            place = tokio::time::timeout(patience, places.acquire_owned()) => place.ok().and_then(Result::ok),
            () = order.cancel.cancelled() => {
                self.drop_task(&id, &order, TaskState::Stopped, StopReason::UserInterrupt.name());
                return Err(NotTaken::Cancelled);
            }
        };
        let Some(_place) = place else {
            self.drop_task(&id, &order, TaskState::Failed, "no_place");
            return Err(NotTaken::TooMany { limit: at_once });
        };
        let by = order.by.0.clone();
        let home = Home::of(&order);
        work::work(self, order).await;
        let status = self.board.look(&id, |task| task.status.clone()).ok_or(NotTaken::Cancelled)?;
        self.ended(&status, &by, waiting);
        if let Some(home) = home {
            home.tell(self, &status).await;
        }
        Ok(status)
    }

    /// The first agent's session.
    pub(super) fn session(&self) -> Option<&Arc<Session>> {
        self.behind.get()?.session.as_ref()
    }

    fn ended(&self, status: &TaskStatus, by: &SessionId, waiting: Waiting) {
        if let Some(session) = self.session() {
            session.keep(&Entry::SubagentEnded(SubagentEnded { task: status.clone() }));
        }
        if let Some(behind) = self.behind.get() {
            behind.watch.ended(status, by, waiting);
        }
    }

    /// Who watches the work on this task.
    pub(super) fn watcher(&self, status: &TaskStatus, by: &SessionId) -> Box<dyn Sink> {
        match self.behind.get() {
            Some(behind) => behind.watch.sink(status, by),
            None => Box::new(NoSink),
        }
    }

    /// Ends a task that was never worked on.
    fn drop_task(&self, id: &TaskId, order: &Order, state: TaskState, reason: &str) {
        let ended = self.board.end(id, |status| {
            status.state = state;
            status.reason = Some(reason.to_owned());
        });
        if let Some(status) = ended {
            self.ended(&status, &order.by.0, order.delegation.waiting);
        }
    }
}

/// Writes down the end of a task whose work was given up on.
struct Ends<'a> {
    inner: &'a Inner,
    id: &'a TaskId,
    by: SessionId,
    waiting: Waiting,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.inner.board.leave();
        if !self.inner.board.look(self.id, Task::is_open).unwrap_or(false) {
            return;
        }
        let ended = self.inner.board.end(self.id, |status| {
            status.state = TaskState::Stopped;
            status.reason = Some(StopReason::UserInterrupt.name().to_owned());
        });
        if let Some(status) = ended {
            self.inner.ended(&status, &self.by, self.waiting);
        }
    }
}

/// How deep the parent is, and who it is.
fn whose(parent: &Parent) -> (u8, ParentId) {
    let session = parent.scope.session.clone();
    match &parent.origin {
        Origin::Subagent { depth, task } => (*depth, (session, Some(task.clone()))),
        _ => (0, (session, None)),
    }
}

const fn is_open(state: TaskState) -> bool {
    matches!(state, TaskState::Waiting | TaskState::Running)
}

/// The first line of a task, shortened.
fn label(task: &str) -> String {
    let line = task.trim().lines().next().unwrap_or_default();
    if line.chars().count() <= LABEL_CHARS {
        return line.to_owned();
    }
    line.chars().take(LABEL_CHARS - 1).chain(['…']).collect()
}

impl Subagents for SubagentPool {
    fn delegate<'a>(
        &'a self,
        delegation: &'a Delegation,
        parent: Parent,
    ) -> BoxFuture<'a, Result<TaskStatus, NotTaken>> {
        Box::pin(async move {
            let inner = &self.0;
            let call = parent.cancel.clone();
            let order = inner.take(delegation, parent).await?;
            let (id, cancel) = (order.worker.task.clone(), order.cancel.clone());
            match delegation.waiting {
                Waiting::ForResult => {
                    // A caller that stops waiting stops the work.
                    let _ends_with_us = cancel.clone().drop_guard();
                    let mut done = std::pin::pin!(inner.see_through(order, inner.parts.limits.patience));
                    tokio::select! {
                        biased;
                        ended = &mut done => return ended,
                        () = call.cancelled() => cancel.cancel(),
                    }
                    done.await
                }
                Waiting::Background => {
                    let (inner, waits) = (Arc::clone(inner), inner.parts.limits.timeout);
                    let status = inner.board.look(&id, |task| task.status.clone()).ok_or(NotTaken::Cancelled);
                    // ignored: how it ends stands on the board.
                    tokio::spawn(async move { drop(inner.see_through(order, waits).await) }.in_current_span());
                    status
                }
            }
        })
    }

    fn tasks(&self, scope: &Scope) -> Vec<TaskStatus> {
        self.0.board.of(&scope.session)
    }
}

impl std::fmt::Debug for SubagentPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SubagentPool").field("limits", &self.0.parts.limits).finish_non_exhaustive()
    }
}
