//! The call as it was asked for, before anything was checked.

use super::{CallId, Origin, Scope};
use crate::arguments::RawArguments;

/// One request to run a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The caller's name for this call; its result carries the same.
    pub id: CallId,
    /// The tool's name as asked for.
    pub tool: String,
    /// The arguments as asked for.
    pub arguments: RawArguments,
    /// Who asked.
    pub origin: Origin,
    /// Where the call belongs.
    pub scope: Scope,
}
