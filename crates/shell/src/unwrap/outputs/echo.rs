//! `echo` and `printf` as the shell's builtins do them.

use crate::command::{Command, Via};
use crate::unwrap::words::LIMIT;

/// Whether the shell that reads this reads escapes in `echo` without `-e`: where `sh` is a dash.
pub(super) fn escapes_by_default(command: &Command) -> bool {
    let shell = command.via.iter().rev().find_map(|via| match via {
        Via::Shell(name) => Some(name.as_str()),
        _ => None,
    });
    matches!(shell, Some("sh" | "dash" | "ash" | "zsh"))
}

/// What `echo` prints.
pub(super) fn echo(arguments: &[&str], escapes: bool) -> String {
    let mut rest = arguments;
    let (mut newline, mut escapes) = (true, escapes);
    while let Some((first, after)) = rest.split_first() {
        let letters = first.strip_prefix('-').unwrap_or_default();
        if letters.is_empty() || !letters.chars().all(|c| matches!(c, 'n' | 'e' | 'E')) {
            break;
        }
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                letter => escapes = letter == 'e',
            }
        }
        rest = after;
    }
    let text = rest.join(" ");
    let mut out = String::new();
    if escapes {
        if unescape(&text, Zero::Needed, &mut out) == Flow::Stop {
            return out;
        }
    } else {
        out = text;
    }
    if newline {
        out.push('\n');
    }
    out
}

/// Whether an octal escape begins with a zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    Needed,
    Free,
    /// One of the three digits, as in `$'…'`, where `?` is escaped, too.
    Quoted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Go,
    /// After `\c`.
    Stop,
}

/// Backslash escapes. Bytes above 127 count as Latin-1: what they would be is of no matter to a reader of commands.
pub(super) fn unescape(text: &str, zero: Zero, out: &mut String) -> Flow {
    let mut rest = text;
    while let Some(place) = rest.find('\\') {
        out.push_str(rest.get(..place).unwrap_or_default());
        rest = rest.get(place + 1..).unwrap_or_default();
        let Some(letter) = rest.chars().next() else {
            out.push('\\');
            return Flow::Go;
        };
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        let number = match letter {
            'c' => return Flow::Stop,
            'x' => number(after, 16, 2),
            'u' => number(after, 16, 4),
            'U' => number(after, 16, 8),
            '0' if zero != Zero::Quoted => number(rest, 8, 4),
            '0'..='7' => number(rest, 8, 3),
            _ => None,
        };
        rest = after;
        match (number, one(letter, zero)) {
            (Some((c, left)), _) => {
                out.push(c);
                rest = left;
            }
            (None, Some(c)) => out.push(c),
            (None, None) => out.extend(['\\', letter]),
        }
    }
    out.push_str(rest);
    Flow::Go
}

/// What a letter after a backslash stands for.
fn one(letter: char, zero: Zero) -> Option<char> {
    match letter {
        '"' | '\'' if zero != Zero::Needed => Some(letter),
        '?' if zero == Zero::Quoted => Some(letter),
        _ => {
            let mut all = "ntrabfveE\\".chars().zip("\n\t\r\x07\x08\x0c\x0b\x1b\x1b\\".chars());
            all.find(|(own, _)| *own == letter).map(|(_, c)| c)
        }
    }
}

/// The character of a number, and what follows its digits.
fn number(text: &str, radix: u32, most: usize) -> Option<(char, &str)> {
    let used = text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let (digits, left) = text.split_at_checked(used)?;
    let value = u32::from_str_radix(digits, radix).ok()?;
    Some((char::from_u32(value).unwrap_or('\u{fffd}'), left))
}

/// `None`: a directive that is not known, or too long.
pub(super) fn printf(arguments: &[&str]) -> Option<String> {
    let arguments = match arguments {
        ["-v", ..] => return Some(String::new()),
        ["--", rest @ ..] => rest,
        all => all,
    };
    let (format, mut rest) = arguments.split_first()?;
    let mut out = String::new();
    loop {
        let before = rest.len();
        if pass(format, &mut rest, &mut out)? == Flow::Stop || rest.is_empty() || rest.len() == before {
            return Some(out);
        }
        if out.len() > LIMIT {
            return None;
        }
    }
}

/// The format once; a directive with a flag, a width or a precision is not known.
fn pass(format: &str, arguments: &mut &[&str], out: &mut String) -> Option<Flow> {
    let mut rest = format;
    loop {
        let Some((before, after)) = rest.split_once('%') else { return Some(unescape(rest, Zero::Free, out)) };
        if unescape(before, Zero::Free, out) == Flow::Stop {
            return Some(Flow::Stop);
        }
        let letter = after.chars().next()?;
        rest = after.get(letter.len_utf8()..)?;
        let mut given = || {
            let (first, others) = arguments.split_first().unwrap_or((&"", &[]));
            *arguments = others;
            *first
        };
        match letter {
            '%' => out.push('%'),
            's' | 'q' => out.push_str(given()),
            'c' => out.extend(given().chars().next()),
            'd' | 'i' => out.push_str(&given().parse::<i64>().ok()?.to_string()),
            'b' if unescape(given(), Zero::Free, out) == Flow::Stop => return Some(Flow::Stop),
            'b' => {}
            _ => return None,
        }
    }
}
