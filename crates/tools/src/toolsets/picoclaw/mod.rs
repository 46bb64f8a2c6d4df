//! The toolset of the picoclaw assistant: so far `exec`, and the sample `echo`. The rest of its vocabulary is still to come.

mod shell;

pub(crate) use shell::Exec;
