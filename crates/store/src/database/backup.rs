//! Backup and restore of the database file.
//!
//! A backup is a consistent snapshot while others write; removed data is not in it. Nothing is overwritten: not an existing
//! target file, nor the database that a backup replaces, which is renamed. The surprising decision: a database that is open
//! elsewhere is not replaced, because that process would keep using the old one.

use super::{Database, fault, migrate, open};
use crate::error::StoreError;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{self, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// SQLite keeps a database in these, too.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// What takes the place of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement<'a> {
    /// This copy of a database.
    Copy(&'a Path),
    /// Nothing: a new one begins when something is kept.
    Nothing,
}

impl Database {
    /// Copies the database as it is at this moment to a new file that only its owner can read. Returns its bytes.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when there is a file of that name, [`StoreError::None`] when there is no database, and what
    /// reading and writing report; nothing is left then.
    pub fn back_up(&self, to: &Path) -> Result<u64, StoreError> {
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        if !self.exists() {
            return Err(StoreError::None { path: self.path.clone() });
        }
        // What keeps the database itself from being opened is no fault of the copy.
        self.with("be opened", |_| Ok(()))?;
        let part = Part::beside(to).map_err(|error| open::unmade(to, &error))?;
        let Some(target) = part.0.to_str() else {
            return Err(StoreError::Closed { path: to.to_owned(), detail: "its name is not UTF-8".to_owned() });
        };
        self.with("be copied", |connection| connection.execute("VACUUM INTO ?1", [target])).map_err(
            // Only the copy is written.
            |error| match error {
                StoreError::Full { .. } => StoreError::Full { path: to.to_owned() },
                StoreError::Closed { detail, .. } => StoreError::Closed { path: to.to_owned(), detail },
                other => other,
            },
        )?;
        part.becomes(to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: to.to_owned() },
            _ => open::unmade(to, &error),
        })
    }

    /// Puts a copy in the place of the database, whatever state that is in. Returns where the old one was put, if there was one.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while somebody has the database open, and why the copy cannot be used; the database is as it
    /// was then.
    pub fn replace(&self, by: Replacement<'_>) -> Result<Option<PathBuf>, StoreError> {
        let unmade = |error: io::Error| open::unmade(&self.path, &error);
        let new = match by {
            Replacement::Nothing => None,
            Replacement::Copy(copy) => {
                open::make_directory(&self.path).map_err(unmade)?;
                let part = Part::beside(&self.path).map_err(unmade)?;
                part.takes(copy).map_err(|fault| match fault {
                    Taking::Copy(error) => error,
                    Taking::Part(error) => unmade(error),
                })?;
                Some(part)
            }
        };
        // Of this process nobody uses it from here on.
        *self.connection.lock() = None;
        let aside = self.put_aside()?;
        if let Some(part) = new {
            part.becomes(&self.path).map_err(unmade)?;
            let rules = self.with("be read", |connection| {
                connection.query_row("SELECT count(*) FROM rules", [], |row| row.get::<_, i64>(0))
            })?;
            if rules > 0 {
                self.mark_rules()?;
            }
        }
        Ok(aside)
    }

    /// Gives the files of the database another name.
    fn put_aside(&self) -> Result<Option<PathBuf>, StoreError> {
        let unmade = |errno: Errno| open::unmade(&self.path, &errno.into());
        let file = match fs::open(&self.path, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened.map_err(unmade)?,
        };
        // Whoever has it open holds a lock on some of its bytes, and this one is on all of them.
        match fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::AGAIN | Errno::ACCESS) => return Err(StoreError::InUse { path: self.path.clone() }),
            locked => locked.map_err(unmade)?,
        }
        let name =
            |number: u32, end: &str| self.path.with_file_name(format!("{}-aside-{number}{end}", super::FILE_NAME));
        let free = |number: &u32| name(*number, "").symlink_metadata().is_err();
        let number = (1..u32::MAX).find(free).unwrap_or(u32::MAX);
        // The log first: a database without its log is older, a log without its database is nobody's.
        for end in BESIDE {
            let from = self.path.with_file_name(format!("{}{end}", super::FILE_NAME));
            match fs::rename(&from, name(number, end)) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(errno) => return Err(unmade(errno)),
            }
        }
        fs::rename(&self.path, name(number, "")).map_err(unmade)?;
        Ok(Some(name(number, "")))
    }
}

