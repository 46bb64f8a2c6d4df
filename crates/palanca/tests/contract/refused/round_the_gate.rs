//! There is no way to a run but through the gate.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Permit, Tool, ToolCx, ToolError, tool};

/// Does nothing.
#[tool(pure)]
async fn nothing() -> Result<String, ToolError> {
    Ok(String::new())
}

async fn direct() {
    // The function is not there any more.
    //~ E0425 … `nothing`
    nothing().await.ok();
}

async fn borrowed(cx: &ToolCx) {
    // A context can be borrowed, but a run consumes one.
    //~ E0507 … `*cx`
    Nothing.run(NothingArgs {}, *cx).await.ok();
}

fn minted(call: &palanca::gate::CheckedCall) -> Permit {
    //~ E0624 … `mint` … private
    Permit::mint(call)
}

fn main() {}
