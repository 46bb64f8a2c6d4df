//! The model's side of a recorded session, one answer per request. It ignores the content of requests.

use crate::arguments::as_text;
use crate::error::{Cause, ModelError, ModelErrorKind, Place};
use crate::estimate::{estimate_tokens, message_bytes};
use crate::event::{ModelEvent, Stop, Usage, UsageBasis};
use crate::message::ToolCall;
use crate::model::{EventStream, Model};
use crate::random;
use crate::request::ModelRequest;
use futures_util::stream;
use palanca_core::{CallId, Message as Sentence};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A recorded session. Answers are returned in file order.
#[derive(Debug)]
pub struct ReplayModel {
    place: Arc<Place>,
    answers: Vec<Answer>,
    next: AtomicUsize,
}

/// A line that is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{file}, line {line}: {reason}. Each line is one JSON object such as {{\"content\": \"…\", \"tool_calls\": [{{\"id\": \"c1\", \"name\": \"read_file\", \"arguments\": {{\"path\": \"a\"}}}}]}}"
)]
pub struct ReplayError {
    /// The file as named.
    pub file: String,
    /// From 1; 0 if the file contains no answer at all.
    pub line: usize,
    /// The problem.
    pub reason: String,
}

impl ReplayError {
    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Sentence {
        if self.line == 0 {
            return Sentence::new("model-replay-empty").with("file", &self.file);
        }
        Sentence::new("model-replay-malformed")
            .with("file", &self.file)
            .with("line", self.line)
            .with("reason", &self.reason)
    }
}

#[derive(Debug)]
struct Answer {
    text: String,
    calls: Vec<ToolCall>,
    usage: Option<Usage>,
    stop: Option<Stop>,
}

#[derive(Deserialize)]
struct Line {
    content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<LineCall>,
    usage: Option<LineUsage>,
    stop: Option<Stop>,
}

#[derive(Deserialize)]
struct LineCall {
    id: Option<String>,
    name: String,
    /// As written there: numbers keep their digits.
    arguments: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct LineUsage {
    #[serde(default, alias = "input_tokens", alias = "prompt_tokens")]
    input: u64,
    #[serde(default, alias = "cached_tokens")]
    cached: u64,
    #[serde(default, alias = "output_tokens", alias = "completion_tokens")]
    output: u64,
}

impl ReplayModel {
    /// Reads the text of a session; `file` is its name in messages. Blank lines and lines that begin with `#` or `//` are
    /// skipped. Arguments that are a string are the model's own text, broken or not.
    ///
    /// # Errors
    /// The first line that is not an answer, or a file without answers.
    pub fn parse(file: &str, text: &str) -> Result<Self, ReplayError> {
        let mut answers = Vec::new();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            answers.push(answer(line).map_err(|reason| ReplayError {
                file: file.to_owned(),
                line: index + 1,
                reason,
            })?);
        }
        if answers.is_empty() {
            return Err(ReplayError { file: file.to_owned(), line: 0, reason: "the file holds no answer".to_owned() });
        }
        Ok(Self {
            place: Arc::new(Place {
                endpoint: file.to_owned(),
                model: format!("replay:{file}"),
                base_variable: "--model",
                key_variable: String::new(),
                timeout_setting: "llm.timeout",
            }),
            answers,
            next: AtomicUsize::new(0),
        })
    }

    /// The same session from a later answer on: the earlier ones were already replayed.
    #[must_use]
    pub fn after(mut self, answers: usize) -> Self {
        self.next = AtomicUsize::new(answers);
        self
    }

    /// Number of remaining answers.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.answers.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }

    fn events(&self, request: &ModelRequest<'_>) -> Vec<Result<ModelEvent, ModelError>> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let Some(answer) = self.answers.get(index) else {
            let cause = Cause::UsedUp { answers: self.answers.len() };
            return vec![Err(ModelError::because(ModelErrorKind::ReplayEnded, &self.place, cause))];
        };
        let mut events = Vec::with_capacity(answer.calls.len() + 3);
        if !answer.text.is_empty() {
            events.push(ModelEvent::TextDelta(answer.text.clone()));
        }
        events.extend(answer.calls.iter().cloned().map(ModelEvent::ToolCall));
        let usage = answer.usage.unwrap_or_else(|| answer.estimate(request));
        events.push(ModelEvent::Usage(usage));
        let stop = answer.stop.clone().unwrap_or(if answer.calls.is_empty() { Stop::Answer } else { Stop::ToolCalls });
        events.push(ModelEvent::Done { stop });
        events.into_iter().map(Ok).collect()
    }
}

impl Model for ReplayModel {
    fn name(&self) -> &str {
        &self.place.model
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        Box::pin(stream::iter(self.events(&request)))
    }
}

impl Answer {
    fn estimate(&self, request: &ModelRequest<'_>) -> Usage {
        let input: usize = request.messages.iter().map(message_bytes).sum();
        let output: usize =
            self.text.len() + self.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
        Usage {
            input: estimate_tokens(input),
            output: estimate_tokens(output),
            basis: UsageBasis::Estimated,
            ..Usage::default()
        }
    }
}

fn answer(line: &str) -> Result<Answer, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if line.content.is_none() && line.tool_calls.is_empty() {
        return Err("neither `content` nor `tool_calls`".to_owned());
    }
    Ok(Answer {
        text: line.content.unwrap_or_default(),
        calls: line.tool_calls.into_iter().map(call).collect(),
        usage: line.usage.map(|usage| Usage {
            input: usage.input,
            cached: usage.cached,
            output: usage.output,
            ..Usage::default()
        }),
        stop: line.stop,
    })
}

fn call(call: LineCall) -> ToolCall {
    ToolCall {
        id: CallId::new(call.id.unwrap_or_else(random::call_id)),
        name: call.name,
        arguments: call.arguments.map_or_else(|| "{}".to_owned(), |raw| as_text(raw.get())),
    }
}

#[cfg(test)]
mod tests;
