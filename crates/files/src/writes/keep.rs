//! What programs replace, kept before it is gone: the first time that a name changes, what stands there is written down
//! and its content set aside. Nothing is walked, and what the program itself made costs one line.

mod contents;
mod recover;
mod settle;
mod touched;

use crate::beneath::file_type;
use crate::disk::Disk;
use crate::errors::{file_error, io_error};
use crate::journal::batch::Batch;
use crate::journal::entry::{Entry, Id, Stamp, id};
use crate::journal::record::{Kept, Named};
use palanca_core::ports::{ChangeOrigin, FileError, FileErrorKind, Found, NameChange, NotKept, Place};
use palanca_core::tool::FileDelta;
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType};
use rustix::io::Errno;
use settle::Left;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touched::{Content, Event, Header, Touched};

pub(super) use recover::recover;
pub(crate) use touched::join;

/// The magic number of overlayfs in `statfs`.
const OVERLAY: u64 = 0x794c_7630;

/// What to do with a content that is too large to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// It must not be replaced.
    Refuse,
    /// It is replaced, and cannot be given back.
    Lose,
}

/// What goes with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gone {
    /// What the program itself made.
    New,
    /// What was there before, and is kept.
    Known,
}

/// How a content must be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// It stays as it is, without the name that goes.
    Name,
    /// It is going to be written in place.
    Content,
}

/// Keeps for one program.
#[derive(Debug)]
pub(crate) struct Keeper {
    disk: Arc<Disk>,
    origin: ChangeOrigin,
    limit: (u64, Beyond),
    batch: Option<Batch>,
    touched: Touched,
    /// What the program made: nothing of it needs to be kept.
    own: HashSet<Id>,
    /// What files with several names were first: each name is given back like this, whatever happened through another.
    first: HashMap<Id, Kept>,
    /// Folders that it made since the last move of a folder that was there before.
    own_folders: HashSet<Id>,
    /// The folder that was last needed, through a handle of our own.
    parent: Option<(PathBuf, Id, OwnedFd)>,
    /// The name that the last change makes, if that was not known before.
    announced: Option<PathBuf>,
    line: Vec<u8>,
    _counted: Option<Arc<()>>,
}

impl Keeper {
    /// `limit` is how many bytes may be copied.
    pub(crate) fn begin(disk: &Arc<Disk>, origin: &ChangeOrigin, limit: (u64, Beyond)) -> Self {
        Self {
            disk: Arc::clone(disk),
            origin: origin.clone(),
            limit,
            batch: None,
            touched: Touched::default(),
            own: HashSet::new(),
            first: HashMap::new(),
            own_folders: HashSet::new(),
            parent: None,
            announced: None,
            line: Vec::new(),
            _counted: disk.journal().map(|journal| Arc::clone(&journal.keepers)),
        }
    }

    /// Remembers what a change replaces.
    ///
    /// # Errors
    /// It cannot be kept, so it must not be replaced.
    pub(crate) fn keep(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        self.announced = None;
        let kept = self.remember(change);
        if kept.is_err() {
            self.take_back_announced();
        }
        kept.map_err(|error| unkept(change, error))
    }

    /// Makes what it needs in the journal, which the program need not be able to reach.
    ///
    /// # Errors
    /// As [`Self::keep`].
    pub(crate) fn prepare(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        self.batch().map(drop).map_err(|error| unkept(change, error))
    }

    fn remember(&mut self, change: &NameChange<'_>) -> Result<(), FileError> {
        match change {
            NameChange::Write { at, found, .. } => self.replaced(at, found, Some(Need::Content)),
            NameChange::Attributes { at, found } => self.replaced(at, found, None),
            NameChange::Create { at, .. } => self.absent(at),
            NameChange::Remove { at, found } => {
                if self.gone(at, found)? == Gone::New {
                    self.touched.forget_new(at.path);
                }
                Ok(())
            }
            NameChange::Move { from, found, to, replaced } => {
                match replaced {
                    Some(replaced) if id(replaced) == id(found) => return Ok(()),
                    Some(replaced) => _ = self.gone(to, replaced)?,
                    None => {}
                }
                if is_folder(found) {
                    return self.renamed(found, from.path, to.path);
                }
                self.absent(to)?;
                self.replaced(from, found, Some(Need::Name))
            }
            NameChange::HardLink { from, found, to } => {
                // A write through the new name changes what the old one shows.
                if let Some(from) = from {
                    self.replaced(from, found, None)?;
                }
                self.absent(to)
            }
        }
    }

