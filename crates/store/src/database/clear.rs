//! Removes what is older than it is kept.

use super::{Database, milliseconds};
use crate::error::StoreError;
use rusqlite::TransactionBehavior;

/// Whether what is too old goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaning {
    /// It goes.
    Removes,
    /// It is only counted and named.
    OnlyTells,
}

/// How many rows went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Questions that were settled. Those that a rule was made by stay with it.
    pub questions: usize,
    /// Long texts.
    pub texts: usize,
}

const QUESTIONS: &str = "DELETE FROM questions WHERE expires_ms < ?1 AND coalesce(answered_ms, 0) < ?1
    AND coalesce(spent_ms, 0) < ?1 AND id NOT IN (SELECT question FROM rules)";

const TEXTS: &str = "DELETE FROM artifacts WHERE kept_ms < ?1";

/// Runs of jobs that are over, and what was said where it was to be said.
const JOBS: &str = "DELETE FROM job_runs WHERE ended_ms < ?1";
const JOB_WORDS: &str = "DELETE FROM job_messages WHERE at_ms < ?1 AND delivered_ms IS NOT NULL";

impl Database {
    /// Removes questions that were settled before this time (milliseconds since 1970), runs of jobs that were over and what they
    /// said, and texts that are older than
    /// [their limit](super::ArtifactLimits::lasts).
    ///
    /// # Errors
    /// Why they cannot be removed; then none were.
    pub fn clear(&self, before_ms: u64, cleaning: Cleaning) -> Result<Cleared, StoreError> {
        if !self.exists() {
            return Ok(Cleared::default());
        }
        let lasts = u64::try_from(self.artifacts.lasts.as_millis()).unwrap_or(u64::MAX);
        let over = milliseconds(&*self.clock).saturating_sub(lasts);
        self.with("be cleared", |connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let questions = transaction.execute(QUESTIONS, [before_ms])?;
            let texts = transaction.execute(TEXTS, [over])?;
            transaction.execute(JOBS, [before_ms])?;
            transaction.execute(JOB_WORDS, [before_ms])?;
            match cleaning {
                Cleaning::Removes => transaction.commit()?,
                Cleaning::OnlyTells => transaction.rollback()?,
            }
            Ok(Cleared { questions, texts })
        })
    }
}
