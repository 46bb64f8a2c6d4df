//! What constants become: joined, repeated, filled in, decoded.

use super::{Token, Value, asked};
use crate::command::{Piece, UnknownKind, Word};
use crate::unwrap::outputs::base64;
use crate::unwrap::words::{self, LIMIT, anything, push};

pub(super) fn list(values: Vec<Value>) -> Value {
    let mut out = Vec::new();
    for value in values {
        match value {
            Value::List(words) => out.extend(words),
            other => out.push(other.word().unwrap_or_else(|| anything(UnknownKind::Other))),
        }
    }
    Value::List(out)
}

/// How much a word says.
pub(super) fn size(word: &Word) -> usize {
    let known = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Glob(text) => text.len(),
        Piece::Home(_) | Piece::Unknown(_) => 512,
    };
    word.pieces.iter().map(known).sum()
}

pub(super) fn joined(one: &Value, more: &Value) -> Value {
    if let (Value::List(words), Value::List(others)) = (one, more) {
        if words.iter().chain(others).map(|word| size(word) + 1).sum::<usize>() > LIMIT {
            return Value::Open;
        }
        return Value::List(words.iter().chain(others).cloned().collect());
    }
    if (one, more) == (&Value::Open, &Value::Open) {
        return Value::Open;
    }
    let mut out = Word::default();
    for value in [one, more] {
        let word = value.word().unwrap_or_else(|| anything(UnknownKind::Other));
        word.pieces.into_iter().for_each(|piece| push(&mut out, piece));
    }
    if size(&out) > LIMIT { Value::Open } else { Value::Text(out) }
}

pub(super) fn repeated(value: &Value, times: &Value) -> Value {
    match (value.known(), times) {
        (Some(text), Value::Number(times)) => match usize::try_from(*times) {
            Ok(times) if text.len().saturating_mul(times) < LIMIT => Value::Text(Word::text(text.repeat(times))),
            _ => Value::Open,
        },
        _ => Value::Open,
    }
}

