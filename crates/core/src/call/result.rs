//! What the caller sees of an outcome, in the shape that its toolset requires.
//!
//! On failure the model gets the error *and* the output: an error without its output hides why a test failed.

use super::ids::{ArtifactId, CallId, QuestionId};
use super::outcome::OutcomeKind;
use super::output::Extent;
use super::part::Part;
use super::timing::Timing;
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
    /// What the result holds beside its text. In JSON as `parts`, in every shape, and only if there are some; in the shape
    /// of picoclaw, whose results are strings, the result is `{output, parts}` then.
    pub parts: Vec<Part>,
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
    /// The question that the call waits for, if it is parked.
    pub question: Option<QuestionId>,
    /// Repairs that were made to the arguments, as sentences.
    pub repairs: Vec<String>,
    /// From submission to return, without the time that a person took to answer.
    pub duration: Duration,
    /// Where the time went, also of people and of hooks after it. Not shown: for the rows of a session.
    pub timings: Vec<Timing>,
}

/// A result in the shape of [`ToolsetName::Palanca`].
#[derive(Serialize)]
struct Whole<'a, I> {
    id: I,
    tool: &'a str,
    success: bool,
    output: &'a str,
    error: Option<&'a str>,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
    #[serde(skip_serializing_if = "<[Part]>::is_empty")]
    parts: &'a [Part],
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    repairs: &'a [String],
    duration_us: u64,
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
        let mut value = self.without_parts(shape);
        if shape != ToolsetName::Palanca && !self.parts.is_empty() {
            if value.is_string() {
                value = json!({"output": value});
            }
            if let Some(object) = value.as_object_mut() {
                object.insert("parts".to_owned(), serde_json::to_value(&self.parts).unwrap_or_default());
            }
        }
        value
    }

    fn without_parts(&self, shape: ToolsetName) -> Value {
        match shape {
            // Never null: every part of it is JSON.
            ToolsetName::Palanca => serde_json::to_value(self.whole(self.id.as_str())).unwrap_or_default(),
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

    /// The result in the default shape, under the id that its caller gave it.
    #[must_use]
    pub fn with_id<'a>(&'a self, id: &'a Value) -> impl Serialize + 'a {
        self.whole(id)
    }

    fn whole<I: Serialize>(&self, id: I) -> Whole<'_, I> {
        Whole {
            id,
            tool: &self.tool,
            success: self.success,
            output: &self.output,
            error: self.error.as_deref(),
            outcome: self.outcome.name(),
            code: self.code.as_deref(),
            data: self.data.as_ref(),
            parts: &self.parts,
            diff: self.diff.as_deref(),
            truncated: self.truncated,
            artifact: self.artifact.as_ref().map(ArtifactId::as_str),
            question: self.question.as_ref().map(QuestionId::as_str),
            repairs: &self.repairs,
            duration_us: u64::try_from(self.duration.as_micros()).unwrap_or(u64::MAX),
        }
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
