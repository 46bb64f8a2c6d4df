//! The people that a rule is about: channels, and who is reached over them.
//!
//! What allows must be sure: a channel and a recipient are those that are written, letter by letter. What refuses may guess:
//! in any letter case, and whatever stands between letters and digits, since `+34 600` is `34600` and `@Ana` is `ana`.

use super::row::{Row, Says};
use palanca_core::call::Outgoing;

/// What a rule says of people.
#[derive(Clone, Debug, Default)]
pub(super) struct People {
    channels: Vec<String>,
    /// Empty: everyone.
    to: Vec<String>,
}

impl People {
    /// # Errors
    /// The value that is wrong where there is one, and what to do.
    pub(super) fn new(row: &Row) -> Result<Self, (Option<String>, String)> {
        let wrong = |near: &str, words: &str| Err((Some(near.to_owned()), words.to_owned()));
        if row.channels.is_empty() {
            return wrong("channels", "\"channels\" is missing: name them, [\"ops\"]; [\"*\"] refuses or asks for all");
        }
        for name in row.channels.iter().chain(&row.to) {
            if name.trim().is_empty() {
                return wrong(name, "an empty name in 'channels' or 'to' is nobody; leave it out");
            }
            if row.decision == Says::Allow && name == "*" {
                return wrong(name, "\"*\" would allow everybody; name the channels, and leave 'to' out for all there");
            }
        }
        Ok(Self { channels: row.channels.clone(), to: row.to.clone() })
    }

    /// Whether it surely is about this message.
    pub(super) fn cover(&self, message: &Outgoing) -> bool {
        self.channels.iter().any(|own| own == message.channel.as_str())
            && (self.to.is_empty() || self.to.iter().any(|own| own == message.to.as_str()))
    }

    /// Whether it could be about this message.
    pub(super) fn touch(&self, message: &Outgoing) -> bool {
        self.channels.iter().any(|own| is_like(own, message.channel.as_str()))
            && (self.to.is_empty() || self.to.iter().any(|own| is_like(own, message.to.as_str())))
    }
}

fn is_like(own: &str, other: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|one| one.is_alphanumeric()).collect() };
    let fold = |text: &str| match letters(text) {
        plain if plain.is_empty() => text.trim().to_lowercase(),
        plain => plain.to_lowercase(),
    };
    own == "*" || fold(own) == fold(other)
}
