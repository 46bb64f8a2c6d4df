//! How a person is asked.

use super::approvals::RuleDraft;
use super::{CommandReading, Undoable};
use crate::call::{CallId, Digest, Effects, Origin, QuestionId, Scope};
use crate::message::Message;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// Why a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule's id: `confirm.sensitive`, or the guard's own.
    pub rule: String,
    /// The reason as a sentence.
    pub words: Message,
}

/// Everything that a person needs to decide.
#[derive(Clone, Debug)]
pub struct Question {
    /// Its name in the store; see [`Questions`](super::Questions).
    pub id: QuestionId,
    /// The call in question.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments that would run.
    pub arguments: Value,
    /// What it would do.
    pub effects: Effects,
    /// The reading of each program that it would start or feed.
    pub commands: Vec<CommandReading>,
    /// The isolation of those programs; see [`Processes::isolation`](super::Processes::isolation).
    pub isolation: Option<&'static str>,
    /// The change as a unified diff, if any.
    pub diff: Option<String>,
    /// Whether its effects can be undone.
    pub undo: Undoable,
    /// What programs changed since the last question of this session, as far as this process knows.
    pub changed: Option<Message>,
    /// Why it is asked; the first reason decided.
    pub reasons: Vec<Reason>,
    /// Rules that the person may make with the answer, from narrow to wide; at most three.
    pub drafts: Vec<RuleDraft>,
    /// Who asked for the call.
    pub origin: Origin,
    /// Where the call belongs.
    pub scope: Scope,
    /// The answer is valid for these arguments only.
    pub digest: Digest,
}

/// A person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Run it.
    Yes,
    /// Run it, and from now on everything that this rule covers.
    Always(Box<RuleDraft>),
    /// Do not run it; continue with the rest.
    No,
    /// The same, and why: the model is told.
    NoBecause(String),
    /// End everything.
    Abort,
}

impl Answer {
    /// Whether the call may run.
    #[must_use]
    pub const fn allows(&self) -> bool {
        matches!(self, Self::Yes | Self::Always(_))
    }

    /// The word in records: `yes`, `always`, `no`, `abort`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Always(_) => "always",
            Self::No | Self::NoBecause(_) => "no",
            Self::Abort => "abort",
        }
    }
}

/// A way to ask.
///
/// Implemented in the example [`asker.rs`](https://github.com/palanca/palanca/blob/main/crates/palanca/examples/asker.rs).
pub trait Asker: Send + Sync {
    /// Whether somebody answers this question, now or later. If not, the call is refused at once instead of blocking forever.
    fn can_answer(&self, question: &Question) -> bool;

    /// Asks. One question is shown at a time. Dropping the future withdraws the question: it was answered elsewhere. None if nobody
    /// answers now, but somebody may later: the call is [parked](crate::call::Outcome::Parked), and its question stays open.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>>;
}

/// An asker without a person.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAsker;

impl Asker for NoAsker {
    fn can_answer(&self, _question: &Question) -> bool {
        false
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async { None })
    }
}

/// Asks nobody here: the question stands in its store until any front end answers it or it expires. For conversations whose questions
/// are [kept](super::Questions::outlive_the_process); where they are not, nobody would ever answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elsewhere;

impl Asker for Elsewhere {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(std::future::pending())
    }
}
