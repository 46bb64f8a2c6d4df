//! Events as JSON, one per line: what `run --json-events` prints and what a log keeps. Outsiders read these, so fields are added
//! and never renamed.

use crate::event::{Event, Level};
use crate::report::{RunReport, StopReason};
use palanca_core::message::Catalogue;
use palanca_core::ports::{LogLevel, Progress};
use palanca_hooks::Need;
use schemars::{JsonSchema, schema_for};
use serde::Serialize;
use serde_json::{Value, json};

/// One event of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventLine<'a> {
    /// The run begins. The first line.
    Started {
        /// Where it is kept; missing where it is not.
        #[serde(skip_serializing_if = "Option::is_none")]
        session: Option<&'a str>,
        /// The role.
        agent: &'a str,
        /// The model's name.
        model: &'a str,
        /// When a person is asked: `yolo`, `confirm-sensitive`, `confirm-all`.
        mode: &'a str,
        /// The folder that the tools work in.
        workspace: &'a str,
    },
    /// A model call begins.
    Step {
        /// From 1.
        step: u32,
    },
    /// The model writes.
    Text {
        /// A piece of the text, or all of it where it does not come in pieces.
        text: &'a str,
    },
    /// The text of this step so far does not count: the answer begins anew.
    TextVoided,
    /// A call goes to the gate.
    ToolStarted {
        /// The call.
        id: &'a str,
        /// The tool.
        tool: &'a str,
        /// The arguments as the model wrote them: text that should be a JSON object.
        arguments: &'a str,
    },
    /// A program of this call printed something. A sample for people, a few times a second; the result holds the output.
    ToolOutput {
        /// The call.
        id: &'a str,
        /// The last lines.
        text: &'a str,
    },
    /// This call says how far it is.
    ToolProgress {
        /// The call.
        id: &'a str,
        /// What is done.
        done: f64,
        /// What there is to do, where that is known.
        of: Option<f64>,
        /// What is being done.
        text: Option<&'a str>,
    },
    /// This call says a line.
    ToolLog {
        /// The call.
        id: &'a str,
        /// `debug`, `info`, `warning` or `error`.
        level: LogLevel,
        /// The line.
        text: &'a str,
    },
    /// A call came back.
    ToolEnded {
        /// The call.
        id: &'a str,
        /// The tool.
        tool: &'a str,
        /// Whether it did its work.
        success: bool,
        /// How it ended.
        outcome: &'a str,
        /// The error's stable code, or the rule that refused it.
        code: Option<&'a str>,
        /// Why it failed.
        error: Option<&'a str>,
        /// Bytes of its output.
        output_bytes: usize,
        /// Microseconds, without the time that a person thought.
        duration_us: u64,
    },
    /// A model call is paid for.
    Usage {
        /// Tokens read, cached ones included.
        input: u64,
        /// Tokens written.
        output: u64,
        /// Tokens that the provider had cached.
        cached: u64,
        /// What it cost; null where the price is not known.
        dollars: Option<f64>,
    },
    /// A quality gate was tried.
    QualityGate {
        /// Its name.
        name: &'a str,
        /// Whether it passed.
        passed: bool,
        /// Whether it must.
        required: bool,
        /// The end of what it printed.
        output: &'a str,
        /// The end of its error output.
        error: &'a str,
        /// Why it failed.
        failure: Option<String>,
    },
    /// Something worth knowing, in the person's language.
    Notice {
        /// Whether something is not as the reader may think.
        warning: bool,
        /// The sentence.
        text: String,
    },
    /// The work is over.
    Ended {
        /// Why.
        reason: StopReason,
        /// Model calls of the session.
        steps: u32,
        /// From start to end.
        seconds: f64,
    },
    /// The report. The last line.
    Report {
        /// What `--json` prints.
        #[schemars(with = "RunReport")]
        report: &'a Value,
    },
}

impl<'a> EventLine<'a> {
    /// The line of an event; none for those that only keep the conversation.
    #[must_use]
    pub fn of(event: &'a Event<'_>, catalogue: &dyn Catalogue) -> Option<Self> {
        Some(match event {
            Event::StepStarted { step } => Self::Step { step: *step },
            Event::TextDelta { text } => Self::Text { text },
            Event::TextVoided => Self::TextVoided,
            Event::ToolStarted { call } => {
                Self::ToolStarted { id: call.id.as_str(), tool: &call.name, arguments: &call.arguments }
            }
            Event::ToolOutput { call, tail } => Self::ToolOutput { id: call.as_str(), text: tail },
            Event::ToolProgress { call, progress: Progress { done, of, text } } => {
                Self::ToolProgress { id: call.as_str(), done: *done, of: *of, text: text.as_deref() }
            }
            Event::ToolLog { call, line } => Self::ToolLog { id: call.as_str(), level: line.level, text: &line.text },
            Event::ToolEnded { result } => Self::ToolEnded {
                id: result.id.as_str(),
                tool: &result.tool,
                success: result.success,
                outcome: result.outcome.name(),
                code: result.code.as_deref(),
                error: result.error.as_deref(),
                output_bytes: result.output.len(),
                duration_us: u64::try_from(result.duration.as_micros()).unwrap_or(u64::MAX),
            },
            Event::Usage { usage, dollars, .. } => {
                Self::Usage { input: usage.input, output: usage.output, cached: usage.cached, dollars: *dollars }
            }
            Event::QualityGate { report } => Self::QualityGate {
                name: &report.name,
                passed: report.failure.is_none(),
                required: report.need == Need::Required,
                output: &report.output,
                error: &report.error,
                failure: report.failure.as_ref().map(|why| catalogue.render(why)),
            },
            Event::Notice { level, message } => {
                Self::Notice { warning: *level == Level::Warning, text: catalogue.render(message) }
            }
            Event::Ended { reason, steps, duration } => {
                Self::Ended { reason: *reason, steps: *steps, seconds: duration.as_secs_f64() }
            }
            Event::ReasoningDelta { .. } | Event::Appended { .. } | Event::Compacted { .. } => return None,
        })
    }
}

/// The JSON Schema of one line.
#[must_use]
pub fn event_schema() -> Value {
    let mut schema = schema_for!(EventLine<'static>).to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".to_owned(), json!("one line of `palanca run --json-events`"));
    }
    schema
}
