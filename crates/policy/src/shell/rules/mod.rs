//! The operator's own words on commands: more that is blocked, more that is safe, what alone is allowed.

/// What the configuration says of commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSettings {
    /// `commands.blocked_patterns`, `exec.deniedPatterns`, `guardrails.blocked_commands`: regular expressions, any letter
    /// case, held against the text and against every command that it would run, as a person would write it.
    pub blocked_patterns: Vec<String>,
    /// `commands.safe_commands`: the first words of commands that need no confirmation.
    pub safe_commands: Vec<String>,
    /// `exec.allowedPatterns`: when any is given, every command that would run must match one.
    pub allowed_patterns: Vec<String>,
    /// The content of the operator's rule file, when there is one.
    pub file: Option<String>,
}

/// Compiled rules.
#[derive(Clone, Debug, Default)]
pub struct Rules {}

/// What is wrong with a rule: which, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

impl Rules {
    /// Compiles the rules and tries every example that they carry.
    ///
    /// # Errors
    /// The first rule that does not compile or whose examples fail.
    pub fn new(_settings: &RuleSettings) -> Result<Self, RuleError> {
        Ok(Self::default())
    }
}
