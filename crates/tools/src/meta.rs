//! Tools about the tools themselves.

mod echo;
mod read_artifact;

pub(crate) use echo::Echo;
pub(crate) use read_artifact::ReadArtifact;
