//! One file, read within a limit.

use palanca_core::Message;
use palanca_core::ports::{FileError, Files};
use std::io::Read as _;

/// Whose text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user's own, from outside the workspace.
    User,
    /// A file of the workspace, written by anyone with access to the repository.
    Workspace,
}

/// An existing file that is not used.
#[derive(Clone, Debug)]
pub struct Left {
    /// Its path as searched.
    pub path: String,
    /// Why it is not used.
    pub why: Message,
}

impl Left {
    pub(super) fn failed(path: &str, error: FileError) -> Self {
        Self { path: path.to_owned(), why: error.into_tool_error().message().clone() }
    }

    pub(super) fn because(path: &str, why: Message) -> Self {
        Self { path: path.to_owned(), why }
    }
}

/// A file's beginning, and its full length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The beginning.
    pub text: String,
    /// The length of the whole, in bytes.
    pub size: u64,
}

/// At most `limit` bytes of the text at `path`.
///
/// # Errors
/// Why it is not used.
pub fn read(files: &dyn Files, path: &str, limit: u64) -> Result<Content, Left> {
    let failed = |error| Left::failed(path, error);
    let located = files.locate(path).map_err(failed)?;
    let opened = files.open(&located).map_err(failed)?;
    let mut bytes = Vec::new();
    opened
        .content
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Left::because(path, Message::new("note-unreadable").with("reason", error.to_string())))?;
    if bytes.contains(&0) {
        return Err(Left::because(path, Message::new("note-binary")));
    }
    let valid = match std::str::from_utf8(&bytes) {
        Ok(_) => bytes.len(),
        // A character that the limit cut in two.
        Err(error) if error.error_len().is_none() && opened.info.size > limit => error.valid_up_to(),
        Err(_) => return Err(Left::because(path, Message::new("note-encoding"))),
    };
    bytes.truncate(valid);
    let text = String::from_utf8(bytes).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
    Ok(Content { text, size: opened.info.size })
}

/// Whether anything stands there at all. What cannot be looked at does: the reading says why it is not used.
#[must_use]
pub fn is_there(files: &dyn Files, path: &str) -> bool {
    use palanca_core::ports::FileErrorKind::{NotADirectory, NotFound};
    match files.locate(path).and_then(|located| files.info(&located)) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind, NotFound | NotADirectory),
    }
}

/// `folder/name`, or the name alone in the root.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) }
}
