//! Changes the names. Every step can be rolled back until the last one is done.

use super::prepare::DIRECTORY;
use super::{Directory, Identity, Judge, Pending, Ready, Spot, Work};
use crate::atomic::{Name, Temporary, identity, is_in_flight, rename_to_free, sync_directory};
use crate::disk::Disk;
use crate::errors::{changed, file_error, words};
use crate::remove::{self, DIRECTORY_MODE, Purpose};
use palanca_core::call::{CanonicalPath, Root};
use palanca_core::ports::{EntryKind, FileError, FileErrorKind};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, AtFlags, Mode, RenameFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// How to take one step back.
enum Back {
    /// Exchange two names of a directory again.
    Exchange(Arc<OwnedFd>, OsString, OsString),
    /// Remove a name that was made.
    Remove(Arc<OwnedFd>, OsString),
    /// Give a name back that is free now.
    Rename(Place, Place),
    /// Give a name back that the new content has now.
    RenameOver(Place, Place),
    /// Remove a directory that was made.
    RemoveDirectory(Arc<OwnedFd>, OsString),
}

type Place = (Arc<OwnedFd>, OsString);

/// What is left to remove once everything is made.
struct Aside {
    directory: Arc<OwnedFd>,
    name: Name,
    path: CanonicalPath,
}

struct Executing<'d> {
    disk: &'d Disk,
    back: Vec<Back>,
    aside: Vec<Aside>,
}