/// `chr(c) for c in [114, 109]`, `map(chr, [114, 109])` in brackets that begin at `at`: the characters.
pub(super) fn characters(tokens: &[Token], at: usize) -> Option<Vec<Word>> {
    const MOST: usize = 1024;
    let rest = tokens.get(at..).unwrap_or_default();
    let mut depth = 0usize;
    let end = rest.iter().take(MOST).position(|token| {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let inside = rest.get(..end)?;
    let counts = |token: &Token| matches!(token, Token::Mark('+' | '-' | '^' | '*' | '%' | '|' | '&'));
    let makes = inside.iter().any(|token| matches!(token, Token::Name(name) if name == "chr"));
    let codes = inside.iter().filter_map(|token| match token {
        Token::Number(digits) => Some(number(digits).and_then(|code| char::from_u32(u32::try_from(code).ok()?))),
        _ => None,
    });
    let all: Option<Vec<Word>> = codes.map(|code| code.map(|c| Word::text(c.to_string()))).collect();
    all.filter(|all| makes && !all.is_empty() && !inside.iter().any(counts))
}

/// Base64 undone.
pub(super) fn decoded(value: &Value) -> Value {
    text(value.known().as_deref().and_then(base64))
}

/// `%s` and `{}` filled in order.
pub(super) fn formatted(value: &Value, values: &[Word]) -> Value {
    let Some(text) = value.known() else { return Value::Open };
    let mark = if text.contains("%s") { "%s" } else { "{}" };
    let mut out = Word::default();
    for (at, part) in text.split(mark).enumerate() {
        if size(&out) > LIMIT {
            return Value::Open;
        }
        if at > 0 {
            let filled = values.get(at - 1).cloned().unwrap_or_else(|| anything(UnknownKind::Other));
            filled.pieces.into_iter().for_each(|piece| push(&mut out, piece));
        }
        push(&mut out, Piece::Text(part.to_owned()));
    }
    Value::Text(out)
}

pub(super) fn reversed(value: &Value) -> Value {
    match value {
        Value::List(words) => Value::List(words.iter().rev().cloned().collect()),
        value => {
            value.known().map_or(Value::Open, |text| Value::Text(Word::text(text.chars().rev().collect::<String>())))
        }
    }
}

pub(super) fn pack(words: &[Word], kind: Option<&str>) -> Value {
    let Some(kind) = kind else { return Value::Open };
    let first = words.first().and_then(Word::literal).unwrap_or_default();
    let bytes = match kind.chars().next() {
        Some('H') => hex(first),
        Some('m') => base64(first),
        Some('C' | 'c' | 'U' | 'W') => words.iter().map(|word| word.literal()?.parse().ok()).collect(),
        _ => None,
    };
    text(bytes)
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| u8::try_from(pair.iter().fold(0, |byte, digit| byte * 16 + digit)).ok()).collect()
}

fn text(bytes: Option<Vec<u8>>) -> Value {
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(Value::Open, |text| Value::Text(Word::text(text)))
}

pub(super) fn number(digits: &str) -> Option<i64> {
    let digits = digits.trim_end_matches(['L', 'l', 'n']);
    match digits.get(..2) {
        Some("0x" | "0X") => i64::from_str_radix(digits.get(2..)?, 16).ok(),
        Some("0o" | "0O") => i64::from_str_radix(digits.get(2..)?, 8).ok(),
        Some(_) if digits.starts_with('0') && digits.bytes().all(|digit| (b'0'..b'8').contains(&digit)) => {
            i64::from_str_radix(digits, 8).ok()
        }
        _ => digits.parse().ok(),
    }
}

/// Functions that make texts of constants.
pub(super) fn called(name: &str, arguments: &[Value]) -> Value {
    if let Some(place) = asked(name, arguments) {
        return place;
    }
    let first = arguments.first().cloned().unwrap_or(Value::Open);
    let known = first.known();
    match name {
        "chr" | "fromCharCode" | "fromCodePoint" | "char" | "sprintf_c" => {
            let chars: Option<String> = arguments
                .iter()
                .map(|value| match value {
                    Value::Number(code) => u32::try_from(*code).ok().and_then(char::from_u32),
                    _ => None,
                })
                .collect();
            chars.map_or(Value::Open, |text| Value::Text(Word::text(text)))
        }
        "b64decode" | "atob" | "decode_base64" | "base64_decode" | "decodebytes" | "standard_b64decode"
        | "urlsafe_b64decode" | "decode64" | "strict_decode64" | "urlsafe_decode64" | "base64decode" => {
            text(known.as_deref().and_then(base64))
        }
        "fromhex" | "unhexlify" | "hex2bin" | "a2b_hex" => text(known.as_deref().and_then(hex)),
        "from" => match arguments.get(1).and_then(Value::known).as_deref() {
            Some("base64") => text(known.as_deref().and_then(base64)),
            Some("hex") => text(known.as_deref().and_then(hex)),
            _ => first,
        },
        "pack" => match (arguments, &first) {
            ([Value::Text(kind), rest @ ..], _) if !rest.is_empty() => match list(rest.to_vec()) {
                Value::List(words) => pack(&words, kind.literal()),
                _ => Value::Open,
            },
            (_, Value::List(words)) => match words.split_first() {
                Some((kind, rest)) => pack(rest, kind.literal()),
                None => Value::Open,
            },
            _ => Value::Open,
        },
        "bytes" | "bytearray" if matches!(&first, Value::List(_)) => match &first {
            Value::List(words) => text(words.iter().map(|word| word.literal()?.parse().ok()).collect()),
            _ => Value::Open,
        },
        "decode" if arguments.len() == 2 => match arguments.get(1).and_then(Value::known).as_deref() {
            Some("rot13" | "rot_13" | "rot-13") => called("rot13", &[first]),
            Some("base64") => text(known.as_deref().and_then(base64)),
            Some("hex") => text(known.as_deref().and_then(hex)),
            _ => first,
        },
        "reverse" | "strrev" | "reversed" => reversed(&first),
        "rot13" | "str_rot13" => {
            known.map_or(Value::Open, |text| Value::Text(Word::text(text.chars().map(rot13).collect::<String>())))
        }
        "join" | "implode" | "paste" => match arguments {
            [Value::Text(between), Value::List(words)] | [Value::List(words), Value::Text(between)] => {
                Value::Text(words::join(words, between.literal().unwrap_or(" ")))
            }
            // `os.path.join("/", "etc")`, perl's `join(" ", "rm", "-rf")`
            [between, rest @ ..] if between.known().is_some_and(|text| text.trim().is_empty()) => {
                let words: Vec<Word> = rest.iter().filter_map(Value::word).collect();
                Value::Text(words::join(&words, between.known().as_deref().unwrap_or(" ")))
            }
            all => {
                let words: Vec<Word> = all.iter().filter_map(Value::word).collect();
                Value::Text(words::join(&words, "/"))
            }
        },
        "split" | "quotewords" => {
            known.map_or(Value::Open, |text| Value::List(words::split(&text).into_iter().map(Word::text).collect()))
        }
        "Path" | "Pathname" | "String" | "str" | "bytes" | "Cmd" | "c" | "list" | "tuple" | "abspath" | "realpath"
        | "resolve" | "normpath" | "new" | "File" | "b" => {
            if arguments.len() > 1 {
                list(arguments.to_vec())
            } else {
                first
            }
        }
        "sprintf" | "format" => match arguments.split_first() {
            Some((text, rest)) => formatted(text, &rest.iter().filter_map(Value::word).collect::<Vec<_>>()),
            None => Value::Open,
        },
        _ => Value::Open,
    }
}

fn rot13(c: char) -> char {
    match c {
        'a'..='m' | 'A'..='M' => char::from_u32(u32::from(c) + 13).unwrap_or(c),
        'n'..='z' | 'N'..='Z' => char::from_u32(u32::from(c) - 13).unwrap_or(c),
        c => c,
    }
}
