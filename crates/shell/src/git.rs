//! What git obeys: the keys of its configuration that start programs or lead to other files, the syntax of that
//! configuration, and the forms that run what a repository brings. It reads names and bytes and never the disk.

mod keys;
mod syntax;

pub use keys::{Role, is_boolean, role};
pub use syntax::{Setting, Unreadable, parse};

use crate::catalogue::has;
use crate::command::{Command, Word};
use crate::network::plain;

/// Forms that run hooks of their repository, or filters of its files.
const RUN_RULES: &str = "add am apply checkout cherry-pick clone commit hash-object merge pull push rebase reset restore \
    revert stage stash submodule switch update-index worktree";

/// Whether a command is a git that runs hooks or filters which its repository brings, as far as its words tell.
#[must_use]
pub fn runs_rules(command: &Command) -> bool {
    let words: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    command.program() == Some("git") && plain(&words).first().is_some_and(|form| has(RUN_RULES, form))
}
