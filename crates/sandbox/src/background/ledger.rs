//! Which background programs were started and not seen to end, on disk: one JSON line for each start and end.
//!
//! It is only ever read when a door opens. A program whose starter still lives is not lost, it is another process's; so
//! every line names its starter by process id and start time. What cannot be written is not known after a crash, which
//! is better than a program that cannot be started; the helpers end everything with us in any case.

use palanca_core::call::ProcessId;
use palanca_core::ports::{Owner, ProcessStatus};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Longer commands are cut in the file.
const COMMAND: usize = 1 << 10;

pub(super) struct Ledger {
    file: Option<PathBuf>,
    us: Starter,
}

/// One of our processes, so that a process id that is used again is not taken for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Starter {
    pid: u32,
    /// Of the process, in the kernel's units since the machine started.
    since: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Started(Started),
    Ended(ProcessId),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Started {
    id: ProcessId,
    owner: Owner,
    command: String,
    pid: Option<i32>,
    by: Starter,
    /// Seconds since 1970.
    at: u64,
    /// When it was first seen to be lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
}

/// A program that went down with one of our processes.
pub(super) struct LostProgram {
    pub(super) id: ProcessId,
    pub(super) owner: Owner,
    pub(super) command: String,
    pub(super) pid: Option<i32>,
    pub(super) age: Duration,
}

impl Ledger {
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        let pid = std::process::id();
        Self { file, us: Starter { pid, since: start_time(pid).unwrap_or(0) } }
    }

    pub(super) fn started(&self, owner: &Owner, status: &ProcessStatus) {
        let mut command = status.command.clone();
        command.truncate(command.floor_char_boundary(COMMAND));
        let (id, owner) = (status.id.clone(), owner.clone());
        self.append(&Line::Started(Started {
            id,
            owner,
            command,
            pid: status.pid,
            by: self.us.clone(),
            at: now(),
            lost: None,
        }));
    }

    pub(super) fn ended(&self, id: &ProcessId) {
        self.append(&Line::Ended(id.clone()));
    }

    /// A lost program that its owner has seen.
    pub(super) fn forgotten(&self, id: &ProcessId) {
        self.ended(id);
    }

    fn append(&self, line: &Line) {
        let written = self.open().and_then(|file| {
            let Some(mut file) = file else { return Ok(()) };
            // After a line that a crash cut, the next one must not be its tail.
            let mut text = b"\n".to_vec();
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
            file.seek(SeekFrom::End(0))?;
            file.write_all(&text)
        });
        // ignored: see the head of this module.
        let _ = written;
    }

    /// Locked against our other processes until it is closed.
    fn open(&self) -> io::Result<Option<File>> {
        let Some(path) = &self.file else { return Ok(None) };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
        flock(&file, FlockOperation::LockExclusive)?;
        Ok(Some(file))
    }

    /// Programs whose starter is gone without having seen their end; for `kept` from the first time that this is seen.
    /// Shortens the file to what is still of use.
    pub(super) fn lost(&self, kept: Duration) -> Vec<LostProgram> {
        // ignored: a file that cannot be read tells of nothing.
        self.read(kept).unwrap_or_default()
    }

    fn read(&self, kept: Duration) -> io::Result<Vec<LostProgram>> {
        let Some(mut file) = self.open()? else { return Ok(Vec::new()) };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut open: Vec<Started> = Vec::new();
        for line in bytes.split(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Started(started)) => open.push(started),
                Ok(Line::Ended(id)) => open.retain(|started| started.id != id),
                // Empty, or cut by a crash.
                Err(_) => {}
            }
        }
        let lives = |starter: &Starter| start_time(starter.pid) == Some(starter.since);
        for started in open.iter_mut().filter(|started| !lives(&started.by)) {
            started.lost.get_or_insert_with(now);
        }
        open.retain(|started| started.lost.is_none_or(|seen| now().saturating_sub(seen) < kept.as_secs()));
        let mut text = Vec::new();
        for started in &open {
            serde_json::to_writer(&mut text, &Line::Started(started.clone()))?;
            text.push(b'\n');
        }
        // In place, because others wait for the lock on this very file. A crash in between loses only what was lost.
        file.set_len(0)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&text)?;
        let lost = open.into_iter().filter(|started| started.lost.is_some());
        Ok(lost
            .map(|Started { id, owner, command, pid, at, .. }| {
                let age = Duration::from_secs(now().saturating_sub(at));
                LostProgram { id, owner, command, pid, age }
            })
            .collect())
    }
}

/// When a process that lives was started; a zombie does not live.
fn start_time(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in brackets and may contain anything, brackets included.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    let state = fields.next()?;
    // The 22nd field of proc(5).
    let since = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(since)
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
