//! Text in the columns of a terminal. Rows are broken here and not by the terminal, so that no value can begin a row that looks
//! like one of ours, and so that rows can be counted.

use unicode_width::UnicodeWidthChar as _;

/// Columns of a character as terminals draw it.
fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

/// Columns of a line without tabs.
pub fn wide(line: &str) -> usize {
    line.chars().map(columns).sum()
}

/// The beginning of a line, at most so many columns wide, with a mark where something is missing.
pub fn cut(line: &str, width: usize) -> String {
    if wide(line) <= width {
        return line.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |one: &char| {
        let fits = columns(*one) <= left;
        left = left.saturating_sub(columns(*one));
        fits
    };
    format!("{}…", line.chars().take_while(fits).collect::<String>())
}

/// The lines of an escaped text as rows: each line begins with `first`, each further row of it with `next`.
pub fn rows(text: &str, width: usize, (first, next): (&str, &str)) -> Vec<String> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let (mut row, mut used, mut least) = (String::from(first), wide(first), first.len());
        for character in line.replace('\t', "    ").chars() {
            if used + columns(character) > width && row.len() > least {
                rows.push(std::mem::replace(&mut row, next.to_owned()));
                (used, least) = (wide(next), next.len());
            }
            row.push(character);
            used += columns(character);
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, missing_docs)]
    use super::*;

    #[test]
    fn rows_are_as_wide_as_the_terminal() {
        for (text, width, expected) in [
            ("abc", 10, &["  abc"][..]),
            ("abcdefgh", 6, &["  abcd", "  ┆ ef", "  ┆ gh"]),
            ("a\nb", 6, &["  a", "  b"]),
            ("中文字", 6, &["  中文", "  ┆ 字"]),
            ("a\tb", 12, &["  a    b"]),
            ("", 6, &[]),
            ("ab", 1, &["  a", "  ┆ b"]),
        ] {
            assert_eq!(rows(text, width, ("  ", "  ┆ ")), expected, "{text}");
        }
    }

    #[test]
    fn what_is_cut_says_so() {
        for (line, width, expected) in [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("中文", 3, "中…"), ("", 0, "")] {
            assert_eq!(cut(line, width), expected, "{line}");
        }
    }
}
