//! Project notes: in each folder on the way from the workspace's root to the current folder, the first of four names.

use super::read::{Left, Origin, is_there, join, read};
use palanca_core::ports::Files;

/// In search order: ours, the architect's, the common one, and Claude Code's.
pub const NOTE_NAMES: [&str; 4] = [".palanca.md", ".architect.md", "AGENTS.md", "CLAUDE.md"];
/// Maximum bytes read of one file. A longer one can never be accepted, since its end is not shown.
const MAX_BYTES: u64 = 1 << 20;

/// One file of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its path as found: relative to the workspace, or absolute.
    pub path: String,
    /// Its folder, relative to the workspace; empty for the root.
    pub folder: String,
    /// Whose text it is.
    pub origin: Origin,
    /// Its text, or the beginning of a very long file.
    pub text: String,
    /// The length of the file, in bytes.
    pub size: u64,
}

impl Note {
    /// Whether `text` is all of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.size <= MAX_BYTES
    }
}

/// The result of a search for notes.
#[derive(Clone, Debug, Default)]
pub struct FoundNotes {
    /// In the order of the folders.
    pub notes: Vec<Note>,
    /// Existing files that are not used.
    pub left: Vec<Left>,
    /// Files that nobody read, because one of the same folder comes before them.
    pub behind: Vec<String>,
}

/// The notes of these folders, given from the farthest to the nearest, relative to the door's root. After an empty or
/// unusable file the next name is tried.
#[must_use]
pub fn notes(files: &dyn Files, folders: &[String], origin: Origin) -> FoundNotes {
    let mut found = FoundNotes::default();
    for folder in folders {
        let mut has_one = false;
        for name in NOTE_NAMES {
            let path = join(folder, name);
            if !is_there(files, &path) {
                continue;
            }
            if has_one {
                found.behind.push(path);
                continue;
            }
            match read(files, &path, MAX_BYTES) {
                Ok(content) if content.text.trim().is_empty() => {}
                Ok(content) => {
                    let folder = folder.clone();
                    found.notes.push(Note { path, folder, origin, text: content.text, size: content.size });
                    has_one = true;
                }
                Err(left) => found.left.push(left),
            }
        }
    }
    found
}
