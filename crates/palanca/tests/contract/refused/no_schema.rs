//! Types that no argument, output or error can be.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Args, tool};

struct Opaque;

#[derive(Args)]
struct Arguments {
    /// A type that JSON does not know.
    value: Opaque,
    /// Inside another one.
    values: Option<Vec<Opaque>>,
}

/// Gives what is no output.
#[tool(pure)]
async fn gives() -> Result<Opaque, String> {
    Ok(Opaque)
}

fn main() {}
