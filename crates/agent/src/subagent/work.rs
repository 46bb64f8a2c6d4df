//! The work on one task, from the first request to the answer.

use super::board::ParentId;
use super::ceiling::Ceiling;
use super::pool::Inner;
use crate::agents::Agent;
use crate::budget::{Allowance, Ledger};
use crate::context::History;
use crate::event::{Event, Sink};
use crate::report::Status;
use crate::session::{Entry, Session, SubagentSpent};
use crate::turn::{Settings, Turn, Worker};
use palanca_core::call::{Delegation, SessionId, Speaker, TaskId};
use palanca_core::gate::Parent;
use palanca_core::ports::{Guard, TaskState};
use palanca_core::tool::Cancel;
use palanca_core::{Gate, Toolset};
use palanca_models::Model;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Who works on a task.
pub(super) struct Whom {
    pub(super) role: Agent,
    pub(super) model: Arc<dyn Model>,
    pub(super) toolset: Toolset,
    pub(super) ceiling: Ceiling,
    /// Whether it is a bot of its own, whose words are foreign to the one that asks.
    pub(super) is_bot: bool,
}

/// All that is needed to work on a task.
pub(super) struct Order {
    pub(super) agent: Whom,
    pub(super) delegation: Delegation,
    pub(super) parent: Parent,
    pub(super) by: ParentId,
    pub(super) worker: Worker,
    pub(super) gate: Arc<Gate>,
    /// What the parent may still spend.
    pub(super) purse: Ledger,
    pub(super) ceiling: Ceiling,
    pub(super) cancel: Cancel,
}

/// Works on it; how it ended stands on the board then.
pub(super) async fn work(inner: &Arc<Inner>, order: Order) {
    let id = order.worker.task.clone();
    let Whom { role: agent, model, toolset, is_bot, .. } = &order.agent;
    // The time runs from now on, not while the task waited.
    let limits = &inner.parts.limits;
    let ledger = order.purse.child(Allowance {
        tokens: limits.tokens,
        dollars: limits.dollars,
        calls: None,
        deadline: Some(tokio::time::Instant::now() + limits.timeout),
    });
    inner.board.change(&id, |task| {
        task.status.state = TaskState::Running;
        task.ledger = ledger.clone();
    });
    let Some(status) = inner.board.look(&id, |task| task.status.clone()) else { return };
    let watcher = inner.watcher(&status, &order.by.0);
    let kept = session(inner, &order).await;
    let progress = Progress { inner, task: &id, watcher: &*watcher, foreign: AtomicBool::new(*is_bot) };
    let parts = &inner.parts;
    let ceiling: Arc<dyn Guard> = Arc::new(order.ceiling);
    let gate = order.gate.under(order.cancel.clone(), agent.confirm_mode, Some(ceiling));
    let settings = Settings {
        ledger: Some(ledger),
        prices: parts.prices.clone(),
        scope: order.parent.scope.clone(),
        worker: Some(order.worker.clone()),
        toolset: Some(toolset.clone()),
        ..Settings::default()
    };
    let pool = super::SubagentPool(Arc::clone(inner));
    let mut turn = Turn::new(&**model, &gate, agent)
        .catalogue(&*parts.catalogue)
        .sink(&progress)
        .cancel(order.cancel.clone())
        .subagents(&pool)
        .speaker(if *is_bot { Speaker::Stranger { name: asking(&order) } } else { Speaker::Agent })
        .settings(settings);
    if let Some(kept) = &kept {
        turn = turn.session(kept);
    }
    if let Some(hooks) = parts.hooks.as_deref() {
        turn = turn.hooks(hooks);
    }
    let mut history = History::new(parts.context);
    // Boxed: a subagent may have subagents.
    let ended = Box::pin(turn.run(&mut history, &told(&order.delegation))).await;
    let foreign = progress.foreign.load(Ordering::Relaxed);
    let report = ended.report;
    inner.board.end(&id, |status| {
        status.state = match report.status {
            Status::Success => TaskState::Done,
            Status::Partial => TaskState::Stopped,
            Status::Failed => TaskState::Failed,
        };
        status.reason = Some(report.stop_reason.name().to_owned());
        status.answer = Some(report.output);
        status.foreign = foreign;
        status.steps = report.steps;
    });
}

/// Begins the session that its conversation is kept in.
async fn session(inner: &Inner, order: &Order) -> Option<Session> {
    let session = inner.session()?;
    let parent = order.by.1.as_ref().map_or_else(|| session.id().clone(), |task| below(session.id(), task));
    let id = below(session.id(), &order.worker.task);
    session.below(id, &parent, &order.delegation.task, &order.agent.role.name).await
}

/// The session of a subagent: that of the first agent, and the task.
pub(super) fn below(session: &SessionId, task: &TaskId) -> SessionId {
    SessionId::new(format!("{session}.{task}"))
}

/// The bot that asks another.
fn asking(order: &Order) -> String {
    order.parent.scope.bot.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// The task as the subagent reads it.
fn told(delegation: &Delegation) -> String {
    let mut words = delegation.task.trim().to_owned();
    if !delegation.context.trim().is_empty() {
        words.push_str("\n\n## Context\n");
        words.push_str(delegation.context.trim());
    }
    if !delegation.files.is_empty() {
        words.push_str("\n\n## Files to begin with\n");
        words.push_str(&delegation.files.iter().map(|file| format!("- {file}")).collect::<Vec<_>>().join("\n"));
    }
    words
}

/// Writes down how far the work is, and passes everything on.
struct Progress<'a> {
    inner: &'a Inner,
    task: &'a TaskId,
    watcher: &'a dyn Sink,
    foreign: AtomicBool,
}

impl Sink for Progress<'_> {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::StepStarted { step } => self.inner.board.change(self.task, |task| task.status.steps = *step),
            Event::Usage { usage, dollars, total } => {
                if let Some(session) = self.inner.session() {
                    let (task, usage, dollars) = (self.task.clone(), **usage, *dollars);
                    session.keep(&Entry::SubagentSpent(SubagentSpent { task, usage, dollars }));
                }
                let tokens = total.total_tokens;
                self.inner.board.change(self.task, |task| task.status.tokens = tokens);
            }
            Event::ToolEnded { result } if result.foreign => self.foreign.store(true, Ordering::Relaxed),
            _ => {}
        }
        self.watcher.event(event);
    }
}
