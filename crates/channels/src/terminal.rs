//! A channel to whoever sits in front of the program: lines on a writer that it was given.
//!
//! The recipient is shown and decides nothing, because a screen has one reader.

use crate::set::Channel;
use crate::shown::{indented, one_line};
use futures_util::future::BoxFuture;
use palanca_core::call::Outgoing;
use palanca_core::ports::{ChannelError, ChannelErrorKind};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Writes `[channel:recipient] text`, further lines indented, control characters escaped.
pub struct Terminal<W> {
    out: Mutex<W>,
}

impl<W: Write + Send> Terminal<W> {
    /// A channel that writes there. Each message is one write.
    pub const fn new(out: W) -> Self {
        Self { out: Mutex::new(out) }
    }

    fn write(&self, message: &Outgoing) -> std::io::Result<()> {
        let (channel, to) = (one_line(message.channel.as_str()), one_line(message.to.as_str()));
        let line = format!("[{channel}:{to}] {}\n", indented(&message.text));
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(line.as_bytes())?;
        out.flush()
    }
}

impl<W: Write + Send> Channel for Terminal<W> {
    fn send<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Result<(), ChannelError>> {
        Box::pin(async move {
            self.write(message)
                .map_err(|error| ChannelError::new(ChannelErrorKind::Unreachable, &message.channel, error.to_string()))
        })
    }
}

#[cfg(test)]
mod tests;
