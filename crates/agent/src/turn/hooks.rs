//! Hooks around a run: when the loop notifies them, and what their output does.
//!
//! Their output enters the conversation as a user message before the next model call, so that it never separates a call from
//! its result. They can end the run only before a model call. None outlives the run's timeout, except that the last ones get a
//! short grace period, so that they can report the end.

use super::course::Course;
use crate::report::StopReason;
use palanca_core::message::{Catalogue, Message};
use palanca_core::tool::Cancel;
use palanca_hooks::{
    BudgetWarning, ContextCompress, Occasion, OnError, PostLlmCall, PreLlmCall, SessionEnd, SessionStart, Told,
};
use palanca_models::{Message as Said, Reply};
use std::pin::pin;
use std::time::Duration;

/// Prefix of hook output for the model; programs match it, so it is not translated.
const CONTEXT: &str = "[Hook context]: ";
/// Characters of the model's text.
const TEXT_CHARS: usize = 2000;
/// For hooks at the end of a run that timed out or was interrupted.
const LAST_MOMENT: Duration = Duration::from_secs(5);
/// Grace period for a cancelled hook.
const CANCEL_GRACE: Duration = Duration::from_secs(1);

/// Output of hooks, and their pending events.
#[derive(Debug, Default)]
pub(super) struct ToldByHooks {
    /// For the next model call.
    contexts: Vec<String>,
    /// Who ended the run, and why.
    blocked: Option<(String, String)>,
    /// Messages that left the conversation since hooks were told.
    pub(super) left_out: usize,
    /// The mark that costs passed since hooks were told.
    pub(super) warned_at: Option<f64>,
}

impl ToldByHooks {
    pub(super) fn why_blocked(&self, catalogue: &dyn Catalogue) -> String {
        let (hook, reason) = self.blocked.clone().unwrap_or_default();
        catalogue.render(&Message::new("agent-hook-blocked").with("hook", hook).with("reason", reason))
    }
}

impl Course<'_> {
    /// The run begins. Returns why it ends at once, if it does.
    pub(super) async fn hooks_at_start(&mut self, task: &str) -> Option<StopReason> {
        let occasion = Occasion::SessionStart(SessionStart {
            task: task.to_owned(),
            agent: self.turn.agent.name.clone(),
            model: self.turn.model.name().to_owned(),
        });
        self.tell_hooks(occasion).await
    }

    /// What happened since the last time, then the question whether to go on; what was said joins the conversation.
    pub(super) async fn hooks_before_model(&mut self) -> Option<StopReason> {
        let left_out = std::mem::take(&mut self.told.left_out);
        if left_out > 0 {
            let about = ContextCompress { step: self.step, left_out, tokens: self.history.tokens() };
            let ended = self.tell_hooks(Occasion::ContextCompress(about)).await;
            if ended.is_some() {
                return ended;
            }
        }
        let about = PreLlmCall {
            step: self.step + 1,
            agent: self.turn.agent.name.clone(),
            model: self.turn.model.name().to_owned(),
            messages: self.history.messages().len(),
            tokens: self.history.tokens(),
        };
        let ended = self.tell_hooks(Occasion::PreLlmCall(about)).await;
        if ended.is_some() {
            return ended;
        }
        for context in std::mem::take(&mut self.told.contexts) {
            self.append(Said::user(format!("{CONTEXT}{context}")));
        }
        None
    }

    /// The model answered.
    pub(super) async fn hooks_after_model(&mut self, reply: &Reply) -> Option<StopReason> {
        let occasion = Occasion::PostLlmCall(PostLlmCall {
            step: self.step,
            model: self.turn.model.name().to_owned(),
            has_tool_calls: !reply.calls.is_empty(),
            tool_calls: reply.calls.iter().map(|call| call.name.clone()).collect(),
            text: reply.text.chars().take(TEXT_CHARS).collect(),
            total_cost: self.purse.ledger.spent().total_cost_usd,
        });
        let ended = self.tell_hooks(occasion).await;
        match (ended, self.told.warned_at.take()) {
            (None, Some(warn_at)) => {
                let occasion = Occasion::BudgetWarning(BudgetWarning {
                    step: self.step,
                    total_cost: self.purse.ledger.spent().total_cost_usd.unwrap_or(0.0),
                    warn_at,
                    budget: self.purse.ledger.allowance().dollars,
                });
                self.tell_hooks(occasion).await
            }
            (ended, _) => ended,
        }
    }

    /// The run is over; nothing can change that any more.
    pub(super) async fn hooks_at_end(&mut self, reason: StopReason, output: &str) {
        let Some(hooks) = self.turn.hooks else { return };
        let cost = self.purse.ledger.spent().total_cost_usd;
        let end = Occasion::SessionEnd(SessionEnd {
            status: reason.status().name().to_owned(),
            stop_reason: reason.name().to_owned(),
            steps: self.step,
            cost,
            total_cost: cost,
        });
        let failed = (reason == StopReason::LlmError)
            .then(|| Occasion::OnError(OnError { step: self.step, error: output.to_owned() }));
        let cancel = Cancel::new();
        let hurried = matches!(reason, StopReason::Timeout | StopReason::UserInterrupt | StopReason::Aborted);
        let telling = async {
            for occasion in failed.iter().chain([&end]) {
                // ignored: there is no model call left that could hear it.
                let _ = hooks.tell(occasion, &cancel).await;
            }
        };
        if !hurried {
            return telling.await;
        }
        // ignored: dropping the hooks that take longer ends them.
        let _ = tokio::time::timeout(LAST_MOMENT, telling).await;
    }

    /// Tells the hooks of one moment; ends them when the run must end. Returns why, or that a hook wants an end.
    pub(super) async fn tell_hooks(&mut self, occasion: Occasion) -> Option<StopReason> {
        let hooks = self.turn.hooks?;
        let cancel = Cancel::new();
        let halt = std::sync::Arc::clone(&self.halt);
        let (told, ended) = {
            let mut telling = pin!(hooks.tell(&occasion, &cancel));
            tokio::select! {
                biased;
                told = &mut telling => (told, None),
                reason = halt.end_of_work() => {
                    cancel.cancel();
                    // ignored: dropping the hooks that take longer ends them.
                    let told = tokio::time::timeout(CANCEL_GRACE, telling).await;
                    (told.unwrap_or_default(), Some(reason))
                }
            }
        };
        let Told { contexts, blocked } = told;
        self.told.contexts.extend(contexts);
        if ended.is_some() {
            return ended;
        }
        self.told.blocked = Some(blocked?);
        Some(StopReason::HookBlocked)
    }
}
