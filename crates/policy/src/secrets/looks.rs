//! What a text looks like: random, a placeholder, program text.

use crate::texts::holds;

/// Placeholder words for a value to be filled in.
const PLACEHOLDERS: &str = "example placeholder your change_me changeme change-me replace dummy sample redacted hidden \
    insert todo fixme secret_here key_here token_here goes_here not_set notset undefined xxxx fake foobar \
    1234567890abcdef 0123456789 abcdefghij deadbeef removed masked test_key testkey test-key my_secret mysecret \
    my-secret my_token my-token mytoken my_api my-api my_password mypassword";
/// Values that are whole words of configuration.
const PLAIN: &str = "true false none null nil undefined password passwd secret token string localhost admin root user \
    username default required optional enabled disabled production development staging basic bearer apikey api_key \
    passphrase credentials private public unset empty unknown disable require prefer";

/// Whether a person would say that this is not a value but stands for one.
pub(super) fn is_placeholder(text: &str) -> bool {
    let folded = text.to_ascii_lowercase();
    let bytes = folded.as_bytes();
    let distinct = bytes.iter().collect::<std::collections::HashSet<_>>().len();
    holds(PLAIN, &folded)
        || PLACEHOLDERS.split(' ').any(|word| folded.contains(word))
        || text.starts_with(['<', '$', '%', '{', '[', '*', '&', '(', '#'])
        || text.contains("${")
        || text.contains("{{")
        || text.contains("...")
        || text.contains('…')
        || text.contains("***")
        // `xxxxxxxx`, `--------`, `abababab`
        || (bytes.len() >= 6 && distinct <= 3)
}

/// How often the kind of character changes: letters to digits, small to large (a word's first letter aside).
pub(super) fn changes(text: &str) -> usize {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        b'a'..=b'z' => 2,
        _ => 3,
    };
    text.as_bytes()
        .windows(2)
        .filter(|pair| match pair {
            [first, second] => match (kind(*first), kind(*second)) {
                (1, 2) | (3, _) | (_, 3) => false,
                (first, second) => first != second,
            },
            _ => false,
        })
        .count()
}

/// Letters and digits mixed as in no handwritten word.
pub(super) fn is_random(text: &str) -> bool {
    text.len() >= 12
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && changes(text) * 8 >= text.len()
}

/// Enough different characters that it is no filler: `sk-xxxxxxxx` is one.
pub(super) fn is_varied(text: &str) -> bool {
    let distinct = text.bytes().collect::<std::collections::HashSet<_>>().len();
    distinct >= 8.min(text.len() / 2)
}

/// A name or an expression of a program: `config.db.password`, `getToken()`, `os.environ["X"]`, `Option<String>`.
pub(super) fn is_program_text(text: &str) -> bool {
    if text.contains(['(', '<', '[', '{', '$', '\\']) || text.contains("::") || text.contains("->") {
        return true;
    }
    text.split(['.', '_', '-', '/', '?', '!']).all(|word| {
        let letters = word.trim_end_matches(|character: char| character.is_ascii_digit());
        word.len() - letters.len() <= 3 && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}
