//! Tables as text: paragraphs of a head, ` =` and words. Lines without ` =` continue the one before, `//` begins a remark, and
//! `@name = …` are words that stand wherever the same table says `@name`.

use std::collections::HashMap;

pub(crate) type Words = Vec<&'static str>;

/// The head and the words of every paragraph.
pub(super) fn paragraphs(table: &'static str) -> Vec<(&'static str, Words)> {
    let mut all: Vec<(&'static str, Words)> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with("//")) {
        let (head, rest) = line.split_once(" =").map_or((None, line), |(head, rest)| (Some(head), rest));
        all.extend(head.map(|head| (head, Vec::new())));
        if let Some((_, words)) = all.last_mut() {
            words.extend(rest.split_ascii_whitespace());
        }
    }
    let shared: HashMap<_, _> = all.extract_if(.., |(head, _)| head.starts_with('@')).collect();
    for (_, words) in &mut all {
        let whole = words.iter().flat_map(|word| shared.get(word).cloned().unwrap_or_else(|| vec![*word]));
        *words = whole.collect();
    }
    all
}
