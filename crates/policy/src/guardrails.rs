//! The operator's guardrails: deterministic rules that nothing a model says, no mode and no approval can lift.
//!
//! | guard | rule ids | judges |
//! |---|---|---|
//! | [`paths`](crate::paths) | `guardrails.sensitive_files`, `guardrails.protected_files` | every path, at the file door |
//! | `operands` | the same | what a command names: the sure guard is the kernel, this one explains |
//! | `commands` | `guardrails.blocked_commands` | the text of a command and every part that it would run |
//! | `limits` | `guardrails.max_…` | what a session changes and starts |
//! | `code` | `guardrails.code_rules` | the lines that a change adds |
//! | `tested` | `guardrails.require_test_after_edit` | the order of edits and tests |
//!
//! They look at effects, command readings and previews, never at a tool's name, so that foreign and dynamic tools are under
//! them like the built-in ones. What is counted is counted for a session, shared by everybody who works in it.

mod added;
mod code;
mod commands;
mod limits;
mod operands;
mod programs;
mod sessions;
mod tested;

pub use crate::patterns::PatternError;

use crate::paths::{GuardedFiles, PathRuleError};
use palanca_core::Message;
use palanca_core::ports::{Decision, Guard, Verdict};
use palanca_shell::Workspace;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use sessions::PerSession;

/// Characters of a text that are shown as evidence.
const SHOWN: usize = 120;

/// A denial by this rule.
pub(crate) fn denied(rule: &str, to_model: Message, to_operator: impl Into<String>) -> Verdict {
    Verdict { decision: Decision::Deny, rule: rule.to_owned(), to_model, to_operator: to_operator.into() }
}

/// What the configuration says below `guardrails`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuardrailSettings {
    /// Globs of files that may be read and never changed.
    pub protected_files: Vec<String>,
    /// Globs of files that may not be read either.
    pub sensitive_files: Vec<String>,
    /// Regular expressions, any letter case, of commands that never run.
    pub blocked_commands: Vec<String>,
    /// Patterns and globs whose text the model is not shown, because it is untrusted; their place is.
    pub unvouched: BTreeSet<String>,
    /// Most files that a session may change.
    pub max_files_modified: Option<u32>,
    /// Most lines, added and removed, that a session may change.
    pub max_lines_changed: Option<u32>,
    /// Most commands that a session may run.
    pub max_commands_executed: Option<u32>,
    /// Whether a test must succeed between two edits.
    pub require_test_after_edit: bool,
    /// First words of the commands that are tests; none for the usual ones.
    pub test_commands: Vec<String>,
    /// Regular expressions over what is written.
    pub code_rules: Vec<CodeRule>,
}

/// A regular expression over written text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRule {
    /// The regular expression; `^` and `$` are the ends of a line.
    pub pattern: String,
    /// What to say when it matches.
    pub message: String,
    /// What to do when it matches.
    pub severity: Severity,
}

/// What a broken code rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The write happens and the result says so.
    Warn,
    /// The write is refused.
    Block,
}

/// The compiled globs on files, for [`PathRules::guarding`](crate::paths::PathRules::guarding) and for [`guards`].
///
/// # Errors
/// The first glob that does not parse.
pub fn files(settings: &GuardrailSettings) -> Result<Arc<GuardedFiles>, PathRuleError> {
    GuardedFiles::new(&settings.sensitive_files, &settings.protected_files, &settings.unvouched).map(Arc::new)
}

/// The guards of a session or of many: what they count is kept by session. `workspace` is the absolute path that commands
/// run in. Only guards that have something to say are made.
///
/// # Errors
/// The first pattern that is no regular expression: its list, its place and what is wrong at which character.
pub fn guards(
    settings: &GuardrailSettings,
    files: Arc<GuardedFiles>,
    workspace: Workspace,
) -> Result<Vec<Arc<dyn Guard>>, PatternError> {
    let mut guards: Vec<Arc<dyn Guard>> = Vec::new();
    if !settings.blocked_commands.is_empty() {
        guards.push(Arc::new(commands::BlockedCommands::new(&settings.blocked_commands, &settings.unvouched)?));
    }
    if !files.is_empty() {
        guards.push(Arc::new(operands::NamedFiles::new(files, workspace.clone())));
    }
    if !settings.code_rules.is_empty() {
        guards.push(Arc::new(code::CodeRules::new(&settings.code_rules)?));
    }
    let limits = limits::Limits::new(settings);
    if limits.any() {
        guards.push(Arc::new(limits));
    }
    if settings.require_test_after_edit {
        guards.push(Arc::new(tested::TestAfterEdit::new(workspace, &settings.test_commands)));
    }
    Ok(guards)
}
