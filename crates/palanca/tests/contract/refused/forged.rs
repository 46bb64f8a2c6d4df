//! Neither a permit nor a context can be put together by hand. In a file of its own: the compiler looks at private fields
//! last, and not at all once something else is wrong.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Permit, Tool, ToolCx, ToolError, tool};

/// Does nothing.
#[tool(pure)]
async fn nothing() -> Result<String, ToolError> {
    Ok(String::new())
}

async fn from_a_permit(permit: Permit) {
    //~ `ports::doors::Doors` … private
    let (files, processes, web, subagents, doors, voice) = todo!();
    let (cancel, clock) = todo!();
    //~ E0451 … `permit`, `files`, `processes`, `web`, `subagents`, `doors`, `voice`, `cancel` and `clock` … `ToolCx`
    //~ `ports::doors::Doors` … private
    let cx = ToolCx { permit, files, processes, web, subagents, doors, voice, cancel, clock };
    Nothing.run(NothingArgs {}, cx).await.ok();
}

async fn from_nothing(other: Permit) {
    //~ E0451 … `call`, `digest`, `effects`, `scope` and `time_limit` … `Permit`
    let permit = Permit { time_limit: std::time::Duration::MAX, ..other };
    from_a_permit(permit).await;
}

fn main() {}
