//! A network door restricted to one call: the request must equal the permit's, to the last byte of the address.

use super::{WebAnswer, WebError, WebErrorKind, WebLimits, WebRequest, WebStream};
use crate::call::{Cancel, Effect, Effects, HttpAccess};
use crate::ports::http::Header;
use crate::ports::{Hops, Web};
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;

/// The network door, restricted to one call's effects.
pub struct WebHandle {
    door: Arc<dyn Web>,
    hops: Arc<dyn Hops>,
    effects: Arc<Effects>,
    /// Once cancelled, the permit is void.
    cancel: Arc<Cancel>,
}

impl WebHandle {
    pub(crate) fn new(door: Arc<dyn Web>, hops: Arc<dyn Hops>, effects: Arc<Effects>, cancel: Arc<Cancel>) -> Self {
        Self { door, hops, effects, cancel }
    }

    /// The requests that this call may send, in the order claimed, in canonical spelling.
    pub fn granted(&self) -> impl Iterator<Item = &HttpAccess> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Http(reach) => Some(&**reach),
            _ => None,
        })
    }

    /// Sends one of the granted requests. `fresh`: see [`WebRequest::fresh`].
    ///
    /// # Errors
    /// As [`Web::open`]; [`WebErrorKind::NotGranted`] for anything but exactly what was judged.
    pub async fn open(
        &self,
        reach: &HttpAccess,
        headers: &[Header],
        limits: WebLimits,
        fresh: Duration,
    ) -> Result<WebAnswer, WebError> {
        self.holds(reach)?;
        self.door.open(reach, self.with(headers, limits, fresh)).await
    }

    /// The same, where `hops` judges redirects, too.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_within(
        &self,
        reach: &HttpAccess,
        headers: &[Header],
        limits: WebLimits,
        hops: &dyn Hops,
    ) -> Result<WebAnswer, WebError> {
        self.holds(reach)?;
        let hops = Both(&*self.hops, hops);
        self.door.open(reach, WebRequest { hops: &hops, ..self.with(headers, limits, Duration::ZERO) }).await
    }

    /// The same, with the body in pieces. The stream ends with the call.
    ///
    /// # Errors
    /// As [`Web::stream`]; [`WebErrorKind::NotGranted`] for anything but exactly what was judged.
    pub async fn stream(
        &self,
        reach: &HttpAccess,
        headers: &[Header],
        limits: WebLimits,
    ) -> Result<WebStream, WebError> {
        self.holds(reach)?;
        self.door.stream(reach, self.with(headers, limits, Duration::ZERO)).await
    }

    fn holds(&self, reach: &HttpAccess) -> Result<(), WebError> {
        if self.cancel.is_cancelled() || !self.granted().any(|granted| granted == reach) {
            return Err(WebError::new(WebErrorKind::NotGranted, &reach.url));
        }
        Ok(())
    }

    fn with<'a>(&'a self, headers: &'a [Header], limits: WebLimits, fresh: Duration) -> WebRequest<'a> {
        WebRequest { headers, limits, fresh, hops: &*self.hops, cancel: &self.cancel }
    }
}

/// Both let a redirect pass.
struct Both<'a>(&'a dyn Hops, &'a dyn Hops);

impl Hops for Both<'_> {
    fn judge(&self, hop: &HttpAccess) -> Result<(), String> {
        self.0.judge(hop).and_then(|()| self.1.judge(hop))
    }
}

/// A door without a network: for gates whose tools need none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWeb;

impl Web for NoWeb {
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError> {
        Err(WebError::new(WebErrorKind::Disabled, &reach.url))
    }

    fn open<'a>(&'a self, reach: &'a HttpAccess, _with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>> {
        Box::pin(async { Err(WebError::new(WebErrorKind::Disabled, &reach.url)) })
    }
}
