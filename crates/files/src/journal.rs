//! Remembers what each commit replaced, so that it can be taken back.
//!
//! Contents are kept once, under their SHA-256; an index for each session has one JSON line a commit. Both lie in the
//! state directory, outside the workspace and the user's git. The line follows its contents and precedes the change: a
//! crash at any point leaves a line whose change never happened, which undo sees, or a torn line, which readers skip.

pub(crate) mod record;
mod undo;

use crate::atomic::Temporary;
use crate::errors::io_error;
use crate::state::{StateDirectory, StateError, append_to};
use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{ChangeOrigin, ContentHash, FileError};
use record::{Entry, Kept, Line};
use rustix::fs::{self, Mode, OFlags, RenameFlags, Stat};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::time::SystemTime;

pub use undo::{Force, Undone};

/// A larger file is replaced without being kept: taking that back is refused.
const MOST_KEPT: u64 = 64 << 20;
/// A larger file is not even hashed: no change can expect its content.
const MOST_HASHED: u64 = 1 << 30;
/// Up to here a content is hashed in memory, and written only when it is not there yet.
const SMALL: u64 = 1 << 20;

/// A failed look into the journal, or an undo that would lose something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The journal's own files.
    #[error(transparent)]
    State(#[from] StateError),
    /// The session has fewer steps.
    #[error("session {session} has no step {step}; it has {steps}")]
    NoSuchStep {
        /// The session.
        session: String,
        /// What was asked for.
        step: StepNumber,
        /// How many there are.
        steps: usize,
    },
    /// The steps were made in another workspace.
    #[error("step {step} was made in {workspace}; open that workspace to undo it")]
    OtherWorkspace {
        /// The step.
        step: StepNumber,
        /// Where it was made.
        workspace: String,
    },
    /// Files are no longer what the session left.
    #[error("changed since by someone else: {}; nothing was undone; force it to lose those changes", .0.join(", "))]
    Changed(Vec<String>),
    /// Contents that were never kept: too many, too large, links or special files.
    #[error("not kept, so they cannot be restored: {}; nothing was undone", .0.join(", "))]
    NotKept(Vec<String>),
    /// The workspace.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A commit of a session, counted from 1. Zero is the time before the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct StepNumber(pub usize);

impl std::fmt::Display for StepNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// One commit of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its number.
    pub number: StepNumber,
    /// The call that made it.
    pub call: CallId,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// What was done to which path: `write src/a.rs`, `delete b`, `move c -> d`.
    pub changes: Vec<String>,
}

/// The undo journal of one state directory.
#[derive(Debug)]
pub struct Journal {
    index: StateDirectory,
    contents: StateDirectory,
}

/// Names a line, so that it can be withdrawn.
#[derive(Clone, Debug)]
pub(crate) struct LineId(String);

impl Journal {
    /// Opens the journal in `undo/` of the state directory.
    ///
    /// # Errors
    /// When its directories cannot be made or opened.
    pub fn open(state: &StateDirectory) -> Result<Self, StateError> {
        let index = state.directory("undo")?;
        let contents = index.directory("contents")?;
        Ok(Self { index, contents })
    }

    /// The steps of a session that happened, in order.
    ///
    /// # Errors
    /// When the index cannot be read. A session without changes has no steps.
    pub fn list(&self, session: &SessionId) -> Result<Vec<Step>, JournalError> {
        let lines = self.lines(session)?;
        Ok(lines
            .into_iter()
            .zip(1..)
            .map(|(line, number)| Step {
                number: StepNumber(number),
                changes: line.acts.iter().map(ToString::to_string).collect(),
                call: CallId::new(line.call),
                at_ms: line.at_ms,
            })
            .collect())
    }

    /// Writes the line of a commit that is about to happen.
    pub(crate) fn append(&self, origin: &ChangeOrigin, line: Line) -> Result<LineId, FileError> {
        let id = LineId(line.id.clone());
        self.write(&origin.session, &Entry::Commit(line)).map_err(|error| {
            let error = io_error(&error, self.index.path().display());
            let detail = format!("the undo journal cannot be written, so nothing was changed: {}", error.detail);
            FileError { detail, ..error }
        })?;
        Ok(id)
    }

    /// Says that a commit did not happen after all.
    pub(crate) fn withdraw(&self, origin: &ChangeOrigin, line: &LineId) {
        // ignored: undo finds the files as they were before, and leaves them so.
        let _ = self.write(&origin.session, &Entry::Withdrawn { withdrawn: line.0.clone() });
    }

    fn write(&self, session: &SessionId, entry: &Entry) -> std::io::Result<()> {
        // A line break before the line too: what a full disk cut off must not swallow it.
        let mut line = vec![b'\n'];
        serde_json::to_writer(&mut line, entry)?;
        line.push(b'\n');
        append_to(self.index.handle(), file_name(session).as_ref())?.write_all(&line)
    }

