//! Tools about the tools themselves.

mod datetime;
mod echo;
mod read_artifact;

pub(crate) use datetime::GetDatetime;
pub use datetime::is_time_zone;
pub(crate) use echo::Echo;
pub(crate) use read_artifact::ReadArtifact;
