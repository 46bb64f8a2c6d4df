//! A listener on loopback with a service that does what a path says, and peers that send bytes by hand.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Empty};
use palanca_core::call::Cancel;
use palanca_core::ports::{SocketError, SocketLimits, SocketMessage, WebSocket};
use palanca_net::listen::{
    Body, Frame, Full, ListenLimits, ListenOptions, Listener, Peer, Refusal, Request, Response, Service, StatusCode,
    StreamBody, Tally, websocket,
};
use palanca_testkit::{PATIENCE, until};
use std::convert::Infallible;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;

/// More than the kernel keeps for a peer that does not read.
pub const LARGE: usize = 32 << 20;

type Sent = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// | path | answer |
/// |---|---|
/// | `/peer` | who asks |
/// | `/echo` | the request's body, piece by piece |
/// | `/size` | the size of the request's body, or why it has none |
/// | `/deaf` | at once, with the body unread |
/// | `/events` | the texts that the test sends |
/// | `/hold` | when the test says so |
/// | `/endless` | zeros for ever |
/// | `/large` | 32 MiB at once |
/// | `/ws` | a WebSocket that returns each message; `bye` closes it |
/// | `/panic` | none |
#[derive(Clone)]
pub struct Play {
    events: Arc<Mutex<Option<mpsc::Receiver<&'static str>>>>,
    pub begun: Arc<Semaphore>,
    pub go: Arc<Semaphore>,
    /// How its WebSockets ended.
    pub ended: Arc<Mutex<Vec<SocketError>>>,
}

impl Service<Request<Body>> for Play {
    type Response = Response<Sent>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Sent>, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let play = self.clone();
        Box::pin(async move {
            let path = request.uri().path().to_owned();
            let peer = *request.extensions().get::<Peer>().unwrap();
            let body = match path.as_str() {
                "/echo" => request.into_body().map_err(Into::into).boxed_unsync(),
                "/size" => {
                    let mut body = request.into_body();
                    let mut size = 0;
                    let end = loop {
                        match body.frame().await {
                            None => break "whole".to_owned(),
                            Some(Ok(frame)) => size += frame.into_data().unwrap_or_default().len(),
                            Some(Err(error)) => break error.to_string(),
                        }
                    };
                    text(format!("{size} {end}"))
                }
                "/events" => {
                    let events = play.events.lock().unwrap().take().unwrap();
                    let events = futures_util::stream::unfold(events, async |mut events| {
                        let text = events.recv().await?;
                        Some((Ok(Frame::data(Bytes::from(format!("data: {text}\n\n")))), events))
                    });
                    StreamBody::new(Box::pin(events)).boxed_unsync()
                }
                "/hold" => {
                    play.begun.add_permits(1);
                    play.go.acquire().await.unwrap().forget();
                    text("held".to_owned())
                }
                "/endless" => {
                    let zeros = Bytes::from_static(&[0; 16 << 10]);
                    let zeros = futures_util::stream::repeat_with(move || Ok(Frame::data(zeros.clone())));
                    StreamBody::new(zeros).boxed_unsync()
                }
                "/large" => Full::new(Bytes::from(vec![b'x'; LARGE])).map_err(Into::into).boxed_unsync(),
                "/ws" => {
                    let limits = SocketLimits { message: 100_000, frame: 100_000, ..SocketLimits::default() };
                    let Some((answer, opening)) = websocket(&mut request, limits) else {
                        let mut answer = Response::new(text("no websocket".to_owned()));
                        *answer.status_mut() = StatusCode::BAD_REQUEST;
                        return Ok(answer);
                    };
                    tokio::spawn(async move {
                        let end = match opening.await {
                            Ok(socket) => echo(socket).await,
                            Err(end) => end,
                        };
                        play.ended.lock().unwrap().push(end);
                    });
                    return Ok(answer.map(|body| body.map_err(Into::into).boxed_unsync()));
                }
                "/panic" => panic!("as asked"),
                "/empty" => Empty::new().map_err(Into::into).boxed_unsync(),
                _ => text(format!("{peer:?}")),
            };
            Ok(Response::new(body))
        })
    }
}

async fn echo(mut socket: Box<dyn WebSocket>) -> SocketError {
    loop {
        let end = match socket.receive().await {
            Ok(SocketMessage::Text(text)) if text == "bye" => {
                socket.close(4001, "as asked").await;
                socket.receive().await.unwrap_err()
            }
            Ok(message) => match socket.send(message).await {
                Ok(()) => continue,
                Err(end) => end,
            },
            Err(end) => end,
        };
        return end;
    }
}

fn text(text: String) -> Sent {
    Full::new(Bytes::from(text)).map_err(Into::into).boxed_unsync()
}

/// A listener that is served.
pub struct Hosted {
    pub at: SocketAddr,
    pub play: Play,
    pub events: mpsc::Sender<&'static str>,
    pub stop: Cancel,
    pub tally: Arc<Tally>,
    pub runtime: Runtime,
    serving: JoinHandle<usize>,
}

impl Hosted {
    pub fn local(limits: ListenLimits) -> Self {
        Self::new(ListenOptions { limits, ..ListenOptions::local(0) })
    }

    pub fn new(options: ListenOptions) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(Listener::bind(options)).unwrap();
        let (send, receive) = mpsc::channel(8);
        let play = Play {
            events: Arc::new(Mutex::new(Some(receive))),
            begun: Arc::new(Semaphore::new(0)),
            go: Arc::new(Semaphore::new(0)),
            ended: Arc::default(),
        };
        let (stop, tally) = (Cancel::new(), listener.tally());
        let at = listener.address().unwrap_or_else(|| ([127, 0, 0, 1], 1).into());
        let serving = runtime.spawn(listener.serve(play.clone(), stop.clone()));
        Self { at, play, events: send, stop, tally, runtime, serving }
    }

    /// How many were cut off.
    pub fn stopped(self) -> usize {
        self.stop.cancel();
        self.runtime.block_on(self.serving).unwrap()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The head of a request that asks to keep the connection.
    pub fn head(&self, method: &str, path: &str, lines: &str) -> String {
        format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}\r\n", self.at)
    }

    /// The whole answer to these bytes on a new connection.
    pub fn answer(&self, bytes: &str) -> String {
        let mut stream = self.connect();
        // ignored: a server that refuses a request need not take all of it; the answer is what counts.
        let _ = stream.write_all(bytes.as_bytes());
        rest(&mut stream)
    }

    pub fn get(&self, path: &str) -> String {
        self.answer(&self.head("GET", path, "Connection: close\r\n"))
    }

    /// Waits until this many connections or requests were refused for this reason.
    pub fn refused(&self, why: Refusal, times: u64) {
        until("all are refused", || self.tally.refused(why) >= times);
        assert_eq!(self.tally.refused(why), times, "{why:?}");
    }

    pub fn open_at_most(&self, connections: usize) {
        let waited = async { tokio::time::timeout(PATIENCE, self.tally.at_most(connections)).await };
        self.runtime.block_on(waited).unwrap_or_else(|_| panic!("{} are open", self.tally.open()));
    }
}

/// Everything up to the end, or up to a reset.
pub fn rest(stream: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    // ignored: what was received before a reset is there.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads until this text has come.
pub fn read_until(stream: &mut impl Read, end: &str) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(end.as_bytes()) {
        let mut byte = [0];
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&bytes));
        bytes.push(byte[0]);
    }
    String::from_utf8(bytes).unwrap()
}

/// Whether the other side closes without a further byte.
pub fn is_closed(stream: &mut impl Read) -> bool {
    match stream.read(&mut [0; 64]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}
