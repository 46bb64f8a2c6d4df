//! The input of hooks: one JSON object on stdin, and the same scalar values as variables.
//!
//! The object of a call is the documents' (`tool_name`, `tool_input`, `tool_output`, `success`) with what guards know
//! about it added. Every plain value also becomes `PALANCA_NAME` and `ARCHITECT_NAME`, in capitals. Long text stays out
//! of the variables: every process of the same user could read it there.

use crate::event::Event;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Characters of a result, or of a model's text, shown to hooks.
pub(crate) const OUTPUT_CHARS: usize = 2000;
/// Characters of the task in the variables.
const TASK_CHARS: usize = 200;
/// Bytes of one variable; the kernel takes 128 KiB.
const VARIABLE: usize = 100_000;
/// Never in the variables.
const ONLY_ON_STDIN: [&str; 3] = ["tool_output", "output", "text"];

/// One object on stdin.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Payload<'a, T> {
    /// The event.
    pub(crate) event: &'a str,
    /// Its session.
    pub(crate) session: &'a str,
    /// The folder that tools work in, and in which the hook runs.
    pub(crate) workspace: &'a str,
    /// The event's data.
    #[serde(flatten)]
    pub(crate) about: T,
}

/// `pre_tool_use`: a call that passed the guardrails and has not run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PreToolUse {
    /// The call's id, unique in its session.
    pub(crate) call: String,
    /// The tool.
    pub(crate) tool_name: String,
    /// Its arguments, validated and repaired.
    pub(crate) tool_input: Value,
    /// What it would do, one sentence each: `write src/a.py`.
    pub(crate) effects: Vec<String>,
    /// The files that it concerns, changed ones first, at most 200.
    pub(crate) files: Vec<String>,
    /// The first of them.
    pub(crate) file_path: Option<String>,
    /// The command that it would start.
    pub(crate) command: Option<String>,
    /// The address of its request; the first, if there are several.
    pub(crate) url: Option<String>,
    /// Its host, with the port if that is not the default.
    pub(crate) host: Option<String>,
    /// Who asked: `{"kind": "model", "step": 3}`.
    pub(crate) origin: Value,
}

/// `post_tool_use` and `post_edit`: a call that ran.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PostToolUse {
    /// The call, as before it ran.
    #[serde(flatten)]
    pub(crate) call: PreToolUse,
    /// Its output, redacted, at most 2000 characters.
    pub(crate) tool_output: String,
    /// Whether the tool did its work.
    pub(crate) success: bool,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

/// Before the model is called.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreLlmCall {
    /// The step of the loop, from 1.
    pub step: u32,
    /// The agent.
    pub agent: String,
    /// The model.
    pub model: String,
    /// Messages that would be sent.
    pub messages: usize,
    /// An estimate of their tokens.
    pub tokens: usize,
}

/// After the model answered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PostLlmCall {
    /// The step of the loop, from 1.
    pub step: u32,
    /// The model.
    pub model: String,
    /// Whether it called tools.
    pub has_tool_calls: bool,
    /// The called tools, in order.
    pub tool_calls: Vec<String>,
    /// Its text, at most 2000 characters.
    pub text: String,
    /// US dollars of the run so far; null if no price is known.
    pub total_cost: Option<f64>,
}

/// A run begins.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionStart {
    /// The task; 200 characters in the variables.
    pub task: String,
    /// The agent.
    pub agent: String,
    /// The model.
    pub model: String,
}

/// A run has ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SessionEnd {
    /// `success`, `partial`, `failed`.
    pub status: String,
    /// Why it ended.
    pub stop_reason: String,
    /// Model calls.
    pub steps: u32,
    /// US dollars; null if no price is known.
    pub cost: Option<f64>,
    /// The same.
    pub total_cost: Option<f64>,
}

/// A run failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OnError {
    /// Model calls so far.
    pub step: u32,
    /// Why.
    pub error: String,
}

/// Costs passed `costs.warn_at_usd`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BudgetWarning {
    /// Model calls so far.
    pub step: u32,
    /// US dollars so far.
    pub total_cost: f64,
    /// The threshold.
    pub warn_at: f64,
    /// The limit, if any.
    pub budget: Option<f64>,
}

