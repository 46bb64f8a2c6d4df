//! Questions and rules as front ends see them: a terminal, a chat, a web page. Independent of the database, so that another
//! one can implement [`Approvals`].

use crate::error::StoreError;
use palanca_core::call::{CallId, Origin, QuestionId, Scope};
use palanca_core::message::Text;
use palanca_core::ports::{Answer, Lasts, Pending, Questions, RuleDraft};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// A question with everything that a person needs to decide, without secrets, in the language of the asking process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeptQuestion {
    /// Its name.
    pub id: QuestionId,
    /// Where the call belongs.
    #[serde(flatten)]
    pub scope: Scope,
    /// The workspace that it would run in.
    pub workspace: Option<String>,
    /// The call.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// SHA-256 of the tool's name and its full arguments: a yes is valid for these only.
    pub digest: String,
    /// What is shown.
    #[serde(flatten)]
    pub shown: Shown,
    /// Milliseconds since 1970.
    pub asked_ms: u64,
    /// When it expires. Milliseconds since 1970.
    pub expires_ms: u64,
    /// Its state.
    #[serde(flatten)]
    pub state: QuestionState,
}

/// The part of a question shown to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Who asked for the call.
    pub origin: Origin,
    /// The arguments; strings above 500 bytes are cut, with their length.
    pub arguments: Value,
    /// What it would do.
    pub effects: Vec<String>,
    /// The reading of each program that it would start.
    pub commands: Vec<ShownCommand>,
    /// The isolation of those programs.
    pub isolation: Option<String>,
    /// The change as a unified diff, at most 64 KiB.
    pub diff: Option<String>,
    /// Whether it can be undone: `yes`, or why not.
    pub undo: String,
    /// What commands changed since the last question of the session.
    #[serde(default)]
    pub changed: Option<String>,
    /// Why it is asked; the first reason decided.
    pub reasons: Vec<ShownReason>,
    /// Rules that can be made with the answer, from narrow to wide.
    pub drafts: Vec<KeptDraft>,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownCommand {
    /// As written, at most 200 characters.
    pub source: String,
    /// Its class.
    pub class: String,
    /// The rule that decided.
    pub rule: String,
}

/// Why a person is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownReason {
    /// The rule's id.
    pub rule: String,
    /// The reason as a sentence.
    pub words: String,
}

/// A rule that could be made by answering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDraft {
    /// The rule, as the policy reads it.
    pub rule: String,
    /// What it would allow.
    pub words: String,
    /// How long, in seconds; none for the length of the session.
    pub lasts_seconds: Option<u64>,
}

/// The rule in the gate's form, for an answer.
impl From<&KeptDraft> for RuleDraft {
    fn from(draft: &KeptDraft) -> Self {
        let lasts = draft.lasts_seconds.map_or(Lasts::Session, |seconds| Lasts::For(Duration::from_secs(seconds)));
        Self { rule: draft.rule.clone(), words: Text::from(draft.words.clone()), lasts }
    }
}

/// The state of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum QuestionState {
    /// It can be answered.
    Open,
    /// It was not answered in time.
    Expired,
    /// It was answered, but nothing ran: the answer was no, or the asking process is gone.
    Answered(Given),
    /// The answer was yes, and the call ran.
    Spent {
        /// The answer.
        #[serde(flatten)]
        given: Given,
        /// When it ran. Milliseconds since 1970.
        spent_ms: u64,
    },
}

/// An answer that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Given {
    /// `yes`, `always`, `no`, `abort`.
    #[serde(serialize_with = "by_name")]
    pub answer: Answer,
    /// Who.
    pub answered_by: String,
    /// Milliseconds since 1970.
    pub answered_ms: u64,
}

fn by_name<S: serde::Serializer>(answer: &Answer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(answer.name())
}

/// The result of an attempt to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// This answer counts.
    Counts,
    /// Another answer came first.
    Already(Given),
    /// It came too late.
    Expired,
    /// There is no such question.
    Unknown,
}

/// A rule that a person made by answering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeptRule {
    /// Its name.
    pub id: String,
    /// The scope of the call at which it was made; it applies to the same bot and chat in any session.
    #[serde(flatten)]
    pub scope: Scope,
    /// The workspace in which it applies.
    pub workspace: Option<String>,
    /// The rule, as the policy reads it.
    pub rule: String,
    /// What it allows.
    pub words: String,
    /// The question at which it was made.
    pub question: QuestionId,
    /// Who made it.
    pub made_by: String,
    /// Milliseconds since 1970.
    pub made_ms: u64,
    /// When it expires. Milliseconds since 1970.
    pub expires_ms: u64,
    /// Who revoked it, and when.
    pub revoked: Option<Revoked>,
}

/// Who revoked a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revoked {
    /// Who.
    pub by: String,
    /// Milliseconds since 1970.
    pub at_ms: u64,
}

/// The result of an attempt to revoke a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// It no longer applies.
    Done,
    /// It was already revoked.
    Already(Revoked),
    /// There is no such rule.
    Unknown,
}

/// Which rows to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Open questions, active rules.
    Active,
    /// All that were ever stored.
    All,
}

/// Questions and rules, for front ends. A question is answered once and a rule revoked once, across all processes.
pub trait Approvals: Questions {
    /// Questions, newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn questions(&self, which: Which) -> Pending<Result<Vec<KeptQuestion>, StoreError>>;

    /// The newest of them, at most this many; only those before `before`, as their names sort, which is by time.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn newest(
        &self,
        which: Which,
        before: Option<&QuestionId>,
        most: usize,
    ) -> Pending<Result<Vec<KeptQuestion>, StoreError>>;

    /// One question.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn question(&self, id: &QuestionId) -> Pending<Result<Option<KeptQuestion>, StoreError>>;

    /// Answers a question from outside the asking process. `by` says who, for the record.
    ///
    /// # Errors
    /// Why the answer cannot be stored; it does not count then.
    fn answer(&self, id: &QuestionId, answer: &Answer, by: &str) -> Pending<Result<Settled, StoreError>>;

    /// Rules of every scope and workspace, newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rules(&self, which: Which) -> Pending<Result<Vec<KeptRule>, StoreError>>;

    /// The active rules of this scope's bot and chat in this front end's workspace, oldest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rules_for(&self, scope: &Scope) -> Pending<Result<Vec<KeptRule>, StoreError>>;

    /// The texts of revoked or expired rules of this scope (as in [`Approvals::rules_for`]) that no other rule
    /// restores: a session that learnt one forgets it. Blocks, because it is asked while a call is judged.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn withdrawn(&self, scope: &Scope) -> Result<Vec<String>, StoreError>;

    /// Revokes a rule. `by` says who, for the record.
    ///
    /// # Errors
    /// Why it cannot be revoked; it still applies then.
    fn revoke(&self, id: &str, by: &str) -> Pending<Result<Revocation, StoreError>>;
}
