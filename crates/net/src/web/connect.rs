//! Connections, only to judged addresses. None is reused: a connection that outlives
//! its request could serve a name whose address was never judged.

use super::target::Target;
use crate::connect::{Dial, Encryption, Wire, race, tls_detail};
use palanca_core::ports::{WebError, WebErrorKind};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::time::timeout;

/// A connection to the first of the addresses that answers, encrypted if the target says so.
pub async fn connect(
    target: &Target,
    to: &[SocketAddr],
    (dial, encryption): (&dyn Dial, &Encryption),
    limit: Duration,
) -> Result<Box<dyn Wire>, WebError> {
    let error = |kind, detail: String| WebError::new(kind, target.url.as_str()).detail(detail);
    let open = async {
        let wire = race(to, dial).await.map_err(|fault| error(WebErrorKind::Unreachable, fault.to_string()))?;
        if target.url.scheme() == "http" {
            return Ok(wire);
        }
        let host = target.host.to_string();
        encryption.wrap(wire, &host).await.map_err(|fault| error(WebErrorKind::Tls, tls_detail(&fault)))
    };
    let late = || error(WebErrorKind::Timeout, format!("no connection in {} s", limit.as_secs_f32()));
    timeout(limit, open).await.unwrap_or_else(|_| Err(late()))
}
