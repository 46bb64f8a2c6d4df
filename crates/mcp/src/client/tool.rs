//! A foreign tool: its definition as the server gives it, and its one effect.
//!
//! Its description is foreign text, so models get it between marks. The number in them is that of the definition instead of
//! a random one: providers cache definitions that stay the same, and no text holds a number that is made of it.

use super::change::plain;
use palanca_core::call::{Act, ActKind, Annotations, Claims, Digest, Effect, Scope, Sensitivity, ToolError};
use palanca_core::ports::Marker as _;
use palanca_core::tool::{AnyTool, Prepared, Preview, PreviewCx, ToolCx};
use palanca_core::{Message, Output, Spec};
use palanca_policy::marking::ExternalMarker;
use rmcp::model::Tool;
use serde_json::Value;
use std::time::Duration;

/// Characters of a name, which every provider allows.
const LONGEST_NAME: usize = 64;
/// Bytes of a description; the rest is cut.
const LONGEST_DESCRIPTION: usize = 4 << 10;
/// Bytes of a schema as JSON.
const LARGEST_SCHEMA: usize = 64 << 10;

/// A tool of a server, under our name for it.
pub(crate) struct ForeignTool {
    spec: Spec,
    schema: Value,
    /// In the server's words.
    description: String,
    /// `SERVER/TOOL`, by the server's own name.
    target: String,
}

impl PartialEq for ForeignTool {
    fn eq(&self, other: &Self) -> bool {
        self.definition() == other.definition()
    }
}

impl ForeignTool {
    /// The tool as the server defines it, or why it is left out.
    pub(crate) fn new(server: &str, tool: Tool, time: Duration) -> Result<Self, Message> {
        let schema = Value::Object((*tool.input_schema).clone());
        if schema.to_string().len() > LARGEST_SCHEMA {
            return Err(Message::new("mcp-schema-too-large")
                .with("tool", tool.name.as_ref())
                .with("limit", LARGEST_SCHEMA));
        }
        let description = plain(tool.description.as_deref().unwrap_or_default(), LONGEST_DESCRIPTION);
        let name = name(server, &tool.name);
        let spec = Spec {
            title: tool.title.as_deref().map(|title| plain(title, LONGEST_NAME).into()),
            annotations: Annotations { open_world: true, ..Annotations::WRITES },
            sensitivity: Sensitivity::Always,
            timeout: time,
            joins_lists: true,
            ..Spec::new(name.clone(), described((server, &name), &description))
        };
        Ok(Self { spec, schema, description, target: format!("{server}/{}", tool.name) })
    }

    /// All that models and people are told of it, as one text.
    pub(crate) fn definition(&self) -> String {
        let Spec { name, title, .. } = &self.spec;
        serde_json::json!([name, title, self.description, self.schema]).to_string()
    }

    /// Whether this is the server's own name for it.
    pub(crate) fn is_called(&self, original: &str) -> bool {
        self.target.split_once('/').is_some_and(|(_, tool)| tool == original)
    }

    pub(crate) fn name(&self) -> &str {
        &self.spec.name
    }
}

/// What models are told that a tool does.
fn described((server, name): (&str, &str), description: &str) -> String {
    if description.trim().is_empty() {
        return format!("A tool of the MCP server '{server}', which does not describe it.");
    }
    let digest = Digest::of_bytes(format!("{name}\n{description}").as_bytes());
    let number = digest.as_bytes().first_chunk().map_or(0, |first| u128::from_be_bytes(*first));
    let marked = ExternalMarker::new(move || number).mark(description, server);
    format!("A tool of the MCP server '{server}', which describes it so:\n{marked}")
}

/// `mcp_SERVER_TOOL`, of characters that every provider allows: what a server's tool is called here.
#[must_use]
pub fn name(server: &str, tool: &str) -> String {
    let allowed = |character: char| match character {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' => character,
        _ => '_',
    };
    format!("mcp_{server}_{tool}").chars().map(allowed).take(LONGEST_NAME).collect()
}

impl AnyTool for ForeignTool {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let mut arguments = arguments.clone();
        // What begins like this is ours, whoever gave it.
        if let Some(named) = arguments.as_object_mut() {
            named.retain(|name, _| !name.starts_with('_'));
        }
        Ok(Box::new(ForeignCall(Act::new(ActKind::Foreign, self.target.as_str(), arguments.to_string()))))
    }
}

/// One call of a foreign tool.
struct ForeignCall(Act);

impl Prepared for ForeignCall {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Effect::Act(Box::new(self.0.clone())).into())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> futures_util::future::BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move { cx.acts().perform_aloud(&self.0, cx.voice()).await })
    }
}

#[cfg(test)]
mod tests;
