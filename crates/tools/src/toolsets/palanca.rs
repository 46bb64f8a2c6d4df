//! The default toolset: every tool, under the field's usual names.

mod edit;
mod files;
mod search;
mod shell;
mod web;

pub(crate) use edit::{ApplyPatch, EditFile};
pub(crate) use files::{DeleteFile, ListFiles, ReadFile, WriteFile};
pub(crate) use search::{FindFiles, Grep, SearchCode};
pub(crate) use shell::{Process, RunCommand};
pub(crate) use web::{LISTING, WebFetch, WebSearch};
