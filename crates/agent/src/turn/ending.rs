//! The last words of a run: the model's own, a closing answer that it is asked for, or why there are none.

use super::ask::Unanswered;
use super::course::Course;
use crate::budget::{Over, Source};
use crate::event::Level;
use crate::prompt;
use crate::report::StopReason;
use crate::session::Session;
use palanca_core::message::Message;
use palanca_models::{Message as Said, ModelErrorKind, Reply, ToolOffer};

impl Course<'_> {
    /// The model's last words, or why there are none; and the words alone where they are its answer.
    pub(super) async fn output(&mut self, reason: StopReason) -> (String, Option<String>) {
        if let Some(why) = self.why_none(reason) {
            return (why, None);
        }
        if reason.closes_with_words()
            && let Some(words) = self.closing(reason).await
        {
            return (words.clone(), Some(words));
        }
        let words = std::mem::take(&mut self.last.words);
        let answer = (!words.is_empty() && !self.last.acted_on).then(|| words.clone());
        if reason == StopReason::QualityGates {
            return (self.gates.why_not_done(words, self.turn.catalogue), answer);
        }
        if !words.is_empty() {
            return (words, answer);
        }
        let render = |message: &Message| self.turn.catalogue.render(message);
        let reason = render(&self.purse.over.as_ref().map_or_else(|| reason.message(), Over::message));
        (render(&Message::new("agent-stopped").with("reason", reason)), None)
    }

    /// Why there are no last words, whatever the model said before.
    fn why_none(&self, reason: StopReason) -> Option<String> {
        let render = |message: &Message| self.turn.catalogue.render(message);
        Some(match (reason, &self.last.error) {
            (StopReason::LlmError, Some(error)) => {
                let words = render(&error.message());
                render(&Message::new("agent-model-failed").with("reason", words))
            }
            (StopReason::LlmError, None) => match &self.last.misread {
                Some(reason) => render(&Message::new("agent-misread").with("reason", render(reason))),
                None => render(&Message::new("agent-empty-reply")),
            },
            (StopReason::StoreFailed, _) => {
                let why = self.turn.session.and_then(Session::fault).map(|fault| render(&fault.message()));
                render(&Message::new("agent-store-failed").with("reason", why.unwrap_or_default()))
            }
            (StopReason::HookBlocked, _) => self.told.why_blocked(self.turn.catalogue),
            _ => return None,
        })
    }

    /// One more answer, without tools: what is done and what is not.
    async fn closing(&mut self, reason: StopReason) -> Option<String> {
        if self.halt.deadline().left().is_some_and(|left| left.is_zero()) {
            return None;
        }
        self.append(Said::user(prompt::closing(reason.name())));
        let mut asked = self.ask_for_words(&[]).await;
        if let Err(Unanswered::Failed(error)) = &asked
            && error.kind() == ModelErrorKind::BadRequest
        {
            // Some servers want the tools of earlier calls described, and take a word that none may be called.
            let tools = std::sync::Arc::clone(&self.offered.tools);
            asked = self.ask_for_words(&tools).await;
        }
        let failed = match asked {
            Ok(reply) if reply.text.trim().is_empty() => Message::new("agent-empty-reply-retry"),
            Ok(reply) => {
                self.add(Said::assistant(reply.text.clone()));
                return Some(reply.text);
            }
            Err(unanswered) => unanswered.message(),
        };
        let failed = self.turn.catalogue.render(&failed);
        self.turn.notice(Level::Warning, Message::new("agent-closing-failed").with("reason", failed));
        None
    }

    async fn ask_for_words(&mut self, offers: &[ToolOffer]) -> Result<Reply, Unanswered> {
        let reserved = self.reserve(offers).await.map_err(Unanswered::Halted)?;
        self.ask(offers, Source::Summary, reserved).await
    }
}
