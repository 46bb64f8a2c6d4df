//! One HTTP/1.1 connection. It advances only while its answer is awaited, so it needs no separate task, and dropping it
//! ends any exchange in progress.

use crate::connect::Wire;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Frame, Incoming};
use hyper::client::conn::TrySendError;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::upgrade::Upgraded;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Bytes of an answer's head.
const MAX_HEAD: usize = 64 << 10;
/// Lines of an answer's head.
const MAX_LINES: usize = 256;
/// Bytes of an answer that are read ahead.
const READ_AHEAD: usize = 128 << 10;

type Open = Connection<TokioIo<Box<dyn Wire>>, Full<Bytes>>;

pub(crate) struct Line {
    sender: SendRequest<Full<Bytes>>,
    /// None once it has ended.
    connection: Option<Open>,
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.max_headers(MAX_LINES).max_header_size(MAX_HEAD).max_buf_size(READ_AHEAD);
    builder
}

/// The value of a header that is there once.
pub(crate) fn only(headers: &HeaderMap, name: HeaderName) -> Option<&HeaderValue> {
    let mut all = headers.get_all(name).iter();
    all.next().filter(|_| all.next().is_none())
}

/// Sends a request that asks for another protocol. The answer's head, and the connection if the server agrees.
pub(crate) async fn upgrade(
    wire: Box<dyn Wire>,
    request: Request<Full<Bytes>>,
) -> Result<(Response<Incoming>, Option<Upgraded>), hyper::Error> {
    let (mut sender, connection) = builder().handshake(TokioIo::new(wire)).await?;
    let mut connection = Some(Box::pin(connection.with_upgrades()));
    let mut exchange = pin!(async move {
        let mut response = sender.send_request(request).await?;
        let agreed = response.status() == StatusCode::SWITCHING_PROTOCOLS;
        let upgraded = if agreed { Some(hyper::upgrade::on(&mut response).await?) } else { None };
        Ok((response, upgraded))
    });
    poll_fn(|cx| {
        // Its error goes to the exchange.
        if connection.as_mut().is_some_and(|connection| connection.as_mut().poll(cx).is_ready()) {
            connection = None;
        }
        exchange.as_mut().poll(cx)
    })
    .await
}

impl Line {
    pub(crate) async fn open(wire: Box<dyn Wire>) -> Result<Self, hyper::Error> {
        let (sender, connection) = builder().handshake(TokioIo::new(wire)).await?;
        Ok(Self { sender, connection: Some(connection) })
    }

    /// Sends the request and waits for the head of the answer. The error contains the request if none of it was sent.
    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, TrySendError<Request<Full<Bytes>>>> {
        let answer = self.sender.try_send_request(request);
        self.beside(answer).await
    }

    /// The next piece of the body, as sent; none at its end.
    pub(crate) async fn piece(&mut self, body: &mut Incoming) -> Option<Result<Bytes, hyper::Error>> {
        loop {
            match self.beside(body.frame()).await?.map(Frame::into_data) {
                Ok(Ok(piece)) => return Some(Ok(piece)),
                // Trailers are ignored.
                Ok(Err(_)) => {}
                Err(fault) => return Some(Err(fault)),
            }
        }
    }

    /// Whether another request may be sent. Call it after the body is dropped; it closes a connection whose answer has
    /// not ended.
    pub(crate) fn is_idle(&mut self) -> bool {
        self.advance(&mut Context::from_waker(Waker::noop()));
        self.connection.is_some() && self.sender.is_ready()
    }

    async fn beside<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|cx| {
            self.advance(cx);
            work.as_mut().poll(cx)
        })
        .await
    }

    fn advance(&mut self, cx: &mut Context<'_>) {
        // The error of a broken connection goes to the waiting request or body.
        if let Some(open) = &mut self.connection
            && let Poll::Ready(_) = Pin::new(open).poll(cx)
        {
            self.connection = None;
        }
    }
}
