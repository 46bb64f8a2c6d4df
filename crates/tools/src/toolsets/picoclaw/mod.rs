//! The toolset of the picoclaw assistant: so far `exec`, the web, and the sample `echo`. The rest of its vocabulary is still to come.

mod shell;
mod web;

pub(crate) use shell::Exec;
pub(crate) use web::{WebFetch, WebSearch};
