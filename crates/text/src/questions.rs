//! The sentences of a terminal question; the asker fills in the values.

use palanca_core::{Message, Origin};

/// Asks whether this tool may run with these arguments. `arguments` is shown unchanged: shorten it and escape line
/// breaks first. The answer is one letter: `y` runs it, `n` declines it, `a` ends everything; or the number of one of
/// the `rules`.
#[must_use]
pub fn may_it_run(tool: &str, arguments: &str, rules: usize) -> Message {
    Message::new("confirm-question").with("tool", tool).with("arguments", arguments).with("keys", keys(rules))
}

/// The sentence after an invalid answer.
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

/// A rule that an answer would make, after the word that makes it; `words` describe what it covers and how long it
/// applies.
#[must_use]
pub fn always(words: String) -> Message {
    Message::new("confirm-always").with("words", words)
}

/// The meaning of each answer.
#[must_use]
pub const fn help() -> Message {
    Message::new("confirm-help")
}

/// The question was answered elsewhere, or has expired.
#[must_use]
pub const fn answered_elsewhere() -> Message {
    Message::new("confirm-elsewhere")
}

/// The number of lines omitted from a question to fit the terminal.
#[must_use]
pub fn more_of_the_question(lines: usize) -> Message {
    Message::new("confirm-more").with("lines", lines)
}

/// Label of the reasons.
#[must_use]
pub const fn why() -> Message {
    Message::new("confirm-why")
}

/// Label of the origin.
#[must_use]
pub const fn by() -> Message {
    Message::new("confirm-by")
}

/// Label of the isolation.
#[must_use]
pub const fn isolation() -> Message {
    Message::new("confirm-isolation")
}

/// Label of the reason why only a part can be undone.
#[must_use]
pub const fn undo_partly() -> Message {
    Message::new("confirm-undo-partly")
}

/// Label of the reason why it cannot be undone.
#[must_use]
pub const fn undo_not() -> Message {
    Message::new("confirm-undo-not")
}

/// Label of the changes by commands since the last question.
#[must_use]
pub const fn changed() -> Message {
    Message::new("confirm-changed")
}

/// The origin of the call.
#[must_use]
pub fn asks(origin: &Origin) -> Message {
    match origin {
        Origin::Person => Message::new("origin-person"),
        Origin::Model { step } => Message::new("origin-model").with("step", *step),
        Origin::Subagent { depth, .. } => Message::new("origin-subagent").with("depth", *depth),
        Origin::Hook { name } => Message::new("origin-hook").with("name", name),
        Origin::Client { name } => Message::new("origin-client").with("name", name),
        Origin::Schedule { job } => Message::new("origin-schedule").with("job", job),
        Origin::Bot { id } => Message::new("origin-bot").with("id", id.as_str()),
        Origin::Console { person } => Message::new("origin-console").with("person", person),
        Origin::Script { tool } => Message::new("origin-script").with("tool", tool),
        _ => Message::new("origin-other"),
    }
}

/// The isolation of the program: `full`, `filters` or `none`.
#[must_use]
pub fn kept_in(isolation: &'static str) -> Message {
    Message::new(match isolation {
        "full" => "isolation-full",
        "filters" => "isolation-filters",
        _ => "isolation-none",
    })
}
