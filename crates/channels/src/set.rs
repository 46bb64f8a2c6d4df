//! The channels of one process by name. It rejects messages that are too long, and cancels pending ones when the call ends.

use futures_util::future::BoxFuture;
use palanca_core::call::{ChannelId, Outgoing};
use palanca_core::ports::{ChannelError, ChannelErrorKind, Channels};
use palanca_core::tool::Cancel;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of text in one message, on any channel. Longer texts are documents.
pub const MOST_BYTES: usize = 64 << 10;

/// One way to reach people.
pub trait Channel: Send + Sync {
    /// Sends it, once. Returns when the other side has accepted it. Dropping the future abandons it; whether the
    /// message arrived is then unknown.
    fn send<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>>;
}

/// A non-blocking callback is a channel: `|message: &Outgoing| -> Result<(), ChannelError> { … }`.
impl<F: Fn(&Outgoing) -> Result<(), ChannelError> + Send + Sync> Channel for F {
    fn send<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(std::future::ready(self(message)))
    }
}

/// Channels by name.
#[derive(Clone, Default)]
pub struct ChannelSet {
    channels: BTreeMap<ChannelId, Arc<dyn Channel>>,
}

impl std::fmt::Debug for ChannelSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.channels.keys()).finish()
    }
}

impl ChannelSet {
    /// No channel yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a channel; it replaces one of the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<ChannelId>, channel: impl Channel + 'static) -> Self {
        self.channels.insert(name.into(), Arc::new(channel));
        self
    }

    fn find(&self, message: &Outgoing) -> Result<&dyn Channel, ChannelError> {
        let error = |kind, detail: String| Err(ChannelError::new(kind, &message.channel, detail));
        let Some(channel) = self.channels.get(&message.channel) else {
            return match self.channels.is_empty() {
                true => error(ChannelErrorKind::NotConfigured, String::new()),
                false => error(ChannelErrorKind::Unknown, names(self.channels.keys())),
            };
        };
        if message.text.len() > MOST_BYTES {
            let detail = format!("{} bytes, and {MOST_BYTES} is the most", message.text.len());
            return error(ChannelErrorKind::TooLong, detail);
        }
        Ok(&**channel)
    }
}

fn names<'n>(names: impl Iterator<Item = &'n ChannelId>) -> String {
    names.map(ChannelId::as_str).collect::<Vec<_>>().join(", ")
}

impl Channels for ChannelSet {
    fn names(&self) -> Vec<ChannelId> {
        self.channels.keys().cloned().collect()
    }

    fn send<'a>(&'a self, message: &'a Outgoing, cancel: &'a Cancel) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(async move {
            let channel = self.find(message)?;
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err(ChannelError::new(ChannelErrorKind::Cancelled, &message.channel, "")),
                sent = channel.send(message) => sent,
            }
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
