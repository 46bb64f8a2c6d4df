//! The program `claude` as a model that answers and calls no tools: one start for each request.
//!
//! The whole conversation goes over its stdin, one JSON object a line, so that no text in it can pass for another line and
//! no list of processes shows any of it. What it prints is text, whatever it looks like. Where it is started, and what it
//! may reach there, the caller has decided.

use crate::constrained;
use crate::error::{Cause, MAX_MESSAGE, ModelError, ModelErrorKind, Place, quote};
use crate::estimate::estimate_tokens;
use crate::event::{ModelEvent, Stop, Usage, UsageBasis};
use crate::model::{EventStream, Model};
use crate::names::Names;
use crate::request::{ModelRequest, ToolChoice};
use crate::spec::ModelSpec;
use futures_util::stream::{self, StreamExt as _};
use palanca_core::call::{CallId, CommandLine, Launch};
use palanca_core::ports::{Attach, By, Exit, Owner, Processes, Profile};
use palanca_core::tool::Cancel;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// The setting that names the program.
const SETTING: &str = "llm.claude_path";
/// A variable by which the program is let in at its provider.
const KEY: &str = "ANTHROPIC_API_KEY";
/// Without tools, files of settings, servers of tools and stored sessions.
const ALONE: [&str; 9] = [
    "-p",
    "--output-format",
    "text",
    "--tools",
    "",
    "--strict-mcp-config",
    "--setting-sources",
    "",
    "--no-session-persistence",
];
/// Instead of the program's own instructions.
const GUIDE: &str = "The input is a conversation, oldest first: one JSON object a line. Lines with the role \"system\" are \
                     your instructions. Write the next message of the role \"assistant\": its text alone, without JSON \
                     around it. You have no tools.";
/// Bytes of the longest answer.
const LONGEST: u64 = 1 << 20;

/// A model that is a program.
pub struct ClaudeCli {
    place: Arc<Place>,
    door: Arc<dyn Processes>,
    launch: Launch,
    profile: Profile,
    timeout: Duration,
}

/// A line of the input.
#[derive(Serialize)]
struct Line<'a> {
    role: &'static str,
    text: &'a str,
}

impl ClaudeCli {
    /// This model. `launch` has the program without arguments; an answer that takes longer than `timeout` is none.
    #[must_use]
    pub fn new(
        spec: &ModelSpec,
        mut launch: Launch,
        (door, profile): (Arc<dyn Processes>, Profile),
        timeout: Duration,
    ) -> Self {
        let mut words = launch.command.argv();
        let place = Place {
            endpoint: words.join(" "),
            model: spec.to_string(),
            base_variable: SETTING,
            key_variable: KEY.to_owned(),
            timeout_setting: "llm.timeout",
        };
        words.extend(ALONE.into_iter().chain(["--system-prompt", GUIDE, "--model", &spec.name]).map(str::to_owned));
        launch.command = CommandLine::Program(words);
        Self { place: Arc::new(place), door, launch, profile, timeout }
    }

    async fn answer(&self, request: ModelRequest<'_>) -> Result<[ModelEvent; 3], ModelError> {
        if !self.can_answer(&request) {
            return Err(self.failed(ModelErrorKind::NoTools, Cause::NoTools));
        }
        let input = input(&request);
        let late = || self.failed(ModelErrorKind::Timeout, Cause::NotDone { within: self.timeout });
        let text = tokio::time::timeout(self.timeout, self.printed(&input)).await.map_err(|_| late())??;
        let usage = Usage {
            input: estimate_tokens(input.len()),
            output: estimate_tokens(text.len()),
            basis: UsageBasis::Estimated,
            ..Usage::default()
        };
        Ok([ModelEvent::TextDelta(text), ModelEvent::Usage(usage), ModelEvent::Done { stop: Stop::Answer }])
    }

    /// What the program prints to this. Dropping it ends the program.
    async fn printed(&self, input: &str) -> Result<String, ModelError> {
        let by = By { owner: &Owner::process(), call: &CallId::new("claude-cli"), session: None };
        let attach = Attach { by, profile: &self.profile, cancel: &Cancel::new() };
        let started = self.door.attach(&self.launch, attach).await;
        let mut running =
            started.map_err(|error| self.failed(ModelErrorKind::Unreachable, Cause::NotStarted(error)))?;
        let (printed, exit) = running.converse(input.as_bytes(), LONGEST + 1).await;
        let failed = |cause| Err(self.failed(ModelErrorKind::ServerError, cause));
        if printed.len() as u64 > LONGEST {
            return failed(Cause::TooLong { limit: LONGEST });
        }
        let text = String::from_utf8_lossy(&printed).trim().to_owned();
        if exit == Exit::Code(0) && !text.is_empty() {
            return Ok(text);
        }
        // What it says of a failure may be on either.
        let said = quote(&[running.stderr.text().trim(), &text].join("\n"), MAX_MESSAGE);
        failed(Cause::Ended { exit, said: if said.is_empty() { "–".to_owned() } else { said } })
    }

    fn failed(&self, kind: ModelErrorKind, cause: Cause) -> ModelError {
        ModelError::because(kind, &self.place, cause)
    }
}

impl Model for ClaudeCli {
    fn name(&self) -> &str {
        &self.place.model
    }

    fn can_answer(&self, request: &ModelRequest<'_>) -> bool {
        request.tools.is_empty() || request.tool_choice == ToolChoice::None
    }

    fn stream<'a>(&'a self, request: ModelRequest<'a>) -> EventStream<'a> {
        let events = stream::once(self.answer(request)).flat_map(|answer| match answer {
            Ok(events) => stream::iter(Vec::from(events.map(Ok))),
            Err(error) => stream::iter(vec![Err(error)]),
        });
        events.boxed()
    }
}

/// The conversation, a line for each message; calls, results and images in words.
fn input(request: &ModelRequest<'_>) -> String {
    use crate::message::Message;
    let asked = request.response_schema.map(wanted);
    let messages = constrained::in_words(request.messages, &Names::new(&[]));
    let lines = messages.iter().map(|message| match message {
        Message::System { text } => Line { role: "system", text },
        Message::Assistant { text, .. } => Line { role: "assistant", text },
        Message::User { text, .. } => Line { role: "user", text },
        Message::Tool { content, .. } => Line { role: "user", text: content },
    });
    let lines = lines.chain(asked.as_deref().map(|text| Line { role: "system", text }));
    // A line always renders.
    lines.map(|line| serde_json::to_string(&line).unwrap_or_default() + "\n").collect()
}

fn wanted(schema: &Value) -> String {
    format!("Your text must be JSON that follows this schema, and nothing else: {schema}")
}

#[cfg(test)]
mod tests;
