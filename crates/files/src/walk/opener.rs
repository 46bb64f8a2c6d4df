//! Opens the files of one directory for the walk's visitor: by name, relative to the directory being walked.

use super::Judge;
use crate::beneath::READ;
use crate::disk::describe;
use crate::errors::file_error;
use palanca_core::call::Access;
use palanca_core::ports::{
    EntryContent, EntryKind, EntryOpener, FileError, FileErrorKind, Metadata, PathRules, WalkEntry,
};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, fstat, openat};
use rustix::io::Errno;
use std::fs::File;

/// The files of one open directory.
pub(super) struct Opener<'a> {
    /// The directory.
    pub directory: BorrowedFd<'a>,
    /// Asked before a file is opened.
    pub rules: &'a dyn PathRules,
    /// Asked about the open file.
    pub judge: Judge<'a>,
}

impl EntryOpener for Opener<'_> {
    fn open(&self, entry: &WalkEntry<'_>) -> Result<EntryContent, FileError> {
        let shown = || entry.path.display().to_string();
        if let Some(refusal) = self.rules.refuse(entry.path, Access::Read) {
            return Err(refusal.on(shown()));
        }
        match entry.kind {
            EntryKind::File => {}
            EntryKind::Directory => return Err(FileError::new(FileErrorKind::IsDirectory, shown())),
            EntryKind::Link | EntryKind::Special => return Err(FileError::new(FileErrorKind::Special, shown())),
        }
        let name = entry.name();
        let fd = openat(self.directory, name, READ, Mode::empty()).map_err(|errno| file_error(errno, shown()))?;
        let stat = fstat(&fd).map_err(|errno| file_error(errno, shown()))?;
        let info = describe(&stat);
        if info.kind != EntryKind::File {
            return Err(FileError::new(FileErrorKind::Special, shown()));
        }
        (self.judge)(entry.path, fd.as_fd(), &stat)?;
        Ok(EntryContent { info, content: Box::new(File::from(fd)) })
    }
}

/// What is known of an open file; nothing when it is not a regular one.
pub(super) fn regular(fd: &OwnedFd) -> Result<Option<Metadata>, Errno> {
    let info = describe(&fstat(fd)?);
    Ok((info.kind == EntryKind::File).then_some(info))
}
