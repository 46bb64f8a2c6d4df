//! The door's end of a WebSocket: the request that opens it, and whether the host really did.

use super::send::Hop;
use crate::connect::Wire;
use crate::failure::chain;
use crate::line::{only, upgrade};
use crate::websocket::{accepted, changes};
use data_encoding::BASE64;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_EXTENSIONS,
    SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use hyper::upgrade::Upgraded;
use palanca_core::ports::{WebError, WebErrorKind};
use ring::rand::{SecureRandom as _, SystemRandom};

/// Sends the request and waits until the host has agreed.
pub async fn open(wire: Box<dyn Wire>, hop: Hop<'_>) -> Result<Upgraded, WebError> {
    let url = hop.target.url.as_str();
    let refused = |detail: String| WebError::new(WebErrorKind::NotUpgraded, url).detail(detail);
    let mut nonce = [0; 16];
    SystemRandom::new().fill(&mut nonce).map_err(|_| refused("no random numbers".to_owned()))?;
    let key = BASE64.encode(&nonce);
    let mut request = hop.request()?;
    let headers = request.headers_mut();
    for other in [ACCEPT, ACCEPT_ENCODING, SEC_WEBSOCKET_EXTENSIONS] {
        headers.remove(other);
    }
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    headers.insert(SEC_WEBSOCKET_KEY, HeaderValue::from_str(&key).map_err(|fault| refused(fault.to_string()))?);
    let wanted = headers.get(SEC_WEBSOCKET_PROTOCOL).cloned();
    let (answer, upgraded) = upgrade(wire, request)
        .await
        .map_err(|fault| WebError::new(WebErrorKind::Interrupted, url).detail(chain(&fault)))?;
    let upgraded = upgraded.ok_or_else(|| refused(format!("it answered {}", answer.status().as_u16())))?;
    match fault(answer.headers(), &accepted(&key), wanted.as_ref()) {
        Some(fault) => Err(refused(fault.to_owned())),
        None => Ok(upgraded),
    }
}

/// What is wrong with an answer that agrees.
fn fault(headers: &HeaderMap, accept: &str, wanted: Option<&HeaderValue>) -> Option<&'static str> {
    if !changes(headers) {
        return Some("it changed to another protocol");
    }
    if only(headers, SEC_WEBSOCKET_ACCEPT).is_none_or(|value| value != accept) {
        return Some("it did not understand the request");
    }
    if headers.contains_key(SEC_WEBSOCKET_EXTENSIONS) {
        return Some("it uses an extension that was not asked for");
    }
    if !headers.contains_key(SEC_WEBSOCKET_PROTOCOL) {
        return None;
    }
    let offered = wanted.and_then(|wanted| wanted.to_str().ok()).unwrap_or_default();
    let chosen = only(headers, SEC_WEBSOCKET_PROTOCOL).and_then(|chosen| chosen.to_str().ok()).unwrap_or_default();
    let known = offered.split(',').any(|one| !chosen.is_empty() && one.trim() == chosen);
    (!known).then_some("it chose a subprotocol that was not offered")
}

#[cfg(test)]
mod tests;
