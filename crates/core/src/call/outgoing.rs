//! A message to people: what is judged, shown, hashed and sent is this one value.

use super::ids::{ChannelId, ChatId};
use serde::{Deserialize, Serialize};

/// One message to one conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outgoing {
    /// The channel, as the configuration names it.
    pub channel: ChannelId,
    /// The conversation, as the channel names it.
    pub to: ChatId,
    /// What is said.
    pub text: String,
}
