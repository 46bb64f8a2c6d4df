//! The toolset of a bot in a chat: so far the tools that run programs. The rest of its vocabulary is still to come.

mod shell;

pub(crate) use shell::{Exec, Process};
