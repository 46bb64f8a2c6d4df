//! WebSockets: a request that turns into messages in both directions.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use std::time::Duration;

/// An open WebSocket, at either end. Dropping it ends the connection without a word.
///
/// To read and write at once, give up whichever waits: `receive` loses nothing when its future is dropped, and a message
/// whose `send` was dropped goes out with the next one, or never.
pub trait WebSocket: Send {
    /// The next message. Meanwhile pings are answered, and sent when the peer has been silent for half of
    /// [`SocketLimits::idle`].
    ///
    /// # Errors
    /// The end, again and again.
    fn receive(&mut self) -> BoxFuture<'_, Result<SocketMessage, SocketError>>;

    /// Sends a message. Returns when the system has taken it.
    ///
    /// # Errors
    /// [`SocketError::TooLarge`] for one beyond the limit, which does not end the connection; otherwise the end.
    fn send(&mut self, message: SocketMessage) -> BoxFuture<'_, Result<(), SocketError>>;

    /// Says goodbye with a code of RFC 6455 (1000: done) and at most 123 bytes of reason, and waits a moment for the
    /// peer to do the same. Nothing is sent after it.
    fn close<'a>(&'a mut self, code: u16, reason: &'a str) -> BoxFuture<'a, ()>;
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketMessage {
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Bytes),
}

/// Limits of a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketLimits {
    /// Bytes of a message, in both directions.
    pub message: usize,
    /// Bytes of a frame that is received; a message may consist of many.
    pub frame: usize,
    /// The longest silence of a peer that has been asked for a sign of life, and how long it may take nothing.
    pub idle: Duration,
}

impl Default for SocketLimits {
    /// 4 MiB, in one frame or many; 60 s.
    fn default() -> Self {
        Self { message: 4 << 20, frame: 4 << 20, idle: Duration::from_secs(60) }
    }
}

/// How a WebSocket ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SocketError {
    /// The peer said goodbye, or we did.
    #[error("closed with {code}: {reason}")]
    Closed {
        /// Its code; 1005 without one.
        code: u16,
        /// Its reason: the peer's own text.
        reason: String,
    },
    /// The peer does not follow the protocol. It was told so.
    #[error("not the WebSocket protocol: {0}")]
    Garbage(String),
    /// A message or a frame beyond the limit.
    #[error("a message of more than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The peer gave no sign of life, or took nothing.
    #[error("no sign of life")]
    Timeout,
    /// The connection broke without a goodbye.
    #[error("the connection broke: {0}")]
    Interrupted(String),
}
