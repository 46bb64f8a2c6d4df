//! Programs that tell about the machine and the user, and manuals.

use super::row::{Answer, Seen};
use crate::command::Word;

/// An operand that is no format sets the clock.
pub(super) fn date(seen: &Seen<'_>) -> Answer {
    let setting = seen.given.operands.iter().find(|word| !word.prefix().starts_with('+'));
    setting.map_or(Ok(seen.class), |word| Err(seen.refused(word)))
}

/// A page with a slash is a file, which the formatter runs.
pub(super) fn manual(seen: &Seen<'_>) -> Answer {
    seen.all(|page| !page.contains('/'))
}

/// `ps` also takes letters without a dash, of which `e`, as the column `environ`, shows other programs' environments.
pub(super) fn processes(seen: &Seen<'_>) -> Answer {
    const LETTERS: &str = "aArTxfhHjlLmnNSsuvwXc";
    let shows = |columns: &str| columns.contains("env");
    let refused = |word: &Word| Err(seen.refused(word));
    if let Some(word) = seen.given.used.iter().filter_map(|used| used.value.as_ref()).find(|word| shows(word.prefix()))
    {
        return refused(word);
    }
    let mut operands = seen.given.operands.iter();
    while let Some(word) = operands.next() {
        let Some(text) = word.literal() else { return refused(word) };
        let letters = text.trim_start_matches(|letter| LETTERS.contains(letter));
        let numbers = text.chars().all(|letter| letter.is_ascii_digit() || letter == ',');
        match letters.strip_prefix(['k', 't', 'p', 'q', 'U', 'o']) {
            Some("") if operands.next().and_then(Word::literal).is_some_and(|value| !shows(value)) => {}
            Some(value) if !value.is_empty() && !shows(value) => {}
            None if letters.is_empty() || numbers => {}
            _ => return refused(word),
        }
    }
    Ok(seen.class)
}
