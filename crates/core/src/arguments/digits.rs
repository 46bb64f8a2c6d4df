//! Numbers as written. Parsed JSON contains doubles: `1.10` is `1.1` there, and a long integer ends in zeros. This
//! module reads the digits again from the text that was sent, and only for a repair that needs them.

use super::parse::opened;
use super::raw::RawArguments;
use serde_json::Number;
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::collections::HashMap;

/// The arguments as sent, read once and only if a repair needs it.
pub(super) struct Written<'a> {
    sent: &'a RawArguments,
    fields: OnceCell<Option<HashMap<String, Box<RawValue>>>>,
}

impl<'a> Written<'a> {
    pub(super) const fn of(sent: &'a RawArguments) -> Self {
        Self { sent, fields: OnceCell::new() }
    }

    /// The digits of a number under the first of these names that has one. `None` for arguments that were never text.
    pub(super) fn digits<'n>(&self, mut names: impl Iterator<Item = &'n str>, number: &Number) -> Option<String> {
        if is_integer(number) {
            return Some(number.to_string());
        }
        let read = || serde_json::from_str(&opened(self.sent)?).ok();
        let fields = self.fields.get_or_init(read).as_ref()?;
        let digits = |name: &str| fields.get(name).map(|raw| raw.get());
        let same = |digits: &&str| digits.parse::<f64>().ok() == number.as_f64();
        names.find_map(|name| digits(name).filter(same)).map(str::to_owned)
    }
}

/// The integer that these digits are, exactly: `7`, `7.0`, `70e-1`.
pub(super) fn integer(digits: &str) -> Option<Number> {
    /// Longer than any number that fits.
    const LONGEST: usize = 40;
    digits.parse::<f64>().ok()?;
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut all = format!("{whole}{fraction}");
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let zeros = usize::try_from(shift.unsigned_abs()).ok()?;
    if shift >= 0 {
        all.extend(std::iter::repeat_n('0', zeros.min(LONGEST)));
    } else {
        let kept = all.len().checked_sub(zeros)?;
        if all.get(kept..)?.bytes().any(|digit| digit != b'0') {
            return None;
        }
        all.truncate(kept);
    }
    exact(&all)
}

fn exact(digits: &str) -> Option<Number> {
    digits.parse::<i64>().map(Number::from).or_else(|_| digits.parse::<u64>().map(Number::from)).ok()
}

/// The number in a text, as JSON parsing would represent it.
pub(super) fn number(text: &str) -> Option<Number> {
    exact(text).or_else(|| Number::from_f64(text.parse::<f64>().ok()?))
}

/// The first number of a JSON text that parsing changes, and what it becomes.
pub(super) fn changed(json: &str) -> Option<(String, String)> {
    let (mut is_string, mut is_escaped) = (false, false);
    let words = json.split(|character: char| {
        let was_string = is_string;
        if character == '"' && !is_escaped {
            is_string = !is_string;
        }
        is_escaped = was_string && character == '\\' && !is_escaped;
        was_string || !(character.is_ascii_alphanumeric() || "+-.".contains(character))
    });
    let numbers = words.filter(|word| word.starts_with(|first: char| first == '-' || first.is_ascii_digit()));
    numbers
        .filter_map(|word| Some((word, number(word)?.to_string())))
        .find_map(|(word, becomes)| (word != becomes).then(|| (word.to_owned(), becomes)))
}

pub(super) fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}

/// Whether a double of these digits is a whole number: JSON Schema accepts it as an integer even if it has lost digits.
pub(super) fn is_whole(digits: &str) -> bool {
    digits.parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
}
