//! The whole repository as one compressed archive, read as it arrives. Only regular files with plain names are taken;
//! nothing is ever unpacked to a disk. Names, bytes sent and bytes unpacked are bounded, so an archive that grows without
//! end ends here.

use super::fault::{Fault, of_error};
use super::options::GitHubLimits;
use super::tree::is_plain;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use palanca_core::ports::http::HttpError;
use std::io::{self, Read};
use tokio::sync::mpsc::Receiver;

/// A file that takes more is asked for singly, if ever.
const LARGEST: u64 = 8 << 20;

/// Hands every regular file to `each`, by its path below the archive's one directory.
pub(super) fn read(
    pieces: Receiver<Result<Bytes, HttpError>>,
    limits: &GitHubLimits,
    mut each: impl FnMut(String, Bytes),
) -> Result<(), Fault> {
    let sent = Pieces { pieces, current: Bytes::new(), left: limits.archive, fault: None };
    let unpacked = Unpacked { inner: MultiGzDecoder::new(sent), left: limits.unpacked };
    let mut archive = tar::Archive::new(unpacked);
    let walked = walk(&mut archive, limits, &mut each);
    let unpacked = archive.into_inner();
    let too_large = (unpacked.left == 0).then(|| over("archive, unpacked", limits.unpacked));
    let sent = unpacked.inner.into_inner();
    // The reason below the library's own words.
    let reason = too_large.or_else(|| (sent.left == 0).then(|| over("archive", limits.archive))).or(sent.fault);
    match (walked, reason) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(reason)) => Err(reason),
        (Err(fault), None) => Err(fault),
    }
}

fn over(what: &str, limit: u64) -> Fault {
    Fault::too_large(what, limit.saturating_add(1), limit)
}

fn walk<R: Read>(
    archive: &mut tar::Archive<R>,
    limits: &GitHubLimits,
    each: &mut dyn FnMut(String, Bytes),
) -> Result<(), Fault> {
    let broken = |error: io::Error| Fault::malformed(format!("archive: {error}"));
    for (number, entry) in archive.entries().map_err(broken)?.enumerate() {
        let mut entry = entry.map_err(broken)?;
        if number >= limits.names {
            return Err(over("names in the archive", limits.names as u64));
        }
        let size = entry.size();
        if !entry.header().entry_type().is_file() || size > LARGEST {
            continue;
        }
        let bytes = entry.path_bytes();
        let whole = String::from_utf8_lossy(&bytes);
        // Everything lies in one directory that is named after the commit.
        let Some(path) = whole.split_once('/').map(|(_, path)| path.to_owned()).filter(|path| is_plain(path)) else {
            continue;
        };
        drop(whole);
        drop(bytes);
        let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        entry.read_to_end(&mut content).map_err(broken)?;
        each(path, content.into());
    }
    Ok(())
}

/// What arrives, as a reader.
struct Pieces {
    pieces: Receiver<Result<Bytes, HttpError>>,
    current: Bytes,
    left: u64,
    fault: Option<Fault>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.pieces.blocking_recv() {
                None => return Ok(0),
                Some(Ok(piece)) => {
                    self.left = self.left.saturating_sub(piece.len() as u64);
                    self.current = piece;
                }
                Some(Err(error)) => {
                    self.fault = Some(of_error(&error));
                    return Err(io::Error::other(error));
                }
            }
        }
        if self.left == 0 {
            return Err(io::Error::other("too large"));
        }
        let count = buffer.len().min(self.current.len());
        let piece = self.current.split_to(count);
        if let Some(free) = buffer.get_mut(..count) {
            free.copy_from_slice(&piece);
        }
        Ok(count)
    }
}

/// What comes out of it, up to a bound.
struct Unpacked<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(read as u64);
        if self.left == 0 && read > 0 {
            return Err(io::Error::other("too large"));
        }
        Ok(read)
    }
}
