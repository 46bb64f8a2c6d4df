//! Fakes for the gate's ports: they do what a test says and return what they received.

use futures_util::future::BoxFuture;
use palanca_core::call::{ChannelId, Launch, Outgoing};
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{
    Answer, Asker, ChannelError, Channels, CommandClass, CommandReader, CommandReading, Decision, Guard, Hook,
    HookReply, Question, Record, Recorder, Verdict,
};
use palanca_core::tool::Cancel;
use palanca_core::{Message, ToolResult};
use parking_lot::{Mutex, MutexGuard};
use serde_json::Value;
use std::collections::VecDeque;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

/// A person with scripted answers.
#[derive(Debug, Default)]
pub struct Answers {
    next: Mutex<VecDeque<Answer>>,
    rest: Option<Answer>,
    asked: Mutex<Vec<Question>>,
}

impl Answers {
    /// No person.
    #[must_use]
    pub fn nobody() -> Self {
        Self::default()
    }

    /// Always the same answer.
    #[must_use]
    pub fn always(answer: Answer) -> Self {
        Self { rest: Some(answer), ..Self::default() }
    }

    /// These answers one after another, then no.
    #[must_use]
    pub fn these(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self { next: Mutex::new(answers.into_iter().collect()), rest: Some(Answer::No), ..Self::default() }
    }

    /// Every question so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Question> {
        locked(&self.asked).clone()
    }
}

impl Asker for Answers {
    fn can_answer(&self, _question: &Question) -> bool {
        self.rest.is_some()
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        locked(&self.asked).push(question.clone());
        let answer = locked(&self.next).pop_front().or_else(|| self.rest.clone()).unwrap_or(Answer::No);
        Box::pin(async move { Some(answer) })
    }
}

/// Keeps records as JSON.
#[derive(Debug, Default)]
pub struct Recorded {
    records: Mutex<Vec<Value>>,
}

impl Recorded {
    /// Every record so far.
    #[must_use]
    pub fn records(&self) -> Vec<Value> {
        locked(&self.records).clone()
    }
}

impl Recorder for Recorded {
    fn record(&self, record: &Record<'_>) {
        let record = serde_json::to_value(record).expect("a record is JSON");
        locked(&self.records).push(record);
    }
}

/// A guard that refuses every call of one tool.
#[derive(Clone, Debug)]
pub struct Deny {
    /// The tool.
    pub tool: String,
    /// Why.
    pub reason: String,
}

impl Guard for Deny {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        (call.spec().name == self.tool).then(|| Verdict {
            decision: Decision::Deny,
            rule: "test.deny".to_owned(),
            to_model: Message::new("tool-failed").with("reason", &self.reason),
            to_operator: "a test refuses it".to_owned(),
        })
    }
}

/// A reader that gives every command the same class.
#[derive(Clone, Copy, Debug)]
pub struct ReadsAs(pub CommandClass);

impl ReadsAs {
    fn reading(self) -> CommandReading {
        let refused = (self.0 == CommandClass::Blocked).then(|| Message::new("shell-unread"));
        CommandReading { class: self.0, rule: "test.reads".to_owned(), refused, ..CommandReading::unread() }
    }
}

impl CommandReader for ReadsAs {
    fn read(&self, _launch: &Launch) -> CommandReading {
        self.reading()
    }

    fn read_input(&self, _launch: &Launch, _before: &str, _input: &str) -> CommandReading {
        self.reading()
    }
}

/// What a [`TestHook`] does.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Before the tool.
    pub before: Option<HookReply>,
    /// After the tool.
    pub after: Option<String>,
}

/// A hook with scripted answers that counts its calls.
#[derive(Debug, Default)]
pub struct TestHook {
    says: Said,
    seen: Mutex<Vec<&'static str>>,
}

impl TestHook {
    /// A hook with this answer.
    #[must_use]
    pub fn new(says: Said) -> Self {
        Self { says, seen: Mutex::default() }
    }

    /// `before` and `after`, in order of occurrence.
    #[must_use]
    pub fn seen(&self) -> Vec<&'static str> {
        locked(&self.seen).clone()
    }
}

impl Hook for TestHook {
    fn name(&self) -> &str {
        "test-hook"
    }

    fn before<'a>(&'a self, _call: &'a CheckedCall) -> BoxFuture<'a, HookReply> {
        locked(&self.seen).push("before");
        let reply = self.says.before.clone().unwrap_or(HookReply::Continue);
        Box::pin(async move { reply })
    }

    fn after<'a>(&'a self, _call: &'a CheckedCall, _result: &'a ToolResult) -> BoxFuture<'a, Option<String>> {
        locked(&self.seen).push("after");
        let text = self.says.after.clone();
        Box::pin(async move { text })
    }
}

/// Channels of any name that accept everything and return what they received.
#[derive(Debug, Default)]
pub struct FakeChannels {
    sent: Mutex<Vec<Outgoing>>,
}

impl FakeChannels {
    /// Every message so far.
    #[must_use]
    pub fn sent(&self) -> Vec<Outgoing> {
        locked(&self.sent).clone()
    }
}

impl Channels for FakeChannels {
    fn names(&self) -> Vec<ChannelId> {
        Vec::new()
    }

    fn send<'a>(&'a self, message: &'a Outgoing, _cancel: &'a Cancel) -> BoxFuture<'a, Result<(), ChannelError>> {
        locked(&self.sent).push(message.clone());
        Box::pin(async { Ok(()) })
    }
}
