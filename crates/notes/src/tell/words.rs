//! Foreign text in a prompt: attributes on one line, bodies that cannot close their own tag, and truncation.

/// A value between quotes: one line, no quotes, no angle brackets, bounded.
pub(super) fn attribute(value: &str) -> String {
    let plain = value.chars().map(|c| match c {
        '"' => '\'',
        '<' => '‹',
        '>' => '›',
        c if c.is_control() || c.is_whitespace() => ' ',
        c => c,
    });
    plain.take(300).collect()
}

/// A text on one line, cut at `most` characters.
pub(super) fn line(text: &str, most: usize) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    let cut = words.char_indices().nth(most).map(|(at, _)| at);
    let mut words = unmarked(&words);
    if let Some(at) = cut.filter(|at| words.is_char_boundary(*at)) {
        words.truncate(at);
        words.push('…');
    }
    words
}

/// The text with every tag of ours in it broken, so that it cannot close its own. The length in bytes does not change.
pub(super) fn unmarked(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at);
        whole.push_str(before);
        let behind = after.trim_start_matches(|c: char| matches!(c, '<' | '/') || c.is_whitespace());
        let name: String = behind.chars().take(5).map(|c| c.to_ascii_lowercase()).collect();
        let ours = name.starts_with("note") || name == "skill";
        whole.push(if ours { '(' } else { '<' });
        rest = after.get(1..).unwrap_or_default();
    }
    whole.push_str(rest);
    whole
}

/// The beginning of a text, at most `most` bytes, in whole characters, at a line's end if one is near.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = text.get(..end).unwrap_or_default();
    match cut.rfind('\n') {
        Some(at) if at + 1024 > end => cut.get(..=at).unwrap_or(cut),
        _ => cut,
    }
}
