//! The rules of a running session, which another process can revoke.
//!
//! Only a call that would be allowed queries the database, and only if rules exist at all: other calls pay nothing. If the
//! query fails, nothing is allowed, so that a person is asked.

use palanca_core::Message;
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{ApprovalRules, Decision, Guard, RuleDraft, Verdict};
use palanca_policy::rules::RuleBook;
use palanca_store::{Approvals as _, Desk};

/// A book, and the desk at which its rules may be taken back.
pub struct ActiveRules {
    book: RuleBook,
    desk: Desk,
}

impl ActiveRules {
    pub const fn new(book: RuleBook, desk: Desk) -> Self {
        Self { book, desk }
    }
}

impl Guard for ActiveRules {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let verdict = self.book.judge(call)?;
        if verdict.decision != Decision::Allow || !self.book.has_learned() {
            return Some(verdict);
        }
        let withdrawn = self.desk.withdrawn(call.scope()).ok()?;
        if withdrawn.is_empty() {
            return Some(verdict);
        }
        self.book.forget(&withdrawn);
        self.book.judge(call)
    }
}

impl ApprovalRules for ActiveRules {
    fn drafts(&self, call: &CheckedCall) -> Vec<RuleDraft> {
        self.book.drafts(call)
    }

    fn learn(&self, draft: &RuleDraft) -> Result<(), Message> {
        self.book.learn(draft)
    }
}
