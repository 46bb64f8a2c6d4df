//! The form in which people write tools: typed arguments, typed errors.

use super::cx::ToolCx;
use crate::call::{Claims, Output, Preview, Scope, Spec, ToolError};
use crate::message::Words;
use crate::ports::PreviewCx;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// Arguments of a tool: read from JSON, described by a JSON Schema, every field documented.
///
/// `#[derive(Args)]` writes it; a field without a doc comment or a type without a schema does not compile.
///
/// Derived in the example [`stateful_tool.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/stateful_tool.rs).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arguments of a tool",
    note = "derive it: `#[derive(palanca::Args)]` on a struct whose fields have doc comments"
)]
pub trait Args: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The default catalogue of the crate through which the arguments were derived; none within this workspace.
    #[doc(hidden)]
    fn words() -> Option<Words> {
        None
    }
}

/// A tool that a model may call.
///
/// | method | when | may touch the world |
/// |---|---|---|
/// | [`spec`](Self::spec) | at registration | no |
/// | [`effects`](Self::effects) | for every call, before it is judged | no, and cheap |
/// | [`preview`](Self::preview) | for questions, dry runs and rules on content | reads what the effects cover |
/// | [`run`](Self::run) | once, with a permit | through the doors in `cx`, as far as the permit allows |
///
/// `run` takes a [`ToolCx`], which holds the call's [`Permit`](crate::Permit). Only the gate can make either.
///
/// Implemented in the example [`stateful_tool.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/stateful_tool.rs); `#[tool]`
/// implements it for a function.
pub trait Tool: Send + Sync + 'static {
    /// The arguments that the model gives.
    type Args: Args;

    /// The tool's specification.
    fn spec(&self) -> Spec;

    /// What the call would do. If a tool leaves something out, the door refuses it.
    ///
    /// # Errors
    /// The arguments contradict each other; the call fails before anything is judged.
    fn effects(&self, args: &Self::Args, scope: &Scope) -> Result<Claims, ToolError>;

    /// What would change. Every tool that writes files implements it; by default there is nothing to show.
    ///
    /// # Errors
    /// The error that `run` would end with.
    fn preview(&self, args: &Self::Args, cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        let _ = (args, cx);
        Ok(None)
    }

    /// Does the work, in the [lane](crate::tool::Lane) of its specification: a tool that computes for long or blocks
    /// must be [`Spec::blocking`], because a cooperative one that never awaits cannot be ended.
    ///
    /// # Errors
    /// Errors are results: the model reads them and may try something else.
    fn run(&self, args: Self::Args, cx: ToolCx) -> impl Future<Output = Result<Output, ToolError>> + Send;
}
