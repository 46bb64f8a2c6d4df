//! The sentences that a person at a terminal is asked; whoever asks puts the values in.

use palanca_core::Message;

/// Whether this tool may run with these arguments. `arguments` is shown as it is: shorten it and escape line breaks.
/// The answer is one letter: `y` runs it, `n` declines it, `a` ends everything.
#[must_use]
pub fn may_it_run(tool: &str, arguments: &str) -> Message {
    Message::new("confirm-question").with("tool", tool).with("arguments", arguments)
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

/// What to say when the answer was none of the three letters.
#[must_use]
pub fn answer_not_understood() -> Message {
    Message::new("confirm-again")
}
