//! Configuration keys that git executes.

use super::Value;
use crate::command::{Command, Word};
use crate::git::{Role, is_boolean, role};
use crate::unwrap::words::{cut_at, without};

/// Keys in words of a git command.
pub(super) fn find(command: &Command, found: &mut Vec<Value>) {
    let words = command.operands();
    for (at, word) in words.iter().enumerate() {
        let text = word.prefix();
        let pair = match text {
            "-c" | "--config" => words.get(at + 1).cloned(),
            _ if text.starts_with("--config=") => Some(without(word, 9)),
            _ if text.starts_with("-c") && text.contains('=') => Some(without(word, 2)),
            _ => None,
        };
        if let Some((name, value)) = pair.as_ref().and_then(|pair| cut_at(pair, '=')) {
            key(name, &value, found);
        }
    }
    // `git config KEY VALUE` is executed by a later git.
    if let Some(at) = words.iter().position(|word| word.literal() == Some("config")) {
        let rest: Vec<&Word> = words.iter().skip(at + 1).filter(|word| !word.prefix().starts_with('-')).collect();
        let rest = match rest.split_first() {
            Some((first, rest)) if matches!(first.literal(), Some("set" | "add")) => rest.to_vec(),
            _ => rest,
        };
        if let [name, value, ..] = rest.as_slice() {
            key(name.prefix(), value, found);
        }
    }
}

/// Adds the value when git would execute it.
pub(super) fn key(name: &str, value: &Word, found: &mut Vec<Value>) {
    let lower = name.to_ascii_lowercase();
    let last = lower.rsplit('.').next().unwrap_or_default();
    let first = lower.split('.').next().unwrap_or_default();
    let text = value.prefix();
    let value = match role(first, last) {
        Some(Role::Marked | Role::Mode) if text.starts_with('!') => without(value, 1),
        Some(Role::Runs) => without(value, usize::from(text.starts_with('!'))),
        Some(Role::Switch) if !value.literal().is_some_and(is_boolean) => value.clone(),
        _ => return,
    };
    found.push(Value::text(name, value));
}
