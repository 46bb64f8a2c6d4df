//! One model call: forwarded events, timeout and interruption, usage.

use super::course::{Course, Remark};
use super::traced;
use crate::budget::{Over, RequestEstimate, Reservation, Source};
use crate::event::{Event, Level, Sink};
use crate::report::StopReason;
use crate::session::{Answered, Entry};
use futures_util::StreamExt as _;
use palanca_core::call::CallId;
use palanca_core::message::Message;
use palanca_models::{
    Lookup, Message as Said, ModelError, ModelEvent, ModelRequest, Price, Reply, ToolChoice, ToolOffer, Usage,
    UsageBasis, estimate_reply, estimate_request, estimate_tokens,
};
use std::pin::pin;
use std::time::Duration;
use tracing::Instrument as _;

/// Tokens reserved for the longest answer, unless another limit is set.
const LONGEST_ANSWER: u64 = 8192;
/// Tokens of the shortest answer that is worth asking for.
const LEAST_ANSWER: u64 = 64;

/// A model that thinks for longer leaves the doors time to prepare.
const THINKING: Duration = Duration::from_millis(50);

/// The reservation for an answer.
pub(super) struct Reserved {
    reservation: Reservation,
    /// Estimated tokens of the request.
    input: u64,
}

impl Reserved {
    /// The maximum answer length; none if unlimited.
    pub(super) fn output(&self) -> Option<u32> {
        self.reservation.output().map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX))
    }
}

/// Why nothing was set aside.
pub(super) enum Unpaid {
    /// The run ends.
    Halted(StopReason),
    /// A limit is in the way.
    Over(Over),
}

/// Whether an answer came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Not,
    Off,
}

/// Why there is no answer.
pub(super) enum Unanswered {
    /// The run ends.
    Halted(StopReason),
    /// The model cannot be used.
    Failed(ModelError),
}

impl Unpaid {
    pub(super) fn message(&self) -> Message {
        match self {
            Self::Halted(reason) => reason.message(),
            Self::Over(over) => over.message(),
        }
    }
}

impl Unanswered {
    pub(super) fn message(&self) -> Message {
        match self {
            Self::Halted(reason) => reason.message(),
            Self::Failed(error) => error.message(),
        }
    }
}

