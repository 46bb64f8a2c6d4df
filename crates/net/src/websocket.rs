//! An open WebSocket at either end: frames by the library, limits, signs of life and named ends by us.

use bytes::Bytes;
use data_encoding::BASE64;
use futures_util::future::BoxFuture;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::header::{CONNECTION, HeaderMap, HeaderName, UPGRADE};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use palanca_core::ports::{SocketError, SocketLimits, SocketMessage, WebSocket};
use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

/// Bytes that are read at once.
const READ_AHEAD: usize = 8 << 10;
/// Bytes of what is sent that may wait besides a message: pongs.
const WRITE_AHEAD: usize = 16 << 10;
/// How long a peer may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(5);
/// Bytes of a close frame's reason.
const LONGEST_REASON: usize = 123;

/// What a server answers to the client's key, RFC 6455, 4.2.2.
pub(crate) fn accepted(key: &str) -> String {
    let text = format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    BASE64.encode(digest(&SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes()).as_ref())
}

/// Whether both lines of a change of protocol are there, in a request or in an answer.
pub(crate) fn changes(headers: &HeaderMap) -> bool {
    let has = |name: HeaderName, word: &str| {
        let lines = headers.get_all(name);
        lines
            .iter()
            .filter_map(|line| line.to_str().ok())
            .any(|line| line.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    has(CONNECTION, "upgrade") && has(UPGRADE, "websocket")
}

pub(crate) struct Socket<H> {
    stream: WebSocketStream<TokioIo<Upgraded>>,
    limits: SocketLimits,
    heard: Instant,
    /// When the peer was asked for a sign of life, if it has given none since.
    asked: Option<Instant>,
    ended: Option<SocketError>,
    /// Held as long as the connection.
    _held: H,
}

impl<H: Send> Socket<H> {
    pub(crate) async fn new(upgraded: Upgraded, role: Role, limits: SocketLimits, held: H) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_AHEAD)
            .write_buffer_size(WRITE_AHEAD)
            .max_write_buffer_size(limits.message.saturating_add(2 * WRITE_AHEAD))
            .max_message_size(Some(limits.message))
            .max_frame_size(Some(limits.frame));
        let stream = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), role, Some(config)).await;
        Self { stream, limits, heard: Instant::now(), asked: None, ended: None, _held: held }
    }

    async fn next(&mut self) -> Result<SocketMessage, SocketError> {
        if let Some(end) = &self.ended {
            return Err(end.clone());
        }
        loop {
            let since = self.asked.unwrap_or(self.heard);
            match timeout_at(since + self.limits.idle / 2, self.stream.next()).await {
                Err(_) if self.asked.is_some() => return Err(self.ends(SocketError::Timeout)),
                Err(_) => {
                    self.asked = Some(Instant::now());
                    self.put(Message::Ping(Bytes::new())).await?;
                }
                Ok(Some(Ok(message))) => {
                    (self.heard, self.asked) = (Instant::now(), None);
                    match message {
                        Message::Text(text) => return Ok(SocketMessage::Text(text.as_str().to_owned())),
                        Message::Binary(bytes) => return Ok(SocketMessage::Binary(bytes)),
                        Message::Close(frame) => return Err(self.closed(frame).await),
                        Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
                    }
                }
                Ok(Some(Err(fault))) => return Err(self.fails(fault).await),
                Ok(None) => return Err(self.ends(SocketError::Interrupted("it has ended".to_owned()))),
            }
        }
    }

    async fn put(&mut self, message: Message) -> Result<(), SocketError> {
        if let Some(end) = &self.ended {
            return Err(end.clone());
        }
        match timeout(self.limits.idle, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(fault)) => Err(self.fails(fault).await),
            Err(_) => Err(self.ends(SocketError::Timeout)),
        }
    }

    fn ends(&mut self, error: SocketError) -> SocketError {
        self.ended.get_or_insert(error).clone()
    }

    /// The peer has said goodbye; the library has an answer ready.
    async fn closed(&mut self, frame: Option<CloseFrame>) -> SocketError {
        let (code, reason) = frame.map_or((1005, String::new()), |frame| (frame.code.into(), frame.reason.to_string()));
        let end = self.ends(SocketError::Closed { code, reason });
        self.finish().await;
        end
    }

    /// Tells the peer what was wrong with it, if anything was.
    async fn fails(&mut self, fault: Error) -> SocketError {
        let (error, code) = match fault {
            Error::Capacity(CapacityError::MessageTooLong { max_size: limit, .. }) => {
                (SocketError::TooLarge { limit }, CloseCode::Size)
            }
            Error::Utf8(detail) => (SocketError::Garbage(detail), CloseCode::Invalid),
            Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) | Error::ConnectionClosed => {
                return self.ends(SocketError::Interrupted("it has ended".to_owned()));
            }
            Error::Io(fault) => return self.ends(SocketError::Interrupted(fault.to_string())),
            other => (SocketError::Garbage(other.to_string()), CloseCode::Protocol),
        };
        let end = self.ends(error);
        // ignored: a peer that sends garbage need not hear why.
        let _ = timeout(GOODBYE, self.stream.close(Some(CloseFrame { code, reason: "".into() }))).await;
        end
    }

    /// Waits until the peer has ended the connection, too.
    async fn finish(&mut self) {
        // ignored: a peer that does not end it is left.
        let _ = timeout(GOODBYE, async { while let Some(Ok(_)) = self.stream.next().await {} }).await;
    }
}

impl<H: Send> WebSocket for Socket<H> {
    fn receive(&mut self) -> BoxFuture<'_, Result<SocketMessage, SocketError>> {
        Box::pin(self.next())
    }

    fn send(&mut self, message: SocketMessage) -> BoxFuture<'_, Result<(), SocketError>> {
        let (size, message) = match message {
            SocketMessage::Text(text) => (text.len(), Message::Text(text.into())),
            SocketMessage::Binary(bytes) => (bytes.len(), Message::Binary(bytes)),
        };
        Box::pin(async move {
            if size > self.limits.message {
                return Err(SocketError::TooLarge { limit: self.limits.message });
            }
            self.put(message).await
        })
    }

    fn close<'a>(&'a mut self, code: u16, reason: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let reason = reason.get(..reason.floor_char_boundary(LONGEST_REASON)).unwrap_or_default();
            self.ends(SocketError::Closed { code, reason: reason.to_owned() });
            let frame = CloseFrame { code: code.into(), reason: reason.into() };
            // ignored: a connection that is broken needs no goodbye.
            let _ = timeout(GOODBYE, self.stream.close(Some(frame))).await;
            self.finish().await;
        })
    }
}
