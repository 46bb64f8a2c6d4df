//! The known key nearest to a misspelled one.

use crate::schema::{self, Shape};

/// A key of the same section within a few letters, else a key of that name anywhere. At the top level the other way
/// round, since leaving out the section is more common there than a typing mistake. Dotted.
pub(crate) fn nearest(section: &str, shape: Shape, unknown: &str) -> Option<String> {
    let sibling = || closest(unknown, shape.keys().map(|(key, _)| key)).map(|key| schema::join(section, key));
    let wanted = folded(unknown);
    let respelled = shape.keys().any(|(key, _)| folded(key) == wanted);
    if section.is_empty() && !respelled {
        elsewhere(&wanted).or_else(sibling)
    } else {
        sibling().or_else(|| elsewhere(&wanted))
    }
}

/// The first key whose last part is this.
fn elsewhere(wanted: &str) -> Option<String> {
    let mut found = None;
    schema::visit_keys(&mut |key, _| {
        let last = key.rsplit('.').next().unwrap_or(key);
        if found.is_none() && folded(last) == wanted {
            found = Some(key.to_owned());
        }
    });
    found
}

/// The candidate with the fewest edits, if they are few for its length; of equals the one of the same length, since
/// swapped letters are the most common mistake. Otherwise one that begins with the word.
#[must_use]
pub fn closest<'c>(unknown: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = folded(unknown);
    let length = wanted.chars().count();
    let mut begun = None;
    let nearest = candidates
        .map(|candidate| {
            let other = folded(candidate);
            if length >= 3 && begun.is_none() && other.starts_with(&wanted) {
                begun = Some(candidate);
            }
            let edits = strsim::damerau_levenshtein(&wanted, &other);
            (edits, other.chars().count().abs_diff(length), candidate)
        })
        .min();
    nearest.filter(|(edits, ..)| *edits <= (length / 3).max(1)).map(|(_, _, candidate)| candidate).or(begun)
}

/// `api_base`, `apiBase` and `API-BASE` are the same intention.
fn folded(key: &str) -> String {
    key.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
