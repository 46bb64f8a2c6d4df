//! One JSON Schema, rendered to each provider's wire form.

use crate::tool::AnyTool;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The provider's format.
///
/// Given to [`Toolset::schemas`](super::Toolset::schemas).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchemaFormat {
    /// `{type: "function", function: {name, description, parameters}}`.
    OpenAi,
    /// `{name, description, input_schema}`.
    Anthropic,
    /// `{name, description, inputSchema, annotations}`.
    Mcp,
}

/// The tool in this format.
#[must_use]
pub fn render_schema(tool: &dyn AnyTool, format: SchemaFormat) -> Value {
    let spec = tool.spec();
    let (name, description, schema) = (&spec.name, &spec.description, tool.schema());
    match format {
        SchemaFormat::OpenAi => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": schema},
        }),
        SchemaFormat::Anthropic => {
            json!({"name": name, "description": description, "input_schema": schema})
        }
        SchemaFormat::Mcp => json!({
            "name": name,
            "description": description,
            "inputSchema": schema,
            "annotations": {
                "readOnlyHint": spec.annotations.read_only,
                "destructiveHint": spec.annotations.destructive,
                "idempotentHint": spec.annotations.idempotent,
                "openWorldHint": spec.annotations.open_world,
            },
        }),
    }
}
