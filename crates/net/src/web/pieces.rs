//! The body of an answer in pieces, within its limits. A piece is received when it is asked for, so no more of the body is
//! in memory than the connection reads ahead.

use super::body::Bounds;
use super::door::Open;
use crate::failure::chain;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use palanca_core::call::Cancel;
use palanca_core::ports::{WebError, WebErrorKind};
use tokio::time::timeout_at;

/// An answer whose head has been read.
pub struct Pieces {
    pub hop: Open,
    pub bounds: Bounds,
    pub url: String,
    pub cancel: Cancel,
}

impl Pieces {
    pub fn stream(self) -> BoxStream<'static, Result<Bytes, WebError>> {
        let unread = self.bounds.bytes;
        stream::unfold(Some((self, unread)), async |state| {
            let (mut pieces, unread) = state?;
            match pieces.next(unread).await? {
                Ok((piece, unread)) => Some((Ok(piece), Some((pieces, unread)))),
                // The connection ends here.
                Err(error) => Some((Err(error), None)),
            }
        })
        .boxed()
    }

    /// The next piece, and how much may follow it; none at the end.
    async fn next(&mut self, unread: usize) -> Option<Result<(Bytes, usize), WebError>> {
        let next = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Some(Err(self.error(WebErrorKind::Cancelled))),
            next = timeout_at(self.bounds.next(), self.hop.exchange.piece()) => next,
        };
        Some(match next {
            Err(_) => Err(self.error(WebErrorKind::Timeout).detail("in the middle of the answer")),
            Ok(None) => return None,
            Ok(Some(Err(fault))) => Err(self.error(WebErrorKind::Interrupted).detail(chain(&fault))),
            Ok(Some(Ok(piece))) => match unread.checked_sub(piece.len()) {
                Some(unread) => Ok((piece, unread)),
                None => Err(self.error(WebErrorKind::TooLarge).detail(self.bounds.bytes.to_string())),
            },
        })
    }

    fn error(&self, kind: WebErrorKind) -> WebError {
        WebError::new(kind, &self.url)
    }
}
