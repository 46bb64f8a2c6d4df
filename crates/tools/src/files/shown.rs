//! How names of files are shown: one name, one line, whatever is in it.

use palanca_core::call::CanonicalPath;
use std::borrow::Cow;
use std::fmt::Write as _;

/// A canonical path, safe to stand in a line.
pub(crate) fn shown(path: &CanonicalPath) -> String {
    one_line(&path.to_string()).into_owned()
}

/// The name with control characters, line separators and marks that turn the writing direction escaped, so that a file
/// name can neither fake a second entry nor reorder the line it stands in.
pub(crate) fn one_line(name: &str) -> Cow<'_, str> {
    if !name.chars().any(is_unsafe) {
        return Cow::Borrowed(name);
    }
    let mut safe = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if is_unsafe(c) {
            // ignored: writing to a String cannot fail.
            let _ = write!(safe, "{}", c.escape_default());
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    #![allow(missing_docs)]
    use super::*;

    #[test]
    fn names_stay_on_their_line() {
        let check = |name: &str, expected: &str| assert_eq!(one_line(name), expected);
        check("src/ñandú.rs", "src/ñandú.rs");
        check("a\nb", "a\\nb");
        check("\u{1b}[31mred", "\\u{1b}[31mred");
        check("gpj.\u{202e}exe", "gpj.\\u{202e}exe");
        check("a\u{2028}b", "a\\u{2028}b");
    }
}
