//! The rules on effects: the operator's file, and rules made by answering in earlier sessions.

mod active;

use super::{state, store};
use crate::exit::Failure;
use crate::render::stderr;
use crate::say::say;
use palanca_config::Config;
use palanca_core::call::SessionId;
use palanca_core::ports::ApprovalRules;
use palanca_core::{Message, Scope};
use palanca_files::read_text;
use palanca_policy::paths::PathRules;
use palanca_policy::rules::RuleBook;
use palanca_store::{Approvals as _, Database};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A rule file beyond this is a mistake.
const MAX_BYTES: u64 = 1 << 20;

/// The book of a workspace, begun empty: the configured file, then what is remembered for a session.
///
/// # Errors
/// A file that cannot be read, a rule that is wrong or whose examples fail: exit code 3. What cannot be remembered is told
/// of, and people are asked again.
pub fn book(
    config: &Config,
    mut book: RuleBook,
    database: Option<&Arc<Database>>,
    session: &SessionId,
) -> Result<Arc<dyn ApprovalRules>, Failure> {
    if let Some(file) = &config.approvals.rules_file {
        book = with_file(book, Path::new(file))?;
    }
    let Some(database) = database else { return Ok(Arc::new(book)) };
    let desk = store::desk(Arc::clone(database), config, store::Front::Terminal);
    let rules = desk.rules_for(&Scope::session(session.clone())).unwrap_or_else(|error| {
        stderr::warn(&Message::new("cli-rules-forgotten").with("reason", say(&error.message())));
        Vec::new()
    });
    let (book, faults) = book.with_remembered(rules.into_iter().map(|rule| (rule.id, rule.rule)));
    faults.iter().for_each(|fault| stderr::warning(&fault.to_string()));
    Ok(Arc::new(active::ActiveRules::new(book, desk)))
}

/// A book without rules, for a workspace (absolute) and its path rules.
pub fn empty(config: &Config, workspace: PathBuf, paths: Arc<PathRules>) -> RuleBook {
    let remember = Duration::from_secs(u64::from(config.approvals.remember_days) * 86_400);
    RuleBook::new(workspace, paths, remember)
}

/// The same book with the rules of a file, their examples tried.
///
/// # Errors
/// As [`book`].
pub fn with_file(book: RuleBook, file: &Path) -> Result<RuleBook, Failure> {
    let text = read_text(file, MAX_BYTES).map_err(state::failed)?;
    book.with_file(&file.display().to_string(), &text).map_err(Failure::usage)
}
