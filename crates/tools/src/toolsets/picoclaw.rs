//! The toolset of the picoclaw assistant, argument for argument as documented.

mod edit;
mod files;
mod shell;
mod web;

pub(crate) use edit::EditFile;
pub(crate) use files::{ListDir, ReadFile, WriteFile};
#[cfg(test)]
pub(crate) use shell::EXEC;
pub(crate) use shell::Exec;
pub(crate) use web::{WebFetch, WebSearch};
