//! What the caller sees of an outcome, in the shape that its toolset requires.
//!
//! On failure the model gets the error *and* the output: an error without its output hides why a test failed.

use super::ids::{ArtifactId, CallId};
use super::outcome::OutcomeKind;
use super::output::Extent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::time::Duration;

/// The vocabulary of tools offered to the model. It decides names, arguments and texts of the tools, and the wire form of
/// their results.
///
/// See the example of [`ToolResult`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
// Without the link, for the configuration's schema.
#[schemars(
    description = "The vocabulary of tools offered to the model: their names, arguments, texts and form of results."
)]
#[serde(rename_all = "lowercase")]
pub enum ToolsetName {
    /// The union, in the field's usual names. Results are `{id, tool, success, output, error, code, outcome, …}`.
    #[default]
    Palanca,
    /// Names, defaults and texts of the architect document. Results are `{success, output, error}`.
    Architect,
    /// Names, defaults and texts of the bots document. Results are `{success, content}`.
    Bots,
    /// Names, defaults and texts of the picoclaw document. A result is the output as a string, or `{"error": …}`.
    Picoclaw,
    /// Names, defaults and texts of the contracts document. Results are `{name, input, output?, error?}`, and `notes` if
    /// there are remarks about the output.
    Contracts,
}

impl ToolsetName {
    /// Every toolset, the default one first.
    pub const ALL: [Self; 5] = [Self::Palanca, Self::Architect, Self::Bots, Self::Picoclaw, Self::Contracts];

    /// The name in configurations and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Palanca => "palanca",
            Self::Architect => "architect",
            Self::Bots => "bots",
            Self::Picoclaw => "picoclaw",
            Self::Contracts => "contracts",
        }
    }
}

impl fmt::Display for ToolsetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One ended call, ready to be shown.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{Gate, Registry, ToolsetName};
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
///
/// let gate = Gate::builder(Registry::new().into()).build();
/// let result = gate.execute("no_such_tool", serde_json::json!({})).await;
/// assert!(!result.success);
/// assert_eq!(result.to_json(ToolsetName::Architect)["success"], false);
/// assert!(result.to_json(ToolsetName::Picoclaw)["error"].is_string());
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The call's id.
    pub id: CallId,
    /// The tool's name as requested.
    pub tool: String,
    /// The arguments that ran, after repair; as received if they could not run.
    pub input: Value,
    /// Whether the tool did its work.
    pub success: bool,
    /// The tool's output, also on failure.
    pub output: String,
    /// Why it failed.
    pub error: Option<String>,
    /// The error's stable code.
    pub code: Option<String>,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// The result as JSON, if the tool provides it.
    pub data: Option<Value>,
    /// Lines added to the output, which `data` does not contain.
    pub notes: Vec<String>,
    /// A unified diff of what changed.
    pub diff: Option<String>,
    /// Whether part of the output was left out.
    pub truncated: bool,
    /// Who decided how much is in the output. Not shown: used by conversations.
    pub extent: Extent,
    /// Whether the output is foreign text. Not shown: the text is marked.
    pub foreign: bool,
    /// Where the full output is stored, if it is long.
    pub artifact: Option<ArtifactId>,
    /// Repairs that were made to the arguments, as sentences.
    pub repairs: Vec<String>,
    /// From submission to return, without the time that a person took to answer.
    pub duration: Duration,
}

impl ToolResult {
    /// Adds a line to the output.
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
    pub fn to_json(&self, shape: ToolsetName) -> Value {
        match shape {
            ToolsetName::Palanca => self.whole(),
            ToolsetName::Architect => {
                json!({"success": self.success, "output": self.output_or_error(), "error": self.error})
            }
            ToolsetName::Bots => json!({"success": self.success, "content": self.content()}),
            ToolsetName::Picoclaw => match &self.error {
                None => Value::String(self.output.clone()),
                Some(_) => json!({"error": self.content()}),
            },
            ToolsetName::Contracts => {
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
