//! Tools about the tools themselves.

mod echo;

pub(crate) use echo::Echo;
