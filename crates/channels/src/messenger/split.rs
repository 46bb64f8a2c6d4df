//! Long texts in parts that a messenger takes.

/// The length of a text as messengers count it: UTF-16 code units.
#[must_use]
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The text in parts of at most so many UTF-16 code units: between paragraphs where one ends in the second half of a part, else between lines, else
/// between words, else anywhere but within a character. Blank space at the borders is dropped, and so is a part without anything else.
#[must_use]
pub fn split(text: &str, longest: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(end_of_part(rest, longest.max(2)));
        parts.push(part.trim_end());
        rest = after.trim_start();
    }
    parts
}

/// The bytes of the first part.
fn end_of_part(text: &str, longest: usize) -> usize {
    let mut counted = 0;
    let mut ends = text.char_indices().map(|(at, character)| (at, character.len_utf16()));
    let Some(fits) = ends.find_map(|(at, units)| {
        counted += units;
        (counted > longest).then_some(at)
    }) else {
        return text.len();
    };
    let begin = text.get(..fits).unwrap_or(text);
    let borders = ["\n\n", "\n", " "];
    let found = borders.iter().find_map(|border| begin.rfind(border).filter(|at| *at >= fits / 2));
    found.unwrap_or(fits)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_split_where_it_pauses() {
        for (text, parts) in [
            ("", &[][..]),
            ("  \n ", &[]),
            ("short", &["short"]),
            ("1234567890", &["1234567890"]),
            ("first\n\nsecond", &["first", "second"]),
            ("first\nsecond", &["first", "second"]),
            ("first and second", &["first and", "second"]),
            // A border in the first half would make parts that are too short.
            ("a bcdefghijklm", &["a bcdefghi", "jklm"]),
            ("12345678901234", &["1234567890", "1234"]),
            // Two units each.
            ("😀😀😀😀😀😀", &["😀😀😀😀😀", "😀"]),
        ] {
            assert_eq!(split(text, 10), parts, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_every_part_fits(text in "(?s)[a-z \n😀é]{0,80}", longest in 2usize..20) {
            let parts = split(&text, longest);
            let without_space = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(without_space(&text), without_space(&parts.concat()));
            prop_assert!(parts.iter().all(|part| !part.is_empty() && units(part) <= longest));
        }
    }
}
