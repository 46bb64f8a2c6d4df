//! One request to a model. Everything is borrowed, so that a turn never copies its history.

use crate::message::{Content, Message};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use std::sync::Arc;

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct ModelRequest<'a> {
    /// The conversation, oldest first.
    pub messages: &'a [Message],
    /// The offered tools; may be empty.
    pub tools: &'a [ToolOffer],
    /// Whether a tool must be called.
    pub tool_choice: ToolChoice<'a>,
    /// A limit on the answer, in tokens; the provider's default if absent.
    pub max_output_tokens: Option<u32>,
    /// 0 to 2; the provider's default if absent. Some models accept only their default.
    pub temperature: Option<f32>,
    /// The JSON Schema that the answer's text must follow.
    pub response_schema: Option<&'a Value>,
    /// Streamed or whole.
    pub delivery: Delivery,
}

impl<'a> ModelRequest<'a> {
    /// A streamed request without tools or limits.
    #[must_use]
    pub const fn new(messages: &'a [Message]) -> Self {
        Self {
            messages,
            tools: &[],
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
            temperature: None,
            response_schema: None,
            delivery: Delivery::Streamed,
        }
    }

    /// The same, offering these tools.
    #[must_use]
    pub const fn with_tools(mut self, tools: &'a [ToolOffer]) -> Self {
        self.tools = tools;
        self
    }

    /// The same, with this delivery.
    #[must_use]
    pub const fn with_delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }
}

/// How the answer is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// As it is produced.
    #[default]
    Streamed,
    /// When it is complete.
    Whole,
}

/// Whether the model must call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolChoice<'a> {
    /// As it likes.
    #[default]
    Auto,
    /// Never; the tools are still described.
    None,
    /// Some tool.
    Required,
    /// This tool.
    Named(&'a str),
}

/// Whether the prompt is marked for the provider's cache, if it needs marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PromptCaching {
    /// Not marked.
    Unmarked,
    /// The end of the instructions and the end of the conversation are marked, for models that need it (Anthropic's).
    #[default]
    Marked,
}

/// A tool as offered to a model. Cheap to clone; its description and schema are rendered once.
#[derive(Clone, Debug)]
pub struct ToolOffer {
    name: Arc<str>,
    description: Arc<Content>,
    schema: Arc<RawValue>,
}

impl ToolOffer {
    /// `schema` is the JSON Schema of the arguments and is passed on unchanged; if it has no type, or is not an object,
    /// `object` is inserted, because every provider requires one.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, description: impl Into<Content>, schema: &Value) -> Self {
        let rendered = match schema {
            Value::Object(map) if map.contains_key("type") => to_raw_value(schema),
            Value::Object(map) => {
                let mut map = map.clone();
                map.insert("type".to_owned(), Value::from("object"));
                to_raw_value(&map)
            }
            _ => to_raw_value(&serde_json::json!({"type": "object", "properties": {}})),
        };
        Self {
            name: name.into(),
            description: Arc::new(description.into()),
            // A Value always renders; `null` is the fallback.
            schema: rendered.map_or_else(|_| RawValue::NULL.to_owned().into(), Arc::from),
        }
    }

    /// The tool's own name, of any shape: each wire format gets a name that it allows.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does.
    #[must_use]
    pub fn description(&self) -> &str {
        self.description.as_str()
    }

    pub(crate) fn description_json(&self) -> &RawValue {
        self.description.json()
    }

    /// The JSON Schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> &RawValue {
        &self.schema
    }
}
