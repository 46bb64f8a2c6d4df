//! One model call: events passed on as they come, time and interruption, what it used.

use super::course::{Course, Remark};
use crate::budget::Source;
use crate::event::{Event, Level, Sink};
use crate::report::StopReason;
use futures_util::StreamExt as _;
use palanca_core::message::Message;
use palanca_models::{
    Lookup, Message as Said, ModelError, ModelEvent, ModelRequest, Price, Reply, ToolChoice, ToolOffer, Usage,
    UsageBasis, estimate_tokens,
};
use std::pin::pin;

/// Why there is no answer.
pub(super) enum Unanswered {
    /// The run ends.
    Halted(StopReason),
    /// The model cannot be used.
    Failed(ModelError),
}

impl Course<'_> {
    /// Asks, and keeps what was said if the answer is cut off.
    pub(super) async fn ask(&mut self, offers: &[ToolOffer], source: Source) -> Result<Reply, Unanswered> {
        let mut reply = Reply::default();
        let request = self.request(offers, source);
        match self.listen(request, &mut reply).await {
            Ok(()) => {
                let usage = self.counted(&reply);
                self.pay(source, usage);
                Ok(reply)
            }
            Err(unanswered) => {
                if !reply.text.trim().is_empty() {
                    self.last_words.clone_from(&reply.text);
                    self.append(Said::assistant(reply.text));
                }
                Err(unanswered)
            }
        }
    }

    fn request<'r>(&'r self, offers: &'r [ToolOffer], source: Source) -> ModelRequest<'r> {
        let settings = &self.turn.settings;
        let mut request =
            ModelRequest::new(self.history.messages()).with_tools(offers).with_delivery(settings.delivery);
        request.max_output_tokens = settings.limits.max_output_tokens;
        if source == Source::Summary && !offers.is_empty() {
            request.tool_choice = ToolChoice::None;
        }
        request
    }

    async fn listen(&self, request: ModelRequest<'_>, reply: &mut Reply) -> Result<(), Unanswered> {
        let mut events = self.turn.model.stream(request);
        let mut end = pin!(self.halt.end_of_all());
        loop {
            let event = tokio::select! {
                biased;
                reason = &mut end => return Err(Unanswered::Halted(reason)),
                event = events.next() => event,
            };
            match event {
                None => return Ok(()),
                Some(Err(error)) => return Err(Unanswered::Failed(error)),
                Some(Ok(event)) => {
                    pass_on(self.turn.sink, &event);
                    reply.absorb(event);
                }
            }
        }
    }

    /// What the provider counted, or an estimate where it counted nothing.
    fn counted(&self, reply: &Reply) -> Usage {
        if reply.usage.input > 0 || reply.usage.output > 0 {
            return reply.usage;
        }
        let written = reply.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
        Usage {
            input: u64::try_from(self.history.tokens()).unwrap_or(u64::MAX),
            output: estimate_tokens(reply.text.len() + reply.reasoning.len() + written),
            basis: UsageBasis::Estimated,
            ..Usage::default()
        }
    }

    fn pay(&mut self, source: Source, usage: Usage) {
        let dollars = match self.price {
            Lookup::Known(price) => Some(price.cost(&usage)),
            Lookup::Unknown => None,
        };
        self.ledger.record(source, &usage, dollars);
        let limits = &self.turn.settings.limits;
        let matters =
            limits.max_total_tokens.is_some() || matches!(self.price, Lookup::Known(price) if price != Price::FREE);
        if usage.basis == UsageBasis::Estimated && matters {
            self.remark(Remark::UsageEstimated, Message::new("agent-usage-estimated"));
        }
        self.turn.sink.event(&Event::Usage { usage: &usage, dollars, total: self.ledger.costs() });
        let spent = self.ledger.dollars();
        if let Some(limit) = limits.warn_at_usd.filter(|limit| spent >= *limit) {
            if !self.has_remarked(Remark::BudgetWarning) {
                self.told.warned_at = Some(limit);
            }
            self.remark(
                Remark::BudgetWarning,
                Message::new("agent-budget-warning")
                    .with("spent", format!("{spent:.4}"))
                    .with("limit", format!("{limit}")),
            );
        }
    }
}

fn pass_on(sink: &dyn Sink, event: &ModelEvent) {
    match event {
        ModelEvent::TextDelta(text) => sink.event(&Event::TextDelta { text }),
        ModelEvent::ReasoningDelta(text) => sink.event(&Event::ReasoningDelta { text }),
        ModelEvent::Notice(notice) => {
            if notice.voids_text() {
                sink.event(&Event::TextVoided);
            }
            sink.event(&Event::Notice { level: Level::Warning, message: notice.message() });
        }
        // The reply holds these; the loop tells of them when it acts on them.
        ModelEvent::ToolCall(_) | ModelEvent::Usage(_) | ModelEvent::Done { .. } => {}
    }
}
