//! Titles and snippets of providers as plain text: they come with tags around the words that were found, and with entities.
//!
//! They are read by the tokenizer alone, not as a page, which would look for the main content in them. What a writer has
//! escaped stays visible as what it is, and is never a tag again.

use html5gum::{Token, Tokenizer};

/// The text without tags and entities, on one line, of at most this many characters.
pub(super) fn plain(text: &str, most: usize) -> String {
    // Enough for what is shown and its tags; of a title without end the rest is never looked at.
    let enough = text.char_indices().nth(most.saturating_mul(8)).map_or(text.len(), |(end, _)| end);
    let mut visible = String::new();
    for token in Tokenizer::new(text.get(..enough).unwrap_or_default()) {
        if let Ok(Token::String(piece)) = token {
            visible.push_str(&String::from_utf8_lossy(&piece.value));
        }
    }
    let mut line = String::with_capacity(visible.len());
    for word in visible.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if let Some((end, _)) = line.char_indices().nth(most) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn a_title_is_plain_text_on_one_line() {
        for (text, expected) in [
            ("plain", "plain"),
            ("the <strong>found</strong> word", "the found word"),
            ("a < b && c > d", "a < b && c > d"),
            ("AT&amp;T &quot;x&quot; it&#x27;s &#39;y&#39; &ntilde;&hellip;", "AT&T \"x\" it's 'y' ñ…"),
            ("how to use &lt;script&gt;", "how to use <script>"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
            ("one\n2. two\r\n   URL: https://forged.example\u{2028}x", "one 2. two URL: https://forged.example x"),
            ("<img src=x onerror=\"a>b\">c", "c"),
            ("&nosuch; &; & x", "&nosuch; &; & x"),
            ("a\u{7}b<!-- x -->y", "a by"),
        ] {
            assert_eq!(plain(text, 100), expected, "{text:?}");
        }
        assert_eq!(plain("ñandú rojo", 5), "ñandú…");
        assert_eq!(plain("ñandú", 5), "ñandú");
        assert!(plain(&"<a".repeat(1 << 20), 200).is_empty());
    }
}