/// Older messages were dropped from the conversation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContextCompress {
    /// Model calls so far.
    pub step: u32,
    /// Number of dropped messages.
    pub left_out: usize,
    /// An estimate of the remaining tokens.
    pub tokens: usize,
}

/// The agent says that it is done, and every required quality gate passed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentComplete {
    /// `success`.
    pub status: String,
    /// Model calls.
    pub steps: u32,
    /// Its final text, at most 2000 characters.
    pub output: String,
    /// US dollars; null if no price is known.
    pub cost: Option<f64>,
    /// The same.
    pub total_cost: Option<f64>,
}

/// An event of a run for hooks.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Occasion {
    /// Before the model is called.
    PreLlmCall(PreLlmCall),
    /// After the model answered.
    PostLlmCall(PostLlmCall),
    /// A run begins.
    SessionStart(SessionStart),
    /// A run has ended.
    SessionEnd(SessionEnd),
    /// A run failed.
    OnError(OnError),
    /// Costs passed the threshold.
    BudgetWarning(BudgetWarning),
    /// Older messages were dropped.
    ContextCompress(ContextCompress),
    /// The agent is done.
    AgentComplete(AgentComplete),
}

impl Occasion {
    /// The event.
    #[must_use]
    pub const fn event(&self) -> Event {
        match self {
            Self::PreLlmCall(_) => Event::PreLlmCall,
            Self::PostLlmCall(_) => Event::PostLlmCall,
            Self::SessionStart(_) => Event::SessionStart,
            Self::SessionEnd(_) => Event::SessionEnd,
            Self::OnError(_) => Event::OnError,
            Self::BudgetWarning(_) => Event::BudgetWarning,
            Self::ContextCompress(_) => Event::ContextCompress,
            Self::AgentComplete(_) => Event::AgentComplete,
        }
    }
}

/// The first characters of a text.
#[must_use]
pub(crate) fn first(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// The variables of an object: its plain values, by both families of names.
pub(crate) fn variables(object: &Value) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    for (name, value) in object.as_object().into_iter().flatten() {
        let text = match value {
            Value::String(text) if name == "task" => first(text, TASK_CHARS),
            Value::String(text) if !ONLY_ON_STDIN.contains(&name.as_str()) => text.clone(),
            // The documents' spelling is Python's.
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Null => String::new(),
            Value::String(_) | Value::Array(_) | Value::Object(_) => continue,
        };
        let name = if name == "success" { "TOOL_RESULT_SUCCESS".to_owned() } else { name.to_uppercase() };
        add(&mut variables, &name, &text);
    }
    variables
}

/// One value under both names.
pub(crate) fn add(variables: &mut Vec<(String, String)>, name: &str, value: &str) {
    let mut value = value.replace('\0', "\u{fffd}");
    value.truncate(value.floor_char_boundary(VARIABLE));
    variables.push((format!("ARCHITECT_{name}"), value.clone()));
    variables.push((format!("PALANCA_{name}"), value));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_are_plain_values_and_no_long_text() {
        let long = "ñ".repeat(300);
        let object = json!({
            "event": "x", "success": true, "has_tool_calls": false, "step": 3, "cost": null, "task": long,
            "tool_output": "secret", "tool_input": {"a": 1}, "files": ["a"], "command": "a\u{0}b",
        });
        let variables = variables(&object);
        let value = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(value("ARCHITECT_TOOL_RESULT_SUCCESS"), Some("True"));
        assert_eq!(value("PALANCA_HAS_TOOL_CALLS"), Some("False"));
        assert_eq!(value("ARCHITECT_STEP"), Some("3"));
        assert_eq!(value("ARCHITECT_COST"), Some(""));
        assert_eq!(value("ARCHITECT_TASK").unwrap().chars().count(), 200);
        assert_eq!(value("ARCHITECT_COMMAND"), Some("a\u{fffd}b"));
        for absent in ["ARCHITECT_TOOL_OUTPUT", "ARCHITECT_TOOL_INPUT", "ARCHITECT_FILES", "ARCHITECT_SUCCESS"] {
            assert_eq!(value(absent), None, "{absent}");
        }
    }
}
