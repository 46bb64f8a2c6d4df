//! Tool names: what every provider allows, and which known names are close to an unknown one.

/// The longest name that every provider accepts.
pub const MAX_NAME: usize = 64;

/// Whether the name is 1 to [`MAX_NAME`] characters of `[A-Za-z0-9_-]`.
#[must_use]
pub fn is_valid_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// At most `limit` of `known`, closest first: by edits, and by shared beginnings (`read` is close to `read_file`).
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let wanted = name.to_ascii_lowercase();
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|candidate| {
            let lower = candidate.to_ascii_lowercase();
            let contained = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            let distance = if contained { 1 } else { edits(&wanted, &lower) };
            (distance <= 2 + lower.len().min(wanted.len()) / 4).then_some((distance, candidate))
        })
        .collect();
    scored.sort_unstable();
    scored.into_iter().map(|(_, candidate)| candidate).take(limit).collect()
}

/// Edit distance over bytes; names are ASCII.
fn edits(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = i;
        let mut before = i + 1;
        for (b, cell) in right.bytes().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            *cell = replaced.min(diagonal + 1).min(before + 1);
            before = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