    /// Something new is there, unless it has another name already.
    pub(crate) fn made(&mut self, found: Found) {
        if found.links > 1 && !is_folder(&found) {
            return;
        }
        self.own.insert(id(&found));
        if is_folder(&found) {
            self.own_folders.insert(id(&found));
        }
    }

    /// What is settled at the end is what is there, and what others make at the name is theirs. Only folders are followed
    /// by name.
    pub(crate) fn failed(&mut self, change: &NameChange<'_>) {
        self.take_back_announced();
        match change {
            NameChange::Move { from, found, to, .. } if is_folder(found) => {
                // ignored: without the lines, names below the folder are settled where they are not.
                drop(self.renamed(found, to.path, from.path).and_then(|()| self.learn(Event::Failed)));
            }
            NameChange::Remove { at, .. } if !self.touched.knows(at.path) => {
                // ignored: without the line, an undo leaves what is new there.
                drop(self.learn(Event::absent(at.path)));
            }
            _ => {}
        }
    }

    /// Everything that is different now, as one step of the session.
    pub(crate) fn finish(self) -> Vec<FileDelta> {
        let (Some(batch), Some(journal)) = (self.batch, self.disk.journal()) else { return Vec::new() };
        // The journal and this one.
        let left = if Arc::strong_count(&journal.keepers) > 2 { Left::Others } else { Left::Nothing };
        let (different, settled) = settle::settle((&self.disk, journal), (&self.touched, left), (batch, &self.origin));
        // ignored: it is settled by the next process.
        drop(settled);
        different
    }

    /// Where this keeper has a content.
    pub(crate) fn place(&self, stamp: &Stamp) -> Option<String> {
        match self.touched.contents.get(&stamp.id())? {
            Content::Empty => None,
            Content::Linked(number) | Content::Copied(number) => Some(self.batch.as_ref()?.place(*number)),
        }
    }

    fn take_back_announced(&mut self) {
        if let Some(path) = self.announced.take() {
            // ignored: without the line, the name counts as new.
            drop(self.learn(Event::NotMade(path.as_path().into())));
        }
    }

    fn learn(&mut self, event: Event) -> Result<(), FileError> {
        self.line.clear();
        event.write(&mut self.line).map_err(|error| io_error(&error, "the undo journal"))?;
        let line = std::mem::take(&mut self.line);
        let batch = self.batch()?;
        batch.append(&line).map_err(|error| io_error(&error, batch.path().display()))?;
        self.line = line;
        self.touched.learn(event);
        Ok(())
    }

    fn batch(&mut self) -> Result<&mut Batch, FileError> {
        if self.batch.is_none() {
            let no_journal = || FileError::new(FileErrorKind::Io, "").detail("there is no undo journal");
            let journal = self.disk.journal().ok_or_else(no_journal)?;
            let failed = |error: std::io::Error| io_error(&error, journal.batches.path().display());
            let header = serde_json::to_vec(&Header::new(self.disk.workspace(), &self.origin));
            let mut header = header.map_err(|error| failed(error.into()))?;
            header.push(b'\n');
            self.batch = Some(Batch::create(journal, &header).map_err(failed)?);
        }
        self.batch.as_mut().ok_or_else(|| FileError::new(FileErrorKind::Io, ""))
    }

    /// A name for something new. Where something stands the change will fail; where that cannot be seen it must not happen,
    /// because an undo would remove what is there.
    fn absent(&mut self, at: &Place<'_>) -> Result<(), FileError> {
        if self.touched.knows(at.path) {
            return Ok(());
        }
        match fs::statat(at.parent, at.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(()),
            Err(Errno::NOENT) => {
                self.learn(Event::absent(at.path))?;
                self.announced = Some(at.path.to_owned());
                Ok(())
            }
            Err(errno) => Err(file_error(errno, at.path.display())),
        }
    }

