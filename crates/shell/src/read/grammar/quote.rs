//! Quotes: single, double, `$'…'`.

use super::tree::Part;
use super::word::Context;
use super::{HOLE, HOLES, Parser};
use crate::read::limits::Within;

/// The number of the hole that a character stands for.
pub(super) fn hole(character: char) -> Option<usize> {
    let number = u32::from(character).checked_sub(u32::from(HOLE))?;
    (number < HOLES).then_some(number as usize)
}

impl Parser<'_, '_> {
    /// Quoted characters, with the holes among them apart.
    pub(super) fn with_holes(text: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut quoted = String::new();
        for character in text.chars() {
            match hole(character) {
                None => quoted.push(character),
                Some(number) => {
                    parts.push(Part::Quoted(std::mem::take(&mut quoted)));
                    parts.push(Part::Hole(number));
                }
            }
        }
        if !quoted.is_empty() || parts.is_empty() {
            parts.push(Part::Quoted(quoted));
        }
        parts
    }

    /// `'…'`
    pub(super) fn single(&mut self) -> Part {
        self.at += 1;
        let rest = self.rest();
        let end = rest.find('\'');
        if end.is_none() {
            self.broken();
        }
        let inner = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += inner.len() + usize::from(end.is_some());
        if inner.chars().any(|character| hole(character).is_some()) {
            return Part::Double(Self::with_holes(inner));
        }
        Part::Quoted(inner.to_owned())
    }

    /// `"…"`
    pub(super) fn double(&mut self) -> Within<Part> {
        self.at += 1;
        let parts = self.nested(|parser| parser.parts(Context::Double))?;
        if !self.take("\"") {
            self.broken();
        }
        Ok(Part::Double(parts))
    }

    /// `$'…'`, from the quote.
    pub(super) fn ansi(&mut self) -> Part {
        self.at += 1;
        let mut out: Vec<u8> = Vec::new();
        let mut ended = false;
        let mut cut = false;
        while let Some(character) = self.peek() {
            self.bump();
            match character {
                '\'' => {
                    ended = true;
                    break;
                }
                '\\' => {
                    let value = self.ansi_escape(&mut out);
                    // As in C, a zero byte ends the string.
                    cut |= value == Some(0);
                    if let Some(value) = value.filter(|_| !cut) {
                        out.push(value);
                    }
                }
                _ if cut => {}
                _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        if !ended {
            self.broken();
        }
        let text = String::from_utf8(out).unwrap_or_else(|raw| String::from_utf8_lossy(raw.as_bytes()).into_owned());
        if text.chars().any(|character| hole(character).is_some()) {
            return Part::Double(Self::with_holes(&text));
        }
        Part::Quoted(text)
    }

    /// One escape after its backslash: a byte, or what was pushed.
    fn ansi_escape(&mut self, out: &mut Vec<u8>) -> Option<u8> {
        let character = self.peek()?;
        self.bump();
        match character {
            'a' => Some(7),
            'b' => Some(8),
            'e' | 'E' => Some(0x1B),
            'f' => Some(0x0C),
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            't' => Some(b'\t'),
            'v' => Some(0x0B),
            '\\' | '\'' | '"' | '?' => u8::try_from(character).ok(),
            'c' => {
                let control = self.peek()?;
                self.bump();
                u8::try_from(control).ok().map(|byte| byte.to_ascii_uppercase() & 0x1F)
            }
            '0'..='7' => {
                self.at -= 1;
                self.number(8, 3).map(|value| (value & 0xFF) as u8)
            }
            'x' => match self.number(16, 2) {
                Some(value) => Some((value & 0xFF) as u8),
                None => {
                    out.extend_from_slice(b"\\x");
                    None
                }
            },
            'u' | 'U' => {
                let digits = if character == 'u' { 4 } else { 8 };
                match self.number(16, digits).map(char::from_u32) {
                    Some(Some('\0')) => return Some(0),
                    Some(Some(value)) => out.extend_from_slice(value.encode_utf8(&mut [0; 4]).as_bytes()),
                    _ => {}
                }
                None
            }
            other => {
                out.push(b'\\');
                out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
                None
            }
        }
    }

    fn number(&mut self, radix: u32, digits: usize) -> Option<u32> {
        let rest = self.rest();
        let length = rest.chars().take(digits).take_while(|digit| digit.is_digit(radix)).count();
        let value = u32::from_str_radix(rest.get(..length)?, radix).ok()?;
        self.at += length;
        Some(value)
    }
}
