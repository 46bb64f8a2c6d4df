//! The toolset of a bot in a chat: so far only the tools that run programs, and the web.

mod shell;
mod web;

#[cfg(test)]
pub(crate) use shell::EXEC;
pub(crate) use shell::{Exec, Process};
pub(crate) use web::{WebFetch, WebSearch};
