//! The sentences that a person at a terminal is asked; whoever asks puts the values in.

use palanca_core::{Message, Origin};

/// Whether this tool may run with these arguments. `arguments` is shown as it is: shorten it and escape line breaks.
/// The answer is one letter: `y` runs it, `n` declines it, `a` ends everything; or the number of one of the `rules`.
#[must_use]
pub fn may_it_run(tool: &str, arguments: &str, rules: usize) -> Message {
    Message::new("confirm-question").with("tool", tool).with("arguments", arguments).with("keys", keys(rules))
}

/// What to say when the answer was none of them.
#[must_use]
pub fn answer_not_understood(rules: usize) -> Message {
    Message::new("confirm-again").with("keys", keys(rules))
}

fn keys(rules: usize) -> String {
    let numbers = match rules {
        0 => String::new(),
        1 => "1, ".to_owned(),
        _ => format!("1-{rules}, "),
    };
    format!("{numbers}d, ?")
}

/// A rule that an answer would make, behind the word that makes it; `words` say what it covers and how long it holds.
#[must_use]
pub fn always(words: String) -> Message {
    Message::new("confirm-always").with("words", words)
}

/// What each answer means.
#[must_use]
pub const fn help() -> Message {
    Message::new("confirm-help")
}

/// The question was answered somewhere else, or its time is over.
#[must_use]
pub const fn answered_elsewhere() -> Message {
    Message::new("confirm-elsewhere")
}

/// What a question leaves out where a terminal has no room for it.
#[must_use]
pub fn more_of_the_question(lines: usize) -> Message {
    Message::new("confirm-more").with("lines", lines)
}

/// Before the reasons.
#[must_use]
pub const fn why() -> Message {
    Message::new("confirm-why")
}

/// Before who asks.
#[must_use]
pub const fn by() -> Message {
    Message::new("confirm-by")
}

/// Before what keeps a program in.
#[must_use]
pub const fn isolation() -> Message {
    Message::new("confirm-isolation")
}

/// Before why only part of it can be undone.
#[must_use]
pub const fn undo_partly() -> Message {
    Message::new("confirm-undo-partly")
}

/// Before why it cannot be undone.
#[must_use]
pub const fn undo_not() -> Message {
    Message::new("confirm-undo-not")
}

/// Before what commands changed since the last question.
#[must_use]
pub const fn changed() -> Message {
    Message::new("confirm-changed")
}

/// Who asks.
#[must_use]
pub fn asks(origin: &Origin) -> Message {
    match origin {
        Origin::Person => Message::new("origin-person"),
        Origin::Model { step } => Message::new("origin-model").with("step", *step),
        Origin::Subagent { depth, .. } => Message::new("origin-subagent").with("depth", *depth),
        Origin::Hook { name } => Message::new("origin-hook").with("name", name),
        _ => Message::new("origin-other"),
    }
}

/// What keeps a program in that is asked for: `full`, `filters` or `none`.
#[must_use]
pub fn kept_in(isolation: &'static str) -> Message {
    Message::new(match isolation {
        "full" => "isolation-full",
        "filters" => "isolation-filters",
        _ => "isolation-none",
    })
}
