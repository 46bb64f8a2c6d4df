//! A foreign page as a tool: it touches nothing and declares its text foreign. Marking and taint are tested with it
//! behind the real gate.

use futures_util::future::BoxFuture;
use palanca_core::call::{Claims, Part, Scope, ToolError};
use palanca_core::tool::{AnyTool, Prepared, PreviewCx};
use palanca_core::{Output, Preview, Spec, ToolCx};
use serde_json::{Value, json};

/// The tool `foreign_page`, without arguments. Register it with `Registry::register_any`.
#[derive(Clone, Debug)]
pub struct ForeignPage {
    spec: Spec,
    schema: Value,
    output: Output,
}

impl ForeignPage {
    /// Its name.
    pub const NAME: &'static str = "foreign_page";

    /// A page with this text, from the source `page`.
    pub fn new(text: impl Into<String>) -> Self {
        let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
        Self {
            spec: Spec::new(Self::NAME, "Read a page that somebody else wrote."),
            schema,
            output: Output::text(text.into()).foreign("page"),
        }
    }

    /// The same page with an image or the like.
    #[must_use]
    pub fn with_part(self, part: impl Into<Part>) -> Self {
        Self { output: self.output.with_part(part), ..self }
    }
}

impl AnyTool for ForeignPage {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn schema(&self) -> &Value {
        &self.schema
    }

    fn prepare(&self, _arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Ok(Box::new(Reading(self.output.clone())))
    }
}

struct Reading(Output);

impl Prepared for Reading {
    fn claims(&self, _scope: &Scope) -> Result<Claims, ToolError> {
        Ok(Claims::none())
    }

    fn preview(&self, _cx: &PreviewCx) -> Result<Option<Preview>, ToolError> {
        Ok(None)
    }

    fn run(self: Box<Self>, _cx: ToolCx) -> BoxFuture<'static, Result<Output, ToolError>> {
        Box::pin(async move { Ok(self.0) })
    }
}