    fn lines(&self, session: &SessionId) -> Result<Vec<Line>, JournalError> {
        let text = match self.index.read(&file_name(session), u64::MAX >> 1) {
            Err(error) if error.is_not_found() => String::new(),
            read => read?,
        };
        let mut lines = Vec::new();
        let mut withdrawn = HashSet::new();
        for entry in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            match entry {
                Entry::Commit(line) => lines.push(line),
                Entry::Withdrawn { withdrawn: id } => {
                    withdrawn.insert(id);
                }
            }
        }
        lines.retain(|line: &Line| !withdrawn.contains(&line.id));
        Ok(lines)
    }

    /// Keeps a content that fits into memory.
    fn store(&self, hash: &ContentHash, content: &[u8]) -> std::io::Result<()> {
        let (shelf, name) = self.shelf(hash)?;
        let stat = fs::statat(shelf.handle(), &*name, fs::AtFlags::SYMLINK_NOFOLLOW);
        // Only a power failure leaves a content of another size under its name.
        if stat.is_ok_and(|stat| usize::try_from(stat.st_size) == Ok(content.len())) {
            return Ok(());
        }
        let mut temporary = Temporary::create(shelf.handle(), Mode::RUSR | Mode::WUSR)?;
        temporary.write(content)?;
        shelve(&shelf, temporary, &name)
    }

    fn shelf(&self, hash: &ContentHash) -> std::io::Result<(StateDirectory, String)> {
        let hex = hash.to_hex();
        let (first, _) = hex.split_at(2);
        let shelf = self.contents.directory(first).map_err(std::io::Error::other)?;
        Ok((shelf, hex))
    }

    /// The content with this hash, if it is there and whole.
    fn content(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        let (shelf, name) = self.shelf(hash).ok()?;
        let file = fs::openat(shelf.handle(), name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let mut content = Vec::new();
        File::from(file).take(MOST_KEPT + 1).read_to_end(&mut content).ok()?;
        (ContentHash::of_bytes(&content) == *hash).then_some(content)
    }
}

fn shelve(shelf: &StateDirectory, mut temporary: Temporary, name: &str) -> std::io::Result<()> {
    fs::renameat_with(shelf.handle(), temporary.name(), shelf.handle(), name, RenameFlags::empty())?;
    temporary.disarm();
    Ok(())
}

/// How much of a file is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Content,
    Hash,
}

/// Hashes a file and, where there is a journal, keeps its content.
pub(crate) fn keep(journal: Option<&Journal>, file: File, stat: &Stat, keep: Keep) -> std::io::Result<Kept> {
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    if size > MOST_HASHED {
        return Ok(Kept::unread(stat));
    }
    let journal = journal.filter(|_| keep == Keep::Content && size <= MOST_KEPT);
    let hash = if size <= SMALL { keep_small(journal, file, size)? } else { keep_streaming(journal, file)? };
    Ok(Kept { hash: Some(hash.to_hex()), kept: journal.is_some(), ..Kept::unread(stat) })
}

fn keep_small(journal: Option<&Journal>, file: File, size: u64) -> std::io::Result<ContentHash> {
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // One that grows meanwhile is seen by its size when it is replaced.
    file.take(SMALL * 2).read_to_end(&mut content)?;
    let hash = ContentHash::of_bytes(&content);
    if let Some(journal) = journal {
        journal.store(&hash, &content)?;
    }
    Ok(hash)
}

fn keep_streaming(journal: Option<&Journal>, file: File) -> std::io::Result<ContentHash> {
    let mut copy = match journal {
        Some(journal) => Some(Temporary::create(journal.contents.handle(), Mode::RUSR | Mode::WUSR)?),
        None => None,
    };
    let mut hasher = Sha256::new();
    let mut file = file.take(MOST_HASHED);
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(piece) = buffer.get(..read).filter(|piece| !piece.is_empty()) else { break };
        hasher.update(piece);
        if let Some(copy) = &mut copy {
            copy.write(piece)?;
        }
    }
    let hash = ContentHash::from_bytes(hasher.finalize().into());
    if let (Some(journal), Some(mut copy)) = (journal, copy) {
        let (shelf, name) = journal.shelf(&hash)?;
        fs::renameat(journal.contents.handle(), copy.name(), shelf.handle(), name)?;
        copy.disarm();
    }
    Ok(hash)
}

/// A session's index. Ids that are no plain names are told apart by their hash.
fn file_name(session: &SessionId) -> String {
    let text = session.as_str();
    let plain = !text.is_empty()
        && text.len() <= 100
        && !text.starts_with('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    if plain { format!("{text}.jsonl") } else { format!("{}.jsonl", ContentHash::of_bytes(text.as_bytes()).to_hex()) }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
