//! Records what each commit replaced, for undo.
//!
//! Contents are stored once, under their SHA-256, in the state directory, outside the workspace and the user's git; an index
//! that is passed in has one line a commit. The line follows its contents and precedes the change: a crash at any point
//! leaves at worst a line whose change never happened, which undo sees.

pub(crate) mod batch;
pub(crate) mod entry;
pub(crate) mod in_flight;
pub(crate) mod packs;
mod picture;
pub(crate) mod record;
mod undo;

use crate::atomic::Temporary;
use crate::errors::io_error;
use crate::state::{StateDirectory, StateError};
use palanca_core::call::{CallId, SessionId};
use palanca_core::ports::{ChangeOrigin, ContentHash, FileError, UndoIndex, UndoLine, UndoNumber, UndoSession};
use record::{Kept, Line};
use rustix::fd::AsFd as _;
use rustix::fs::{self, Mode, OFlags, RenameFlags, Stat};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::SystemTime;

pub use picture::{Picture, Side};
pub use undo::{Force, UndoPlan, Undone};

/// A larger file is replaced without being kept: taking that back is refused.
pub(crate) const MOST_KEPT: u64 = 64 << 20;
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
    /// The index of what was done.
    #[error("the undo index cannot be read: {0}")]
    Index(#[source] std::io::Error),
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
    /// The folder that it changed.
    pub workspace: String,
    /// What was done to which path: `write src/a.rs`, `delete b`, `move c -> d`.
    pub changes: Vec<String>,
    /// The files, links and folders that it touched.
    pub paths: Vec<String>,
    /// Contents that were never kept: the step cannot be taken back.
    pub lost: Vec<String>,
    /// Of a program's step: what was not examined, the first few by name.
    pub without: Vec<String>,
}

/// The undo journal of one state directory.
#[derive(Debug)]
pub struct Journal {
    index: Arc<dyn UndoIndex>,
    pub(crate) contents: StateDirectory,
    pub(crate) batches: StateDirectory,
    packs: packs::Packs,
    pub(crate) in_flight: in_flight::InFlight,
    /// Bytes that this process kept for programs since the oldest were last forgotten.
    recent: AtomicU64,
    /// Held by each that keeps for a program.
    pub(crate) keepers: Arc<()>,
}

impl Journal {
    /// Opens the journal: contents in `undo/` of the state directory, lines in the index.
    ///
    /// # Errors
    /// When its directories cannot be made or opened.
    pub fn open(state: &StateDirectory, index: Arc<dyn UndoIndex>) -> Result<Self, StateError> {
        let undo = state.directory("undo")?;
        let in_flight = in_flight::InFlight::new(undo.directory("in-flight")?);
        let (contents, batches) = (undo.directory("contents")?, undo.directory("batches")?);
        let (recent, keepers) = (AtomicU64::new(0), Arc::default());
        Ok(Self { index, contents, batches, packs: packs::Packs::default(), in_flight, recent, keepers })
    }

