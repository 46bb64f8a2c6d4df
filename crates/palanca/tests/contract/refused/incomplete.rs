//! What a model needs and the code does not say.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Args, ToolCx, ToolError, tool};

#[tool(pure)]
async fn no_description(
    /// Documented.
    a: String,
) -> Result<String, ToolError> {
    Ok(a)
}

/// Nothing else is said: every fault is told at once.
#[tool()]
async fn no_effects_no_parameter_docs(a: String, #[doc = " "] b: String) -> Result<String, ToolError> {
    Ok(a + &b)
}

/// A name that no provider takes.
#[tool(pure)]
async fn a_name_that_is_longer_than_the_sixty_four_characters_that_providers_allow() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Another one.
#[tool(pure, name = "two words", timeout = 5)]
async fn two_words() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Effects on nothing.
#[tool(reads(missing), writes(cx))]
async fn wrong_parameter(cx: ToolCx) -> Result<String, ToolError> {
    Ok(cx.scope().session.to_string())
}

/// The second word would be lost.
#[tool(effects = everything, writes(path))]
async fn two_answers(
    /// A path.
    path: String,
) -> Result<String, ToolError> {
    Ok(path)
}

/// Stops at once.
#[tool(pure, timeout = 0)]
async fn no_time() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Borrows, and returns nothing.
#[tool(pure)]
async fn borrows<T>(
    /// A word.
    word: &str,
) {
}

#[derive(Args)]
struct NoDocs {
    undocumented: String,
    /// A flag.
    #[arg(max = 3)]
    flag: bool,
    /// Optional twice.
    #[arg(default = None)]
    optional: Option<u8>,
    /// Unknown.
    #[arg(min_length = 3)]
    unknown: String,
}

#[derive(Args)]
struct Tuple(String);

#[derive(Args)]
enum Carries {
    This,
    That(String),
}

fn main() {}
