//! How a person is asked.

use super::CommandReading;
use crate::call::{CallId, Digest, Effects, Origin};
use futures_util::future::BoxFuture;
use serde_json::Value;

/// All that a person needs to decide.
#[derive(Clone, Debug)]
pub struct Question {
    /// The call in question.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments that would run.
    pub arguments: Value,
    /// What it would do.
    pub effects: Effects,
    /// What was read of each program that it would start or speak to.
    pub commands: Vec<CommandReading>,
    /// What would keep those programs in; see [`Processes::isolation`](super::Processes::isolation).
    pub isolation: Option<&'static str>,
    /// The change as a unified diff, where there is one.
    pub diff: Option<String>,
    /// Why it is asked: the rule's id.
    pub rule: String,
    /// Who wants it.
    pub origin: Origin,
    /// The answer holds for these arguments alone.
    pub digest: Digest,
}

/// What the person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Run it.
    Yes,
    /// Do not run it; go on with the rest.
    No,
    /// End everything.
    Abort,
}

/// A way to ask.
pub trait Asker: Send + Sync {
    /// Whether anybody can answer now. When not, the call is refused at once: nothing waits for nobody.
    fn can_answer(&self) -> bool;

    /// Asks. One question is shown at a time.
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Answer>;
}

/// Nobody is there.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAsker;

impl Asker for NoAsker {
    fn can_answer(&self) -> bool {
        false
    }

    fn ask<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Answer> {
        Box::pin(async { Answer::No })
    }
}
