//! People's decisions and open questions: rules that avoid a question, and questions stored while open, so that any
//! front end may answer, but only once.

use super::asker::{Answer, Question};
use super::checked::CheckedCall;
use super::guard::Guard;
use super::pending::Pending;
use crate::call::Scope;
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

    /// Applies rules that people made for this scope since, in any process. Waited for before a call is asked about. What cannot be
    /// read is not applied, so that a person is asked.
    fn catch_up<'a>(&'a self, _scope: &'a Scope) -> BoxFuture<'a, ()> {
        Box::pin(std::future::ready(()))
    }
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
/// happens once, across all processes. What is handed in is done in that order, also when nobody waits for it.
pub trait Questions: Send + Sync {
    /// Stores a question before it is shown, and gives it its name at once ([`Question::id`]).
    ///
    /// # Errors
    /// Why it cannot be stored; the question is then not asked.
    fn open(&self, question: &mut Question) -> Pending<Result<(), Message>>;

    /// How the question stands: None while it is open.
    ///
    /// # Errors
    /// Why that cannot be read.
    fn ruled(&self, question: &Question) -> Pending<Result<Option<Ruling>, Message>>;

    /// Whether a question is open when this process is gone: only then can its call be parked.
    fn outlive_the_process(&self) -> bool {
        true
    }

    /// Ends when the question is answered elsewhere, or expires.
    fn ruling<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Ruling>;

    /// Answers it, unless it was already answered or has expired. Answers the ruling that counts.
    ///
    /// # Errors
    /// Why the answer cannot be stored; it does not count then.
    fn settle(&self, question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>>;

    /// Spends the yes: once, and only for the arguments shown.
    ///
    /// # Errors
    /// The yes is spent, or was for something else.
    fn spend(&self, question: &Question) -> Pending<Result<(), Message>>;

    /// Stores a rule for later sessions, with the question at which it was made.
    ///
    /// # Errors
    /// Why it cannot be stored; it still applies in this session.
    fn remember(&self, draft: &RuleDraft, question: &Question) -> Pending<Result<(), Message>>;
}

/// Questions private to this call: they cannot be answered elsewhere, and do not expire.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl Questions for Unkept {
    fn open(&self, _question: &mut Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }

    fn ruled(&self, _question: &Question) -> Pending<Result<Option<Ruling>, Message>> {
        Pending::now(Ok(None))
    }

    fn outlive_the_process(&self) -> bool {
        false
    }

    fn ruling<'a>(&'a self, _question: &'a Question) -> BoxFuture<'a, Ruling> {
        Box::pin(std::future::pending())
    }

    fn settle(&self, _question: &Question, answer: Answer) -> Pending<Result<Ruling, Message>> {
        Pending::now(Ok(Ruling::Answered(answer)))
    }

    fn spend(&self, _question: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }

    fn remember(&self, _draft: &RuleDraft, _question: &Question) -> Pending<Result<(), Message>> {
        Pending::now(Ok(()))
    }
}
