//! Appends lines under the lock, also after writes by other processes.

use super::entry::Line;
use super::head::{Head, HeadFile, Locked};
use super::line::{Bodies, Note, Opens, chain, hash_of};
use super::{AuditError, AuditSettings, CURRENT, orphans};
use rustix::fd::OwnedFd;
use rustix::fs::{self, Mode, OFlags};
use std::io::Error;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Writer {
    directory: PathBuf,
    settings: AuditSettings,
    head: HeadFile,
    log: OwnedFd,
    generation: u64,
    /// The lines of one write; empty between writes, kept for its capacity.
    lines: Vec<u8>,
}

impl Writer {
    /// Opens the log, and closes the runs whose processes have died.
    pub(super) fn open(directory: &Path, settings: AuditSettings) -> Result<Self, AuditError> {
        let failed = |source: Error| AuditError::new("open", directory.join(CURRENT), source);
        let head = HeadFile::open(directory).map_err(failed)?;
        let (log, found) = {
            let locked = head.lock().map_err(failed)?;
            (open_log(directory).map_err(failed)?, locked.read().map_err(failed)?.unwrap_or_default())
        };
        let generation = found.generation;
        let mut writer = Self { directory: directory.to_owned(), settings, head, log, generation, lines: Vec::new() };
        if found.open > 0 {
            writer.append(&orphans::of_the_dead(directory))?;
        }
        Ok(writer)
    }

    pub(super) fn append(&mut self, bodies: &Bodies) -> Result<(), AuditError> {
        if bodies.is_empty() {
            return Ok(());
        }
        self.append_locked(bodies).map_err(|source| AuditError::new("write", self.directory.join(CURRENT), source))
    }

    fn append_locked(&mut self, bodies: &Bodies) -> Result<(), Error> {
        let locked = self.head.lock()?;
        let found = locked.read()?;
        let (mut head, lost) = match found {
            Some(head) => (head, false),
            None => begin(&self.directory, &locked)?,
        };
        if found.is_none() || head.generation != self.generation {
            self.log = open_log(&self.directory)?;
            self.generation = head.generation;
        }
        let lines = &mut self.lines;
        // A failed write may have left a part.
        lines.clear();
        if size(&self.log)? != head.size {
            catch_up(&self.directory, &mut head, lines)?;
        }
        if lost {
            let bytes = head.size;
            say(&mut head, &Note::HeadLost { bytes }, lines);
        }
        if head.size > 0 && head.size >= self.settings.file_bytes {
            // The lines from `catch_up` belong to the file that it found.
            write(&self.log, &locked, &mut head, lines)?;
            self.log = put_aside(&self.directory, self.settings.files, &mut head, lines)?;
            self.generation = head.generation;
        }
        push(&mut head, bodies, lines);
        write(&self.log, &locked, &mut head, lines)
    }
}

fn open_log(directory: &Path) -> std::io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    Ok(fs::open(directory.join(CURRENT), flags, Mode::RUSR | Mode::WUSR)?)
}

/// A missing head, and whether there are lines without it. In a new log the head is written before the first line.
pub(super) fn begin(directory: &Path, locked: &Locked<'_>) -> std::io::Result<(Head, bool)> {
    let mut head = Head::default();
    let mut lost = false;
    super::entry::raw(directory, |raw| {
        lost = true;
        if let (Some(line), Some((hash, _))) = (Line::read(&raw.line), hash_of(&raw.line)) {
            (head.seq, head.hash) = (line.seq, hash);
        }
    })
    .map_err(|error| error.source)?;
    if lost {
        let current = std::fs::read(directory.join(CURRENT))?;
        let whole = current.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        head.size = u64::try_from(whole).unwrap_or_default();
        // Unknown now; an extra search for orphans is harmless.
        head.open = 1;
    } else {
        locked.write(&head)?;
    }
    Ok((head, lost))
}

fn size(log: &OwnedFd) -> std::io::Result<u64> {
    Ok(u64::try_from(fs::fstat(log)?.st_size).unwrap_or_default())
}

/// The next lines of the chain.
fn push(head: &mut Head, bodies: &Bodies, lines: &mut Vec<u8>) {
    for (body, opens) in bodies.iter() {
        head.seq += 1;
        head.hash = chain(body, head.hash, head.seq, lines);
        head.open = match opens {
            Opens::One => head.open + 1,
            Opens::None => head.open,
            Opens::Closes => head.open.saturating_sub(1),
        };
    }
}

fn say(head: &mut Head, note: &Note<'_>, lines: &mut Vec<u8>) {
    let mut bodies = Bodies::default();
    bodies.note(note);
    push(head, &bodies, lines);
}

/// Writes all lines at once and clears `lines`. A partial write leaves a torn line, which the next writer finds.
fn write(log: &OwnedFd, locked: &Locked<'_>, head: &mut Head, lines: &mut Vec<u8>) -> std::io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let written = rustix::io::write(log, lines)?;
    if written != lines.len() {
        return Err(std::io::ErrorKind::WriteZero.into());
    }
    lines.clear();
    head.size += u64::try_from(written).unwrap_or_default();
    locked.write(head)
}

/// Accepts complete lines beyond the head that continue the chain. A torn end is left and recorded.
fn catch_up(directory: &Path, head: &mut Head, lines: &mut Vec<u8>) -> std::io::Result<()> {
    let file = std::fs::File::open(directory.join(CURRENT))?;
    let length = file.metadata()?.len();
    let Some(beyond) = length.checked_sub(head.size).filter(|_| head.size > 0 || head.seq == 0) else {
        // Shorter than before: the chain continues, and `verify` finds the gap.
        head.size = length;
        return Ok(());
    };
    let mut bytes = vec![0; usize::try_from(beyond).unwrap_or_default()];
    file.read_exact_at(&mut bytes, head.size)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (whole, torn) = bytes.split_at(whole);
    for line in String::from_utf8_lossy(whole).lines() {
        if let Some((hash, _)) = hash_of(line) {
            head.seq += 1;
            head.hash = hash;
        }
    }
    // Unknown now; an extra search for orphans is harmless.
    head.open = head.open.max(1);
    head.size = length;
    if !torn.is_empty() {
        lines.push(b'\n');
        let bytes = u64::try_from(torn.len()).unwrap_or_default();
        say(head, &Note::Torn { bytes }, lines);
    }
    Ok(())
}

/// The full file is named by the number of the next line, and a new one begins.
fn put_aside(directory: &Path, keep: usize, head: &mut Head, lines: &mut Vec<u8>) -> std::io::Result<OwnedFd> {
    let name = format!("audit.{:012}.jsonl", head.seq);
    std::fs::rename(directory.join(CURRENT), directory.join(&name))?;
    let log = open_log(directory)?;
    head.generation += 1;
    head.size = 0;
    let after = head.hash;
    say(head, &Note::Rotated { file: &name, after: after.as_str() }, lines);
    if keep > 0 {
        let aside = super::entry::put_aside(directory)?;
        for old in aside.iter().rev().skip(keep) {
            std::fs::remove_file(old)?;
        }
    }
    Ok(log)
}