    /// Every session that changed something, the one that did so last first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn sessions(&self) -> Result<Vec<UndoSession>, JournalError> {
        self.index.sessions().map_err(JournalError::Index)
    }

    /// The steps of a session that happened, in order.
    ///
    /// # Errors
    /// When the index cannot be read. A session without changes has no steps.
    pub fn list(&self, session: &SessionId) -> Result<Vec<Step>, JournalError> {
        let step = |((line, kept), number): ((UndoLine, Line), usize)| Step {
            number: StepNumber(number),
            call: line.call,
            at_ms: line.at_ms,
            workspace: kept.workspace.to_string(),
            changes: record::told(&kept.acts),
            paths: kept.acts.iter().flat_map(record::Act::paths).map(ToString::to_string).collect(),
            lost: kept.acts.iter().filter_map(record::Act::lost).collect(),
            without: kept.without,
        };
        Ok(self.read(session)?.into_iter().zip(1..).map(step).collect())
    }

    /// Removes the temporary files that killed processes left, in workspaces and among the contents.
    pub fn sweep(&self) {
        self.in_flight.sweep();
        let names = self.contents.names().unwrap_or_default();
        let shelves = names.iter().filter_map(|name| self.contents.directory(name).ok());
        for folder in shelves.map(|shelf| Arc::clone(shelf.handle())).chain([Arc::clone(self.contents.handle())]) {
            crate::atomic::sweep_state(folder.as_fd());
        }
    }

    /// Forgets the steps of a session: they can no longer be taken back.
    ///
    /// # Errors
    /// When the index cannot be read or changed.
    pub fn forget(&self, session: &SessionId) -> Result<(), JournalError> {
        for (number, line) in self.index.lines(session).map_err(JournalError::Index)? {
            self.forget_batches(&line.body);
            self.index.withdraw(session, number).map_err(JournalError::Index)?;
        }
        Ok(())
    }

    /// Writes the line of a commit that is about to happen.
    pub(crate) fn append(&self, origin: &ChangeOrigin, line: &Line) -> Result<UndoNumber, FileError> {
        self.write(origin, line).map_err(|error| {
            let error = io_error(&error, self.contents.path().display());
            let detail = format!("the undo journal cannot be written, so nothing was changed: {}", error.detail);
            FileError { detail, ..error }
        })
    }

    fn write(&self, origin: &ChangeOrigin, line: &Line) -> std::io::Result<UndoNumber> {
        let body = serde_json::to_string(line)?;
        self.index.append(&origin.session, &UndoLine { at_ms: now_ms(), call: origin.call.clone(), body })
    }

    /// Says that a commit did not happen after all.
    pub(crate) fn withdraw(&self, origin: &ChangeOrigin, line: UndoNumber) {
        // ignored: undo finds the files as they were before, and leaves them so.
        let _ = self.index.withdraw(&origin.session, line);
    }

    fn lines(&self, session: &SessionId) -> Result<Vec<Line>, JournalError> {
        Ok(self.read(session)?.into_iter().map(|(_, line)| line).collect())
    }

    fn read(&self, session: &SessionId) -> Result<Vec<(UndoLine, Line)>, JournalError> {
        let lines = self.index.lines(session).map_err(JournalError::Index)?;
        let parse = |(_, line): (UndoNumber, UndoLine)| {
            let parsed = serde_json::from_str(&line.body).map_err(|error| JournalError::Index(error.into()))?;
            Ok((line, parsed))
        };
        lines.into_iter().map(parse).collect()
    }

    /// Keeps a content that fits into memory.
    pub(crate) fn store(&self, hash: &ContentHash, content: &[u8]) -> std::io::Result<()> {
        let hex = hash.to_hex();
        let place = format!("{}/{hex}", hex.split_at(2).0);
        let stat = fs::statat(self.contents.handle(), place, fs::AtFlags::SYMLINK_NOFOLLOW);
        // Only a power failure leaves a content of another size under its name.
        if stat.is_ok_and(|stat| usize::try_from(stat.st_size) == Ok(content.len())) {
            return Ok(());
        }
        let (shelf, name) = self.shelf(hash)?;
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
    pub(crate) fn content(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        let whole = |content: &Vec<u8>| ContentHash::of_bytes(content) == *hash;
        self.shelved(hash).filter(whole).or_else(|| self.packs.find(&self.contents, hash).filter(whole))
    }

    fn shelved(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        let (shelf, name) = self.shelf(hash).ok()?;
        let file = fs::openat(shelf.handle(), name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let mut content = Vec::new();
        File::from(file).take(MOST_KEPT + 1).read_to_end(&mut content).ok()?;
        Some(content)
    }
}

fn shelve(shelf: &StateDirectory, mut temporary: Temporary, name: &str) -> std::io::Result<()> {
    fs::renameat_with(shelf.handle(), temporary.name(), shelf.handle(), name, RenameFlags::empty())?;
    temporary.disarm();
    Ok(())
}

impl Journal {
    /// The content of a batch, open.
    pub(crate) fn source(&self, kept: &Kept) -> Option<File> {
        self.open_batched(kept.place.as_deref()?, kept)
    }

    /// A content that was kept, if it is whole and not longer than this.
    pub(crate) fn kept(&self, kept: &Kept, longest: u64) -> Option<Vec<u8>> {
        match (&kept.place, kept.digest()) {
            _ if !kept.kept || kept.size > longest => None,
            (Some(_), _) => {
                let mut content = Vec::new();
                self.source(kept)?.read_to_end(&mut content).ok()?;
                Some(content)
            }
            (None, Some(hash)) => self.content(&hash),
            (None, None) => (kept.size == 0).then(Vec::new),
        }
    }

    /// Whether a content can be given back.
    pub(crate) fn has(&self, kept: &Kept) -> bool {
        match &kept.place {
            Some(_) => self.source(kept).is_some(),
            None => self.kept(kept, u64::MAX).is_some(),
        }
    }

    pub(crate) fn digest(&self, kept: &Kept) -> Option<ContentHash> {
        match (kept.digest(), &kept.place) {
            (Some(digest), _) => Some(digest),
            (None, Some(_)) => hash(self.source(kept)?),
            (None, None) => (kept.kept && kept.size == 0).then(|| ContentHash::of_bytes(b"")),
        }
    }
}

/// The hash of a file that is not too large to be compared.
pub(crate) fn hash(file: File) -> Option<ContentHash> {
    let large = file.metadata().ok()?.len() > MOST_HASHED;
    if large { None } else { keep_streaming(None, &file).ok() }
}

/// How much of a file is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Content,
    Hash,
}

/// Hashes a file and, where there is a journal, keeps its content.
pub(crate) fn keep(journal: Option<&Journal>, file: &File, stat: &Stat, keep: Keep) -> std::io::Result<Kept> {
    let size = u64::try_from(stat.st_size).unwrap_or_default();
    if size > MOST_HASHED {
        return Ok(Kept::unread(stat));
    }
    let journal = journal.filter(|_| keep == Keep::Content && size <= MOST_KEPT);
    let hash = if size <= SMALL { keep_small(journal, file, size)? } else { keep_streaming(journal, file)? };
    Ok(Kept { hash: Some(hash.to_hex()), kept: journal.is_some(), ..Kept::unread(stat) })
}

fn keep_small(journal: Option<&Journal>, file: &File, size: u64) -> std::io::Result<ContentHash> {
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // One that grows meanwhile is seen by its size when it is replaced.
    file.take(SMALL * 2).read_to_end(&mut content)?;
    let hash = ContentHash::of_bytes(&content);
    if let Some(journal) = journal {
        journal.store(&hash, &content)?;
    }
    Ok(hash)
}

fn keep_streaming(journal: Option<&Journal>, file: &File) -> std::io::Result<ContentHash> {
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

pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
