//! The form in which the registry stores tools: one object type for built-in, foreign and dynamic ones.

use super::argument;
use super::cx::ToolCx;
use super::typed::Tool;
use crate::call::{Claims, ErrorKind, Output, Preview, Scope, Spec, ToolError};
use crate::message::Message;
use crate::ports::PreviewCx;
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::sync::Arc;

/// A tool without its argument type.
///
/// A [`Tool`](super::Tool) becomes one by [`Typed`]; implement it directly for tools whose schema is known only at run time.
pub trait AnyTool: Send + Sync {
    /// The tool's specification.
    fn spec(&self) -> &Spec;

    /// The JSON Schema of its arguments: an object schema. A foreign tool's schema is passed through verbatim.
    fn schema(&self) -> &Value;

    /// Reads checked arguments into the tool's own form, once for all stages.
    ///
    /// # Errors
    /// The arguments pass the schema and still do not fit the tool's type.
    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError>;
}

/// One call's arguments in the tool's own form.
pub trait Prepared: Send + Sync {
    /// See [`Tool::effects`].
    ///
    /// # Errors
    /// As there.
    fn claims(&self, scope: &Scope) -> Result<Claims, ToolError>;

    /// See [`Tool::preview`].
    ///
    /// # Errors
    /// As there.
    fn preview(&self, cx: &PreviewCx) -> Result<Option<Preview>, ToolError>;

    /// See [`Tool::run`].
    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>>;
}

/// A typed tool as an [`AnyTool`]. Its schema is computed once.
pub struct Typed<T> {
    tool: Arc<T>,
    spec: Spec,
    schema: Value,
}

impl<T: Tool> Typed<T> {
    /// Wraps the tool.
    #[must_use]
    pub fn new(tool: T) -> Self {
        let spec = tool.spec();
        Self { tool: Arc::new(tool), spec, schema: schema_of::<T::Args>() }
    }
}

fn schema_of<A: schemars::JsonSchema>() -> Value {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<A>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("title");
        object.shift_remove("description");
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
        object.insert("additionalProperties".into(), Value::Bool(false));
        if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
            properties.values_mut().for_each(argument::plain);
        }
    }
    schema
}

impl<T: Tool> AnyTool for Typed<T> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        match serde::Deserialize::deserialize(arguments) {
            Ok(args) => Ok(Box::new(TypedCall { tool: Arc::clone(&self.tool), args })),
            Err(error) => Err(ToolError::new(
                ErrorKind::InvalidArguments,
                Message::new("arguments-invalid").with("reasons", error.to_string()),
            )),
        }
    }
}

struct TypedCall<T: Tool> {
    tool: Arc<T>,
    args: T::Args,
}

impl<T: Tool> Prepared for TypedCall<T> {
    fn claims(&self, scope: &Scope) -> Result<Claims, ToolError> {
        self.tool.effects(&self.args, scope)
    }

    fn preview(&self, cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        self.tool.preview(&self.args, cx)
    }

    fn run(self: Box<Self>, cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move {
            let Self { tool, args } = *self;
            tool.run(args, cx).await
        })
    }
}
