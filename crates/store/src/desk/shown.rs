//! The stored form of a question for people: without secrets, and short enough to read.

use super::Desk;
use crate::approvals::{KeptDraft, Shown, ShownCommand, ShownReason};
use palanca_core::ports::{Answer, CommandClass, Lasts, Question, RuleDraft, Undoable};
use serde_json::Value;

/// Strings of arguments are cut at this length.
const STRING_BYTES: usize = 500;
/// An effect is cut at this length, which is long enough to show an ordinary command in full.
const EFFECT_BYTES: usize = 16 << 10;
/// Limit of all arguments together; beyond it, only their size is stored.
const ARGUMENT_BYTES: usize = 32 << 10;
/// A diff is cut at this length, at the end of a line.
const DIFF_BYTES: usize = 64 << 10;
/// Effects and commands beyond this number are only counted.
const MOST_LINES: usize = 200;

impl Desk {
    pub(super) fn shown(&self, question: &Question) -> Shown {
        let words = |message: &palanca_core::Message| self.clean(&self.catalogue.render(message));
        let worst = question.commands.iter().map(|command| command.class).max().unwrap_or(CommandClass::Dangerous);
        let parts = question.commands.iter().flat_map(|command| &command.parts);
        let commands = parts.map(|part| ShownCommand {
            source: self.clean(&part.source),
            class: part.class.name().to_owned(),
            rule: part.rule.clone(),
        });
        Shown {
            origin: question.origin.clone(),
            arguments: self.arguments(&question.arguments),
            effects: some(
                question.effects.iter().map(|effect| shortened(words(&effect.message()), EFFECT_BYTES)),
                |more| more,
            ),
            commands: some(commands.collect::<Vec<_>>().into_iter(), |more| ShownCommand {
                source: more,
                class: worst.name().to_owned(),
                rule: String::new(),
            }),
            isolation: question.isolation.map(str::to_owned),
            diff: question.diff.as_deref().map(|diff| self.diff(diff)),
            undo: match &question.undo {
                Undoable::Yes => "yes".to_owned(),
                Undoable::Partly(why) | Undoable::No(why) => words(why),
            },
            changed: question.changed.as_ref().map(words),
            reasons: question
                .reasons
                .iter()
                .map(|reason| ShownReason { rule: reason.rule.clone(), words: words(&reason.words) })
                .collect(),
            drafts: question.drafts.iter().filter_map(|draft| self.draft(draft)).collect(),
        }
    }

    /// A draft, unless its rule would contain a secret.
    pub(super) fn draft(&self, draft: &RuleDraft) -> Option<KeptDraft> {
        (self.redactor.redact(&draft.rule) == draft.rule).then(|| KeptDraft {
            rule: draft.rule.clone(),
            words: self.clean(&draft.words.render(&*self.catalogue)),
            lasts_seconds: match draft.lasts {
                Lasts::Session => None,
                Lasts::For(time) => Some(time.as_secs()),
            },
        })
    }

    pub(super) fn clean(&self, text: &str) -> String {
        self.redactor.redact(text).into_owned()
    }

    fn arguments(&self, arguments: &Value) -> Value {
        let kept = self.value(arguments);
        let size = kept.to_string().len();
        if size <= ARGUMENT_BYTES { kept } else { Value::String(format!("… ({size} bytes)")) }
    }

    /// Redacted before it is cut: half a secret would not be recognized.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(shortened(self.clean(text), STRING_BYTES)),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.value(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(key, item)| (self.clean(key), self.value(item))).collect())
            }
            other => other.clone(),
        }
    }

    fn diff(&self, diff: &str) -> String {
        let diff = self.clean(diff);
        match cut(&diff, DIFF_BYTES) {
            (_, 0) => diff,
            (kept, _) => {
                let whole = kept.rfind('\n').map_or(kept, |at| kept.get(..=at).unwrap_or(kept));
                format!("{whole}… ({} bytes)\n", diff.len())
            }
        }
    }
}

/// The text up to this many bytes, and how many are missing.
fn cut(text: &str, bytes: usize) -> (&str, usize) {
    let at = text.floor_char_boundary(bytes);
    text.split_at_checked(at).map_or((text, 0), |(kept, rest)| (kept, rest.len()))
}

/// The text, or its beginning and its length.
fn shortened(text: String, bytes: usize) -> String {
    match cut(&text, bytes) {
        (_, 0) => text,
        (kept, _) => format!("{kept}… ({} bytes)", text.len()),
    }
}

/// The first of these, and a last one that counts the rest.
fn some<T>(lines: impl ExactSizeIterator<Item = T>, count: impl Fn(String) -> T) -> Vec<T> {
    let more = lines.len().saturating_sub(MOST_LINES);
    let mut kept: Vec<T> = lines.take(MOST_LINES).collect();
    if more > 0 {
        kept.push(count(format!("… (+{more})")));
    }
    kept
}

/// The draft that another front end chose, in the gate's form.
pub(super) fn answer(name: &str, draft: Option<KeptDraft>, reason: Option<String>) -> Option<Answer> {
    Some(match (name, draft) {
        ("yes", _) => Answer::Yes,
        ("no", _) => reason.map_or(Answer::No, Answer::NoBecause),
        ("abort", _) => Answer::Abort,
        ("always", Some(draft)) => Answer::Always(Box::new((&draft).into())),
        _ => return None,
    })
}
