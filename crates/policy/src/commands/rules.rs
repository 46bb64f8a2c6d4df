//! The operator's own words on commands: more that is blocked, more that is safe, what alone is allowed.
//!
//! Everything here comes from outside the workspace. Nothing here can take away from what is built in: a command that is
//! blocked stays blocked whatever these rules say.

mod file;

#[cfg(test)]
mod tests;

use crate::patterns::{PatternError, Patterns, Reading};
use crate::texts::short;
use file::FileRule;
use palanca_core::Message;
use palanca_shell::{Command, Reason, RedirectKind, Sentence, Word};
use std::collections::BTreeSet;

/// What the configuration says of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSettings {
    /// `commands.blocked_patterns`, `exec.deniedPatterns`, `guardrails.blocked_commands`: regular expressions, any letter
    /// case, held against the text and against every command that it would run, as a person would write it.
    pub blocked_patterns: Vec<String>,
    /// Blocked patterns whose text the model is not shown, because it is untrusted.
    pub unvouched: BTreeSet<String>,
    /// `commands.safe_commands`: the first words of commands that need no confirmation.
    pub safe_commands: Vec<String>,
    /// `exec.allowedPatterns`: when any is given, every command that would run must match one.
    pub allowed_patterns: Vec<String>,
    /// The content of the operator's rule file, when there is one.
    pub file: Option<String>,
}

/// Compiled rules.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    blocked: Patterns,
    unvouched: BTreeSet<String>,
    safe: Vec<Vec<String>>,
    allowed: Patterns,
    file: Vec<FileRule>,
}

/// What is wrong with a rule: which, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A pattern.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// `commands.safe_commands` names nothing.
    #[error(
        "commands.safe_commands: an entry is empty, which would make every command safe. Name at least a program, or remove \
         the entry."
    )]
    EmptySafeCommand,
    /// What is wrong in the file of command rules, in English.
    #[error("{0}")]
    File(String),
}

impl RuleError {
    /// The catalogue's sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Pattern(error) => error.message(),
            Self::EmptySafeCommand => Message::new("command-rules-empty-safe"),
            Self::File(words) => Message::new("command-rules-file").with("words", words),
        }
    }
}

impl Rules {
    /// Compiles the rules and tries every example that they carry.
    ///
    /// # Errors
    /// The first rule that does not compile or whose examples fail.
    pub fn new(settings: &RuleSettings) -> Result<Self, RuleError> {
        let blocked = "commands.blocked_patterns, exec.deniedPatterns or guardrails.blocked_commands";
        let safe = settings.safe_commands.iter().map(|entry| {
            let words: Vec<String> = entry.split_whitespace().map(str::to_owned).collect();
            match words.is_empty() {
                true => Err(RuleError::EmptySafeCommand),
                false => Ok(words),
            }
        });
        Ok(Self {
            blocked: Patterns::new(blocked, settings.blocked_patterns.iter(), Reading::Commands)?,
            unvouched: settings.unvouched.clone(),
            safe: safe.collect::<Result<_, _>>()?,
            allowed: Patterns::new("exec.allowedPatterns", settings.allowed_patterns.iter(), Reading::Commands)?,
            file: settings.file.as_deref().map(file::load).transpose()?.unwrap_or_default(),
        })
    }

    /// The rule of the operator that a command breaks.
    pub(crate) fn blocked(&self, command: &Command) -> Option<Reason> {
        let by_file = || self.file.iter().find(|rule| rule.breaks(command)).map(FileRule::reason);
        let texts = || [words(command), written(command)].into_iter().filter_map(|text| self.blocked.first(&text));
        let found = if self.blocked.is_empty() { None } else { texts().min() };
        found.map(|at| self.blocked_reason(at)).or_else(by_file)
    }

    /// The pattern of the operator that the whole text breaks.
    pub(crate) fn blocked_text(&self, text: &str) -> Option<Reason> {
        self.blocked.first(text).map(|at| self.blocked_reason(at))
    }

    fn blocked_reason(&self, at: usize) -> Reason {
        let pattern = self.blocked.source(at);
        let message = match self.unvouched.contains(pattern) {
            true => Sentence::new("shell-rule-blocked-project"),
            false => Sentence::new("shell-rule-blocked-pattern").with("pattern", pattern),
        };
        Reason { rule: "shell.rule.blocked-pattern".into(), message }
    }

    /// Why a command is not among those that alone are allowed.
    pub(crate) fn not_allowed(&self, command: &Command) -> Option<Reason> {
        if self.allowed.is_empty() {
            return None;
        }
        let text = written(command);
        let allowed = self.allowed.first(&text).is_some();
        let message = || Sentence::new("shell-rule-not-allowed").with("what", short(&text, 120));
        (!allowed).then(|| Reason { rule: "shell.rule.not-allowed".into(), message: message() })
    }

    /// Why a text that is not understood in full cannot be among those that alone are allowed.
    pub(crate) fn unreadable(&self) -> Option<Reason> {
        let message = || Sentence::new("shell-rule-not-allowed-unread");
        (!self.allowed.is_empty()).then(|| Reason { rule: "shell.rule.not-allowed".into(), message: message() })
    }

    /// Why the operator calls a command safe. Only known words count, and nothing may be written, set or left open.
    pub(crate) fn safe(&self, command: &Command) -> Option<Reason> {
        let begins = |prefix: &&Vec<String>| {
            prefix.len() <= command.words.len()
                && prefix.iter().zip(&command.words).all(|(own, word)| word.literal() == Some(own))
        };
        let prefix = self.safe.iter().find(begins)?;
        let writes = command
            .redirects
            .iter()
            .any(|redirect| redirect.kind != RedirectKind::Read && redirect.target.literal() != Some("/dev/null"));
        let open = command.words.iter().any(Word::has_unknown);
        if writes || open || !command.assignments.is_empty() {
            return None;
        }
        let message = Sentence::new("shell-rule-safe").with("prefix", prefix.join(" "));
        Some(Reason { rule: "shell.rule.safe".into(), message })
    }
}

/// The words of a command joined by blanks.
fn words(command: &Command) -> String {
    command.words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A command as a person would write it: assignments, words, redirections.
fn written(command: &Command) -> String {
    let assignments = command.assignments.iter().map(|own| format!("{}={}", own.name, own.value));
    let redirects = command.redirects.iter().map(|own| {
        let sign = match own.kind {
            RedirectKind::Read => "<",
            RedirectKind::Write => ">",
            RedirectKind::Append => ">>",
            RedirectKind::ReadWrite => "<>",
        };
        format!("{sign} {}", own.target)
    });
    let words = command.words.iter().map(ToString::to_string);
    assignments.chain(words).chain(redirects).collect::<Vec<_>>().join(" ")
}
