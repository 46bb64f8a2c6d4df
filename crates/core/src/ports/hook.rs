//! The operator's own programs before and after a tool.

use super::checked::CheckedCall;
use crate::call::ToolResult;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// A hook's answer before a tool. One type, so that invalid combinations cannot be expressed.
#[derive(Clone, Debug, PartialEq)]
pub enum HookReply {
    /// Continue.
    Continue,
    /// Continue, and add this to the result.
    Note(String),
    /// Continue with these arguments, which are validated and judged again before the next hook sees them.
    Change {
        /// All new arguments.
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

    /// Before the tool. Hooks run in declared order, each on the output of the one before; a block ends the call.
    fn before<'a>(&'a self, call: &'a CheckedCall) -> BoxFuture<'a, HookReply>;

    /// After the tool; the returned text is added to the result on its own line. It cannot fail a call.
    fn after<'a>(&'a self, call: &'a CheckedCall, result: &'a ToolResult) -> BoxFuture<'a, Option<String>>;
}
