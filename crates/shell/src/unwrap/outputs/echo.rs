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

/// `None` inside: not known.
#[allow(clippy::unnecessary_wraps, reason = "one shape for every program")]
pub(super) fn echo(arguments: &[&str], escapes: bool) -> Option<String> {
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
            return Some(out);
        }
    } else {
        out = text;
    }
    if newline {
        out.push('\n');
    }
    Some(out)
}

/// Whether an octal escape begins with a zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    Needed,
    Free,
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
        let (c, used) = match letter {
            'n' => ('\n', 0),
            't' => ('\t', 0),
            'r' => ('\r', 0),
            'a' => ('\x07', 0),
            'b' => ('\x08', 0),
            'f' => ('\x0c', 0),
            'v' => ('\x0b', 0),
            'e' | 'E' => ('\x1b', 0),
            '\\' => ('\\', 0),
            '"' | '\'' if zero == Zero::Free => (letter, 0),
            'c' => return Flow::Stop,
            'x' => number(after, 16, 2),
            'u' => number(after, 16, 4),
            'U' => number(after, 16, 8),
            '0' => number(after, 8, 3),
            '1'..='7' => {
                let (c, used) = number(rest, 8, 3);
                rest = rest.get(used..).unwrap_or_default();
                out.push(c);
                continue;
            }
            _ => {
                out.push('\\');
                out.push(letter);
                rest = after;
                continue;
            }
        };
        if used == 0 && matches!(letter, 'x' | 'u' | 'U') {
            out.push('\\');
            out.push(letter);
        } else {
            out.push(c);
        }
        rest = after.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
    Flow::Go
}

fn number(text: &str, radix: u32, most: usize) -> (char, usize) {
    let used = text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let value = text.get(..used).and_then(|digits| u32::from_str_radix(digits, radix).ok()).unwrap_or(0);
    (char::from_u32(value).unwrap_or('\u{fffd}'), used)
}

/// `None`: a directive that is not known, or too long.
pub(in crate::unwrap) fn printf(arguments: &[&str]) -> Option<String> {
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

fn pass(format: &str, arguments: &mut &[&str], out: &mut String) -> Option<Flow> {
    let mut rest = format;
    loop {
        let Some(place) = rest.find('%') else {
            return Some(unescape(rest, Zero::Free, out));
        };
        if unescape(rest.get(..place)?, Zero::Free, out) == Flow::Stop {
            return Some(Flow::Stop);
        }
        rest = rest.get(place + 1..)?;
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let mut directive = Directive::default();
        rest = directive.read(rest, arguments)?;
        let argument = match arguments.split_first() {
            Some((first, others)) => {
                *arguments = others;
                Some(*first)
            }
            None => None,
        };
        if directive.write(argument, out)? == Flow::Stop {
            return Some(Flow::Stop);
        }
    }
}

#[derive(Default)]
struct Directive {
    left: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

impl Directive {
    fn read<'a>(&mut self, text: &'a str, arguments: &mut &[&str]) -> Option<&'a str> {
        let mut rest = text;
        while let Some(flag) = rest.chars().next().filter(|c| "-+ #0'".contains(*c)) {
            self.left |= flag == '-';
            self.zero |= flag == '0';
            rest = rest.get(1..)?;
        }
        (self.width, rest) = count(rest, arguments)?;
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = count(after, arguments)?;
            self.precision = Some(precision);
            rest = after;
        }
        let rest = rest.trim_start_matches(['l', 'h', 'j', 'z', 't', 'L', 'q']).trim_start();
        let rest = if rest.is_empty() { text.get(text.len().checked_sub(1)?..)? } else { rest };
        self.letter = rest.chars().next()?;
        rest.get(self.letter.len_utf8()..)
    }

    fn write(&self, argument: Option<&str>, out: &mut String) -> Option<Flow> {
        let given = argument.unwrap_or_default();
        let number = || integer(given);
        let mut flow = Flow::Go;
        let body = match self.letter {
            's' => given.to_owned(),
            'b' => {
                let mut body = String::new();
                flow = unescape(given, Zero::Free, &mut body);
                body
            }
            'c' => given.chars().take(1).collect(),
            'q' => given.to_owned(),
            'd' | 'i' => number()?.to_string(),
            'u' => u64::try_from(number()?).ok()?.to_string(),
            'x' => format!("{:x}", number()?),
            'X' => format!("{:X}", number()?),
            'o' => format!("{:o}", number()?),
            _ => return None,
        };
        let body = match self.precision {
            Some(most) if matches!(self.letter, 's' | 'b') => body.chars().take(most).collect(),
            _ => body,
        };
        let missing = self.width.saturating_sub(body.chars().count());
        let filler = if self.zero && !self.left && !matches!(self.letter, 's' | 'b' | 'c' | 'q') { "0" } else { " " };
        match self.left {
            true => out.push_str(&(body + &" ".repeat(missing))),
            false => out.push_str(&(filler.repeat(missing) + &body)),
        }
        Some(flow)
    }
}

fn count<'a>(text: &'a str, arguments: &mut &[&str]) -> Option<(usize, &'a str)> {
    if let Some(after) = text.strip_prefix('*') {
        let (first, rest) = arguments.split_first()?;
        *arguments = rest;
        return Some((first.parse().ok().filter(|width| *width < 4096)?, after));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = if digits == 0 { 0 } else { text.get(..digits)?.parse().ok()? };
    (value < 4096).then_some((value, text.get(digits..)?))
}

/// A number as printf takes it: decimal, `0x`, leading zero, or the code of a character after a quote.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix(['\'', '"']) {
        return quoted.chars().next().map(|c| i64::from(u32::from(c)));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = if digits.is_empty() {
        0
    } else if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { -value } else { value })
}
