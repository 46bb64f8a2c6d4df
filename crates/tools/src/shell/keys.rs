//! Names of keys as the bytes that a terminal sends for them. What is not a name, one character or `text:…` is an error: a
//! misspelt key would otherwise be typed into the program letter by letter.

use palanca_core::call::ErrorKind;
use palanca_core::{Message, ToolError};

/// Keys by name, as a program in a terminal of the xterm kind reads them.
const NAMED: &[(&str, &str)] = &[
    ("enter", "\r"),
    ("tab", "\t"),
    ("escape", "\u{1b}"),
    ("space", " "),
    ("backspace", "\u{7f}"),
    ("delete", "\u{1b}[3~"),
    ("up", "\u{1b}[A"),
    ("down", "\u{1b}[B"),
    ("right", "\u{1b}[C"),
    ("left", "\u{1b}[D"),
    ("home", "\u{1b}[H"),
    ("end", "\u{1b}[F"),
    ("pageup", "\u{1b}[5~"),
    ("pagedown", "\u{1b}[6~"),
];

/// The text that these keys send.
///
/// # Errors
/// The first one that is no key, with all that are.
pub(super) fn bytes(keys: &[String]) -> Result<String, ToolError> {
    if keys.is_empty() {
        return Err(ToolError::new(ErrorKind::InvalidArguments, Message::new("process-keys-missing")));
    }
    keys.iter().map(|key| one(key).ok_or_else(|| unknown(key))).collect()
}

fn one(key: &str) -> Option<String> {
    if let Some(text) = key.strip_prefix("text:") {
        return Some(text.to_owned());
    }
    let mut characters = key.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        return (!only.is_control()).then(|| only.to_string());
    }
    let name = key.to_ascii_lowercase();
    let name = match name.as_str() {
        "return" => "enter",
        "esc" => "escape",
        "del" => "delete",
        other => other,
    };
    let named = NAMED.iter().find(|(known, _)| *known == name).map(|(_, bytes)| (*bytes).to_owned());
    named.or_else(|| control(name))
}

/// `c-a` to `c-z`, and the few signs that have a control character.
fn control(name: &str) -> Option<String> {
    let mut rest = name.strip_prefix("c-").or_else(|| name.strip_prefix("ctrl-"))?.chars();
    let (Some(letter), None) = (rest.next(), rest.next()) else { return None };
    let letter = letter.to_ascii_uppercase();
    // The control character of a letter is its code without the two upper bits (ASCII, 1967).
    matches!(letter, 'A'..='Z' | '[' | '\\' | ']' | '^' | '_')
        .then(|| u8::try_from(letter).ok())
        .flatten()
        .map(|code| char::from(code & 0x1f).to_string())
}

fn unknown(key: &str) -> ToolError {
    let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
    let message =
        Message::new("process-key-unknown").with("key", key.escape_debug().to_string()).with("keys", names.join(", "));
    ToolError::new(ErrorKind::InvalidArguments, message)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, missing_docs)]
    use super::*;

    fn sent(keys: &[&str]) -> Result<String, ToolError> {
        bytes(&keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn keys_are_bytes() {
        let check = |keys: &[&str], expected: &str| assert_eq!(sent(keys).unwrap(), expected, "{keys:?}");
        check(&["text:ls -la", "enter"], "ls -la\r");
        check(&["ENTER", "Return", "esc", "Tab"], "\r\r\u{1b}\t");
        check(&["up", "down", "left", "right"], "\u{1b}[A\u{1b}[B\u{1b}[D\u{1b}[C");
        check(&["c-c", "C-D", "ctrl-z", "c-["], "\u{3}\u{4}\u{1a}\u{1b}");
        check(&["space", "backspace", "y", "ñ", "-"], " \u{7f}yñ-");
        check(&["text:"], "");
    }

    #[test]
    fn what_is_no_key_is_an_error() {
        for key in ["c-", "ctrl-", "c-cc", "c-1", "entr", "", "ls -la", "\r", "f99", "c-ñ"] {
            let error = sent(&["y", key]).unwrap_err();
            assert_eq!(error.message().key(), "process-key-unknown", "{key:?}");
        }
        assert_eq!(sent(&[]).unwrap_err().message().key(), "process-keys-missing");
    }
}
