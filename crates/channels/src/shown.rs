//! Foreign words on somebody's screen: nothing in them steers it, and no line can be taken for another message.

/// The text with every control character and every mark that hides or turns the writing direction escaped. Lines after the
/// first are indented.
pub(crate) fn indented(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if number > 0 {
            shown.push_str("\n  ");
        }
        escape(line, &mut shown);
    }
    shown
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    escape(text, &mut shown);
    shown
}

fn escape(text: &str, shown: &mut String) {
    for character in text.chars() {
        if steers(character) { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
}

fn steers(character: char) -> bool {
    (character.is_control() && character != '\t')
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
