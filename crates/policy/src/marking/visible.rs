//! Characters that a reader does not see or that steer a terminal: taken out, but for the joiners that some languages and
//! emoji are written with. Line ends of all kinds become line feeds.

use std::borrow::Cow;

/// Whether a character is drawn as nothing, or turns the text around it.
#[must_use]
pub const fn is_hidden(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1345f}'
        | '\u{16fe4}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
        // The last two of every plane are no characters.
        || (character as u32) & 0xfffe == 0xfffe
}

/// The text without hidden characters.
pub(super) fn only_visible(text: &str) -> Cow<'_, str> {
    let first = text.char_indices().find(|(_, character)| *character == '\r' || is_hidden(*character));
    let Some((clean, _)) = first else { return Cow::Borrowed(text) };
    let mut seen = String::with_capacity(text.len());
    seen.push_str(text.get(..clean).unwrap_or_default());
    let mut rest = text.get(clean..).unwrap_or_default().chars();
    let mut before = seen.chars().next_back();
    while let Some(character) = rest.next() {
        let after = rest.clone().next();
        let kept = match character {
            '\r' if after == Some('\n') => None,
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some('\n'),
            '\u{1b}' | '\u{9b}' | '\u{9d}' => {
                skip_sequence(character, &mut rest);
                None
            }
            _ if is_needed(character, before, after) => Some(character),
            _ if is_hidden(character) => None,
            _ => Some(character),
        };
        seen.extend(kept);
        before = kept.or(before);
    }
    Cow::Owned(seen)
}

/// A terminal's control sequence: colours, titles, links. Its parameters are no text.
pub(crate) fn skip_sequence(introducer: char, rest: &mut std::str::Chars<'_>) {
    /// A longer one is text with an escape character before it.
    const LONGEST: usize = 256;
    let mut ahead = rest.clone();
    let kind = match introducer {
        '\u{1b}' => ahead.next(),
        '\u{9b}' => Some('['),
        _ => Some(']'),
    };
    let ended = match kind {
        Some('[') => ahead
            .by_ref()
            .take(LONGEST)
            .find(|character| !matches!(character, ' '..='?'))
            .is_some_and(|last| ('@'..='~').contains(&last)),
        Some(']') => {
            let last = ahead.by_ref().take(LONGEST).find(|character| matches!(character, '\u{7}' | '\u{1b}' | '\n'));
            if last == Some('\u{1b}') && ahead.clone().next() == Some('\\') {
                ahead.next();
            }
            matches!(last, Some('\u{7}' | '\u{1b}'))
        }
        _ => false,
    };
    if ended {
        *rest = ahead;
    }
}

/// Whether a hidden character stands where writing needs it: a joiner, or the mark that makes an emoji of a sign.
pub(super) fn is_needed(character: char, before: Option<char>, after: Option<char>) -> bool {
    match character {
        '\u{200c}' | '\u{200d}' => joins(character, before, after),
        '\u{fe0f}' => before.is_some_and(is_emoji) || after == Some('\u{20e3}'),
        _ => false,
    }
}

/// Whether a joiner stands where writing needs it: within an emoji, or between letters of a script that joins.
fn joins(joiner: char, before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let emoji = joiner == '\u{200d}' && is_emoji(after) && (is_emoji(before) || before == '\u{fe0f}');
    emoji || (is_joining(before) && (is_joining(after) || after.is_whitespace()))
}

const fn is_emoji(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{21aa}'
        | '\u{231a}'..='\u{23ff}' | '\u{24c2}' | '\u{25aa}'..='\u{27bf}' | '\u{2934}' | '\u{2935}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// Arabic, Syriac, N'Ko and their like, and the scripts of India and its neighbours.
const fn is_joining(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1800}'..='\u{180a}' | '\u{1810}'..='\u{18af}'
        | '\u{fb50}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{11000}'..='\u{11fff}'
        | '\u{1e900}'..='\u{1e95f}')
}
