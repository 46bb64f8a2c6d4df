//! The head of the chain: a small file beside the log with the position of the next line. Its lock is the log's lock.
//!
//! It is written after the log. A process that dies between the two leaves a head that lags behind: the next writer
//! reads the lines beyond it. A log shorter than its head was truncated from outside. For a new log the head is written
//! first, so lines without a head never come from a crash: it was removed, and the next writer records that in the
//! chain.

use super::line::Hash;
use rustix::fd::OwnedFd;
use rustix::fs::{self, FlockOperation, Mode, OFlags};
use std::io::Write as _;
use std::path::Path;

const NAME: &str = "audit.head";
/// Space for the numbers and the hash; the file never changes its size.
const BYTES: usize = 160;

/// The state of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The number of the last line; the first is 1.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) hash: Hash,
    /// The length of the current file.
    pub(super) size: u64,
    /// Counts rotations: a writer with another number has the wrong file open.
    pub(super) generation: u64,
    /// Number of unfinished runs of all processes. While it is not zero, a new writer looks for them.
    pub(super) open: u64,
}

impl Default for Head {
    fn default() -> Self {
        Self { seq: 0, hash: Hash::GENESIS, size: 0, generation: 0, open: 0 }
    }
}

/// The file of the head.
#[derive(Debug)]
pub(super) struct HeadFile {
    file: OwnedFd,
}

/// Holds the lock.
pub(super) struct Locked<'a> {
    file: &'a OwnedFd,
}

impl HeadFile {
    pub(super) fn open(directory: &Path) -> std::io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Ok(Self { file: fs::open(directory.join(NAME), flags, Mode::RUSR | Mode::WUSR)? })
    }

    /// Waits for the lock, which each writer holds for microseconds.
    pub(super) fn lock(&self) -> std::io::Result<Locked<'_>> {
        fs::flock(&self.file, FlockOperation::LockExclusive)?;
        Ok(Locked { file: &self.file })
    }
}

impl Locked<'_> {
    /// None if it does not exist yet or is invalid.
    pub(super) fn read(&self) -> std::io::Result<Option<Head>> {
        let mut bytes = [0; BYTES];
        let read = rustix::io::pread(self.file, &mut bytes, 0)?;
        Ok(bytes.get(..read).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(parse))
    }

    pub(super) fn write(&self, head: &Head) -> std::io::Result<()> {
        let Head { seq, hash, size, generation, open } = head;
        let mut bytes = [b' '; BYTES];
        let mut rest = bytes.as_mut_slice();
        writeln!(rest, "{seq} {} {size} {generation} {open}", hash.as_str())?;
        let written = rustix::io::pwrite(self.file, &bytes, 0)?;
        if written == BYTES { Ok(()) } else { Err(std::io::ErrorKind::WriteZero.into()) }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        // ignored: closing the file, at the latest with the process, unlocks it, too.
        let _ = fs::flock(self.file, FlockOperation::Unlock);
    }
}

fn parse(text: &str) -> Option<Head> {
    let mut words = text.split_ascii_whitespace();
    let seq = words.next()?.parse().ok()?;
    let hash = Hash::parse(words.next()?)?;
    let mut number = || words.next()?.parse().ok();
    Some(Head { seq, hash, size: number()?, generation: number()?, open: number()? })
}

/// The current head, for reading only.
pub(super) fn peek(directory: &Path) -> Option<Head> {
    parse(&std::fs::read_to_string(directory.join(NAME)).ok()?)
}
