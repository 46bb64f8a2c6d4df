//! jq filters that only look at their input: no environment, no modules, no files of their own.

use crate::catalogue::has;

/// Words that show the environment or read other files.
const FORBIDDEN: &str = "env ENV import include modulemeta get_search_list input_filename input_line_number";

/// Whether a filter names nothing that reaches beyond its input. Strings count, too: `"\(env)"` is code.
pub(super) fn only_reads(filter: &str) -> bool {
    let mut before = None;
    let mut rest = filter;
    while let Some(letter) = rest.chars().next() {
        if letter.is_ascii_alphabetic() || letter == '_' {
            let end = rest.find(|more: char| !more.is_ascii_alphanumeric() && more != '_').unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            // `.env` is a field of the input.
            if before != Some('.') && has(FORBIDDEN, word) {
                return false;
            }
            before = word.chars().last();
            rest = rest.get(end..).unwrap_or_default();
        } else {
            before = Some(letter);
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
    }
    true
}
