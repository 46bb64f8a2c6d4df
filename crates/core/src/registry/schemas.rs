//! One JSON Schema, rendered to each provider's wire form.

use crate::call::Icon;
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
    /// `{name, description, inputSchema, annotations}`, and `title`, `icons` and `outputSchema` of tools that have them.
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
        // Never null: every part of it is JSON.
        SchemaFormat::Mcp => serde_json::to_value(McpTool {
            name,
            title: spec.title.as_deref(),
            description,
            input_schema: schema,
            output_schema: spec.output_schema.as_deref(),
            annotations: json!({
                "readOnlyHint": spec.annotations.read_only,
                "destructiveHint": spec.annotations.destructive,
                "idempotentHint": spec.annotations.idempotent,
                "openWorldHint": spec.annotations.open_world,
            }),
            icons: &spec.icons,
        })
        .unwrap_or_default(),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct McpTool<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<&'a Value>,
    annotations: Value,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    icons: &'a [Icon],
}
