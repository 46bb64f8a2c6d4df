//! Conversations between bots, as far as a call ends one: what is said in one is an act, and judged.

use palanca_core::call::Scope;
use palanca_core::{Message, ToolError};

/// In the place of a conversation's name: what is said is for a group to read. No conversation has it in its name.
pub const ALOUD: &str = ":";

/// The conversations that a bot has begun with others.
pub trait Talks: Send + Sync {
    /// Ends one that this conversation has begun.
    ///
    /// # Errors
    /// It has begun no such one, or it is over.
    fn end(&self, session: &str, scope: &Scope) -> Result<Message, ToolError>;
}

palanca_core::handle! {
    /// The conversations of one call's own.
    pub(super) struct TalksHandle: dyn Talks
}

impl TalksHandle {
    /// See [`Talks::end`].
    pub(super) fn end(&self, session: &str) -> Result<Message, ToolError> {
        match &self.port {
            Some(talks) => talks.end(session, self.grant.scope()),
            None => Err(gone(session)),
        }
    }
}

/// That there is no such conversation, and what to do.
#[must_use]
pub fn gone(session: &str) -> ToolError {
    let message = Message::new("collaborate-gone").with("session", session);
    ToolError::new(palanca_core::call::ErrorKind::NotFound, message)
}
