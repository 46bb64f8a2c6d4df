use palanca::{Args, ToolError, tool};

#[tool(pure)]
async fn no_description(
    /// Documented.
    a: String,
) -> Result<String, ToolError> {
    Ok(a)
}

/// One parameter has no documentation.
#[tool(pure)]
async fn no_parameter_doc(a: String) -> Result<String, ToolError> {
    Ok(a)
}

/// Nobody said what it touches.
#[tool()]
async fn no_effects() -> Result<String, ToolError> {
    Ok(String::new())
}

/// A name that no provider takes.
#[tool(pure)]
async fn a_name_that_is_longer_than_the_sixty_four_characters_that_providers_allow() -> Result<String, ToolError> {
    Ok(String::new())
}

/// Effects on nothing.
#[tool(reads(missing))]
async fn wrong_parameter() -> Result<String, ToolError> {
    Ok(String::new())
}

#[derive(Args)]
struct Tuple(String);

fn main() {}
