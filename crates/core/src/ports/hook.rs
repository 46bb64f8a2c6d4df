//! The operator's own programs before and after a tool.

use super::checked::CheckedCall;
use crate::call::ToolResult;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// What a hook before a tool may answer. One type, so that wrong combinations cannot be said.
#[derive(Clone, Debug, PartialEq)]
pub enum HookReply {
    /// Go on.
    Continue,
    /// Go on, and add this to the result.
    Note(String),
    /// Go on with these arguments; they are validated and judged again before the next hook sees them.
    Change {
        /// The new arguments, whole.
        arguments: Value,
        /// Added to the result.
        note: Option<String>,
    },
    /// Stop here, for this reason.
    Block(String),
}

/// A program that runs around tools.
pub trait Hook: Send + Sync {
    /// The name that messages use.
    fn name(&self) -> &str;

    /// Before the tool. Hooks run in declared order, each on what the one before it left; a block ends the call.
    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply>;

    /// After the tool; what it returns is added to the result on a line of its own. It cannot fail a call.
    fn after<'a>(&'a self, call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>>;
}