pub(super) fn execute(
    (disk, judge): (&Disk, &mut Judge<'_>),
    work: &mut Work<'_>,
    identities: &[Option<Identity>],
) -> Result<(), FileError> {
    let mut executing = Executing { disk, back: Vec::new(), aside: Vec::new() };
    let directories = &mut work.directories;
    for (ready, identity) in work.ready.iter_mut().zip(identities) {
        let made = executing.made(judge, directories, ready);
        let judged = made.and_then(|()| judge.judge(directories, ready, *identity));
        if let Err(error) = judged.and_then(|()| executing.one(directories, ready, *identity)) {
            return Err(executing.take_back(&mut work.ready, error));
        }
    }
    work.done = true;
    executing.finish(work)
}

impl Executing<'_> {
    fn one(
        &mut self,
        directories: &[Directory],
        ready: &mut Ready<'_>,
        identity: Option<Identity>,
    ) -> Result<(), FileError> {
        match ready {
            Ready::Write { path, spot, temporary, .. } => {
                let directory = directory_of(directories, spot, path)?;
                match identity {
                    Some(identity) if identity.is_directory() => {
                        self.vacate(path, directory, &spot.name, identity)?;
                        self.put(path, &directory.handle, (&spot.name, temporary))
                    }
                    Some(identity) => self.replace(path, directory, (&spot.name, temporary), identity),
                    None => self.put(path, &directory.handle, (&spot.name, temporary)),
                }
            }
            Ready::Delete { path, spot, .. } => {
                self.set_aside(path, directory_of(directories, spot, path)?, &spot.name, identity)
            }
            Ready::Move { from, from_spot, to, to_spot, .. } => {
                let old = &directory_of(directories, from_spot, from)?.handle;
                let new = &directory_of(directories, to_spot, to)?.handle;
                rename_to_free((old, &from_spot.name), (new, &to_spot.name)).map_err(|errno| match errno {
                    Errno::XDEV => FileError::new(FileErrorKind::Io, to.to_string())
                        .detail("it is on another file system; copy the content instead"),
                    errno => file_error(errno, if errno == Errno::NOENT { &*from } else { &*to }),
                })?;
                self.back.push(Back::Rename(
                    (Arc::clone(new), to_spot.name.clone()),
                    (Arc::clone(old), from_spot.name.clone()),
                ));
                same(from, new, &to_spot.name, identity)
            }
            Ready::Made { .. } => Ok(()),
        }
    }

    /// Makes the directories that waited for a file to go.
    fn made(
        &mut self,
        judge: &mut Judge<'_>,
        directories: &mut [Directory],
        ready: &Ready<'_>,
    ) -> Result<(), FileError> {
        let Ready::Write { path, spot, .. } = ready else { return Ok(()) };
        let mut at = Some(spot.directory);
        let next = |at: &mut Option<usize>| {
            let found = (*at)?;
            *at = directories.get(found)?.pending.as_ref().map(|pending| pending.parent);
            at.is_some().then_some(found)
        };
        let waiting: Vec<usize> = std::iter::repeat_with(|| next(&mut at)).map_while(|found| found).collect();
        for place in waiting.into_iter().rev() {
            let taken = directories.get_mut(place).and_then(|directory| directory.pending.take());
            let Some(Pending { parent, name }) = taken else { continue };
            let above = directories.get(parent).map(|parent| Arc::clone(&parent.handle));
            let (Some(above), Some(directory)) = (above, directories.get_mut(place)) else { continue };
            let failed = |errno| match errno {
                Errno::EXIST => changed(*path, "something was put there meanwhile"),
                errno => file_error(errno, *path),
            };
            judge.makes(&above, &directory.path)?;
            fs::mkdirat(&above, &*name, DIRECTORY_MODE).map_err(failed)?;
            self.back.push(Back::RemoveDirectory(Arc::clone(&above), name.clone()));
            let handle = fs::openat(&above, &*name, DIRECTORY, Mode::empty()).map_err(failed)?;
            directory.identity = identity(&handle).map_err(failed)?;
            directory.handle = Arc::new(handle);
        }
        Ok(())
    }

    /// Gives what was examined a temporary name; it is removed in the end.
    fn set_aside(
        &mut self,
        path: &CanonicalPath,
        place: &Directory,
        name: &OsStr,
        identity: Option<Identity>,
    ) -> Result<(), FileError> {
        let (directory, aside) = (&place.handle, self.disk.temporary_name(place));
        rename_to_free((directory, name), (directory, &aside)).map_err(|errno| file_error(errno, path))?;
        self.back
            .push(Back::Rename((Arc::clone(directory), aside.to_owned()), (Arc::clone(directory), name.to_owned())));
        same(path, directory, &aside, identity)?;
        self.aside.push(Aside { directory: Arc::clone(directory), name: aside, path: path.clone() });
        Ok(())
    }

    /// Takes a folder away in which nothing is left but folders, and what waits to be removed.
    fn vacate(
        &mut self,
        path: &CanonicalPath,
        place: &Directory,
        name: &OsStr,
        identity: Identity,
    ) -> Result<(), FileError> {
        let folder =
            fs::openat(&place.handle, name, DIRECTORY, Mode::empty()).map_err(|errno| file_error(errno, path))?;
        self.set_aside(path, place, name, Some(identity))?;
        remove::look_through(self.disk.opener(), folder.as_fd(), Purpose::Move, &mut |found| {
            let expected = found.kind == EntryKind::Directory || is_in_flight(found.directory, found.name);
            if expected { Ok(()) } else { Err(Errno::NOTEMPTY) }
        })
        .map_err(|errno| match errno {
            Errno::NOTEMPTY => changed(path, "something was put there meanwhile"),
            errno => file_error(errno, path),
        })
    }

    /// Puts new content in the place of what was examined, which gets the temporary name.
    fn replace(
        &mut self,
        path: &CanonicalPath,
        place: &Directory,
        (name, temporary): (&OsStr, &mut Temporary),
        identity: Identity,
    ) -> Result<(), FileError> {
        let directory = &place.handle;
        match fs::renameat_with(directory, temporary.name(), directory, name, RenameFlags::EXCHANGE) {
            Ok(()) => {
                self.back.push(Back::Exchange(Arc::clone(directory), temporary.name().to_owned(), name.to_owned()));
                same(path, directory, temporary.name(), Some(identity))
            }
            Err(Errno::NOENT) => Err(changed(path, "it is gone")),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                self.replace_linked(path, place, (name, temporary), identity)
            }
            Err(errno) => Err(file_error(errno, path)),
        }
    }

    /// For file systems that cannot exchange names: the old file gets a second name first.
    fn replace_linked(
        &mut self,
        path: &CanonicalPath,
        place: &Directory,
        (name, temporary): (&OsStr, &mut Temporary),
        identity: Identity,
    ) -> Result<(), FileError> {
        let (directory, aside) = (&place.handle, self.disk.temporary_name(place));
        let linked = fs::linkat(directory, name, directory, &*aside, AtFlags::empty()).is_ok();
        let back = (Arc::clone(directory), aside.to_owned());
        if linked {
            self.aside.push(Aside { directory: Arc::clone(directory), name: aside, path: path.clone() });
        }
        same(path, directory, if linked { &back.1 } else { name }, Some(identity))?;
        fs::renameat(directory, temporary.name(), directory, name).map_err(|errno| file_error(errno, path))?;
        temporary.disarm();
        if linked {
            self.back.push(Back::RenameOver(back, (Arc::clone(directory), name.to_owned())));
        }
        Ok(())
    }

    /// Puts new content where nothing stood.
    fn put(
        &mut self,
        path: &CanonicalPath,
        directory: &Arc<OwnedFd>,
        (name, temporary): (&OsStr, &mut Temporary),
    ) -> Result<(), FileError> {
        rename_to_free((temporary.directory(), temporary.name()), (directory, name)).map_err(|errno| match errno {
            Errno::EXIST => changed(path, "something was put there meanwhile"),
            errno => file_error(errno, path),
        })?;
        temporary.disarm();
        self.back.push(Back::Remove(Arc::clone(directory), name.to_owned()));
        Ok(())
    }

    /// Undoes the steps, last first. What cannot be undone is named, and nothing that is still needed is removed.
    fn take_back(&mut self, ready: &mut [Ready<'_>], error: FileError) -> FileError {
        let mut stuck = Vec::new();
        for back in self.back.drain(..).rev() {
            let (result, name) = match &back {
                Back::Exchange(directory, a, b) => {
                    (fs::renameat_with(directory, &**a, directory, &**b, RenameFlags::EXCHANGE), b)
                }
                Back::Remove(directory, name) => (fs::unlinkat(directory, &**name, AtFlags::empty()), name),
                Back::Rename((now, from), (then, to)) => (rename_to_free((now, from), (then, to)), to),
                Back::RemoveDirectory(directory, name) => (fs::unlinkat(directory, &**name, AtFlags::REMOVEDIR), name),
                Back::RenameOver((now, from), (then, to)) => (fs::renameat(now, &**from, then, &**to), to),
            };
            if let Err(errno) = result {
                stuck.push(format!("{} ({})", name.display(), words(errno)));
            }
        }
        if stuck.is_empty() {
            for aside in self.aside.drain(..) {
                // ignored: the second name of a file that kept its first; the next process sweeps it.
                let _ = fs::unlinkat(&aside.directory, &*aside.name, AtFlags::empty());
            }
            return error;
        }
        for ready in ready {
            if let Ready::Write { temporary, .. } = ready {
                temporary.disarm();
            }
        }
        let detail = format!("{}; these could not be put back: {}", error.detail, stuck.join(", "));
        FileError { detail, ..error }
    }

    fn finish(self, work: &mut Work<'_>) -> Result<(), FileError> {
        let mut first = None;
        for ready in &mut work.ready {
            if let Ready::Write { temporary, path, .. } = ready
                && let Err(errno) = temporary.remove_displaced()
            {
                first.get_or_insert(file_error(errno, *path));
            }
        }
        for aside in &self.aside {
            if let Err(errno) = remove::entry(aside.directory.as_fd(), &aside.name) {
                let detail = format!("removed, but parts of it remain as {}: {}", aside.name.display(), words(errno));
                first.get_or_insert(FileError::new(FileErrorKind::Io, aside.path.to_string()).detail(detail));
            }
        }
        first.map_or(Ok(()), Err)
    }
}

/// Makes the new names survive a power failure.
pub(super) fn sync(work: &Work<'_>) -> Result<(), FileError> {
    let sync = |directory: &Directory| {
        let path = || CanonicalPath::new(Root::Workspace, directory.path.clone());
        sync_directory(directory.handle.as_fd()).map_err(|errno| file_error(errno, path()))
    };
    // Every one is tried, whatever happens to the others.
    work.directories.iter().map(sync).fold(Ok(()), Result::and)
}

pub(super) fn directory_of<'d>(
    directories: &'d [Directory],
    spot: &Spot,
    path: &CanonicalPath,
) -> Result<&'d Directory, FileError> {
    directories.get(spot.directory).ok_or_else(|| file_error(Errno::NOENT, path))
}

/// Whether what was moved out of the way is what was examined.
fn same(path: &CanonicalPath, directory: &OwnedFd, name: &OsStr, identity: Option<Identity>) -> Result<(), FileError> {
    let stat = fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| file_error(errno, path))?;
    if identity.is_some_and(|identity| identity.matches(&stat)) {
        return Ok(());
    }
    Err(changed(path, "it was changed meanwhile; read it again"))
}

#[cfg(test)]
mod tests;
