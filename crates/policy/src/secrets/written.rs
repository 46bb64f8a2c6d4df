//! The mark that replaces a secret is never written to a file: a model that read a file without its secrets and writes it whole
//! would destroy them.

use super::MARK;
use crate::guardrails::denied;
use crate::texts::{of_program, strings};
use palanca_core::Message;
use palanca_core::gate::CheckedCall;
use palanca_core::ports::{CommandClass, Guard, Verdict};

/// Refuses changes that bring a mark into a file that did not hold it, and commands that carry one.
#[derive(Clone, Copy, Debug, Default)]
pub struct WrittenMark;

impl WrittenMark {
    /// The rule's id.
    pub const RULE: &'static str = "secrets.redaction_mark";
}

impl Guard for WrittenMark {
    fn judge(&self, call: &CheckedCall) -> Option<Verdict> {
        if !strings(call.arguments()).into_iter().any(|text| marks(text) > 0) {
            return None;
        }
        let where_to = if call.effects().has_commands() { in_command(call) } else { in_file(call) }?;
        let to_model = Message::new("secrets-mark-written").with("where", &where_to);
        Some(denied(Self::RULE, to_model, format!("a mark of redaction would be written: {where_to}")))
    }
}

/// How often a whole mark, `[REDACTED:name]`, stands in a text.
pub(super) fn marks(text: &str) -> usize {
    text.match_indices(MARK)
        .filter(|(at, mark)| {
            let name = text.get(at + mark.len()..).unwrap_or_default();
            let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte)).count();
            length > 0 && name.as_bytes().get(length) == Some(&b']')
        })
        .count()
}

/// A command that may change something and names a mark can only put it somewhere.
fn in_command(call: &CheckedCall) -> Option<String> {
    let harmless = call.commands().iter().all(|command| command.class == CommandClass::Safe);
    let text = call.effects().iter().find_map(of_program)?;
    (!harmless && marks(&text) > 0).then(|| "command".to_owned())
}

/// The first file with more marks afterwards, by the diff; where there is none, the first that would be written.
fn in_file(call: &CheckedCall) -> Option<String> {
    let Ok(Some(preview)) = call.preview() else { return None };
    let mut file = String::new();
    let mut more = 0_isize;
    for line in preview.diff.lines() {
        if let Some(name) = line.strip_prefix("+++ ") {
            if more > 0 {
                return Some(file);
            }
            (file, more) = (name.trim_start_matches("b/").to_owned(), 0);
        } else if let Some(added) = line.strip_prefix('+') {
            more += isize::try_from(marks(added)).unwrap_or(0);
        } else if let Some(removed) = line.strip_prefix('-') {
            more -= isize::try_from(marks(removed)).unwrap_or(0);
        }
    }
    (more > 0).then_some(file)
}
