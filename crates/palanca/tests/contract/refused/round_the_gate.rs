use palanca::{Permit, Tool, ToolCx, ToolError, tool};

/// Does nothing.
#[tool(pure)]
async fn nothing() -> Result<String, ToolError> {
    Ok(String::new())
}

async fn direct(cx: &ToolCx) {
    // The function is not there any more.
    nothing().await.ok();
    // A context can be borrowed, but a run consumes one.
    Nothing.run(NothingArgs {}, *cx).await.ok();
}

fn forged(call: &palanca::gate::CheckedCall) -> Permit {
    Permit::mint(call)
}

fn main() {}
