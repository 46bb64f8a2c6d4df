//! Copies of the file, and putting one in its place.
//!
//! A copy is made of one moment, while others write on; what was forgotten is not in it. Nothing is ever overwritten: not
//! the file that a copy would be called, nor the database that a copy takes the place of, which is put aside under another
//! name. The surprising decision: a database that somebody has open is not replaced, because they would go on with the old one.

use super::{Database, fault, migrate, open};
use crate::error::StoreError;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{self, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
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
                usable(copy)?;
                open::make_directory(&self.path).map_err(unmade)?;
                let part = Part::beside(&self.path).map_err(unmade)?;
                std::fs::copy(copy, &part.0).map_err(unmade)?;
                fs::chmod(&part.0, Mode::RUSR | Mode::WUSR).map_err(|errno| unmade(errno.into()))?;
                File::open(&part.0).and_then(|file| file.sync_all()).map_err(unmade)?;
                Some(part)
            }
        };
        // Of this process nobody uses it from here on.
        *self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
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

/// Whether a copy is a whole database that this program can read.
fn usable(copy: &Path) -> Result<(), StoreError> {
    let named = |error: &rusqlite::Error| fault::named(error, "be read", copy);
    let found = std::fs::symlink_metadata(copy)
        .map_err(|error| StoreError::Closed { path: copy.to_owned(), detail: error.to_string() })?;
    if !found.is_file() {
        return Err(StoreError::Closed { path: copy.to_owned(), detail: "it is no regular file".to_owned() });
    }
    if BESIDE.iter().any(|end| beside(copy, end).exists()) {
        let detail = "it has a -wal or -shm file, so it is no copy that `palanca store backup` made".to_owned();
        return Err(StoreError::Closed { path: copy.to_owned(), detail });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags).map_err(|error| named(&error))?;
    if migrate::version(&connection, copy).map_err(|fault| fault.named("be read", copy))? == 0 {
        return Err(StoreError::Foreign { path: copy.to_owned() });
    }
    let found: String =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(|error| named(&error))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::Corrupt { path: copy.to_owned(), detail: found }) }
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
