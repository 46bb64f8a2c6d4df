//! Connections: to one of the addresses that the caller names, plain or encrypted.

use crate::failure::chain;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, crypto::ring};
use rustls_platform_verifier::Verifier;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::sleep;
use tokio_rustls::TlsConnector;

/// Bytes in both directions.
pub trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Wire for T {}

/// A way to open connections.
pub trait Dial: Send + Sync {
    /// Connects to exactly this address, which has been judged.
    fn dial(&self, to: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Wire>>>;
}

/// The system's network.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDial;

impl Dial for SystemDial {
    fn dial(&self, to: SocketAddr) -> BoxFuture<'_, io::Result<Box<dyn Wire>>> {
        Box::pin(async move {
            let stream = tokio::net::TcpStream::connect(to).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Wire>)
        })
    }
}

type Built = Result<Arc<ClientConfig>, rustls::Error>;

/// Only the platform's certificates: reading them costs milliseconds and megabytes, so every client shares them.
static PLATFORM: OnceLock<Built> = OnceLock::new();

/// The trusted certificates, read when the first encrypted connection is made.
#[derive(Debug)]
pub(crate) struct Encryption {
    roots: Vec<CertificateDer<'static>>,
    config: OnceLock<Built>,
}

impl Encryption {
    /// Trusts these roots in addition to the platform's.
    pub(crate) const fn new(roots: Vec<CertificateDer<'static>>) -> Self {
        Self { roots, config: OnceLock::new() }
    }

    fn config(&self) -> Built {
        let build = || build(&self.roots).map(Arc::new);
        self.config
            .get_or_init(|| if self.roots.is_empty() { PLATFORM.get_or_init(build).clone() } else { build() })
            .clone()
    }

    #[cfg(test)]
    pub(crate) fn is_read(&self) -> bool {
        self.config.get().is_some()
    }

    /// Encrypts a connection to this name or address. An error of TLS itself carries a [`rustls::Error`].
    pub(crate) async fn wrap(&self, wire: Box<dyn Wire>, host: &str) -> io::Result<Box<dyn Wire>> {
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned())
            .map_err(|fault| io::Error::other(rustls::Error::General(fault.to_string())))?;
        let config = self.config().map_err(io::Error::other)?;
        Ok(Box::new(TlsConnector::from(config).connect(name, wire).await?))
    }
}

/// Why encryption failed, without the names in the host's certificate: those are the host's own text.
pub(crate) fn tls_detail(fault: &io::Error) -> String {
    let inner = fault.get_ref().and_then(|inner| inner.downcast_ref());
    match inner {
        Some(rustls::Error::InvalidCertificate(CertificateError::NotValidForNameContext { .. })) => {
            "the certificate is for other names".to_owned()
        }
        _ => chain(fault),
    }
}

fn build(roots: &[CertificateDer<'static>]) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(roots.iter().cloned(), Arc::clone(&provider))?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// How long to wait for one address before trying the next in parallel, RFC 8305.
const HEAD_START: Duration = Duration::from_millis(250);

/// A connection to the first address that answers.
pub(crate) async fn race(to: &[SocketAddr], dial: &dyn Dial) -> io::Result<Box<dyn Wire>> {
    let mut waiting = interleaved(to).into_iter();
    let mut running = FuturesUnordered::new();
    let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        if let Some(next) = waiting.next() {
            running.push(dial.dial(next));
        } else if running.is_empty() {
            return Err(failed);
        }
        let ended = tokio::select! {
            ended = running.next() => ended,
            () = sleep(HEAD_START), if waiting.len() > 0 => None,
        };
        match ended {
            Some(Ok(wire)) => return Ok(wire),
            Some(Err(fault)) => failed = fault,
            None => {}
        }
    }
}

/// The resolver's order, alternating between the address families.
fn interleaved(to: &[SocketAddr]) -> Vec<SocketAddr> {
    let (mut first, mut second): (Vec<_>, Vec<_>) =
        to.iter().partition(|address| to.first().is_some_and(|head| head.is_ipv4() == address.is_ipv4()));
    first.reverse();
    second.reverse();
    let mut all = Vec::with_capacity(to.len());
    while let Some(address) = first.pop().or_else(|| second.pop()) {
        all.push(address);
        all.extend(second.pop());
    }
    all
}
