//! Channels to people: one port for all of them, and the handle that limits what one call may send.

use super::doors::{Grant, Handle};
use crate::call::{Cancel, ChannelId, Effect, ErrorKind, Outgoing, ToolError};
use crate::message::Message;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChannelErrorKind {
    /// No channel is configured at all.
    NotConfigured,
    /// No channel of that name.
    Unknown,
    /// The permit does not name this message.
    NotGranted,
    /// The message is longer than the channel allows.
    TooLong,
    /// The channel knows no such conversation, or may not write to it.
    Refused,
    /// The channel could not be reached; another try may succeed.
    Unreachable,
    /// The call was ended.
    Cancelled,
}

/// A message that was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelError {
    /// Why.
    pub kind: ChannelErrorKind,
    /// The channel.
    pub channel: ChannelId,
    /// Further detail: names of channels, a status, a limit. May be empty.
    pub detail: String,
}

impl ChannelError {
    /// An error of this kind.
    #[must_use]
    pub fn new(kind: ChannelErrorKind, channel: &ChannelId, detail: impl Into<String>) -> Self {
        Self { kind, channel: channel.clone(), detail: detail.into() }
    }

    /// The sentence for people and models.
    #[must_use]
    pub fn message(&self) -> Message {
        let key = match self.kind {
            ChannelErrorKind::NotConfigured => "channel-not-configured",
            ChannelErrorKind::Unknown => "channel-unknown",
            ChannelErrorKind::NotGranted => "channel-not-granted",
            ChannelErrorKind::TooLong => "channel-too-long",
            ChannelErrorKind::Refused => "channel-refused",
            ChannelErrorKind::Unreachable => "channel-unreachable",
            ChannelErrorKind::Cancelled => "channel-cancelled",
        };
        Message::new(key).with("channel", self.channel.as_str()).with("detail", &self.detail)
    }
}

impl From<ChannelError> for ToolError {
    fn from(error: ChannelError) -> Self {
        let kind = match error.kind {
            ChannelErrorKind::NotConfigured | ChannelErrorKind::Unknown => ErrorKind::NotFound,
            ChannelErrorKind::NotGranted => ErrorKind::NotGranted,
            ChannelErrorKind::Refused => ErrorKind::PermissionDenied,
            ChannelErrorKind::TooLong => ErrorKind::InvalidArguments,
            ChannelErrorKind::Unreachable => ErrorKind::Unreachable,
            ChannelErrorKind::Cancelled => ErrorKind::Cancelled,
        };
        Self::new(kind, error.message())
    }
}

/// Every channel of this process.
///
/// A set with a callback is in the example [`callback_channel.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/callback_channel.rs).
pub trait Channels: Send + Sync {
    /// The channels by name, sorted.
    fn names(&self) -> Vec<ChannelId>;

    /// Sends it, once. Returns when the channel has accepted it.
    fn send<'a>(&'a self, message: &'a Outgoing, cancel: &'a Cancel) -> BoxFuture<'a, Result<(), ChannelError>>;
}

/// No channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChannels;

impl Channels for NoChannels {
    fn names(&self) -> Vec<ChannelId> {
        Vec::new()
    }

    fn send<'a>(&'a self, message: &'a Outgoing, _cancel: &'a Cancel) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(async { Err(ChannelError::new(ChannelErrorKind::NotConfigured, &message.channel, "")) })
    }
}

/// The channels as one call may use them: exactly the messages that the permit names.
pub struct ChannelsHandle {
    channels: Arc<dyn Channels>,
    grant: Grant,
}

impl Handle for ChannelsHandle {
    type Port = dyn Channels;

    fn new(channels: Option<Arc<dyn Channels>>, grant: Grant) -> Self {
        Self { channels: channels.unwrap_or_else(|| Arc::new(NoChannels)), grant }
    }
}

impl ChannelsHandle {
    /// The messages that this call may send, in the order claimed.
    pub fn granted(&self) -> impl Iterator<Item = &Outgoing> {
        self.grant.effects().iter().filter_map(|effect| match effect {
            Effect::Message(message) => Some(&**message),
            _ => None,
        })
    }

    /// See [`Channels::send`].
    ///
    /// # Errors
    /// As there; [`ChannelErrorKind::NotGranted`] for anything but exactly what was judged.
    pub async fn send(&self, message: &Outgoing) -> Result<(), ChannelError> {
        if !self.grant.holds(|effect| matches!(effect, Effect::Message(granted) if **granted == *message)) {
            return Err(ChannelError::new(ChannelErrorKind::NotGranted, &message.channel, ""));
        }
        self.channels.send(message, self.grant.cancel()).await
    }
}
