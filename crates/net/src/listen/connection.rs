//! One connection from its first byte to its last: encryption, requests one after the other, their judgement.

use super::Shared;
use super::body::{Body, Verdict};
use super::peer::Peer;
use super::tally::{Refusal, Seat};
use super::watched::{Running, Watch, Watched};
use crate::connect::Wire;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Either, Full};
use hyper::body::{Body as HttpBody, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use palanca_core::call::Cancel;
use std::convert::Infallible;
use std::error::Error;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::time::{Instant, sleep_until, timeout};
use tower_service::Service;

/// Any error of a body.
pub(super) type Fault = Box<dyn Error + Send + Sync>;

/// Bytes that are buffered in each direction, but for a longer head.
const BUFFER: usize = 64 << 10;

/// Serves requests until the peer or the listener ends the connection.
pub(super) async fn serve<S, B>(
    wire: Box<dyn Wire>,
    (seat, peer): (Seat, Peer),
    shared: Arc<Shared>,
    hosted: (S, Cancel),
) where
    S: Service<Request<Body>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<Fault>,
{
    let (service, stop) = hosted;
    let Some(wire) = encrypted(wire, &shared, &stop).await else { return };
    let watch = Arc::new(Watch::new());
    let io = TokioIo::new(Watched::new(wire, Arc::clone(&watch), seat, shared.cut.clone()));
    let (known, watched) = (Arc::clone(&shared), Arc::clone(&watch));
    let answer = move |request| answer(service.clone(), request, (peer, Arc::clone(&known)), Arc::clone(&watched));
    let head_bytes = shared.limits.head_bytes;
    let mut http = Builder::new();
    http.max_header_size(head_bytes).max_buf_size(BUFFER.max(head_bytes));
    let mut connection = pin!(http.serve_connection(io, service_fn(answer)).with_upgrades());
    let mut stopped = pin!(stop.cancelled());
    let mut stopping = false;
    let mut alarm = pin!(sleep_until(Instant::now() + shared.limits.head_time));
    poll_fn(|cx| {
        if !stopping && stopped.as_mut().poll(cx).is_ready() {
            stopping = true;
            watch.stops();
            connection.as_mut().graceful_shutdown();
        }
        // The error of a broken connection goes to the service, through its body.
        if connection.as_mut().poll(cx).is_ready() || (stopping && watch.is_unused()) {
            return Poll::Ready(());
        }
        let Some(deadline) = watch.deadline(&shared.limits) else { return Poll::Pending };
        if alarm.deadline() != deadline {
            alarm.as_mut().reset(deadline);
        }
        alarm.as_mut().poll(cx).map(|()| {
            if !watch.is_between_requests() {
                shared.tally.refuse(Refusal::Slow);
            }
        })
    })
    .await;
}

async fn encrypted(wire: Box<dyn Wire>, shared: &Shared, stop: &Cancel) -> Option<Box<dyn Wire>> {
    let Some(tls) = &shared.tls else { return Some(wire) };
    let agreed = tokio::select! {
        () = stop.cancelled() => return None,
        agreed = timeout(shared.limits.head_time, tls.accept(wire)) => agreed,
    };
    match agreed {
        Ok(Ok(wire)) => Some(Box::new(wire)),
        Ok(Err(_)) => {
            shared.tally.refuse(Refusal::Unencrypted);
            None
        }
        Err(_) => {
            shared.tally.refuse(Refusal::Slow);
            None
        }
    }
}

/// The service's answer, or ours if the request is refused.
async fn answer<S, B>(
    mut service: S,
    request: Request<Incoming>,
    (peer, shared): (Peer, Arc<Shared>),
    watch: Arc<Watch>,
) -> Result<Response<impl HttpBody<Data = Bytes, Error = Fault>>, Infallible>
where
    S: Service<Request<Body>, Response = Response<B>, Error = Infallible>,
    B: HttpBody<Data = Bytes>,
    B::Error: Into<Fault>,
{
    let running = Running::begin(&watch);
    let (mut head, incoming) = request.into_parts();
    let verdict = Verdict::default();
    let judged = shared.names.judge(&head);
    let body = judged.and_then(|()| Body::new(incoming, &shared.limits, Arc::clone(&verdict)));
    let answered = match body {
        Err(why) => Err(why),
        Ok(body) => {
            head.extensions.insert(peer.of(&head.headers, &shared.proxies));
            let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
            let Ok(answer) = service.call(Request::from_parts(head, body)).await;
            verdict.get().map_or(Ok(answer), |why| Err(*why))
        }
    };
    let answer = match answered {
        Ok(answer) => {
            if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                running.upgrades();
            }
            answer.map(Either::Left)
        }
        Err(why) => {
            shared.tally.refuse(why);
            running.ends();
            refused(why).map(Either::Right)
        }
    };
    // The body is dropped when all of it is sent.
    Ok(answer.map(|body| match body {
        Either::Left(body) => Either::Left(body.map_err(move |fault| {
            let _ = &running;
            fault.into()
        })),
        Either::Right(body) => Either::Right(body.map_err(move |never| {
            let _ = &running;
            match never {}
        })),
    }))
}

fn refused(why: Refusal) -> Response<Full<Bytes>> {
    let (status, text) = why.answer();
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answer
}
