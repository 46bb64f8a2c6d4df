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

/// What replaces the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement<'a> {
    /// This copy of a database.
    Copy(&'a Path),
    /// Nothing: a new one is created when something is stored.
    Nothing,
}

impl Database {
    /// Copies the database as it is at this moment to a new file that only its owner can read. Returns its bytes.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if a file of that name exists, [`StoreError::None`] if there is no database, and errors
    /// of reading and writing; no file is left behind.
    pub fn back_up(&self, to: &Path) -> Result<u64, StoreError> {
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        if !self.exists() {
            return Err(StoreError::None { path: self.path().to_owned() });
        }
        // An error of the database itself is not an error of the copy.
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

    /// Replaces the database, in any state, by a copy. Returns the new path of the old one, if there was one.
    ///
    /// # Errors
    /// [`StoreError::InUse`] while another process has the database open, and why the copy cannot be used; the database
    /// is unchanged then.
    pub fn replace(&self, by: Replacement<'_>) -> Result<Option<PathBuf>, StoreError> {
        let unmade = |error: io::Error| open::unmade(self.path(), &error);
        let new = match by {
            Replacement::Nothing => None,
            Replacement::Copy(copy) => {
                open::make_directory(self.path()).map_err(unmade)?;
                let part = Part::beside(self.path()).map_err(unmade)?;
                part.takes(copy).map_err(|fault| match fault {
                    Taking::Copy(error) => error,
                    Taking::Part(error) => unmade(error),
                })?;
                Some(part)
            }
        };
        // This process no longer uses it from here on.
        *self.connections.writer.lock() = None;
        let aside = self.put_aside()?;
        if let Some(part) = new {
            part.becomes(self.path()).map_err(unmade)?;
            let rules = self.with("be read", |connection| {
                connection.query_row("SELECT count(*) FROM rules", [], |row| row.get::<_, i64>(0))
            })?;
            if rules > 0 {
                self.mark_rules()?;
            }
        }
        Ok(aside)
    }

    /// Renames the database's files.
    fn put_aside(&self) -> Result<Option<PathBuf>, StoreError> {
        let unmade = |errno: Errno| open::unmade(self.path(), &errno.into());
        let file = match fs::open(self.path(), OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened.map_err(unmade)?,
        };
        // A process that has it open holds a lock on some of its bytes; this lock covers all of them.
        match fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::AGAIN | Errno::ACCESS) => return Err(StoreError::InUse { path: self.path().to_owned() }),
            locked => locked.map_err(unmade)?,
        }
        let name =
            |number: u32, end: &str| self.path().with_file_name(format!("{}-aside-{number}{end}", super::FILE_NAME));
        let free = |number: &u32| name(*number, "").symlink_metadata().is_err();
        let number = (1..u32::MAX).find(free).unwrap_or(u32::MAX);
        // The log first: a database without its log is only older, but a log without its database is useless.
        for end in BESIDE {
            let from = self.path().with_file_name(format!("{}{end}", super::FILE_NAME));
            match fs::rename(&from, name(number, end)) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(errno) => return Err(unmade(errno)),
            }
        }
        fs::rename(self.path(), name(number, "")).map_err(unmade)?;
        Ok(Some(name(number, "")))
    }
}

/// An error of the copy, or of our own file.
enum Taking {
    Copy(StoreError),
    Part(io::Error),
}

/// Whether a file is a complete database that this program can read; afterwards it is one file, without a log.
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

/// Fails while another process has this database open, because its current writes would be copied only in part.
fn free(copy: &Path) -> Result<(), StoreError> {
    // A file that cannot be opened for writing has no writer here.
    let Ok(file) = fs::open(copy, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) else { return Ok(()) };
    match fs::fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(Errno::AGAIN | Errno::ACCESS) => Err(StoreError::InUse { path: copy.to_owned() }),
        // A file system without locks cannot tell.
        _ => Ok(()),
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// An unfinished file; removed if it is never finished.
struct Part(PathBuf);

impl Part {
    fn beside(path: &Path) -> io::Result<Self> {
        let part = beside(path, &format!(".{}.part", uuid::Uuid::now_v7().simple()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        fs::open(&part, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(Self(part))
    }

    /// Copies this database, its log included.
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

    /// Syncs it and gives it its name, unless that name exists.
    fn becomes(self, path: &Path) -> io::Result<u64> {
        let file = File::open(&self.0)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        match fs::renameat_with(fs::CWD, &self.0, fs::CWD, path, RenameFlags::NOREPLACE) {
            // A file system that cannot sync.
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
        // ignored: once renamed or removed, it does no harm.
        let _ = fs::unlink(&self.0);
        for end in ["-journal", "-wal", "-shm"] {
            let _ = fs::unlink(beside(&self.0, end));
        }
    }
}
