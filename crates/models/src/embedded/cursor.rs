//! A reader's position in a text, and the primitives that all readers share.
//!
//! Text may still be arriving. So a text that could become valid with more input is never rejected, but gives
//! [`Stop::More`]. Therefore a call is recognized independently of how it is cut into pieces.

use std::borrow::Cow;

/// How deep JSON and literals may nest.
pub(super) const MAX_DEPTH: usize = 100;

/// Why a reader gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ends too early.
    More,
    /// The text is something else, whatever follows.
    No,
    /// The same, and it does not resemble a call.
    Words,
}

pub(super) type Read<T> = Result<T, Stop>;

/// Whether more text may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Open,
    /// The text is complete: a closing marker that is entirely missing is accepted.
    Final,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    pub(super) rest: &'t str,
    end: End,
}

impl<'t> Cursor<'t> {
    pub(super) const fn new(text: &'t str, end: End) -> Self {
        Self { rest: text, end }
    }

    pub(super) fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Skips this many bytes, or the whole rest if that is not a character boundary.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Takes this text if it is here.
    pub(super) fn has(&mut self, text: &str) -> Read<bool> {
        if let Some(rest) = self.rest.strip_prefix(text) {
            self.rest = rest;
            return Ok(true);
        }
        let cut = text.starts_with(self.rest) && !(self.rest.is_empty() && self.end == End::Final);
        if cut { Err(Stop::More) } else { Ok(false) }
    }

    /// Takes one of these texts if it is here. Of two with a common beginning, the longer one comes first.
    pub(super) fn has_any(&mut self, texts: &[&str]) -> Read<bool> {
        let mut cut = false;
        for text in texts {
            match self.has(text) {
                // A longer one may still come.
                Ok(true) if cut && self.end == End::Open => return Err(Stop::More),
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(_) => cut = true,
            }
        }
        if cut { Err(Stop::More) } else { Ok(false) }
    }

    /// Takes this text, which must be here.
    pub(super) fn take(&mut self, text: &str) -> Read<()> {
        match self.has(text)? {
            true => Ok(()),
            false if self.rest.is_empty() => Err(Stop::More),
            false => Err(Stop::No),
        }
    }

    /// Takes a closing marker after white space. At the end of an answer it may be missing, but not partial.
    pub(super) fn close(&mut self, text: &str) -> Read<()> {
        self.space();
        if self.rest.is_empty() && self.end == End::Final { Ok(()) } else { self.take(text) }
    }

    /// Takes everything before this text, and the text.
    pub(super) fn until(&mut self, text: &str) -> Read<&'t str> {
        let (before, after) = self.rest.split_once(text).ok_or(Stop::More)?;
        self.rest = after;
        Ok(before)
    }

    /// The next character, without taking it.
    pub(super) fn peek(&self) -> Read<char> {
        self.rest.chars().next().ok_or(Stop::More)
    }

    /// Takes characters of this kind. If the text ends in the middle of them, there may be more.
    pub(super) fn run(&mut self, of: impl Fn(char) -> bool) -> Read<&'t str> {
        let length = self.rest.find(|c| !of(c)).ok_or(Stop::More)?;
        let (run, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(run)
    }

    /// Takes a tool's name, as tools are named anywhere.
    pub(super) fn name(&mut self) -> Read<&'t str> {
        let name = self.run(|c| c.is_alphanumeric() || "_-.:/".contains(c))?;
        if name.is_empty() { Err(Stop::No) } else { Ok(name) }
    }

    /// Takes a JSON string with its quotes; line breaks in it are accepted unchanged.
    pub(super) fn json_string(&mut self) -> Read<&'t str> {
        if self.peek()? != '"' {
            return Err(Stop::No);
        }
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return Ok(self.cut(at + 1)),
                _ => {}
            }
        }
        Err(Stop::More)
    }

    /// Takes a JSON value as written. Only its brackets and strings are checked: the gate reports other errors.
    pub(super) fn json(&mut self) -> Read<&'t str> {
        let text = self.rest;
        let mut open = Vec::new();
        loop {
            match self.peek()? {
                '"' => _ = self.json_string()?,
                c if is_scalar(c) => _ = self.run(is_scalar)?,
                c => {
                    match c {
                        '{' => open.push('}'),
                        '[' => open.push(']'),
                        '}' | ']' if open.last() == Some(&c) => _ = open.pop(),
                        ',' | ':' | ' ' | '\n' | '\r' | '\t' if !open.is_empty() => {}
                        _ => return Err(Stop::No),
                    }
                    self.skip(1);
                }
            }
            if open.is_empty() {
                return Ok(text.get(..text.len() - self.rest.len()).unwrap_or_default());
            }
            if open.len() > MAX_DEPTH {
                return Err(Stop::No);
            }
        }
    }

    /// Takes this many bytes.
    fn cut(&mut self, bytes: usize) -> &'t str {
        let (cut, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        cut
    }
}

fn is_scalar(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+-.".contains(c)
}

/// The members of a JSON object, each value as written; none if the text is something else.
pub(crate) fn members(object: &str) -> Option<Vec<(String, &str)>> {
    let mut cursor = Cursor::new(object, End::Final);
    let mut members = Vec::new();
    cursor.take("{").ok()?;
    loop {
        cursor.space();
        if cursor.has("}").ok()? {
            return Some(members);
        }
        let key = decode(cursor.json_string().ok()?)?;
        cursor.space();
        cursor.take(":").ok()?;
        cursor.space();
        members.push((key, cursor.json().ok()?));
        cursor.space();
        let _ = cursor.has(",").ok()?;
    }
}

/// The elements of a JSON array, each as written; none if the text is something else.
pub(super) fn elements(array: &str) -> Option<Vec<&str>> {
    let mut cursor = Cursor::new(array, End::Final);
    let mut elements = Vec::new();
    cursor.take("[").ok()?;
    loop {
        cursor.space();
        if cursor.has("]").ok()? {
            return Some(elements);
        }
        elements.push(cursor.json().ok()?);
        cursor.space();
        let _ = cursor.has(",").ok()?;
    }
}

/// The decoded text of a JSON string.
pub(super) fn decode(string: &str) -> Option<String> {
    serde_json::from_str(&with_controls_escaped(string)).ok()
}

/// Escapes raw line breaks and tabs in a JSON string.
pub(crate) fn with_controls_escaped(json: &str) -> Cow<'_, str> {
    if !json.contains(|c: char| c.is_ascii_control()) {
        return Cow::Borrowed(json);
    }
    let (mut inside, mut escaped) = (false, false);
    let mut written = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '"' if !escaped => inside = !inside,
            '\n' if inside => written.push_str("\\n"),
            '\r' if inside => written.push_str("\\r"),
            '\t' if inside => written.push_str("\\t"),
            _ => {}
        }
        escaped = inside && c == '\\' && !escaped;
        if !(inside && matches!(c, '\n' | '\r' | '\t')) {
            written.push(c);
        }
    }
    Cow::Owned(written)
}
