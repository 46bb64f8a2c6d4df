//! A request's body, as it arrives and within its limits. Nothing is read ahead: a service that does not read makes the
//! peer wait.

use super::options::ListenLimits;
use super::tally::Refusal;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// Why a request's body ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// More bytes than the listener takes. Whatever the service answers, the peer is told 413.
    #[error("the body is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// Too long a silence, or too long in all. Whatever the service answers, the peer is told 408.
    #[error("the body took too long")]
    TooSlow,
    /// The peer hung up, or its chunks are broken.
    #[error("the body was cut off: {0}")]
    Broken(String),
}

/// What the body says to the connection.
pub(super) type Verdict = Arc<OnceLock<Refusal>>;

/// A request's body.
pub struct Body {
    incoming: Incoming,
    left: u64,
    limit: u64,
    idle: Duration,
    until: Instant,
    /// Armed while nothing is there.
    silence: Option<Pin<Box<Sleep>>>,
    verdict: Verdict,
}

impl Body {
    /// The error says that its head announces too much already.
    pub(super) fn new(incoming: Incoming, limits: &ListenLimits, verdict: Verdict) -> Result<Self, Refusal> {
        let limit = limits.body_bytes;
        if incoming.size_hint().lower() > limit {
            return Err(Refusal::Large);
        }
        let until = Instant::now() + limits.body_time;
        Ok(Self { incoming, left: limit, limit, idle: limits.body_idle, until, silence: None, verdict })
    }

    fn refuse(&self, why: Refusal, error: BodyError) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        // ignored: the first verdict stays.
        let _ = self.verdict.set(why);
        Poll::Ready(Some(Err(error)))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        let Poll::Ready(next) = Pin::new(&mut this.incoming).poll_frame(cx) else {
            let at = this.until.min(Instant::now() + this.idle);
            let silence = this.silence.get_or_insert_with(|| Box::pin(sleep_until(at)));
            return match silence.as_mut().poll(cx) {
                Poll::Ready(()) => this.refuse(Refusal::Slow, BodyError::TooSlow),
                Poll::Pending => Poll::Pending,
            };
        };
        this.silence = None;
        match next {
            None => Poll::Ready(None),
            Some(Err(fault)) => Poll::Ready(Some(Err(BodyError::Broken(fault.to_string())))),
            // A body that drips is never silent.
            Some(Ok(_)) if Instant::now() > this.until => this.refuse(Refusal::Slow, BodyError::TooSlow),
            Some(Ok(frame)) => {
                let bytes = frame.data_ref().map_or(0, |piece| piece.len() as u64);
                match this.left.checked_sub(bytes) {
                    Some(left) => {
                        this.left = left;
                        Poll::Ready(Some(Ok(frame)))
                    }
                    None => this.refuse(Refusal::Large, BodyError::TooLarge { limit: this.limit }),
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}
