//! The call as requested, before anything was checked.

use super::{CallId, Origin, Scope};
use crate::arguments::RawArguments;

/// One request to run a tool.
///
/// Submitted by [`Gate::submit`](crate::Gate::submit).
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::arguments::RawArguments;
/// use palanca::{Call, Gate, Origin, Registry, Scope};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
///
/// let registry = Registry::new();
/// let toolset = registry.snapshot();
/// let gate = Gate::builder(registry.into()).build();
/// let call = Call {
///     id: "call_1".into(),
///     tool: "read_file".to_owned(),
///     arguments: RawArguments::Text("{\"path\": \"README.md\"}".to_owned()),
///     origin: Origin::Model { step: 1 },
///     scope: Scope::session("session-1".into()),
/// };
/// let result = gate.submit(&toolset, call).await;
/// assert_eq!(result.code.as_deref(), Some("unknown_tool"));
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The caller's name for this call; its result carries the same.
    pub id: CallId,
    /// The tool's name as requested.
    pub tool: String,
    /// The arguments as requested.
    pub arguments: RawArguments,
    /// Who asked.
    pub origin: Origin,
    /// Where the call belongs.
    pub scope: Scope,
}
