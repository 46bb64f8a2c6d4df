//! The toolset of a bot in a chat: so far the tools that run programs, and the web. The rest of its vocabulary is still to come.

mod shell;
mod web;

pub(crate) use shell::{Exec, Process};
pub(crate) use web::{WebFetch, WebSearch};
