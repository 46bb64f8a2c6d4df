//! `find`: one name that a pattern finds decides whether it reads, deletes or runs.

use super::place::matches;
use super::row::{Answer, Seen};
use crate::catalogue::has;

const HARMFUL: &str = "-delete -exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from -L -follow";

/// An operand may be a pattern that finds a file called `-delete`, and the second of several names that a value stands for
/// would be the next predicate.
pub(super) fn expression(seen: &Seen<'_>) -> Answer {
    let open = |word: &&crate::Word| word.has_glob() && word.prefix().is_empty();
    if let Some(word) = seen.given.operands.iter().find(open) {
        return Err(seen.refused(word));
    }
    let values = seen.given.used.iter().filter(|used| !has("-samefile -newer", &used.name));
    let mut patterns = values.filter_map(|used| used.value.as_ref()).filter(|value| value.has_glob());
    let harmful = |pattern: &str| HARMFUL.split(' ').any(|harmful| matches(pattern, harmful));
    match patterns.find(|value| harmful(&value.to_string())) {
        Some(word) => Err(seen.refused(word)),
        None => Ok(seen.class),
    }
}
