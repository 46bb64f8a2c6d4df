//! sed scripts: the command `e`, the flag `e`.

use super::Found;
use crate::command::{Command, Word};
use crate::unwrap::build::stdin;
use crate::unwrap::outputs::substitute;
use crate::unwrap::scan::{Order, Syntax, scan};

/// What a script starts.
pub(super) fn find(command: &Command, found: &mut Vec<Found>) {
    let syntax = Syntax {
        short: "ne:f:Ei::I::rsuzl:",
        long: "expression= file= quiet silent regexp-extended in-place? separate unbuffered null-data posix debug sandbox line-length= follow-symlinks",
    };
    let Some(scan) = scan(command.operands(), syntax, Order::Any).into_iter().next_back() else { return };
    let given: Vec<Word> = scan.values("e expression").cloned().collect();
    let scripts = match given.is_empty() && !scan.has("f file") {
        true => scan.operands.first().cloned().into_iter().collect(),
        false => given,
    };
    let read = scan.values("f file").any(crate::unwrap::shells::is_stdin);
    let own = if read { stdin(&command.input) } else { None };
    for text in scripts.iter().chain(&own).filter_map(Word::literal) {
        script(command, text, found);
    }
}

fn script(command: &Command, text: &str, found: &mut Vec<Found>) {
    let mut rest = text;
    let mut steps = 0;
    while !rest.is_empty() && steps < 65_536 {
        steps += 1;
        rest = rest.trim_start_matches([';', ' ', '\t', '\n', '{', '}', '!']);
        let after = address(rest);
        if after.len() < rest.len() {
            rest = after.trim_start_matches([',', ' ']);
            continue;
        }
        let Some(kind) = rest.chars().next() else { return };
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..line_end).unwrap_or(rest);
        match kind {
            'e' => {
                let own = line.get(1..).unwrap_or_default().trim();
                if own.is_empty() || own.starts_with([';', '}']) {
                    found.extend(stdin(&command.input).map(Found::Text));
                } else {
                    found.push(Found::text(own));
                }
                rest = rest.get(line_end..).unwrap_or_default();
            }
            's' | 'y' => {
                let end = end(rest);
                if kind == 's'
                    && let Some((_, replacement, flags)) = rest.get(..end).and_then(substitute)
                    && flags.chars().take_while(|c| *c != 'w').any(|c| c == 'e')
                {
                    found.push(Found::text(replacement.replace("\\n", "\n").replace('\\', "")));
                }
                rest = rest.get(end..).unwrap_or_default();
            }
            'a' | 'i' | 'c' | 'r' | 'R' | 'w' | 'W' | ':' | '#' => rest = rest.get(line_end..).unwrap_or_default(),
            _ => {
                let end = rest.find([';', '\n', '}']).unwrap_or(rest.len());
                rest = rest.get(end.max(1)..).unwrap_or_default();
            }
        }
    }
}

/// What follows an address; the text itself when there is none.
fn address(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mark = match bytes.first() {
        Some(b'$') => return text.get(1..).unwrap_or_default(),
        Some(b'0'..=b'9') => return text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~'),
        Some(b'/') => '/',
        Some(b'\\') => match text.chars().nth(1) {
            Some(mark) => mark,
            None => return text,
        },
        _ => return text,
    };
    let begin = if mark == '/' && bytes.first() == Some(&b'/') { 1 } else { 1 + mark.len_utf8() };
    let mut escaped = false;
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= begin) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark => return text.get(at + c.len_utf8()..).unwrap_or_default().trim_start_matches(['I', 'M']),
            _ => {}
        }
    }
    ""
}

fn end(text: &str) -> usize {
    let Some(mark) = text.chars().nth(1) else { return text.len() };
    let mut marks = 0;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(2) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == mark && marks < 2 => marks += 1,
            ';' | '\n' if marks == 2 => return at,
            _ => {}
        }
    }
    text.len()
}
