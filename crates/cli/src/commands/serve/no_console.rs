//! A build without the console.

use super::{Part, Served};
use crate::args::serve::Serve;
use crate::exit::Failure;

/// There is none.
#[allow(clippy::unused_async, clippy::unnecessary_wraps, reason = "the surface of the other one")]
pub async fn console(_: &Served, _: &Serve) -> Result<Option<Part>, Failure> {
    Ok(None)
}
