//! The body of an answer, read up to its limits and decompressed on the way. The limit applies to the decompressed
//! size: a bomb stops there, with at most one extra buffer in memory.
//!
//! Only gzip is requested and decoded. A body in another encoding is passed on unchanged, with its `Content-Encoding`.

use super::send::Exchange;
use crate::line::only;
use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use hyper::header::{CONTENT_ENCODING, HeaderMap};
use palanca_core::ports::{BodyEnd, WebLimits};
use std::io::{self, Write};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Compressed bytes allowed beyond the limit: more than any useful compressed body has, so an endless stream that
/// decompresses to nothing ends here.
const SLACK: usize = 1 << 20;

/// Limits of one body.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub bytes: usize,
    pub until: Instant,
    pub idle: Duration,
}

impl Bounds {
    pub const fn new(limits: WebLimits, until: Instant) -> Self {
        Self { bytes: limits.bytes, until, idle: limits.idle }
    }

    /// When the next piece must be there.
    pub fn next(&self) -> Instant {
        self.until.min(Instant::now() + self.idle)
    }
}

/// Whether the door decompresses what it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Passed on as sent.
    AsSent,
    Gzip,
}

impl Encoding {
    /// As a request asks for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsSent => "identity",
            Self::Gzip => "gzip",
        }
    }

    pub fn of(headers: &HeaderMap) -> Self {
        let is_gzip = only(headers, CONTENT_ENCODING).is_some_and(|value| is_gzip(value.as_bytes()));
        if is_gzip { Self::Gzip } else { Self::AsSent }
    }
}

fn is_gzip(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    value.eq_ignore_ascii_case(b"gzip") || value.eq_ignore_ascii_case(b"x-gzip")
}

/// Reads the body.
pub async fn read(exchange: &mut Exchange, bounds: Bounds) -> (Bytes, BodyEnd) {
    let mut unpacked = Unpacked::new(Encoding::of(exchange.headers()), bounds.bytes);
    let mut received = 0_usize;
    let end = loop {
        match timeout_at(bounds.next(), exchange.piece()).await {
            Err(_) => break BodyEnd::Time,
            Ok(None) => break unpacked.end(),
            Ok(Some(Err(_))) => break BodyEnd::Broken,
            Ok(Some(Ok(piece))) => {
                received = received.saturating_add(piece.len());
                if let Err(end) = unpacked.take(&piece) {
                    break end;
                }
                if received > bounds.bytes.saturating_add(SLACK) {
                    break BodyEnd::Bytes;
                }
            }
        }
    };
    (unpacked.into_bytes(), end)
}

/// The output so far.
enum Unpacked {
    Plain(Capped),
    Gzip(Box<MultiGzDecoder<Capped>>),
}

impl Unpacked {
    fn new(encoding: Encoding, cap: usize) -> Self {
        let capped = Capped { bytes: Vec::new(), cap, more: false };
        match encoding {
            Encoding::AsSent => Self::Plain(capped),
            Encoding::Gzip => Self::Gzip(Box::new(MultiGzDecoder::new(capped))),
        }
    }

    fn take(&mut self, piece: &[u8]) -> Result<(), BodyEnd> {
        let written = match self {
            Self::Plain(capped) => capped.write_all(piece),
            Self::Gzip(decoder) => decoder.write_all(piece),
        };
        written.map_err(|_| if self.capped().more { BodyEnd::Bytes } else { BodyEnd::Broken })
    }

    /// After the last piece.
    fn end(&mut self) -> BodyEnd {
        match self {
            Self::Plain(_) => BodyEnd::Complete,
            Self::Gzip(decoder) => match decoder.try_finish() {
                Ok(()) => BodyEnd::Complete,
                Err(_) if decoder.get_ref().more => BodyEnd::Bytes,
                Err(_) => BodyEnd::Broken,
            },
        }
    }

    fn capped(&self) -> &Capped {
        match self {
            Self::Plain(capped) => capped,
            Self::Gzip(decoder) => decoder.get_ref(),
        }
    }

    fn into_bytes(mut self) -> Bytes {
        let bytes = match &mut self {
            Self::Plain(capped) => std::mem::take(&mut capped.bytes),
            Self::Gzip(decoder) => {
                // The decoder's remaining output comes first; an error only means that the stream is incomplete.
                let _ = decoder.flush();
                std::mem::take(&mut decoder.get_mut().bytes)
            }
        };
        bytes.into()
    }
}

/// Accepts what fits and rejects the rest.
struct Capped {
    bytes: Vec<u8>,
    cap: usize,
    /// There was more than fits.
    more: bool,
}

impl Write for Capped {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let room = self.cap.saturating_sub(self.bytes.len());
        if room == 0 && !piece.is_empty() {
            self.more = true;
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let fits = piece.get(..room.min(piece.len())).unwrap_or_default();
        self.bytes.extend_from_slice(fits);
        Ok(fits.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
