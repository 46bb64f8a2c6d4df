//! Detects servers that ignore offered tools.
//!
//! A suspicion costs nothing: no call was made, and the server read fewer tokens than the tools alone would take. It is
//! then settled by one more request without tools, for one token: a server that reads exactly as many tokens as before never
//! saw the tools.

use super::{HttpModel, Learnt};
use crate::answer::Answer;
use crate::estimate::message_bytes;
use crate::message::Message;
use crate::names::Names;
use crate::request::{Delivery, ModelRequest, ToolChoice};
use crate::wire::{Question, WireFormat};
use bytes::Bytes;
use std::collections::VecDeque;

use super::reading::Reading;
use crate::wire::Progress;

/// No tokenizer packs more bytes of tool schemas into a token.
const BYTES_A_TOKEN: u64 = 6;
/// A count below one token for so many bytes of messages counts nothing.
const UNBELIEVABLE: u64 = 12;

impl HttpModel {
    /// Whether the answer to this request raises the suspicion.
    pub(super) fn suspects(&self, request: &ModelRequest<'_>, answer: &Answer) -> Option<u64> {
        let worked_before = || {
            request
                .messages
                .iter()
                .any(|message| matches!(message, Message::Assistant { calls, .. } if !calls.is_empty()))
        };
        if self.learnt() != Learnt::Nothing
            || self.endpoint.is_official()
            || self.endpoint.wire == WireFormat::Anthropic
            || request.tools.is_empty()
            || request.tool_choice == ToolChoice::None
            || answer.calls() > 0
            || worked_before()
        {
            return None;
        }
        let read = answer.reported_input()?;
        let messages: usize = request.messages.iter().map(message_bytes).sum();
        let tools: usize = request
            .tools
            .iter()
            .map(|tool| tool.name().len() + tool.description().len() + tool.schema().get().len())
            .sum();
        let too_few = read * BYTES_A_TOKEN < (messages + tools) as u64;
        let counted = read * UNBELIEVABLE >= messages as u64;
        (too_few && counted).then_some(read)
    }

    /// How many tokens the server reads when no tools are offered; none if that cannot be determined.
    pub(super) async fn read_without_tools(&self, request: &ModelRequest<'_>) -> Option<u64> {
        let names = Names::new(&[]);
        let bare = ModelRequest {
            tools: &[],
            tool_choice: ToolChoice::Auto,
            max_output_tokens: Some(1),
            delivery: Delivery::Whole,
            ..*request
        };
        let body = self.endpoint.wire.render(&Question {
            model: &self.endpoint.model,
            request: &bare,
            names: &names,
            caching: self.options.caching,
            dialect: self.dialect(),
            takes: self.takes,
        });
        let request = self.http_request(Bytes::from(body.ok()?));
        let response = self.http.send(request).await.ok()?;
        if response.status != 200 {
            return None;
        }
        let answer = Answer::native(&names, &self.endpoint.model, self.fences());
        let mut reading = Reading::new(response, self.endpoint.wire, Delivery::Whole, answer);
        let mut ignored = VecDeque::new();
        while reading.step(&names, &mut ignored).await.ok()? == Progress::More {}
        reading.answer.reported_input()
    }
}
