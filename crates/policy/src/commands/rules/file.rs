//! The operator's rule file: rules that carry their own examples, tried when the file is loaded.
//!
//! `docs/command-rules.md` describes the format. A rule only ever blocks: what is safe or allowed is said in the
//! configuration, where it is seen at a glance.

use super::{RuleError, Rules, words};
use crate::commands::{class, judge, secret_names};
use crate::patterns;
use palanca_shell::{Class, Command, Reason, Sentence, Surroundings, Word};
use regex::Regex;
use serde::Deserialize;
use std::path::PathBuf;

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Row>,
}

/// One rule as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    blocks: Option<String>,
    words: Option<Vec<String>>,
    reason: String,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    spares: Vec<String>,
}

/// One rule that compiled and whose examples hold.
#[derive(Clone, Debug)]
pub(super) struct FileRule {
    id: String,
    test: Test,
    reason: String,
}

#[derive(Clone, Debug)]
enum Test {
    /// Found in a command's words joined by blanks.
    Regex(Regex),
    /// The program, then words that all occur, in this order.
    Words(Vec<String>),
}

/// Reads a rule file and tries its examples.
pub(super) fn load(text: &str) -> Result<Vec<FileRule>, RuleError> {
    let file: File = toml::from_str(text).map_err(|error| {
        RuleError::File(format!(
            "the command rules cannot be read: {error}Correct the file; docs/command-rules.md shows the format."
        ))
    })?;
    let mut rules: Vec<FileRule> = Vec::with_capacity(file.rule.len());
    for row in file.rule {
        if rules.iter().any(|rule| rule.id == row.id) {
            return Err(RuleError::File(format!(
                "command rule '{}' stands there twice. Give every rule its own id.",
                row.id
            )));
        }
        rules.push(row.check()?);
    }
    Ok(rules)
}

impl Row {
    fn check(self) -> Result<FileRule, RuleError> {
        let id = self.id;
        let wrong = |what: &str| RuleError::File(format!("command rule '{id}': {what}"));
        let plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '.' | '-' | '_');
        if id.is_empty() || !id.chars().all(plain) || id.starts_with("shell.") {
            return Err(wrong(
                "the id must be made of lower-case letters, digits, '.', '-' and '_', and must not begin with 'shell.'. \
                 Rename the rule.",
            ));
        }
        let test = match (self.blocks, self.words) {
            (Some(pattern), None) => Test::Regex(patterns::one(format!("command rule '{id}'"), &pattern)?),
            (None, Some(list)) if !list.is_empty() => Test::Words(list),
            (None, Some(_)) => return Err(wrong("'words' is empty. Name at least the program.")),
            (Some(_), Some(_)) => return Err(wrong("it has both 'blocks' and 'words'. Keep one of them.")),
            (None, None) => {
                return Err(wrong("it says nothing to block. Give it 'blocks' (a regular expression) or 'words'."));
            }
        };
        if self.reason.trim().is_empty() {
            return Err(wrong("'reason' is empty. Say why, and what to do instead: the model reads it."));
        }
        if self.matches.is_empty() || self.spares.is_empty() {
            return Err(wrong("it needs at least one example in 'matches' and one in 'spares'. Add them."));
        }
        let rule = FileRule { id: id.clone(), test, reason: self.reason };
        let alone = Rules { file: vec![rule.clone()], ..Rules::default() };
        for example in &self.matches {
            if let Some(came) = rule.came_instead(&alone, example) {
                return Err(wrong(&format!(
                    "the example '{example}' of 'matches' is not blocked by it: {came}. Correct the rule or the example."
                )));
            }
        }
        for example in &self.spares {
            if rule.came_instead(&alone, example).is_none() {
                return Err(wrong(&format!(
                    "the example '{example}' of 'spares' is blocked by it. Narrow the rule or correct the example."
                )));
            }
        }
        Ok(rule)
    }
}

impl FileRule {
    pub(super) fn breaks(&self, command: &Command) -> bool {
        match &self.test {
            Test::Regex(pattern) => pattern.is_match(&words(command)),
            Test::Words(list) => in_order(list, command),
        }
    }

    pub(super) fn reason(&self) -> Reason {
        let message = Sentence::new("shell-rule-file").with("rule", &self.id).with("reason", &self.reason);
        Reason { rule: self.id.clone().into(), message }
    }

    /// What came of an example instead of a refusal by this rule. `None`: it was refused by it.
    fn came_instead(&self, alone: &Rules, example: &str) -> Option<String> {
        let around = Surroundings {
            workspace: "/workspace".into(),
            directory: PathBuf::from("/workspace"),
            home: Some(PathBuf::from("/home/user")),
            environment: Vec::new(),
            secrets: secret_names(),
        };
        let judged = judge(example, &around, alone);
        if judged.parts.iter().any(|part| part.class == Class::Blocked && part.reason.rule == self.id) {
            return None;
        }
        Some(format!("it is {} ({})", class(judged.class).name(), judged.reason.rule))
    }
}

/// Whether the program and all further words occur, in this order, others between them allowed.
fn in_order(list: &[String], command: &Command) -> bool {
    let Some((program, rest)) = list.split_first() else { return false };
    let named = command.program() == Some(program) || command.words.first().and_then(Word::literal) == Some(program);
    let mut words = command.operands().iter();
    named && rest.iter().all(|wanted| words.any(|word| word.literal() == Some(wanted)))
}
