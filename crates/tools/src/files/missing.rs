//! What to say when a path cannot be used: the door's sentence, and what may have been meant.

use super::shown::{one_line, shown};
use palanca_core::call::CanonicalPath;
use palanca_core::ports::{EntryKind, FileError, FileErrorKind, FilesHandle, OpenFile};
use palanca_core::registry::nearest;
use palanca_core::{Message, Text, ToolError};
use std::path::Path;

/// Names looked through for one that is close.
const LOOKED_THROUGH: usize = 5_000;
/// Siblings that are listed.
const SIBLINGS: usize = 20;
/// Entries of a directory that are listed where a file was wanted.
const ENTRIES: usize = 30;

/// Opens the file that a model names.
pub(crate) fn open(files: &FilesHandle, given: &str) -> Result<OpenFile, ToolError> {
    if let Some(opened) = files.open_canonical(given) {
        return Ok(opened);
    }
    let path = files.locate(given)?;
    files.open(&path).map_err(|error| with_help(files, &path, error))
}

/// The error with its help: neighbours of what is not there, entries of what is a directory.
pub(crate) fn with_help(files: &FilesHandle, path: &CanonicalPath, error: FileError) -> ToolError {
    let help = match error.kind {
        FileErrorKind::NotFound => neighbours(files, path),
        FileErrorKind::IsDirectory => entries(files, path),
        _ => None,
    };
    let error = error.into_tool_error();
    match help {
        Some(help) => error.with_output(help),
        None => error,
    }
}

fn neighbours(files: &FilesHandle, path: &CanonicalPath) -> Option<Text> {
    let names = files.neighbours(path, LOOKED_THROUGH);
    let wanted = path.relative().file_name()?.to_string_lossy();
    let directory = directory_of(path);
    let short: Vec<&str> = names.iter().map(|name| last_of(name)).collect();
    let close = nearest(&wanted, short.iter().copied(), 3);
    let mut help = Text::new();
    if !close.is_empty() {
        let close: Vec<String> = close
            .iter()
            .map(|name| match directory.as_str() {
                "." => one_line(name).into_owned(),
                parent => format!("{parent}/{}", one_line(name)),
            })
            .collect();
        help = help.line(Message::new("file-close-names").with("names", close.join(", ")));
    }
    if names.is_empty() {
        return Some(help.line(Message::new("file-no-siblings").with("directory", directory)));
    }
    let listed: Vec<_> = short.iter().take(SIBLINGS).map(|name| one_line(name)).collect();
    Some(
        help.line(
            Message::new("file-siblings")
                .with("directory", &directory)
                .with("names", listed.join(", "))
                .with("more", names.len().saturating_sub(SIBLINGS)),
        ),
    )
}

fn entries(files: &FilesHandle, path: &CanonicalPath) -> Option<Text> {
    let entries = files.entries(path).ok()?;
    let listed: Vec<String> = entries
        .iter()
        .take(ENTRIES)
        .map(|entry| {
            let mark = match entry.kind {
                EntryKind::Directory => "/",
                _ => "",
            };
            format!("{}{mark}", one_line(&entry.name))
        })
        .collect();
    let message = Message::new("file-directory-entries")
        .with("directory", shown(path))
        .with("names", listed.join(", "))
        .with("more", entries.len().saturating_sub(ENTRIES));
    Some(message.into())
}

fn directory_of(path: &CanonicalPath) -> String {
    match path.relative().parent() {
        Some(parent) => shown(&CanonicalPath::new(path.root(), parent.to_owned())),
        None => ".".to_owned(),
    }
}

fn last_of(name: &str) -> &str {
    Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or(name)
}
