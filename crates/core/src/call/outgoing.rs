//! A message to people: this one value is judged, shown, hashed and sent.

use super::ids::{ChannelId, ChatId};
use serde::{Deserialize, Serialize};

/// One message to one conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outgoing {
    /// The channel, as the configuration names it.
    pub channel: ChannelId,
    /// The conversation, as the channel names it.
    pub to: ChatId,
    /// The text.
    pub text: String,
}
