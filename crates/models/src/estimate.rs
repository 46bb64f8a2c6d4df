//! Estimates missing token counts.

use crate::message::Message;

/// The estimated tokens of this many bytes of text or JSON: one for four, rounded up.
#[must_use]
pub const fn estimate_tokens(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

/// The bytes of a message that a model reads.
pub(crate) fn message_bytes(message: &Message) -> usize {
    match message {
        Message::System { text } | Message::User { text } => text.len(),
        Message::Assistant { text, calls } => {
            text.len() + calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>()
        }
        Message::Tool { name, content, .. } => name.len() + content.len(),
    }
}
