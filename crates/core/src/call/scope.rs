//! Where a call belongs: carried by every call and every stored row about it.

use super::ids::{BotId, ChannelId, ChatId, SessionId};
use serde::{Deserialize, Serialize};

/// Session, bot, chat and channel of one call. Context belongs to the call, never to a tool, so two chats cannot mix.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::Scope;
///
/// let scope = Scope::session("session-1".into()).in_chat("telegram".into(), "123456".into());
/// assert_eq!(scope.chat, Some("123456".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The session that the call is part of.
    pub session: SessionId,
    /// The assistant that asked, if several share one process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<BotId>,
    /// The conversation that the call serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<ChatId>,
    /// The channel of that conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<ChannelId>,
}

impl Scope {
    /// A scope with only a session.
    #[must_use]
    pub const fn session(session: SessionId) -> Self {
        Self { session, bot: None, chat: None, channel: None }
    }

    /// The same scope, in this conversation of this channel.
    #[must_use]
    pub fn in_chat(mut self, channel: ChannelId, chat: ChatId) -> Self {
        self.channel = Some(channel);
        self.chat = Some(chat);
        self
    }
}