/// A fault of the copy that is taken over, or of our own file.
enum Taking {
    Copy(StoreError),
    Part(io::Error),
}

/// Whether a file is a whole database that this program can read; one file, without a log, from then on.
fn settle(file: &Path, copy: &Path) -> Result<(), StoreError> {
    let named = |error: rusqlite::Error| fault::named(&error, "be read", copy);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags).map_err(named)?;
    if migrate::version(&connection, copy).map_err(|fault| fault.named("be read", copy))? == 0 {
        return Err(StoreError::Foreign { path: copy.to_owned() });
    }
    let text = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, String>(0)).map_err(named);
    let found = text("PRAGMA integrity_check(1)")?;
    if found != "ok" {
        return Err(StoreError::Corrupt { path: copy.to_owned(), detail: found });
    }
    text("PRAGMA journal_mode = DELETE").map(drop)
}

/// Fails while another process has this database open: what it writes now would be in half of the copy.
fn free(copy: &Path) -> Result<(), StoreError> {
    // What cannot be opened for writing has no writer here.
    let Ok(file) = fs::open(copy, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) else { return Ok(()) };
    match fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::AGAIN | Errno::ACCESS) => Err(StoreError::InUse { path: copy.to_owned() }),
        // A file system without locks tells nobody.
        _ => Ok(()),
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// A file that is not yet what it will be; gone when it never becomes that.
struct Part(PathBuf);

impl Part {
    fn beside(path: &Path) -> io::Result<Self> {
        let part = beside(path, &format!(".{}.part", uuid::Uuid::now_v7().simple()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        fs::open(&part, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(Self(part))
    }

    /// Becomes what this copy is, with what is in its log.
    fn takes(&self, copy: &Path) -> Result<(), Taking> {
        let unread = |detail: String| Taking::Copy(StoreError::Closed { path: copy.to_owned(), detail });
        let found = copy.metadata().map_err(|error| unread(error.to_string()))?;
        if !found.is_file() {
            return Err(unread("it is no regular file".to_owned()));
        }
        free(copy).map_err(Taking::Copy)?;
        for end in ["", "-wal"] {
            let (from, to) = (beside(copy, end), beside(&self.0, end));
            let mut from = match File::open(&from) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && end == "-wal" => continue,
                opened => opened.map_err(|error| unread(error.to_string()))?,
            };
            let mut to =
                File::options().write(true).create(true).truncate(true).mode(0o600).open(to).map_err(Taking::Part)?;
            io::copy(&mut from, &mut to).map_err(Taking::Part)?;
        }
        settle(&self.0, copy).map_err(|error| match error {
            // Only ours is written.
            StoreError::Full { .. } => Taking::Part(io::ErrorKind::StorageFull.into()),
            other => Taking::Copy(other),
        })
    }

    /// On the disk, under its name, unless there is another of that name.
    fn becomes(self, path: &Path) -> io::Result<u64> {
        let file = File::open(&self.0)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        match fs::renameat_with(fs::CWD, &self.0, fs::CWD, path, RenameFlags::NOREPLACE) {
            // A file system that cannot promise it.
            Err(Errno::INVAL | Errno::NOSYS) if path.symlink_metadata().is_err() => fs::rename(&self.0, path)?,
            renamed => renamed?,
        }
        if let Some(directory) = path.parent() {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            File::open(directory)?.sync_all()?;
        }
        Ok(bytes)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // ignored: renamed or removed, it is not in the way.
        let _ = fs::unlink(&self.0);
        for end in ["-journal", "-wal", "-shm"] {
            let _ = fs::unlink(beside(&self.0, end));
        }
    }
}
