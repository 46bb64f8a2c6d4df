//! A channel to the user at the terminal: lines on a given writer.
//!
//! The recipient is only displayed, because a screen has one reader.

use crate::set::Channel;
use futures_util::future::BoxFuture;
use palanca_core::call::Outgoing;
use palanca_core::ports::{ChannelError, ChannelErrorKind};
use palanca_policy::marking::{shown_line, shown_lines};
use parking_lot::Mutex;
use std::io::Write;

/// Writes `[channel:recipient] text`, further lines indented, control characters escaped.
pub struct Terminal<W> {
    out: Mutex<W>,
}

impl<W: Write + Send> Terminal<W> {
    /// A channel on this writer. Each message is one write.
    pub const fn new(out: W) -> Self {
        Self { out: Mutex::new(out) }
    }

    fn write(&self, message: &Outgoing) -> std::io::Result<()> {
        let (channel, to) = (shown_line(message.channel.as_str()), shown_line(message.to.as_str()));
        let line =
            format!("[{channel}:{to}] {}\n", shown_lines(message.text.trim_end_matches('\n')).replace('\n', "\n  "));
        let mut out = self.out.lock();
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
