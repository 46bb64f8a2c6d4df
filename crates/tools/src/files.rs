//! Reading, writing, deleting and listing files: one tool a file, and what they share.

mod based;
mod change;
mod content;
pub(crate) mod contracts;
mod delete_file;
mod list_files;
mod missing;
mod page;
mod read_file;
mod shown;
mod write_file;

pub(crate) use based::{Based, OnFile};
pub use based::{DeniedPaths, is_base};
pub(crate) use change::{Delta, Plan, commit};
pub(crate) use content::{Found, MARK, TextForm, binary, find, too_large, whole_characters};
pub(crate) use delete_file::{DeleteFile, Directories, disabled};
pub(crate) use list_files::{Depth, ListFiles, Look, SeenFrom};
pub(crate) use missing::with_help;
pub(crate) use read_file::{First, LineRange, ReadFile, Style};
pub(crate) use shown::{one_line, shown};
pub(crate) use write_file::{Sentences, Unchanged, WriteFile, WriteMode};
