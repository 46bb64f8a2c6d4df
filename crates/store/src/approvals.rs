//! Questions and rules as front ends see them: a terminal, a chat, a web page. Independent of the database, so that another
//! one can implement [`Approvals`].

use crate::error::StoreError;
use palanca_core::call::{CallId, Origin, QuestionId, Scope};
use palanca_core::message::Text;
use palanca_core::ports::{Answer, Lasts, Questions, RuleDraft};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// A question with all that a person needs to decide, without secrets, in the words of whoever asked.
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
    /// SHA-256 of the tool's name and its whole arguments: a yes is for these alone.
    pub digest: String,
    /// What is shown.
    #[serde(flatten)]
    pub shown: Shown,
    /// Milliseconds since 1970.
    pub asked_ms: u64,
    /// From then on nobody can answer. Milliseconds since 1970.
    pub expires_ms: u64,
    /// What became of it.
    #[serde(flatten)]
    pub state: QuestionState,
}

/// What a person is shown of a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Who wants it.
    pub origin: Origin,
    /// The arguments; strings above 500 bytes are cut, with their length.
    pub arguments: Value,
    /// What it would do.
    pub effects: Vec<String>,
    /// What was read of each program that it would start.
    pub commands: Vec<ShownCommand>,
    /// What would keep those programs in.
    pub isolation: Option<String>,
    /// The change as a unified diff, at most 64 KiB.
    pub diff: Option<String>,
    /// Whether it can be taken back: `yes`, or why not.
    pub undo: String,
    /// What commands changed since the last question of the session.
    #[serde(default)]
    pub changed: Option<String>,
    /// Why it is asked; the first reason decided.
    pub reasons: Vec<ShownReason>,
    /// What could be allowed from now on together with it, from narrow to wide.
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
    /// In words.
    pub words: String,
}

/// A rule that could be made by answering.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDraft {
    /// The rule, as the policy reads it.
    pub rule: String,
    /// What it would allow.
    pub words: String,
    /// How long, in seconds; none for as long as the session.
    pub lasts_seconds: Option<u64>,
}

/// The rule as the gate knows it, for an answer.
impl From<&KeptDraft> for RuleDraft {
    fn from(draft: &KeptDraft) -> Self {
        let lasts = draft.lasts_seconds.map_or(Lasts::Session, |seconds| Lasts::For(Duration::from_secs(seconds)));
        Self { rule: draft.rule.clone(), words: Text::from(draft.words.clone()), lasts }
    }
}

/// How far a question is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum QuestionState {
    /// Anybody may answer.
    Open,
    /// Nobody answered in time.
    Expired,
    /// Somebody answered, and nothing ran: the answer was no, or the process that asked is gone.
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

/// What became of an attempt to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// This answer counts.
    Counts,
    /// Another one came first.
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
    /// Where the call belonged that it was made at; it holds for the same bot and chat in any session.
    #[serde(flatten)]
    pub scope: Scope,
    /// The workspace that it holds in.
    pub workspace: Option<String>,
    /// The rule, as the policy reads it.
    pub rule: String,
    /// What it allows.
    pub words: String,
    /// The question that it was made at.
    pub question: QuestionId,
    /// Who made it.
    pub made_by: String,
    /// Milliseconds since 1970.
    pub made_ms: u64,
    /// From then on it no longer holds. Milliseconds since 1970.
    pub expires_ms: u64,
    /// Who took it back, and when.
    pub revoked: Option<Revoked>,
}

/// Who took a rule back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revoked {
    /// Who.
    pub by: String,
    /// Milliseconds since 1970.
    pub at_ms: u64,
}

/// What became of an attempt to take a rule back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// It holds no longer.
    Done,
    /// It was taken back before.
    Already(Revoked),
    /// There is no such rule.
    Unknown,
}

/// Which rows are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Open questions, rules that hold.
    Active,
    /// All that were ever kept.
    All,
}

/// Questions and rules, for front ends. A question is answered once and a rule taken back once, whoever tries it.
pub trait Approvals: Questions {
    /// Questions, newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn questions(&self, which: Which) -> Result<Vec<KeptQuestion>, StoreError>;

    /// One question.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn question(&self, id: &QuestionId) -> Result<Option<KeptQuestion>, StoreError>;

    /// Answers a question from outside of the process that asked. `by` says who, for the record.
    ///
    /// # Errors
    /// Why the answer cannot be kept; it does not count then.
    fn answer(&self, id: &QuestionId, answer: &Answer, by: &str) -> Result<Settled, StoreError>;

    /// Rules of every scope and workspace, newest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rules(&self, which: Which) -> Result<Vec<KeptRule>, StoreError>;

    /// The rules that hold for this scope's bot and chat in the workspace of this front end, oldest first.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rules_for(&self, scope: &Scope) -> Result<Vec<KeptRule>, StoreError>;

    /// The texts of rules of this scope, as [`Approvals::rules_for`] means it, that were taken back or ran out, and that no
    /// other rule brings back: a session that learnt one lets it go.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn withdrawn(&self, scope: &Scope) -> Result<Vec<String>, StoreError>;

    /// Takes a rule back. `by` says who, for the record.
    ///
    /// # Errors
    /// Why it cannot be taken back; it holds on then.
    fn revoke(&self, id: &str, by: &str) -> Result<Revocation, StoreError>;
}
