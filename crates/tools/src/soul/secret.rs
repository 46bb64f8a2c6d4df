//! What never goes into a memory: credentials, and telephone numbers.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// In place of what was taken out.
pub(super) const REDACTED: &str = "[REDACTED]";

/// Named values, the tokens of well-known services, private keys, international telephone numbers.
static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let kinds = [
        r"(?i)\b[\w-]*(?:api[_ -]?key|auth[_ -]?token|access[_ -]?token|agent[_ -]?id|token|secret|passw(?:or)?d|contraseña|clave)\b[^\S\n]*(?:[=:]|\bis\b|\bes\b)[^\S\n]*\S+",
        r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
        r"\b(?:gh[pousr]|github_pat|glpat|npm)[-_][A-Za-z0-9_]{16,}",
        r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
        r"\bA(?:KIA|SIA)[A-Z0-9]{16}\b",
        r"\bAIza[\w-]{35}",
        r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b",
        r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*",
        r"\+\d(?:[ ().-]{0,2}\d){9,14}\b",
    ];
    // The patterns are ours, and a test compiles them.
    Regex::new(&kinds.join("|")).ok()
});

/// The text without them; none where they are more than half of it.
pub(super) fn redacted(text: &str) -> Option<Cow<'_, str>> {
    let Some(secret) = &*SECRET else { return None };
    let taken: usize = secret.find_iter(text).map(|found| found.len()).sum();
    (taken * 2 <= text.len()).then(|| secret.replace_all(text, REDACTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_numbers_are_taken_out() {
        assert!(SECRET.is_some());
        for secret in [
            "api_key=abcd1234",
            "API KEY: x",
            "password is hunter2",
            "la clave es 1234",
            "sk-proj-abcdefghijklmnop1234",
            "ghp_abcdefghijklmnopqrst",
            "xoxb-1234567890-abc",
            "AKIAABCDEFGHIJKLMNOP",
            "123456789:abcdefghijklmnopqrstuvwxyzABCDEFGHI",
            "agent_id: 0b5e0a6e-0000-4000-8000-000000000000",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIi.c2ln",
            "+34 600 123 456 78",
            "+1 (415) 555-0100",
            "-----BEGIN PRIVATE KEY-----\nMIIE",
        ] {
            let fact =
                format!("Ana, who lives in Madrid and likes tea with a lot of milk in the morning, said so: {secret}");
            let kept = redacted(&fact).unwrap();
            assert!(kept.starts_with("Ana, who lives") && kept.ends_with(REDACTED) && !kept.contains(secret), "{kept}");
            assert_eq!(redacted(secret), None, "{secret}");
        }
        for fact in ["born in 1985", "the token ring of IBM", "2 + 2 = 4", "likes secret gardens", "flat 12, floor 3"] {
            assert_eq!(redacted(fact).unwrap(), fact);
        }
    }
}
