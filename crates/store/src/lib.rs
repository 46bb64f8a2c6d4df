//! The only place that opens the database: questions, rules, the undo index, sessions, long texts; and the audit log.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod approvals;
mod audit;
mod database;
mod desk;
mod error;
mod keys;
mod memory;

pub use approvals::{
    Approvals, Given, KeptDraft, KeptQuestion, KeptRule, QuestionState, Revocation, Revoked, Settled, Shown,
    ShownCommand, ShownReason, Which,
};
pub use audit::{Audit, AuditError, AuditSettings, Entry, Kind, Problem, Verified, entries, entries_of, verify};
pub use database::{
    ArtifactLimits, Checked, Cleaning, Cleared, Database, FILE_NAME, JobClaim, JobEnd, JobInbox, JobKey, JobMark,
    JobMessage, JobOwner, JobRun, JobState, JobWords, Replacement, Rows, Server, StoreProblem, Writes,
};
pub use desk::Desk;
pub use error::StoreError;
pub use keys::{KeptKey, KeyEnded, KeyKind, KeyRing, NewKey};
pub use memory::MemoryFiles;
