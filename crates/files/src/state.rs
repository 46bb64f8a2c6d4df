//! The program's own files: where state lives, and the few reads and writes that the command line needs outside the
//! workspace. Every name is chosen by the program or typed by the operator, never by a model.

use crate::atomic;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::{Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A failed operation on the program's own files or on one that the operator named.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {source}", path.display())]
pub struct StateError {
    /// What was tried: `read`, `write`, `open`.
    pub what: &'static str,
    /// On what.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
}

impl StateError {
    pub(crate) fn new(what: &'static str, path: impl Into<PathBuf>, source: impl Into<std::io::Error>) -> Self {
        Self { what, path: path.into(), source: source.into() }
    }

    /// Whether the file was simply not there.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.source.kind() == std::io::ErrorKind::NotFound
    }
}

/// The directory of the program's state, readable by its owner alone.
#[derive(Clone, Debug)]
pub struct StateDirectory {
    path: PathBuf,
    handle: Arc<OwnedFd>,
}

impl StateDirectory {
    /// Where state lives: `$PALANCA_HOME`, else `$XDG_DATA_HOME/palanca`, else `$HOME/.local/share/palanca`. None when the
    /// environment names no home. Empty and relative values do not count, as the XDG base directory specification says.
    #[must_use]
    pub fn default_path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute("PALANCA_HOME")
            .or_else(|| Some(absolute("XDG_DATA_HOME")?.join("palanca")))
            .or_else(|| Some(absolute("HOME")?.join(".local/share/palanca")))
    }

    /// Opens the directory; makes it, for its owner alone, when it is not there.
    ///
    /// # Errors
    /// When it cannot be made or opened.
    pub fn open(path: &Path) -> Result<Self, StateError> {
        let failed = |source: std::io::Error| StateError::new("open", path, source);
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = fs::open(path, flags, Mode::empty()).map_err(|errno| failed(errno.into()))?;
        let stat = fs::fstat(&handle).map_err(|errno| failed(errno.into()))?;
        if stat.st_mode & 0o077 != 0 && stat.st_uid == geteuid().as_raw() {
            fs::fchmod(&handle, Mode::RWXU).map_err(|errno| failed(errno.into()))?;
        }
        Ok(Self { path: path.to_owned(), handle: Arc::new(handle) })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) const fn handle(&self) -> &Arc<OwnedFd> {
        &self.handle
    }

    /// A directory in it; made when it is not there.
    ///
    /// # Errors
    /// When it cannot be made or opened.
    pub fn directory(&self, name: &str) -> Result<Self, StateError> {
        let path = self.path.join(name);
        let failed = |errno: Errno| StateError::new("open", &path, errno);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = || fs::openat(&self.handle, name, flags, Mode::empty());
        let handle = match open() {
            Err(Errno::NOENT) => match fs::mkdirat(&self.handle, name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => open(),
                Err(errno) => Err(errno),
            },
            opened => opened,
        };
        let handle = handle.map_err(failed)?;
        Ok(Self { path: path.clone(), handle: Arc::new(handle) })
    }

    /// The names in it, sorted. Temporary files are left out.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn names(&self) -> Result<Vec<String>, StateError> {
        let mut names = Vec::new();
        crate::disk::read_names(self.handle.as_fd(), |name, _| {
            if atomic::maker(name).is_none() {
                names.push(name.to_string_lossy().into_owned());
            }
        })
        .map_err(|errno| StateError::new("list", &self.path, errno))?;
        names.sort();
        Ok(names)
    }

    /// The text of a file in it.
    ///
    /// # Errors
    /// When it is not there, not UTF-8, or longer than `limit` bytes.
    pub fn read(&self, name: &str, limit: u64) -> Result<String, StateError> {
        read_text(&self.path.join(name), limit)
    }

    /// Makes or replaces a file in it, all at once, for its owner alone.
    ///
    /// # Errors
    /// What the system reports; the old file is whole then.
    pub fn write(&self, name: &str, content: &str) -> Result<(), StateError> {
        atomic::replace(&self.handle, OsStr::new(name), content.as_bytes(), Mode::RUSR | Mode::WUSR)
            .map_err(|source| StateError::new("write", self.path.join(name), source))
    }

    /// Removes a file in it; one that is not there is removed already.
    ///
    /// # Errors
    /// What the system reports.
    pub fn remove(&self, name: &str) -> Result<(), StateError> {
        match fs::unlinkat(&self.handle, name, fs::AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(StateError::new("remove", self.path.join(name), errno)),
        }
    }

    /// Opens a file in it that only ever grows: what several processes append stays in whole lines.
    ///
    /// # Errors
    /// What the system reports.
    pub fn log(&self, name: &str) -> Result<Log, StateError> {
        append_to(self.handle.as_fd(), OsStr::new(name))
            .map(|file| Log { file })
            .map_err(|errno| StateError::new("open", self.path.join(name), errno))
    }
}

