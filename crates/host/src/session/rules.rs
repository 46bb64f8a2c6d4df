//! The rules on effects of one agent: the operator's file, and rules that people made by answering.
//!
//! Only a call that would be allowed queries the database, and only if such rules exist at all: other calls pay nothing. If the
//! query fails, nothing is allowed, so that a person is asked.

use super::desk;
use crate::fault::Fault;
use crate::notices::Notices;
use futures_util::future::BoxFuture;
use palanca_config::Config;
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{ApprovalRules, Decision, Guard, RuleDraft, Verdict, wait};
use palanca_core::{Message, Scope};
use palanca_files::read_text;
use palanca_policy::paths::PathRules;
use palanca_policy::rules::RuleBook;
use palanca_store::{Approvals as _, Database, Desk};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A rule file beyond this is a mistake.
const MAX_BYTES: u64 = 1 << 20;

/// A book without rules, for a workspace (absolute) and its path rules.
#[must_use]
pub fn empty(config: &Config, workspace: PathBuf, paths: Arc<PathRules>) -> RuleBook {
    let remember = Duration::from_secs(u64::from(config.approvals.remember_days) * 86_400);
    RuleBook::new(workspace, paths, remember)
}

/// The same book with the rules of a file, their examples tried.
///
/// # Errors
/// A file that cannot be read; a rule that is wrong or whose examples fail.
pub fn with_file(book: RuleBook, file: &Path) -> Result<RuleBook, Fault> {
    let text = read_text(file, MAX_BYTES)?;
    book.with_file(&file.display().to_string(), &text).map_err(Fault::usage)
}

/// A book for all sessions of an agent, and the desk where people make rules and take them back.
pub(crate) struct Rules {
    book: RuleBook,
    desk: Option<Desk>,
}

impl Rules {
    /// The book of this configuration; without a database nothing is remembered.
    pub(crate) fn new(config: &Config, mut book: RuleBook, database: Option<&Arc<Database>>) -> Result<Self, Fault> {
        if let Some(file) = &config.approvals.rules_file {
            book = with_file(book, Path::new(file))?;
        }
        let desk = database.map(|database| desk::desk(Arc::clone(database), config, "rules"));
        Ok(Self { book, desk })
    }

    /// Applies what is remembered for a session. What cannot be remembered is told of, and people are asked again.
    pub(crate) fn take_up(&self, scope: &Scope, notices: &dyn Notices) {
        let Some(desk) = &self.desk else { return };
        let rules = wait(desk.rules_for(scope)).unwrap_or_else(|error| {
            notices.warn(&Message::new("cli-rules-forgotten").with("reason", error.message()));
            Vec::new()
        });
        for fault in self.book.remember(rules.into_iter().map(|rule| (rule.id, rule.rule))) {
            notices.warn(&Message::new("system-words").with("words", fault.to_string()));
        }
    }
}

impl Guard for Rules {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        let verdict = self.book.judge(call)?;
        let desk = self.desk.as_ref().filter(|_| verdict.decision == Decision::Allow && self.book.has_learned());
        let Some(desk) = desk else { return Some(verdict) };
        let withdrawn = desk.withdrawn(call.scope()).ok()?;
        if withdrawn.is_empty() {
            return Some(verdict);
        }
        self.book.forget(&withdrawn);
        self.book.judge(call)
    }

    fn leave(&self, scope: &Scope) {
        self.book.leave(scope);
    }
}

impl ApprovalRules for Rules {
    fn drafts(&self, call: &CheckedCall) -> Vec<RuleDraft> {
        self.book.drafts(call)
    }

    fn learn(&self, draft: &RuleDraft) -> Result<(), Message> {
        self.book.learn(draft)
    }

    fn catch_up<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let Some(desk) = &self.desk else { return };
            let made = desk.rules_for(scope).await.unwrap_or_default();
            // ignored: rules that are wrong were told of when the session was taken up.
            let _ = self.book.remember(made.into_iter().map(|rule| (rule.id, rule.rule)));
        })
    }
}
