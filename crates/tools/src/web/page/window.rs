//! A part of a text, counted in characters, so that nothing is ever split inside one.

/// A part of a text, and how much stands around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<'a> {
    /// The part.
    pub text: &'a str,
    /// Characters before it.
    pub offset: usize,
    /// Characters in it.
    pub shown: usize,
    /// Characters of the whole.
    pub total: usize,
}

impl Window<'_> {
    /// The offset at which to go on; nothing at the end.
    #[must_use]
    pub const fn next(&self) -> Option<usize> {
        let end = self.offset + self.shown;
        if end < self.total { Some(end) } else { None }
    }
}

/// At most `max_chars` characters of `text` from character `offset` on. An offset past the end gives an empty part at the
/// end. Where a line ends in the last quarter, the part ends there: a page that breaks off between lines reads better.
#[must_use]
pub fn window(text: &str, offset: usize, max_chars: usize) -> Window<'_> {
    let total = text.chars().count();
    let offset = offset.min(total);
    let begin = byte_of(text, offset);
    let rest = text.get(begin..).unwrap_or_default();
    let end = byte_of(rest, max_chars);
    let mut part = rest.get(..end).unwrap_or_default();
    if end < rest.len() {
        let last_quarter = byte_of(part, max_chars - max_chars / 4);
        if let Some(at) = part.get(last_quarter..).and_then(|tail| tail.rfind('\n')) {
            part = part.get(..=last_quarter + at).unwrap_or(part);
        }
    }
    Window { text: part, offset, shown: part.chars().count(), total }
}

/// The byte at which character `nth` begins; the length when there are not so many.
fn byte_of(text: &str, nth: usize) -> usize {
    text.char_indices().nth(nth).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn no_character_is_split_and_what_is_left_is_counted() {
        let check = |text: &str, offset: usize, max: usize, expected: (&str, Option<usize>)| {
            let window = window(text, offset, max);
            assert_eq!((window.text, window.next()), expected, "{text:?} from {offset}, {max}");
        };
        check("", 0, 10, ("", None));
        check("abc", 0, 3, ("abc", None));
        check("abcd", 0, 3, ("abc", Some(3)));
        check("añ😀z", 1, 2, ("ñ😀", Some(3)));
        check("añ😀z", 3, 2, ("z", None));
        check("abc", 9, 5, ("", None));
        check("abc", 1, 0, ("", Some(1)));
        check("one two\nthree", 0, 9, ("one two\n", Some(8)));
        check("one\ntwo three", 0, 9, ("one\ntwo t", Some(9)));
    }

    #[test]
    fn windows_put_together_are_the_whole() {
        let text = "línea uno\nlínea dos 😀😀\n\nlínea tres, larga\n".repeat(20);
        for max in 1..40 {
            let (mut all, mut offset) = (String::new(), 0);
            loop {
                let window = window(&text, offset, max);
                assert!(window.shown <= max && window.shown > 0, "{max}");
                all.push_str(window.text);
                match window.next() {
                    Some(next) => offset = next,
                    None => break,
                }
            }
            assert_eq!(all, text, "{max}");
        }
    }
}
