//! What the caller sees of an outcome, in the shape that its toolset asks for.
//!
//! On failure the model gets the error *and* the output: an error without its output hides why a test failed.

use super::ids::{ArtifactId, CallId};
use super::outcome::OutcomeKind;
use super::output::Extent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The wire form of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultShape {
    /// Everything: `{id, tool, success, output, error, code, outcome, …}`.
    #[default]
    Palanca,
    /// `{success, output, error}`.
    Architect,
    /// `{success, content}`.
    Bots,
    /// The output as a string, or `{"error": …}`.
    Picoclaw,
    /// `{name, input, output?, error?}`, and `notes` when there is something to know beside the output.
    Contracts,
}

/// One ended call, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The call's id.
    pub id: CallId,
    /// The tool's name as asked for.
    pub tool: String,
    /// The arguments that ran, after repair; as they came, where they could not run.
    pub input: Value,
    /// Whether the tool did its work.
    pub success: bool,
    /// What the tool has to show, also on failure.
    pub output: String,
    /// Why it failed.
    pub error: Option<String>,
    /// The error's stable code.
    pub code: Option<String>,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The result as JSON, where the tool has one.
    pub data: Option<Value>,
    /// What was added to the output, line by line: `data` does not have it.
    pub notes: Vec<String>,
    /// A unified diff of what changed.
    pub diff: Option<String>,
    /// Whether part of the output was left out.
    pub truncated: bool,
    /// Who decided how much is in the output. Not shown: conversations go by it.
    pub extent: Extent,
    /// Whether the output is foreign text. Not shown: marks in the text say it.
    pub foreign: bool,
    /// Where the whole output is kept, when it is long.
    pub artifact: Option<ArtifactId>,
    /// Repairs that were made to the arguments, as sentences.
    pub repairs: Vec<String>,
    /// From submission to return, without the time that a person thought.
    pub duration: Duration,
}

impl ToolResult {
    /// Adds to the output, on a line of its own.
    pub fn add_line(&mut self, line: &str) {
        if !self.output.is_empty() && !self.output.ends_with('\n') {
            self.output.push('\n');
        }
        self.output.push_str(line);
        self.notes.push(line.to_owned());
    }

    /// The text that goes back to a model: the output, or the error followed by the output.
    #[must_use]
    pub fn for_model(&self) -> String {
        let mut text = match &self.error {
            None => self.output.clone(),
            Some(error) if self.output.is_empty() || self.output == *error => {
                format!("Error: {error}")
            }
            Some(error) => format!("Error: {error}\n{}", self.output),
        };
        for repair in &self.repairs {
            text.push('\n');
            text.push_str(repair);
        }
        text
    }

    /// The result in this shape.
    #[must_use]
    pub fn to_json(&self, shape: ResultShape) -> Value {
        match shape {
            ResultShape::Palanca => self.whole(),
            ResultShape::Architect => {
                json!({"success": self.success, "output": self.output_or_error(), "error": self.error})
            }
            ResultShape::Bots => json!({"success": self.success, "content": self.content()}),
            ResultShape::Picoclaw => match &self.error {
                None => Value::String(self.output.clone()),
                Some(_) => json!({"error": self.content()}),
            },
            ResultShape::Contracts => {
                let mut object = Map::new();
                object.insert("name".into(), self.tool.clone().into());
                object.insert("input".into(), self.input.clone());
                if self.success {
                    object.insert("output".into(), self.data.clone().unwrap_or_else(|| self.output.clone().into()));
                    if self.data.is_some() && !self.notes.is_empty() {
                        object.insert("notes".into(), self.notes.clone().into());
                    }
                } else {
                    object.insert("error".into(), self.content().into());
                }
                Value::Object(object)
            }
        }
    }

    fn whole(&self) -> Value {
        let mut object = Map::new();
        object.insert("id".into(), self.id.as_str().into());
        object.insert("tool".into(), self.tool.clone().into());
        object.insert("success".into(), self.success.into());
        object.insert("output".into(), self.output.clone().into());
        object.insert("error".into(), self.error.clone().into());
        object.insert("outcome".into(), self.outcome.name().into());
        if let Some(code) = &self.code {
            object.insert("code".into(), code.clone().into());
        }
        if let Some(data) = &self.data {
            object.insert("data".into(), data.clone());
        }
        if let Some(diff) = &self.diff {
            object.insert("diff".into(), diff.clone().into());
        }
        if self.truncated {
            object.insert("truncated".into(), true.into());
        }
        if let Some(artifact) = &self.artifact {
            object.insert("artifact".into(), artifact.as_str().into());
        }
        if !self.repairs.is_empty() {
            object.insert("repairs".into(), self.repairs.clone().into());
        }
        let micros = u64::try_from(self.duration.as_micros()).unwrap_or(u64::MAX);
        object.insert("duration_us".into(), micros.into());
        Value::Object(object)
    }

    fn output_or_error(&self) -> &str {
        match &self.error {
            Some(error) if self.output.is_empty() => error,
            _ => &self.output,
        }
    }

    fn content(&self) -> String {
        match &self.error {
            Some(error) if !self.output.is_empty() && self.output != *error => {
                format!("{error}\n{}", self.output)
            }
            Some(error) => error.clone(),
            None => self.output.clone(),
        }
    }
}
