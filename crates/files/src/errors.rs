//! Maps system error numbers to the file errors that tools and people read.

use palanca_core::call::{Access, CanonicalPath};
use palanca_core::ports::{FileError, FileErrorKind, Files};
use rustix::io::Errno;
use std::fmt::Display;
use std::io::ErrorKind;

/// What an operation on a path that was already judged reports.
///
/// `ELOOP` means [`FileErrorKind::Changed`]: judged paths hold no links, so a link found there was put there since.
pub(crate) fn file_error(errno: Errno, path: impl Display) -> FileError {
    use FileErrorKind as K;
    let kind = match errno {
        Errno::NOENT => K::NotFound,
        Errno::EXIST | Errno::NOTEMPTY => K::Exists,
        Errno::NOTDIR => K::NotADirectory,
        Errno::ISDIR => K::IsDirectory,
        Errno::LOOP => {
            return FileError::new(K::Changed, path.to_string())
                .detail("a link stands there now; look again before changing it");
        }
        Errno::XDEV => K::Outside,
        Errno::NAMETOOLONG | Errno::INVAL => K::Invalid,
        Errno::ACCESS | Errno::PERM | Errno::ROFS => K::PermissionDenied,
        Errno::NOSPC | Errno::DQUOT => K::DiskFull,
        _ => K::Io,
    };
    FileError::new(kind, path.to_string()).detail(words(errno))
}

/// Whether an error of looking for a name means that nothing is there. Any other may hide what is.
pub(crate) fn says_absent(error: &FileError) -> bool {
    // A link where a folder was holds no name of the workspace.
    matches!(error.kind, FileErrorKind::NotFound | FileErrorKind::NotADirectory | FileErrorKind::Changed)
}

pub(crate) fn io_error(error: &std::io::Error, path: impl Display) -> FileError {
    match Errno::from_io_error(error) {
        Some(errno) => file_error(errno, path),
        None => {
            let kind = match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FileErrorKind::DiskFull,
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => FileErrorKind::PermissionDenied,
                _ => FileErrorKind::Io,
            };
            FileError::new(kind, path.to_string()).detail(error.to_string())
        }
    }
}

pub(crate) fn changed(path: impl Display, what: &str) -> FileError {
    FileError::new(FileErrorKind::Changed, path.to_string()).detail(what)
}

/// A file is to take the place of a folder in which something else is left. The name of a closed file is not told.
pub(crate) fn not_emptied(folder: &CanonicalPath, left: &CanonicalPath, files: &dyn Files) -> FileError {
    let left = if files.judge(left, Access::Read).is_ok() { format!(": {left}") } else { String::new() };
    FileError::new(FileErrorKind::Invalid, folder.to_string())
        .detail(format!("it is a directory that holds more than what this removes{left}"))
}

/// `No space left on device`, without the number that only programmers know.
pub(crate) fn words(errno: Errno) -> String {
    let mut words = std::io::Error::from(errno).to_string();
    if let Some(at) = words.find(" (os error") {
        words.truncate(at);
    }
    words
}
