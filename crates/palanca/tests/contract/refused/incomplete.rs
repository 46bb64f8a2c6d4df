//! What a model needs and the code does not say.
#![allow(unused, reason = "what does not compile is not used")]
use palanca::{Args, ToolCx, ToolError, tool};

#[tool(pure)]
//~ the model needs a description: add a doc comment that says what the tool does and when to use it
async fn no_description(
    /// Documented.
    a: String,
) -> Result<String, ToolError> {
    Ok(a)
}

/// Nothing else is said: every fault is told at once.
#[tool()]
//~ say what the tool touches: #[tool(pure)], #[tool(reads(parameter))], … or #[tool(effects = function)]
//~ the model needs to know what `a` is: add a doc comment
//~ the model needs to know what `b` is: add a doc comment
async fn no_effects_no_parameter_docs(a: String, #[doc = " "] b: String) -> Result<String, ToolError> {
    Ok(a + &b)
}

/// A name that no provider takes.
#[tool(pure)]
//~ tool name of 73 characters: providers allow 64
async fn a_name_that_is_longer_than_the_sixty_four_characters_that_providers_allow() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Another one.
//~ tool name: providers allow A-Z, a-z, 0-9, '_' and '-'
#[tool(pure, name = "two words", timeout = 5)]
async fn two_words() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Effects on nothing.
//~ there is no parameter `missing`
//~ there is no parameter `cx`
#[tool(reads(missing), writes(cx))]
async fn wrong_parameter(cx: ToolCx) -> Result<String, ToolError> {
    Ok(cx.scope().session.to_string())
}

/// The second word would be lost.
//~ `effects` says all that the tool touches: nothing else can be said beside it
#[tool(effects = everything, writes(path))]
async fn two_answers(
    /// A path.
    path: String,
) -> Result<String, ToolError> {
    Ok(path)
}

/// Stops at once.
//~ a timeout of 0 seconds stops every call: give at least 1
#[tool(pure, timeout = 0)]
async fn no_time() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Borrows, and returns nothing.
#[tool(pure)]
//~ a tool cannot be generic: its schema is made once
//~ a tool returns a result: `-> Result<String, ToolError>`, or another type that becomes an `Output`
async fn borrows<T>(
    /// A word.
    //~ a tool owns its arguments: use String or Vec in place of a reference
    word: &str,
) {
}

#[derive(Args)]
struct NoDocs {
    //~ the model needs to know what `undocumented` is: add a doc comment
    undocumented: String,
    /// A flag.
    //~ `flag` is not a number: it has no min or max
    #[arg(max = 3)]
    flag: bool,
    /// Optional twice.
    //~ an `Option` has no default: give `optional` the type inside it
    #[arg(default = None)]
    optional: Option<u8>,
    /// Unknown.
    //~ expected default, min, max, max_length or rename
    #[arg(min_length = 3)]
    unknown: String,
}

#[derive(Args)]
//~ arguments need names: use a struct with named fields, each with a doc comment
struct Tuple(String);

#[derive(Args)]
enum Carries {
    This,
    //~ only plain words: this variant may not carry fields (a struct with `Option` fields can)
    That(String),
}

fn main() {}
