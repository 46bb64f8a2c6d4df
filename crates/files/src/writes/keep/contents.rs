//! Sets contents aside before they are gone: the file itself under a further name, or a copy of it.

use super::touched::{Content, Event};
use super::{Beyond, Keeper, Need};
use crate::beneath::file_type;
use crate::errors::{changed, file_error};
use crate::journal::entry::id;
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{FileError, FileErrorKind, Found, Place};
use rustix::fd::AsFd as _;
use rustix::fs::{self, FileType, Mode, OFlags, Stat};
use std::fs::File;
use std::path::Path;

impl Keeper {
    pub(super) fn content(&mut self, at: &Place<'_>, found: &Found, need: Need) -> Result<(), FileError> {
        let known = self.touched.contents.get(&id(found)).copied();
        match (known, need) {
            (None, _) | (Some(Content::Linked(_)), Need::Content) => {}
            _ => return Ok(()),
        }
        if found.size == 0 {
            return self.learn(Event::Content(id(found), Content::Empty));
        }
        let limit = self.limit;
        let linked = match need {
            Need::Name => {
                self.parent(at)?;
                self.batch()?;
                match (&mut self.batch, &self.parent) {
                    (Some(batch), Some((_, _, parent))) => batch.link(parent.as_fd(), at.name).ok(),
                    _ => None,
                }
            }
            Need::Content => None,
        };
        let content = match linked {
            Some(number) => Content::Linked(number),
            None => {
                let (file, stat) = self.open(at, found)?;
                match self.batch()?.copy(&file, &stat, limit.0) {
                    Ok(number) => Content::Copied(number),
                    Err(error) if error.kind == FileErrorKind::TooLarge && limit.1 == Beyond::Lose => return Ok(()),
                    Err(error) => return Err(error),
                }
            }
        };
        self.learn(Event::Content(id(found), content))?;
        if let (Some(Content::Linked(number)), Some(batch)) = (known, &self.batch) {
            batch.remove(number);
        }
        Ok(())
    }

    /// The folder of a name through a handle of our own: the caller's may belong to another mount namespace.
    pub(super) fn parent(&mut self, at: &Place<'_>) -> Result<(), FileError> {
        let shown = || at.path.display();
        let id = |stat: &Stat| (stat.st_dev, stat.st_ino);
        let wanted = fs::fstat(at.parent).map(|stat| id(&stat)).map_err(|errno| file_error(errno, shown()))?;
        let path = at.path.parent().unwrap_or(Path::new(""));
        if self.parent.as_ref().is_some_and(|(known, found, _)| known == path && *found == wanted) {
            return Ok(());
        }
        let folder = CanonicalPath::new(Root::Workspace, path.to_owned());
        let handle = self.disk.open_beneath(&folder, OFlags::PATH | OFlags::DIRECTORY)?;
        let found = fs::fstat(&handle).map_err(|errno| file_error(errno, shown()))?;
        if id(&found) != wanted {
            return Err(changed(shown(), "its folder was replaced meanwhile"));
        }
        self.parent = Some((path.to_owned(), wanted, handle));
        Ok(())
    }

    /// Opens a file for reading, and makes sure that it is the one that is meant.
    pub(super) fn open(&mut self, at: &Place<'_>, found: &Found) -> Result<(File, Stat), FileError> {
        let failed = |errno| file_error(errno, at.path.display());
        self.parent(at)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let parent = self.parent.as_ref().map_or(at.parent, |(_, _, handle)| handle.as_fd());
        let file = fs::openat(parent, at.name, flags, Mode::empty()).map_err(failed)?;
        let stat = fs::fstat(&file).map_err(failed)?;
        if (stat.st_dev, stat.st_ino) != id(found) || file_type(&stat) != FileType::RegularFile {
            return Err(changed(at.path.display(), "it was replaced meanwhile"));
        }
        Ok((File::from(file), stat))
    }
}
