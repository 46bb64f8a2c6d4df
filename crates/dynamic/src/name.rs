//! What a made tool may be called.

use palanca_core::Message;

/// Names of the bots' documented tools, built or not.
pub const RESERVED: [&str; 20] = [
    "web_search",
    "web_fetch",
    "save_memory",
    "update_soul",
    "update_identity",
    "memory_search",
    "memory_get",
    "exec",
    "file_read",
    "file_write",
    "file_edit",
    "process",
    "get_datetime",
    "phone_call",
    "cron",
    "delegate_to_bot",
    "collaborate",
    "improve",
    "manage_goals",
    "create_tool",
];

/// Foreign tools are called so.
const FOREIGN: &str = "mcp_";

/// What every object of a script has already.
const OF_LANGUAGES: [&str; 2] = ["constructor", "prototype"];

/// Characters of a name, which every provider allows.
const LONGEST: usize = 64;

/// Whether a tool may have this name, as far as the name says. It is also the name of the tool's folder.
///
/// # Errors
/// It is not `snake_case`, too long, or another tool's by document.
pub fn check_name(name: &str) -> Result<(), Message> {
    let is_snake = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_snake || name.len() > LONGEST {
        let shown: String = name.chars().take(LONGEST).collect();
        return Err(Message::new("dynamic-name-invalid").with("name", shown).with("longest", LONGEST));
    }
    if RESERVED.contains(&name) || OF_LANGUAGES.contains(&name) || name.starts_with(FOREIGN) {
        return Err(Message::new("dynamic-name-reserved").with("name", name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_snake_case_and_nobody_elses() {
        for good in ["word_count", "a", "a1", "x__", &*"a".repeat(64)] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "Word", "1a", "_a", "a-b", "a b", "../a", "a/b", "ñ", "--help", "__proto__", &*"a".repeat(65)]
        {
            assert_eq!(check_name(bad).unwrap_err().key(), "dynamic-name-invalid", "{bad}");
        }
        for taken in ["exec", "create_tool", "mcp_x", "improve", "constructor"] {
            assert_eq!(check_name(taken).unwrap_err().key(), "dynamic-name-reserved", "{taken}");
        }
    }
}