impl Course<'_> {
    /// Asks, and keeps what was said if the answer is cut off.
    pub(super) async fn ask(
        &mut self,
        offers: &[ToolOffer],
        source: Source,
        reserved: Reserved,
    ) -> Result<Reply, Unanswered> {
        let mut reply = Reply::default();
        let request = self.request(offers, source, &reserved);
        let sink = self.turn.sink;
        match self.listen(request, &mut reply, |event| pass_on(sink, event)).await {
            Ok(()) => {
                let usage = self.counted(&reply, self.history.messages(), offers);
                if reply.usage.basis == UsageBasis::Reported {
                    self.purse.forecast.learn(self.history.messages(), offers, &reply.usage);
                }
                // The last words of a run call nothing.
                let calls = std::mem::take(&mut reply.calls);
                if source == Source::Agent {
                    reply.calls = self.ids.unique(calls);
                }
                self.keep_answer(source, &reply, usage, Cut::Not);
                self.pay(source, &reply, usage, reserved);
                Ok(reply)
            }
            Err(unanswered) => {
                // What was said before the answer was cut off was paid for; a provider that said nothing sends no bill.
                if reply.is_billable() {
                    let usage = estimated(&reply, &reserved);
                    reply.calls.clear();
                    reply.provider_state = None;
                    self.keep_answer(source, &reply, usage, Cut::Off);
                    self.pay(source, &reply, usage, reserved);
                }
                if !reply.text.trim().is_empty() {
                    self.last.words.clone_from(&reply.text);
                    self.last.acted_on = false;
                    self.add(Said::assistant(reply.text));
                }
                Err(unanswered)
            }
        }
    }

    /// Sets aside what the answer may cost. Waits for agents beside this one that have set aside what they may not need.
    pub(super) async fn reserve(&mut self, offers: &[ToolOffer]) -> Result<Reserved, StopReason> {
        let longest = self.turn.settings.limits.max_output_tokens.map_or(LONGEST_ANSWER, u64::from);
        let input = self.purse.forecast.input(self.history.messages(), offers);
        let reserved = self.set_aside(input, longest).await;
        reserved.map_err(|unpaid| match unpaid {
            Unpaid::Halted(reason) => reason,
            Unpaid::Over(over) => {
                let reason = over.what.reason();
                self.turn.notice(Level::Warning, over.message());
                self.purse.over = Some(over);
                reason
            }
        })
    }

    /// Sets aside what a request of so many tokens and the longest answer to it may cost.
    pub(super) async fn set_aside(&self, input: u64, longest: u64) -> Result<Reserved, Unpaid> {
        let estimate = RequestEstimate {
            input,
            least_output: LEAST_ANSWER.min(longest),
            most_output: longest,
            price: self.purse.price,
        };
        let mut end = pin!(self.halt.end_of_all());
        tokio::select! {
            biased;
            reason = &mut end => Err(Unpaid::Halted(reason)),
            reserved = self.purse.ledger.reserve_in_turn(&estimate) => match reserved {
                Ok(reservation) => Ok(Reserved { reservation, input }),
                Err(over) => Err(Unpaid::Over(over)),
            },
        }
    }

    fn request<'r>(&'r self, offers: &'r [ToolOffer], source: Source, reserved: &Reserved) -> ModelRequest<'r> {
        let settings = &self.turn.settings;
        let mut request =
            ModelRequest::new(self.history.messages()).with_tools(offers).with_delivery(settings.delivery);
        request.max_output_tokens = reserved.output().or(settings.limits.max_output_tokens);
        if source == Source::Summary && !offers.is_empty() {
            request.tool_choice = ToolChoice::None;
        }
        request
    }

    /// Takes in an answer, and tells of each of its events.
    pub(super) async fn listen(
        &self,
        request: ModelRequest<'_>,
        reply: &mut Reply,
        tell: impl Fn(&ModelEvent),
    ) -> Result<(), Unanswered> {
        let span = traced::chat(self.turn, self.step);
        let heard = self.hear(request, reply, tell).instrument(span.clone()).await;
        self.hide_in_names(reply);
        traced::chat_ended(&span, reply, self.dollars(reply, &reply.usage), &heard);
        heard
    }

    /// Names and ids of calls are told and kept as they are, so what is secret in one takes a name without it.
    fn hide_in_names(&self, reply: &mut Reply) {
        let gate = self.turn.gate;
        for (number, call) in reply.calls.iter_mut().enumerate() {
            if gate.redact(&call.name) != call.name {
                call.name = "hidden".to_owned();
            }
            if gate.redact(call.id.as_str()) != call.id.as_str() {
                call.id = CallId::new(format!("hidden-{}-{number}", self.step));
            }
        }
    }

    async fn hear(
        &self,
        request: ModelRequest<'_>,
        reply: &mut Reply,
        tell: impl Fn(&ModelEvent),
    ) -> Result<(), Unanswered> {
        let mut unprepared = !request.tools.is_empty();
        let mut events = self.turn.model.stream(request);
        let mut end = pin!(self.halt.end_of_all());
        let mut thinks = pin!(tokio::time::sleep(THINKING));
        loop {
            let event = tokio::select! {
                biased;
                reason = &mut end => return Err(Unanswered::Halted(reason)),
                event = events.next() => event,
                () = &mut thinks, if unprepared => {
                    unprepared = false;
                    self.turn.gate.look_ahead();
                    continue;
                }
            };
            match event {
                None => return Ok(()),
                Some(Err(error)) => return Err(Unanswered::Failed(error)),
                Some(Ok(event)) => {
                    tell(&event);
                    if event == ModelEvent::TextWasReasoning {
                        tell(&ModelEvent::ReasoningDelta(reply.text.clone()));
                    }
                    reply.absorb(event);
                }
            }
        }
    }

    /// The provider's count. If it has none and a limit or price depends on it, the texts are estimated.
    pub(super) fn counted(&self, reply: &Reply, messages: &[Said], offers: &[ToolOffer]) -> Usage {
        let said = reply.usage.input > 0 || reply.usage.output > 0;
        if said && (reply.usage.basis == UsageBasis::Reported || !self.tokens_matter()) {
            return reply.usage;
        }
        Usage {
            input: estimate_request(messages, offers),
            output: estimate_reply(reply),
            basis: UsageBasis::Estimated,
            ..Usage::default()
        }
    }

    /// Whether token counts affect a limit or a price.
    fn tokens_matter(&self) -> bool {
        self.turn.settings.limits.max_total_tokens.is_some()
            || self.purse.ledger.tokens_left().is_some()
            || !matches!(self.purse.price, Lookup::Known(price) if price == Price::FREE)
    }

    /// By the price of the model that answered.
    fn dollars(&self, reply: &Reply, usage: &Usage) -> Option<f64> {
        let other = reply.answered_by.as_deref().map(|name| self.turn.settings.prices.named(name));
        match other.unwrap_or(self.purse.price) {
            Lookup::Known(price) => Some(price.cost(usage)),
            Lookup::Unknown => None,
        }
    }

    /// The answer and its price, in one row, before anything follows from it.
    pub(super) fn keep_answer(&self, source: Source, reply: &Reply, usage: Usage, cut: Cut) {
        let silent = reply.text.trim().is_empty() && reply.calls.is_empty();
        self.turn.keep(|| {
            Entry::Answered(Answered {
                step: self.step,
                source,
                message: (!silent).then(|| reply.clone().into_message()),
                dollars: self.dollars(reply, &usage),
                usage,
                cut: cut == Cut::Off,
                withheld: Vec::new(),
            })
        });
    }

    pub(super) fn pay(&mut self, source: Source, reply: &Reply, usage: Usage, reserved: Reserved) {
        let dollars = self.dollars(reply, &usage);
        reserved.reservation.settle(source, &usage, dollars);
        let total = self.purse.ledger.spent();
        let limits = &self.turn.settings.limits;
        let matters = self.purse.ledger.tokens_left().is_some()
            || matches!(self.purse.price, Lookup::Known(price) if price != Price::FREE);
        if usage.basis == UsageBasis::Estimated && matters {
            self.remark(Remark::UsageEstimated, Message::new("agent-usage-estimated"));
        }
        self.turn.sink.event(&Event::Usage { usage: &usage, dollars, total: &total });
        let spent = total.total_cost_usd.unwrap_or(0.0);
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

/// What an answer that was cut off has cost, if the provider did not come to say so.
fn estimated(reply: &Reply, reserved: &Reserved) -> Usage {
    if reply.usage.input > 0 || reply.usage.output > 0 {
        return reply.usage;
    }
    let written = reply.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
    Usage {
        input: reserved.input,
        output: estimate_tokens(reply.text.len() + reply.reasoning.len() + written),
        basis: UsageBasis::Estimated,
        ..Usage::default()
    }
}

fn pass_on(sink: &dyn Sink, event: &ModelEvent) {
    match event {
        ModelEvent::TextDelta(text) => sink.event(&Event::TextDelta { text }),
        ModelEvent::ReasoningDelta(text) => sink.event(&Event::ReasoningDelta { text }),
        ModelEvent::TextWasReasoning => sink.event(&Event::TextVoided),
        ModelEvent::Notice(notice) => {
            if notice.voids_text() {
                sink.event(&Event::TextVoided);
            }
            sink.event(&Event::Notice { level: Level::Warning, message: notice.message() });
        }
        // The reply holds these; the loop tells of them when it acts on them.
        ModelEvent::ToolCall(_)
        | ModelEvent::State { .. }
        | ModelEvent::Misread(_)
        | ModelEvent::AnsweredBy(_)
        | ModelEvent::Usage(_)
        | ModelEvent::Done { .. } => {}
    }
}
