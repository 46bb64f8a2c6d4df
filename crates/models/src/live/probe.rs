//! Detects servers that ignore offered tools.
//!
//! No call was made, and the server says that it read fewer tokens than messages and tools take. Only the person can settle
//! the suspicion, because asking the server again would cost a request that nobody made: it is told once, with the setting.

use super::{HttpModel, Learnt};
use crate::answer::Answer;
use crate::estimate::message_bytes;
use crate::message::Message;
use crate::request::{ModelRequest, ToolChoice};
use crate::wire::WireFormat;

/// No tokenizer packs more bytes of tool schemas into a token.
const BYTES_A_TOKEN: u64 = 6;
/// A count below one token for so many bytes of messages counts nothing.
const UNBELIEVABLE: u64 = 12;

impl HttpModel {
    /// Whether the answer to this request raises the suspicion.
    pub(super) fn suspects(&self, request: &ModelRequest<'_>, answer: &Answer) -> bool {
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
            return false;
        }
        let Some(read) = answer.reported_input() else { return false };
        let messages: usize = request.messages.iter().map(message_bytes).sum();
        let tools: usize = request
            .tools
            .iter()
            .map(|tool| tool.name().len() + tool.description().len() + tool.schema().get().len())
            .sum();
        let too_few = read * BYTES_A_TOKEN < (messages + tools) as u64;
        let counted = read * UNBELIEVABLE >= messages as u64;
        too_few && counted
    }
}
