//! The contract with hooks, for whoever writes one in another language.

use anyhow::{Context, Result};

/// The schema of one payload, or of what a hook may answer.
pub fn text(name: &str) -> Result<String> {
    let all = palanca_hooks::schemas();
    let (_, schema) = all.iter().find(|(known, _)| *known == name).context("there is no such schema")?;
    pretty(schema)
}

/// A schema as a file.
pub fn pretty(schema: &serde_json::Value) -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(schema)?))
}
