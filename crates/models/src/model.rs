//! The `Model` trait, and an answer collected from its events.

use crate::error::ModelError;
use crate::event::{Misread, ModelEvent, Notice, Stop, Usage};
use crate::message::{Message, ToolCall};
use crate::provider_state::{ProviderState, StateItem};
use crate::request::ModelRequest;
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, StreamExt as _};

/// A streamed answer. Ends after [`ModelEvent::Done`] or after the first error. Dropping it ends the exchange.
pub type EventStream<'a> = BoxStream<'a, Result<ModelEvent, ModelError>>;

/// A model.
pub trait Model: Send + Sync {
    /// As `--model` names it: `openai:gpt-4.1`, `replay:session.jsonl`.
    fn name(&self) -> &str;

    /// Whether it takes such a request at all: one that calls no tools takes none that offers some.
    fn can_answer(&self, _request: &ModelRequest<'_>) -> bool {
        true
    }

    /// Sends a request and streams the answer. Nothing is sent before the stream is polled. The request is rendered
    /// once; the history is not copied.
    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a>;

    /// Sends a request and waits for the whole answer.
    fn reply<'a>(&'a self, request: ModelRequest<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let mut stream = self.stream(request);
            let mut reply = Reply::default();
            while let Some(event) = stream.next().await {
                reply.absorb(event?);
            }
            Ok(reply)
        })
    }
}

/// A whole answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// The text, including unreadable calls.
    pub text: String,
    /// The model's reasoning.
    pub reasoning: String,
    /// The tool calls, in order.
    pub calls: Vec<ToolCall>,
    /// What the provider wants back with it.
    pub provider_state: Option<ProviderState>,
    /// Why the end of the text is neither text nor calls.
    pub misread: Option<Misread>,
    /// Notices about the exchange.
    pub notices: Vec<Notice>,
    /// The model that answered, if it is not the one that was asked.
    pub answered_by: Option<String>,
    /// Its token usage.
    pub usage: Usage,
    /// Why it ended.
    pub stop: Stop,
}

impl Reply {
    /// Adds the next event of the stream.
    pub fn absorb(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::TextDelta(text) => self.text.push_str(&text),
            ModelEvent::ReasoningDelta(text) => self.reasoning.push_str(&text),
            ModelEvent::TextWasReasoning => {
                self.reasoning.push_str(&std::mem::take(&mut self.text));
                let items = self.provider_state.iter_mut().flat_map(|state| &mut state.items);
                items.for_each(|item| item.text = 0);
            }
            ModelEvent::ToolCall(call) => self.calls.push(call),
            ModelEvent::Misread(misread) => {
                self.text.push_str(&misread.text);
                self.misread = Some(misread);
            }
            ModelEvent::Notice(notice) => {
                if notice.voids_text() {
                    self.text.clear();
                    self.reasoning.clear();
                    self.misread = None;
                    self.provider_state = None;
                }
                self.notices.push(notice);
            }
            ModelEvent::State { model, place, json } => {
                let item = StateItem { text: self.text.len(), calls: self.calls.len(), place, json };
                let state = self.provider_state.get_or_insert_with(|| ProviderState { model, items: Vec::new() });
                state.items.push(item);
            }
            ModelEvent::AnsweredBy(name) => self.answered_by = Some(name),
            ModelEvent::Usage(usage) => self.usage = usage,
            ModelEvent::Done { stop } => self.stop = stop,
        }
    }

    /// Whether the provider sent anything billable: text, reasoning, calls or token counts. Notices are our own.
    #[must_use]
    pub fn is_billable(&self) -> bool {
        !(self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty() && self.usage == Usage::default())
    }

    /// This answer as an entry of the conversation.
    #[must_use]
    pub fn into_message(self) -> Message {
        Message::Assistant { text: self.text, calls: self.calls, provider_state: self.provider_state }
    }
}
