//! The smallest tool: returns its input. Useful to test a connection and to measure the cost of a call.

use palanca_core::call::{Claims, Scope};
use palanca_core::{Output, Spec, Tool, ToolCx, ToolError};
use palanca_derive::Args;

#[derive(Args)]
pub(crate) struct EchoArgs {
    /// The message to return.
    message: String,
}

pub(crate) struct Echo;

impl Tool for Echo {
    type Args = EchoArgs;

    fn spec(&self) -> Spec {
        Spec::new("echo", "Return a message unchanged. Touches nothing.")
    }

    fn effects(&self, _args: &EchoArgs, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    async fn run(&self, args: EchoArgs, _cx: ToolCx) -> Result<Output, ToolError> {
        Ok(Output::text(args.message))
    }
}
