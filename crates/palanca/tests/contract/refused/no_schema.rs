//! Types that no argument, output or error can be.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Args, tool};

struct Opaque;

#[derive(Args)]
struct Arguments {
    /// A type that JSON does not know.
    //~ E0277 … `Opaque` cannot be an argument of a tool … JSON cannot carry this type … an `Option`, `Vec` or map
    value: Opaque,
    /// Inside another one.
    //~ E0277 … `Option<Vec<Opaque>>` cannot be an argument of a tool … for a type of your own: `#[derive(palanca::Args)]`
    values: Option<Vec<Opaque>>,
}

/// Gives what is no output.
#[tool(pure)]
//~ E0277 … From<Opaque>` … `palanca::Output`
async fn gives() -> Result<Opaque, String> {
    Ok(Opaque)
}

fn main() {}
