//! The operator's hook settings, as plain values, and their errors.

use crate::event::Event;
use palanca_core::Message;
use std::time::Duration;

/// Whether something is enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// Yes.
    #[default]
    On,
    /// No; errors in it are still reported.
    Off,
}

/// Whether a call waits for a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waiting {
    /// Yes.
    #[default]
    Waits,
    /// The hook runs in the background; its answer is ignored.
    Goes,
}

/// The effect of a hook's own failure: a crash, a timeout, an unreadable answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// A warning; the call continues.
    #[default]
    Allow,
    /// Before a call or a model call: a refusal.
    Refuse,
}

/// One hook of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookSettings {
    /// When it runs.
    pub event: Event,
    /// Its index in the list of its event, from 0: for messages, and as its name if it has none.
    pub place: usize,
    /// Its name; may be empty.
    pub name: String,
    /// The shell text; `{file}` stands for the file or files of the call.
    pub command: String,
    /// The pattern for the tool's whole name. Only for calls.
    pub matcher: String,
    /// Globs of files. Empty: any call; otherwise only calls that concern a matching file.
    pub file_patterns: Vec<String>,
    /// The time limit; then it is ended, with everything that it started.
    pub timeout: Duration,
    /// Whether the call waits for it.
    pub waiting: Waiting,
    /// The effect of its own failure.
    pub on_failure: OnFailure,
    /// Whether it runs at all.
    pub switch: Switch,
}

impl HookSettings {
    /// A hook on everything at this event: 10 seconds (15 for `post_edit`), waited for, its failures allowed.
    #[must_use]
    pub fn new(event: Event, command: impl Into<String>) -> Self {
        Self {
            event,
            place: 0,
            name: String::new(),
            command: command.into(),
            matcher: "*".to_owned(),
            file_patterns: Vec::new(),
            timeout: Duration::from_secs(if event == Event::PostEdit { 15 } else { 10 }),
            waiting: Waiting::Waits,
            on_failure: OnFailure::Allow,
            switch: Switch::On,
        }
    }

    /// Its name, or its place.
    pub(crate) fn shown_name(&self) -> String {
        if self.name.is_empty() { format!("{}[{}]", self.event, self.place) } else { self.name.clone() }
    }
}

/// One long-lived program that is notified of events and asked about calls, over JSON-RPC lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSettings {
    /// Its index in the list, from 0.
    pub place: usize,
    /// Its name; may be empty.
    pub name: String,
    /// The shell text that starts it.
    pub command: String,
    /// Its modes: `observe`, `llm`, `tool`, `approve`.
    pub modes: Vec<String>,
    /// The pattern of tools whose calls it is asked about.
    pub matcher: String,
    /// Time limit for accepting an observation.
    pub observe_timeout: Duration,
    /// Time limit for a call or a model call.
    pub intercept_timeout: Duration,
    /// Time limit for an approval.
    pub approve_timeout: Duration,
    /// The effect of its failure to answer; approvals are always refused then.
    pub on_failure: OnFailure,
    /// Whether it runs at all.
    pub switch: Switch,
}

impl ProcessSettings {
    /// A program with every mode, on every tool, with the documented times: 500 ms, 5 s, 60 s.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            place: 0,
            name: String::new(),
            command: command.into(),
            modes: ["observe", "llm", "tool", "approve"].map(str::to_owned).to_vec(),
            matcher: "*".to_owned(),
            observe_timeout: Duration::from_millis(500),
            intercept_timeout: Duration::from_secs(5),
            approve_timeout: Duration::from_secs(60),
            on_failure: OnFailure::Allow,
            switch: Switch::On,
        }
    }

    pub(crate) fn shown_name(&self) -> String {
        if self.name.is_empty() { format!("processes[{}]", self.place) } else { self.name.clone() }
    }
}

/// An invalid hook: which one, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("hooks.{list}[{place}] ({name}): {key} \"{text}\" {reason}")]
pub struct ConfigError {
    /// The event, `processes`, or another list.
    pub list: &'static str,
    /// The index in it, from 0.
    pub place: usize,
    /// The hook's name.
    pub name: String,
    /// The key that is wrong.
    pub key: &'static str,
    /// Its value.
    pub text: String,
    /// What is wrong with it, and what to write instead.
    pub reason: Fault,
}

impl ConfigError {
    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        let (kind, detail) = match &self.reason {
            Fault::Empty => ("empty", ""),
            Fault::UnknownMode { known } => ("mode", known.as_str()),
            Fault::NoRegex { detail } => ("regex", detail.as_str()),
            Fault::NoPattern { detail } => ("pattern", detail.as_str()),
            Fault::NoGlob => ("glob", ""),
        };
        Message::new("hook-config-wrong")
            .with("list", self.list)
            .with("place", self.place)
            .with("name", &self.name)
            .with("key", self.key)
            .with("text", &self.text)
            .with("kind", kind)
            .with("detail", detail)
    }
}

/// What is wrong with a key of a hook.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is empty.
    #[error("is empty; write what should run")]
    Empty,
    /// No such mode.
    #[error("is unknown; known: {known}")]
    UnknownMode {
        /// Those that exist.
        known: String,
    },
    /// It looks like a regular expression and does not compile.
    #[error("is not a regular expression: {detail}")]
    NoRegex {
        /// The compiler's message.
        detail: String,
    },
    /// It is not a glob either.
    #[error("is neither a regular expression nor a glob: {detail}")]
    NoPattern {
        /// The compiler's message.
        detail: String,
    },
    /// It is not a valid glob of files.
    #[error("is not a glob; write for example *.py or src/**")]
    NoGlob,
}
