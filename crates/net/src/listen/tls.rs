//! Encryption of a listener, from a certificate and a key as text.

use super::error::{ListenError, ListenErrorKind};
use super::options::{Certificate, Place};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{Error, ServerConfig, crypto::ring};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

pub(super) fn acceptor(certificate: &Certificate, place: &Place) -> Result<TlsAcceptor, ListenError> {
    let error = |kind, detail: String| ListenError::new(kind, place, detail);
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&certificate.chain)
        .collect::<Result<_, _>>()
        .map_err(|fault| error(ListenErrorKind::Certificate, fault.to_string()))?;
    if chain.is_empty() {
        return Err(error(ListenErrorKind::Certificate, "there is none in it".to_owned()));
    }
    // The parser's own words may repeat a line of the key.
    let key =
        PrivateKeyDer::from_pem_slice(&certificate.key).map_err(|_| error(ListenErrorKind::Key, String::new()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key));
    let mut config = config.map_err(|fault| match fault {
        Error::InconsistentKeys(_) => error(ListenErrorKind::KeyMismatch, String::new()),
        Error::InvalidCertificate(_) => error(ListenErrorKind::Certificate, fault.to_string()),
        _ => error(ListenErrorKind::Key, String::new()),
    })?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
