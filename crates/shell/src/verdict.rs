//! What was decided about a shell text, in full: the class, the part that made it so, and why.

use super::command::Command;
use crate::Sentence;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// How a command is treated; later ones are worse, and the worst part decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Only reads, inside the workspace, by known programs with known options.
    Safe,
    /// A known development tool.
    Dev,
    /// Anything else.
    Dangerous,
    /// Never runs, in no mode, with no approval.
    Blocked,
}

impl Class {
    /// The word in results, records and documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Dev => "dev",
            Self::Dangerous => "dangerous",
            Self::Blocked => "blocked",
        }
    }
}

/// Why a part has its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule's id, dotted: `shell.block.privilege`, `shell.program.unknown`. Stable.
    pub rule: Cow<'static, str>,
    /// One sentence: what is wrong with what.
    pub message: Sentence,
}

/// Who gave a part its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// What is known of programs, by their names.
    Reader,
    /// A rule of the operator.
    Operator,
}

/// One simple command of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part as written, at most 200 characters.
    pub source: Arc<str>,
    /// What it would run; none for what only the whole text shows.
    pub command: Option<Command>,
    /// Its class.
    pub class: Class,
    /// Why.
    pub reason: Reason,
    /// Who says so.
    pub author: Author,
}

impl Part {
    /// What only the whole text shows.
    #[must_use]
    pub fn whole(class: Class, reason: Reason) -> Self {
        Self { source: Arc::default(), command: None, class, reason, author: Author::Reader }
    }
}

/// What was decided about a whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The worst class of any part.
    pub class: Class,
    /// Why that class: the first of the worst parts.
    pub reason: Reason,
    /// Every part, in reading order.
    pub parts: Vec<Part>,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message.args() {
            [] => f.write_str(&self.rule),
            _ => write!(f, "{}: {}", self.rule, self.message),
        }
    }
}
