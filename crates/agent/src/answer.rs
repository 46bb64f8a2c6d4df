//! The form of a run's answer, and the extraction of JSON from an answer with other text.
//!
//! Models wrap answers in a fence or in prose, which is removed. Invalid JSON is not repaired: a trailing comma or a truncated
//! end is not an answer, and neither is a complete value inside a broken one.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

/// What a run's answer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AnswerForm {
    /// Whatever the model says.
    #[default]
    Text,
    /// One JSON value and nothing else.
    Json,
}

const FENCE: &str = "```";
/// A text with more openings than this that lead nowhere is no answer.
const ATTEMPTS: usize = 1000;
/// Bytes that are searched for the ends of what leads nowhere.
const SEARCHED: usize = 8 << 20;

/// The JSON in the text, as it stands there: the whole text, else the first fenced value, else the first object or array.
#[must_use]
pub fn json_in(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if is_json(text) {
        return Some(text);
    }
    let fenced: Vec<(&str, &str)> = fences(text).collect();
    let tagged = |tag: &str| tag.eq_ignore_ascii_case("json");
    let ours = fenced.iter().filter(|(tag, _)| tagged(tag));
    let others = fenced.iter().filter(|(tag, _)| !tagged(tag));
    if let Some((_, inner)) = ours.chain(others).find(|(_, inner)| inner.starts_with(['{', '[']) && is_json(inner)) {
        return Some(inner);
    }
    among(text)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What stands between fences, each with the word behind its first one. A fence begins its line.
fn fences(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let begin = fence(rest)?;
        let (tag, inner) = rest.get(begin + FENCE.len()..)?.split_once('\n')?;
        let end = fence(inner)?;
        rest = inner.get(end + FENCE.len()..).unwrap_or_default();
        Some((tag.trim(), inner.get(..end)?.trim()))
    })
}

fn fence(text: &str) -> Option<usize> {
    let starts_line =
        |at: &usize| text.get(..*at).is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'));
    if text.starts_with(FENCE) {
        return Some(0);
    }
    text.match_indices(FENCE).map(|(at, _)| at).find(starts_line)
}

/// The first object or array in prose. A lone number in brackets is a footnote, and counts only where nothing else is.
fn among(text: &str) -> Option<&str> {
    let (mut at, mut footnote, mut searched) = (0, None, 0_usize);
    for _ in 0..ATTEMPTS {
        let rest = text.get(at..)?;
        let Some(begin) = rest.find(['{', '[']) else { return footnote };
        let rest = rest.get(begin..)?;
        let mut values = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        let skipped = match values.next() {
            Some(Ok(_)) => {
                let value = rest.get(..values.byte_offset())?;
                if !is_footnote(value) {
                    return Some(value);
                }
                footnote = footnote.or(Some(value));
                value.len()
            }
            // It was cut off: what is inside is not the answer.
            Some(Err(error)) if error.is_eof() => return footnote,
            _ => {
                let end = balanced(rest);
                searched += end.unwrap_or(rest.len());
                if searched > SEARCHED {
                    return footnote;
                }
                end.unwrap_or(1)
            }
        };
        at += begin + skipped;
    }
    footnote
}

fn is_footnote(value: &str) -> bool {
    let inner = value.trim_start_matches('[').trim_end_matches(']').trim();
    value.starts_with('[') && inner.len() < 4 && inner.bytes().all(|byte| byte.is_ascii_digit()) && !inner.is_empty()
}

/// Where the bracket that the text begins with is closed.
fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