    /// A name goes.
    fn gone(&mut self, at: &Place<'_>, found: &Found) -> Result<Gone, FileError> {
        let folder = is_folder(found);
        let mut again = folder && self.touched.arrived(at.path);
        if self.own.contains(&id(found)) {
            // Its inode number may be reused for another file.
            if found.links <= 1 || folder {
                self.own.remove(&id(found));
                again |= folder && !self.own_folders.remove(&id(found));
            }
            if !again {
                return Ok(Gone::New);
            }
        }
        if again {
            // Folders passed through it, and must find it again on their way back.
            self.learn(Event::Before(at.path.into(), Entry::Folder { mode: found.mode & 0o7777 }))?;
        } else {
            self.replaced(at, found, Some(Need::Name))?;
        }
        Ok(Gone::Known)
    }

    /// What stands at a name is about to be another.
    fn replaced(&mut self, at: &Place<'_>, found: &Found, need: Option<Need>) -> Result<(), FileError> {
        // The workspace itself has no name in it.
        if self.own.contains(&id(found)) || at.path.file_name().is_none() {
            return Ok(());
        }
        // Our own further name is none of the file's.
        let ours = u64::from(matches!(self.touched.contents.get(&id(found)), Some(Content::Linked(_))));
        let names = Some(found.links.saturating_sub(ours)).filter(|names| *names > 1);
        let need = if splits(at, found) { Some(Need::Content) } else { need };
        if let Some(need) = need.filter(|_| FileType::from_raw_mode(found.mode) == FileType::RegularFile) {
            self.content(at, found, need)?;
        }
        // What went from a folder after another one moved comes back before that move is taken back, and needs the folder.
        let known =
            if is_folder(found) { self.touched.knows_since_a_move(at.path) } else { self.touched.knows(at.path) };
        if known {
            return Ok(());
        }
        let stat = fs::statat(at.parent, at.name, AtFlags::SYMLINK_NOFOLLOW);
        let stat = stat.map_err(|errno| file_error(errno, at.path.display()))?;
        let target = match file_type(&stat) {
            FileType::Symlink => {
                let target = fs::readlinkat(at.parent, at.name, Vec::new());
                Some(target.map_err(|errno| file_error(errno, at.path.display()))?)
            }
            _ => None,
        };
        let target = target.map(|target| Named::from(Path::new(&OsString::from_vec(target.into_bytes()))));
        let entry = match Entry::of(&stat, || target) {
            Entry::File(kept) => {
                let kept = Kept { names, ..kept };
                let several = names.is_some() || self.first.contains_key(&id(found));
                Entry::File(if several { self.first.entry(id(found)).or_insert(kept).clone() } else { kept })
            }
            entry => entry,
        };
        self.learn(Event::Before(at.path.into(), entry))
    }

    fn renamed(&mut self, found: &Found, from: &Path, to: &Path) -> Result<(), FileError> {
        if self.own_folders.contains(&id(found)) {
            return self.learn(Event::Taken(from.into(), to.into()));
        }
        self.own_folders.clear();
        self.learn(Event::Moved(from.into(), to.into()))
    }
}

fn is_folder(found: &Found) -> bool {
    FileType::from_raw_mode(found.mode) == FileType::Directory
}

/// Whether the first change makes another file of this name, with other numbers: on an overlay, of a file in the lower layer
/// that has several names. It has to be copied before.
fn splits(at: &Place<'_>, found: &Found) -> bool {
    let about = || fs::fstatfs(at.parent).map(|about| about.f_type.cast_unsigned() & 0xffff_ffff);
    found.links > 1 && !is_folder(found) && about().unwrap_or(OVERLAY) == OVERLAY
}

/// What a program is told of a change that must not happen because the journal could not be written.
fn unkept(change: &NameChange<'_>, error: FileError) -> FileError {
    let path = change.place().path.display().to_string();
    let why = match error.kind {
        FileErrorKind::DiskFull => NotKept::DiskFull,
        FileErrorKind::PermissionDenied => NotKept::PermissionDenied,
        FileErrorKind::Io => NotKept::Io,
        _ => return FileError { path, ..error },
    };
    let detail = format!("{}: {}", error.path, error.detail);
    FileError { kind: FileErrorKind::NotKept(why), path, detail }
}
