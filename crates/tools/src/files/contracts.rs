//! Files as the contracts toolset shows them: structured JSON, whose text is that JSON and nothing beside it.
//!
//! Nothing here knows where the files are: the workspace and a remote repository are doors of one kind. What the policy
//! keeps closed is not in a listing at all, because a listing has no room for a note on it; links are left out, too.

mod list_dirs;
mod list_files;
mod read_file;

pub(crate) use list_dirs::ListDirs;
pub(crate) use list_files::ListFiles;
pub(crate) use read_file::ReadFile;

use super::with_help;
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, FilesHandle};
use palanca_core::{Output, ToolError};
use serde_json::Value;

/// Output whose text is its JSON.
pub(crate) fn output(data: Value) -> Output {
    Output::text(data.to_string()).with_data(data)
}

/// The path as a call gave it; nothing, and the root of a repository, mean the root.
fn start(path: &str) -> &str {
    if path.trim().is_empty() { "." } else { path }
}

/// The directory to look at. What else may stand there, the door says best.
fn directory(files: &FilesHandle, given: &str) -> Result<CanonicalPath, ToolError> {
    let path = files.locate(start(given))?;
    let info = files.info(&path).map_err(|error| with_help(files, &path, error))?;
    if info.kind == EntryKind::Directory {
        return Ok(path);
    }
    let wrong = files.entries(&path).err();
    Err(wrong.unwrap_or_else(|| FileError::new(FileErrorKind::NotADirectory, path.to_string())).into())
}
