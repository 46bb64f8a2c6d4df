//! The whole repository as one compressed archive, read as it arrives. Only regular files with plain names are read;
//! nothing is unpacked to disk. Names, received bytes and unpacked bytes are bounded, so an endless archive ends here.

use super::fault::{Fault, of_error};
use super::options::GitHubLimits;
use super::tree::is_plain;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use palanca_core::ports::http::HttpError;
use std::io::{self, Read};
use tokio::sync::mpsc::Receiver;

/// A larger file is fetched individually, if at all.
const LARGEST: u64 = 8 << 20;
/// The longest record that names the next entry: ample for a path of 4,095 bytes and a few attributes.
const LONGEST_RECORD: u64 = 64 << 10;

/// Passes every regular file that `wants` accepts, by its path below the archive's top directory and its size, to
/// `each`.
pub(super) fn read(
    pieces: Receiver<Result<Bytes, HttpError>>,
    limits: &GitHubLimits,
    wants: impl Fn(&str, u64) -> bool,
    mut each: impl FnMut(&str, Bytes),
) -> Result<(), Fault> {
    let sent = Pieces { pieces, current: Bytes::new(), left: limits.archive, fault: None };
    let unpacked = Unpacked { inner: MultiGzDecoder::new(sent), left: limits.unpacked };
    let mut archive = tar::Archive::new(unpacked);
    let walked = walk(&mut archive, limits, (&wants, &mut each));
    let unpacked = archive.into_inner();
    let too_large = (unpacked.left == 0).then(|| over("archive, unpacked", limits.unpacked));
    let sent = unpacked.inner.into_inner();
    // The cause below the library's own message.
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

/// Which files are read, and what receives them.
type Selection<'a> = (&'a dyn Fn(&str, u64) -> bool, &'a mut dyn FnMut(&str, Bytes));

fn walk<R: Read>(
    archive: &mut tar::Archive<R>,
    limits: &GitHubLimits,
    (wants, each): Selection<'_>,
) -> Result<(), Fault> {
    let mut named = None;
    let mut count = 0;
    // Raw, because the library would read a naming record of any length into memory.
    for entry in archive.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            let record = record(&mut entry)?;
            named = if kind.is_gnu_longname() { Some(record) } else { pax_path(&record).or(named) };
            continue;
        }
        let name = named.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        count += 1;
        if count > limits.names {
            return Err(over("names in the archive", limits.names as u64));
        }
        let size = entry.size();
        if !kind.is_file() || size > LARGEST {
            continue;
        }
        // Everything is in one directory named after the commit.
        let name = String::from_utf8_lossy(&name);
        let path = name.trim_end_matches('\0').split_once('/').map(|(_, path)| path);
        let Some(path) = path.filter(|path| is_plain(path) && wants(path, size)) else { continue };
        let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        entry.read_to_end(&mut content).map_err(broken)?;
        each(path, content.into());
    }
    Ok(())
}

fn broken(error: io::Error) -> Fault {
    Fault::malformed(format!("archive: {error}"))
}

/// The complete record that names the next entry.
fn record<R: Read>(entry: &mut tar::Entry<'_, R>) -> Result<Vec<u8>, Fault> {
    if entry.size() > LONGEST_RECORD {
        return Err(Fault::too_large("name in the archive", entry.size(), LONGEST_RECORD));
    }
    let mut record = Vec::new();
    entry.read_to_end(&mut record).map_err(broken)?;
    Ok(record)
}

fn pax_path(record: &[u8]) -> Option<Vec<u8>> {
    let path = tar::PaxExtensions::new(record).flatten().find(|extension| extension.key_bytes() == b"path")?;
    Some(path.value_bytes().to_owned())
}

/// The received bytes, as a reader.
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

/// The unpacked bytes, up to a limit.
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
