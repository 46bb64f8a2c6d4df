//! A hosted service's end of a WebSocket.

use super::{Bytes, Full, Request, Response, StatusCode};
use crate::websocket::{Socket, accepted, changes};
use futures_util::future::BoxFuture;
use hyper::Method;
use hyper::header::{CONNECTION, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use palanca_core::ports::{SocketError, SocketLimits, WebSocket};
use tokio_tungstenite::tungstenite::protocol::Role;

/// A WebSocket that is open once its answer is sent.
pub type Opening = BoxFuture<'static, Result<Box<dyn WebSocket>, SocketError>>;

/// The answer to a request for a WebSocket, and what opens it: await that in a task of its own. None
/// for any other request, and for a client of another version than 13.
///
/// The answer may get more headers, such as the one of the chosen subprotocol. The WebSocket counts as a connection of its
/// listener, which ends it when it stops.
#[must_use]
pub fn websocket<B>(request: &mut Request<B>, limits: SocketLimits) -> Option<(Response<Full<Bytes>>, Opening)> {
    let headers = request.headers();
    let version = headers.get(SEC_WEBSOCKET_VERSION).is_some_and(|version| version == "13");
    if request.method() != Method::GET || !version || !changes(headers) {
        return None;
    }
    let accept = accepted(headers.get(SEC_WEBSOCKET_KEY)?.to_str().ok()?);
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("upgrade"));
    answer.headers_mut().insert(UPGRADE, HeaderValue::from_static("websocket"));
    answer.headers_mut().insert(SEC_WEBSOCKET_ACCEPT, HeaderValue::from_str(&accept).ok()?);
    let upgrade = hyper::upgrade::on(request);
    let opening = async move {
        let upgraded = upgrade.await.map_err(|fault| SocketError::Interrupted(fault.to_string()))?;
        Ok(Box::new(Socket::new(upgraded, Role::Server, limits, ()).await) as Box<dyn WebSocket>)
    };
    Some((answer, Box::pin(opening)))
}