/// A file that only ever grows.
#[derive(Debug)]
pub struct Log {
    file: File,
}

impl Log {
    /// Opens or makes the file at a path that the operator named, for its owner alone.
    ///
    /// # Errors
    /// What the system reports.
    pub fn at(path: &Path) -> Result<Self, StateError> {
        append_to(fs::CWD, path.as_os_str())
            .map(|file| Self { file })
            .map_err(|errno| StateError::new("open", path, errno))
    }

    /// Appends bytes in one write: a line with its line break.
    ///
    /// # Errors
    /// What the system reports.
    pub fn append(&self, line: &[u8]) -> std::io::Result<()> {
        (&self.file).write_all(line)
    }

    /// Waits until everything that was appended is on the disk.
    ///
    /// # Errors
    /// What the system reports.
    pub fn sync(&self) -> std::io::Result<()> {
        self.file.sync_data()
    }
}

pub(crate) fn append_to(directory: impl AsFd, name: &OsStr) -> Result<File, Errno> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOCTTY;
    fs::openat(directory, name, flags, Mode::RUSR | Mode::WUSR).map(File::from)
}

/// A file that the operator named, to be read as it comes: for input that may be longer than memory.
///
/// # Errors
/// When it cannot be opened.
pub fn open_stream(path: &Path) -> Result<impl Read + Send + use<>, StateError> {
    let failed = |source: std::io::Error| StateError::new("read", path, source);
    let file = File::open(path).map_err(failed)?;
    // It opens, and every read of it fails.
    if file.metadata().map_err(failed)?.is_dir() {
        Err(failed(std::io::ErrorKind::IsADirectory.into()))
    } else {
        Ok(file)
    }
}

/// The text of a file that the operator named: a configuration, a patch, a batch of calls.
///
/// # Errors
/// When it is not there, not UTF-8, or longer than `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, StateError> {
    let file = File::open(path).map_err(|source| StateError::new("read", path, source))?;
    read_whole(file, path, limit)
}

/// The text of a file at a fixed place, which no one passed in: whoever can write to its folder may have put something
/// else there.
///
/// # Errors
/// As [`read_text`]; also when it is no regular file.
pub fn read_regular(path: &Path, limit: u64) -> Result<String, StateError> {
    let failed = |source: std::io::Error| StateError::new("read", path, source);
    // Without waiting for the writer of a pipe.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(fs::open(path, flags, Mode::empty()).map_err(|errno| failed(errno.into()))?);
    let kind = file.metadata().map_err(failed)?;
    if kind.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    if !kind.is_file() {
        return Err(failed(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file")));
    }
    read_whole(file, path, limit)
}

fn read_whole(file: File, path: &Path, limit: u64) -> Result<String, StateError> {
    let failed = |source| StateError::new("read", path, source);
    let mut text = String::new();
    file.take(limit.saturating_add(1)).read_to_string(&mut text).map_err(failed)?;
    if u64::try_from(text.len()).is_ok_and(|length| length > limit) {
        let why = format!("longer than {limit} bytes");
        return Err(failed(std::io::Error::new(std::io::ErrorKind::FileTooLarge, why)));
    }
    Ok(text)
}

/// Makes the folders that a file's place needs, where they are not there.
///
/// # Errors
/// What the system reports.
pub fn make_folders_for(path: &Path) -> Result<(), StateError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or(Ok(()), std::fs::create_dir_all).map_err(|source| {
        let in_the_way = source.kind() == std::io::ErrorKind::AlreadyExists;
        let source = if in_the_way { std::io::ErrorKind::NotADirectory.into() } else { source };
        StateError::new("write", path, source)
    })
}

/// Makes or replaces a file that the operator named, all at once: a report, a configuration. One that is there keeps its permissions.
///
/// # Errors
/// What the system reports; an old file is whole then.
pub fn write_report(path: &Path, content: &str) -> Result<(), StateError> {
    let failed = |source| StateError::new("write", path, source);
    // A link is the operator's own: the file that it leads to is meant. So is a terminal or a pipe.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&real).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let mut file = File::options().write(true).open(&real).map_err(failed)?;
        return file.write_all(content.as_bytes()).map_err(failed);
    }
    let name = real.file_name().ok_or_else(|| failed(std::io::ErrorKind::IsADirectory.into()))?;
    let parent = real.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = fs::open(parent, flags, Mode::empty()).map_err(|errno| failed(errno.into()))?;
    let mode = fs::stat(&real).map_or(Mode::from_raw_mode(0o666), |there| Mode::from_raw_mode(there.st_mode & 0o777));
    atomic::replace(&Arc::new(directory), name, content.as_bytes(), mode).map_err(failed)
}

#[cfg(test)]
mod tests;
