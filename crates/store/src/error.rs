//! Database errors, independent of the library underneath.

use palanca_core::Message;
use std::io;
use std::path::PathBuf;

/// A failed operation on the database. It had no effect, and the file is unchanged.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is not a database, or damaged.
    #[error(
        "the database {} is damaged ({detail}); it is left as it is. `palanca store restore FILE` puts a backup in its place, and `palanca store restore --empty` begins anew; both keep it under another name",
        path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The problem found.
        detail: String,
    },
    /// The file was written by a later version of the program.
    #[error(
        "the database {} has schema {found}, and this program knows {known}: a newer palanca wrote it, and it is left as it is. Use that one, or another PALANCA_HOME, or `palanca store restore FILE` with an older backup",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The schema's number.
        found: u32,
        /// The last number that this program knows.
        known: u32,
    },
    /// The file is another program's database.
    #[error(
        "{} is the database of another program; it is left as it is. `palanca store restore --empty` puts it aside",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// No space is left.
    #[error("no space is left for the database {}; free some and try again", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// The file or its directory may not be written or opened.
    #[error("the database {} cannot be written: {detail}", path.display())]
    Closed {
        /// The file.
        path: PathBuf,
        /// The system's message.
        detail: String,
    },
    /// Another process held the file beyond the time limit.
    #[error("the database {} is held by another process; try again", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// There is no database yet.
    #[error("there is no database {} yet: nothing has been stored", path.display())]
    None {
        /// Where it would be.
        path: PathBuf,
    },
    /// The target file exists; it is not overwritten.
    #[error("the file {} already exists and was left unchanged. Choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it open and would keep using the replaced file, or change the file being copied.
    #[error("another process has the database {} open; end it and try again", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Anything else.
    #[error("the database {} cannot {what}: {detail}", path.display())]
    Failed {
        /// The attempted operation.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reported error.
        detail: String,
    },
}

impl StoreError {
    /// The sentence for people and models.
    #[must_use]
    pub fn message(&self) -> Message {
        let (key, path, detail) = match self {
            Self::Corrupt { path, detail } => ("store-corrupt", path, Some(detail)),
            Self::Newer { path, found, known } => {
                return Message::new("store-newer")
                    .with("path", path.display().to_string())
                    .with("found", *found)
                    .with("known", *known);
            }
            Self::Foreign { path } => ("store-foreign", path, None),
            Self::Full { path } => ("store-full", path, None),
            Self::Closed { path, detail } => ("store-closed", path, Some(detail)),
            Self::Busy { path } => ("store-busy", path, None),
            Self::None { path } => ("store-none", path, None),
            Self::Exists { path } => ("store-file-exists", path, None),
            Self::InUse { path } => ("store-in-use", path, None),
            Self::Failed { path, detail, .. } => ("store-failed", path, Some(detail)),
        };
        let message = Message::new(key).with("path", path.display().to_string());
        match detail {
            Some(detail) => message.with("detail", detail),
            None => message,
        }
    }
}

/// For ports that use sentences.
impl From<StoreError> for Message {
    fn from(error: StoreError) -> Self {
        error.message()
    }
}

/// For ports that use file errors: the corresponding kind.
impl From<StoreError> for io::Error {
    fn from(error: StoreError) -> Self {
        let kind = match &error {
            StoreError::Full { .. } => io::ErrorKind::StorageFull,
            StoreError::Closed { .. } => io::ErrorKind::PermissionDenied,
            StoreError::Busy { .. } | StoreError::InUse { .. } => io::ErrorKind::ResourceBusy,
            StoreError::None { .. } => io::ErrorKind::NotFound,
            StoreError::Exists { .. } => io::ErrorKind::AlreadyExists,
            StoreError::Corrupt { .. } | StoreError::Newer { .. } | StoreError::Foreign { .. } => {
                io::ErrorKind::InvalidData
            }
            StoreError::Failed { .. } => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
