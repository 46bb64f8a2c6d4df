//! People's decisions and open questions: rules that avoid a question, and questions stored while open, so that any
//! front end may answer, but only once.

use super::asker::{Answer, Question};
use super::checked::CheckedCall;
use super::guard::Guard;
use crate::message::{Message, Text};
use futures_util::future::BoxFuture;
use std::time::Duration;

/// How long a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// For the session in which it was made.
    Session,
    /// From now on, for this long.
    For(Duration),
}

/// A rule that a person may make by answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// The rule; only [`ApprovalRules::learn`] interprets it.
    pub rule: String,
    /// What it would allow, for the person.
    pub words: Text,
    /// How long.
    pub lasts: Lasts,
}

/// The rules on effects: from files, and those that people made by answering.
pub trait ApprovalRules: Guard {
    /// Rules that could be made with this call's answer, from narrow to wide, at most three. Empty if no more than this
    /// one call should be allowed.
    fn drafts(&self, call: &CheckedCall) -> Vec<RuleDraft>;

    /// Applies a rule from now on.
    ///
    /// # Errors
    /// What is wrong with the rule.
    fn learn(&self, draft: &RuleDraft) -> Result<(), Message>;
}

/// How a question ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It was answered.
    Answered(Answer),
    /// It was not answered in time.
    Expired,
}

/// Stores questions. A question is open, then answered or expired, then, if the answer was yes, spent: each step
/// happens once, across all processes.
pub trait Questions: Send + Sync {
    /// Stores a question before it is shown, and assigns its id ([`Question::id`]).
    ///
    /// # Errors
    /// Why it cannot be stored; the question is then not asked.
    fn open(&self, question: &mut Question) -> Result<(), Message>;

    /// Ends when the question is answered elsewhere, or expires.
    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling>;

    /// Answers it, unless it was already answered or has expired. Returns the ruling that counts.
    ///
    /// # Errors
    /// Why the answer cannot be stored; it does not count then.
    fn settle(&self, question: &Question, answer: Answer) -> Result<Ruling, Message>;

    /// Spends the yes: once, and only for the arguments shown.
    ///
    /// # Errors
    /// The yes is spent, or was for something else.
    fn spend(&self, question: &Question) -> Result<(), Message>;

    /// Stores a rule for later sessions, with the question at which it was made.
    ///
    /// # Errors
    /// Why it cannot be stored; it still applies in this session.
    fn remember(&self, draft: &RuleDraft, question: &Question) -> Result<(), Message>;
}

/// Questions private to this call: they cannot be answered elsewhere, and do not expire.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl Questions for Unkept {
    fn open(&self, _question: &mut Question) -> Result<(), Message> {
        Ok(())
    }

    fn ruling<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(std::future::pending())
    }

    fn settle(&self, _question: &Question, answer: Answer) -> Result<Ruling, Message> {
        Ok(Ruling::Answered(answer))
    }

    fn spend(&self, _question: &Question) -> Result<(), Message> {
        Ok(())
    }

    fn remember(&self, _draft: &RuleDraft, _question: &Question) -> Result<(), Message> {
        Ok(())
    }
}
