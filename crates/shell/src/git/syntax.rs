//! The syntax of git's configuration, read byte by byte as git's own reader does (`config.c`). What git rejects is an error;
//! so is a NUL byte, behind which git sees nothing.

use std::fmt;

/// One line of a configuration.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Setting {
    /// `section.subsection.variable`: section and variable in lower case, the subsection as it is written.
    pub key: Vec<u8>,
    /// None for a key without `=`, which git takes as true.
    pub value: Option<Vec<u8>>,
}

/// Git would not read it either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is not git configuration")]
pub struct Unreadable {
    /// Counted from 1.
    pub line: usize,
}

impl Setting {
    /// Section, subsection (may be empty) and variable.
    #[must_use]
    pub fn parts(&self) -> (&[u8], &[u8], &[u8]) {
        let dot = |byte: &u8| *byte == b'.';
        let Some(first) = self.key.iter().position(dot) else { return (b"", b"", &self.key) };
        let last = self.key.iter().rposition(dot).unwrap_or(first);
        let at = |range: std::ops::Range<usize>| self.key.get(range).unwrap_or_default();
        (at(0..first), at(first + 1..last.max(first + 1)), at(last + 1..self.key.len()))
    }

    /// The key, for people: a subsection may be any text, so a star stands for it.
    #[must_use]
    pub fn shown(&self) -> String {
        let (section, subsection, variable) = self.parts();
        let middle = if subsection.is_empty() { "." } else { ".*." };
        let shown = [section, middle.as_bytes(), variable].concat();
        String::from_utf8_lossy(shown.get(..60).unwrap_or(&shown)).into_owned()
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.as_deref().map(String::from_utf8_lossy);
        write!(f, "{}={value:?}", String::from_utf8_lossy(&self.key))
    }
}

/// Every setting, in order.
///
/// # Errors
/// The first line that git rejects.
pub fn parse(content: &[u8]) -> Result<Vec<Setting>, Unreadable> {
    let mut reader = Reader { rest: content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content), line: 1 };
    let mut settings = Vec::new();
    if content.contains(&0) || reader.settings(&mut settings).is_none() {
        return Err(Unreadable { line: reader.line });
    }
    Ok(settings)
}

struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
}

impl Reader<'_> {
    /// The next byte; the end counts as a line break, again and again.
    fn next(&mut self) -> u8 {
        let (byte, rest) = match self.rest {
            [b'\r', b'\n', rest @ ..] => (b'\n', rest),
            [byte, rest @ ..] => (*byte, rest),
            [] => (b'\n', self.rest),
        };
        self.rest = rest;
        self.line += usize::from(byte == b'\n');
        byte
    }

    fn settings(&mut self, found: &mut Vec<Setting>) -> Option<()> {
        let mut section = Vec::new();
        while !self.rest.is_empty() {
            match self.next() {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'#' | b';' => while self.next() != b'\n' {},
                b'[' => section = self.section()?,
                first if first.is_ascii_alphabetic() => {
                    let mut key = section.clone();
                    key.push(first.to_ascii_lowercase());
                    let value = self.variable(&mut key)?;
                    found.push(Setting { key, value });
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// What follows `[`, with a dot behind it.
    fn section(&mut self) -> Option<Vec<u8>> {
        let mut name = Vec::new();
        loop {
            match self.next() {
                b']' => break,
                blank @ (b' ' | b'\t' | b'\r') => {
                    self.subsection(blank, &mut name)?;
                    break;
                }
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    name.push(byte.to_ascii_lowercase());
                }
                _ => return None,
            }
        }
        if name.is_empty() {
            return None;
        }
        name.push(b'.');
        Some(name)
    }

    fn subsection(&mut self, mut byte: u8, name: &mut Vec<u8>) -> Option<()> {
        while matches!(byte, b' ' | b'\t' | b'\r') {
            byte = self.next();
        }
        if byte != b'"' {
            return None;
        }
        name.push(b'.');
        loop {
            match self.next() {
                b'\n' => return None,
                b'"' => break,
                b'\\' => match self.next() {
                    b'\n' => return None,
                    escaped => name.push(escaped),
                },
                byte => name.push(byte),
            }
        }
        (self.next() == b']').then_some(())
    }

    /// The rest of a variable's name, and its value.
    fn variable(&mut self, key: &mut Vec<u8>) -> Option<Option<Vec<u8>>> {
        let mut byte = self.next();
        while byte.is_ascii_alphanumeric() || byte == b'-' {
            key.push(byte.to_ascii_lowercase());
            byte = self.next();
        }
        while matches!(byte, b' ' | b'\t') {
            byte = self.next();
        }
        match byte {
            b'\n' => Some(None),
            b'=' => self.value().map(Some),
            _ => None,
        }
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let (mut value, mut quoted, mut kept) = (Vec::new(), false, 0);
        loop {
            match self.next() {
                b'\n' if quoted => return None,
                b'\n' => break,
                blank @ (b' ' | b'\t' | b'\r') if !quoted => {
                    if !value.is_empty() {
                        value.push(blank);
                    }
                    continue;
                }
                b'#' | b';' if !quoted => {
                    while self.next() != b'\n' {}
                    break;
                }
                b'"' => quoted = !quoted,
                b'\\' => match self.next() {
                    b'\n' => {}
                    b't' => value.push(b'\t'),
                    b'b' => value.push(8),
                    b'n' => value.push(b'\n'),
                    own @ (b'\\' | b'"') => value.push(own),
                    _ => return None,
                },
                byte => value.push(byte),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}
