//! Call ids as a wire allows them. A conversation may hold ids of any model, and of subagents.
//!
//! An id that is allowed stays; another one becomes a hash of itself, so the call and its result have the same one, today
//! and after a resumption.

use palanca_core::CallId;
use std::borrow::Cow;

/// What a server allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IdForm {
    /// Anything up to this many bytes.
    Any(usize),
    /// Letters, digits, `_` and `-`, up to this many.
    Word(usize),
    /// Mistral's models: nine letters and digits.
    Nine,
}

/// Families whose chat templates, at the provider and behind other servers, check ids.
const NINE: [&str; 7] = ["mistral", "mixtral", "ministral", "magistral", "devstral", "codestral", "pixtral"];
const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl IdForm {
    /// For this model over Chat Completions, whose servers pass ids on to models of others.
    pub(super) fn of_chat(model: &str) -> Self {
        let model = model.to_lowercase();
        if NINE.iter().any(|name| model.contains(name)) {
            Self::Nine
        } else if model.contains("claude") {
            Self::Word(64)
        } else {
            Self::Any(40)
        }
    }

    fn allows(self, id: &str) -> bool {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match self {
            _ if id.is_empty() => false,
            Self::Any(limit) => id.len() <= limit,
            Self::Word(limit) => id.len() <= limit && id.bytes().all(is_word),
            Self::Nine => id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        }
    }

    pub(super) fn wire(self, id: &CallId) -> Cow<'_, str> {
        let id = id.as_str();
        if self.allows(id) {
            return Cow::Borrowed(id);
        }
        let mut hash = id
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        if self != Self::Nine {
            return Cow::Owned(format!("call_{hash:016x}"));
        }
        let mut digit = || {
            let digit = DIGITS.get((hash % 62) as usize).copied().map_or('0', char::from);
            hash /= 62;
            digit
        };
        Cow::Owned((0..9).map(|_| digit()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_ids_stay_and_others_become_the_same_again() {
        for (form, id, expected) in [
            (IdForm::of_chat("gpt-4.1"), "functions.read:0", Some("functions.read:0")),
            (
                IdForm::of_chat("gpt-4.1"),
                "0123456789012345678901234567890123456789",
                Some("0123456789012345678901234567890123456789"),
            ),
            (IdForm::of_chat("gpt-4.1"), "01234567890123456789012345678901234567890", None),
            (IdForm::of_chat("gpt-4.1"), "", None),
            (IdForm::of_chat("anthropic/claude-sonnet-4-5"), "task-1.call_a", None),
            (IdForm::of_chat("Mistral-Small"), "call_0a1b2c3d", None),
            (IdForm::of_chat("mistral-small"), "aB3dE6g8h", Some("aB3dE6g8h")),
            (IdForm::Word(64), "toolu_01-A", Some("toolu_01-A")),
            (IdForm::Word(64), "task-1.toolu_01", None),
            (IdForm::Word(64), "functions.read:0", None),
        ] {
            let id = CallId::new(id);
            let wire = form.wire(&id);
            assert!(form.allows(&wire), "{wire}");
            assert_eq!(wire, form.wire(&id.clone()));
            match expected {
                Some(expected) => assert_eq!(wire, expected),
                None => assert_ne!(wire, id.as_str()),
            }
        }
        let two = ["task-1.a", "task-1.b"].map(CallId::new);
        assert_ne!(IdForm::Nine.wire(&two[0]), IdForm::Nine.wire(&two[1]));
    }
}
