//! The toolset of the document *Sistema de tools y ejecución*: names, arguments and defaults exactly as it says.

mod edit;
mod files;
mod search;
mod shell;

pub(crate) use edit::{ApplyPatch, EditFile};
pub(crate) use files::{DeleteFile, ListFiles, ReadFile, WriteFile};
pub(crate) use search::{FindFiles, Grep, SearchCode};
pub(crate) use shell::RunCommand;
