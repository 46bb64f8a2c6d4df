//! Creates and opens the file, accessible only to its owner.
//!
//! The write-ahead log makes readers and writers independent, and with `synchronous=NORMAL` a transaction is a write
//! into the page cache: it survives the death of the process, a power failure may lose the last ones but never damages
//! the file. The log is not merged when the last process closes the database, because that waits for the disk; the
//! process that fills it merges it.

use super::{fault, migrate, waiting};
use crate::error::StoreError;
use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_millis(waiting::PATIENCE);
/// Pages of the log after which it is merged into the file: a process that opens the file must read them first.
const LOG_PAGES: u32 = 256;
/// The size to which the log file is truncated after a large text.
const LOG_BYTES: u32 = 4 << 20;

/// POSIX locks of a file are released when any handle of the process on that file is closed, so no thread may create
/// the file while another one opens it.
static OPENING: Mutex<()> = Mutex::new(());

pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let _alone = OPENING.lock();
    make(path).map_err(|error| unmade(path, &error))?;
    let start = Instant::now();
    loop {
        // Some locks of a file being created do not wait by themselves.
        match connect(path) {
            Err(Fault::Reported(error)) if fault::is_busy(&error) && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(fault) => return Err(fault.named("be opened", path)),
            Ok(connection) => {
                let waited = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
                tracing::debug!(palanca.waited_ms = waited, "database opened");
                return Ok(connection);
            }
        }
    }
}

/// Why there is no connection.
pub(super) enum Fault {
    /// An error from SQLite.
    Reported(rusqlite::Error),
    /// An error of our own.
    Found(StoreError),
}

impl Fault {
    pub(super) fn named(self, what: &'static str, path: &Path) -> StoreError {
        match self {
            Self::Reported(error) => fault::named(&error, what, path),
            Self::Found(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Reported(error)
    }
}

fn connect(path: &Path) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(waiting::look_again))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // A statement is planned once, not again for each value that is bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.execute_batch(&format!(
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
         PRAGMA wal_autocheckpoint = {LOG_PAGES}; PRAGMA journal_size_limit = {LOG_BYTES};"
    ))?;
    migrate::migrate(&mut connection, path)?;
    Ok(connection)
}

/// Creates the directory of this file if missing, and closes it to other users.
pub(super) fn make_directory(path: &Path) -> io::Result<()> {
    let Some(directory) = path.parent() else { return Ok(()) };
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    close_to_others(directory, 0o700)
}

/// Creates the directory and an empty file if missing, and closes both to other users.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    make_directory(path)?;
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => close_to_others(path, 0o600),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
                made => made.map(drop),
            }
        }
        Err(error) => Err(error),
    }
}

fn close_to_others(path: &Path, mode: u32) -> io::Result<()> {
    let found = fs::metadata(path)?;
    if found.mode() & 0o077 != 0 && found.uid() == geteuid().as_raw() {
        fs::set_permissions(path, Permissions::from_mode(mode))?;
    }
    Ok(())
}

pub(crate) fn unmade(path: &Path, error: &io::Error) -> StoreError {
    let path = path.to_owned();
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { path },
        _ => StoreError::Closed { path, detail: error.to_string() },
    }
}
