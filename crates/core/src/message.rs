//! Text as a key and its arguments, so that one result can be shown in any language.
//!
//! This module owns no sentence: rendering is the [`Catalogue`]'s. Text from elsewhere (a file's content,
//! a diff, a server's own words) travels as plain text inside a [`Text`] and is never translated.

use std::fmt;
use std::sync::Arc;

/// A name from outside, for use in one of our sentences: on one line, without invisible characters.
pub(crate) fn on_one_line(name: &str) -> String {
    let mut line = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '\'' | '"' | '\\' => line.push(character),
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

/// A value inside a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// Shown as it is.
    Text(String),
    /// Shown as a number; the catalogue may choose a plural form by it.
    Number(i64),
    /// Sentences of the catalogue, so that one within another is in the same language.
    Said(Text),
}

impl Arg {
    fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Said(text) => text.parts.iter().map(Part::plain).collect(),
        }
    }
}

impl From<&str> for Arg {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}
impl From<String> for Arg {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}
impl From<&String> for Arg {
    fn from(value: &String) -> Self {
        Self::Text(value.clone())
    }
}
impl From<Message> for Arg {
    fn from(value: Message) -> Self {
        Self::Said(value.into())
    }
}
impl From<Text> for Arg {
    fn from(value: Text) -> Self {
        Self::Said(value)
    }
}
macro_rules! number_args {
    ($($number:ty),*) => {$(
        impl From<$number> for Arg {
            fn from(value: $number) -> Self {
                Self::Number(i64::try_from(value).unwrap_or(i64::MAX))
            }
        }
    )*};
}
number_args!(u8, u16, u32, u64, usize, i32, i64);

/// One sentence of the catalogue: a key of `crates/text/locales/*.ftl` and its arguments.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::Message;
///
/// let message = Message::new("file-not-found").with("path", "a.txt");
/// assert_eq!(message.plain(), "file not found (path: a.txt)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    key: &'static str,
    args: Vec<(&'static str, Arg)>,
}

impl Message {
    /// The sentence with this key; both locales must have it (a test of the `text` room holds them complete).
    #[must_use]
    pub const fn new(key: &'static str) -> Self {
        Self { key, args: Vec::new() }
    }

    /// Sets the argument `{ $name }` of the sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Arg>) -> Self {
        self.args.push((name, value.into()));
        self
    }

    /// The same sentence with every text in it changed, nested sentences included.
    #[must_use]
    pub fn map(&self, change: &dyn Fn(&str) -> String) -> Self {
        let arg = |(name, value): &(&'static str, Arg)| {
            let value = match value {
                Arg::Text(text) => Arg::Text(change(text)),
                Arg::Number(number) => Arg::Number(*number),
                Arg::Said(text) => Arg::Said(text.map(change)),
            };
            (*name, value)
        };
        Self { key: self.key, args: self.args.iter().map(arg).collect() }
    }

    /// The text shown without a catalogue: the key's words and the values, `tool not found (tool: x, near: y)`. A key
    /// that is a whole sentence, as in your own guard, is left unchanged.
    #[must_use]
    pub fn plain(&self) -> String {
        let key = if self.key.contains(' ') { self.key.to_owned() } else { self.key.replace('-', " ") };
        let args: Vec<String> = self.args.iter().map(|(name, value)| format!("{name}: {}", value.plain())).collect();
        if args.is_empty() { key } else { format!("{key} ({})", args.join(", ")) }
    }

    /// The key in the catalogue.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        self.key
    }

    /// The named values, in the order given.
    #[must_use]
    pub fn args(&self) -> &[(&'static str, Arg)] {
        &self.args
    }
}

/// For logs and panics only: `key(name=value, …)`. People and models read the catalogue's rendering.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)?;
        if self.args.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        for (index, (name, value)) in self.args.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            match value {
                Arg::Text(text) => write!(f, "{comma}{name}={text}")?,
                Arg::Number(number) => write!(f, "{comma}{name}={number}")?,
                Arg::Said(text) => write!(f, "{comma}{name}={}", text.render(&Keys))?,
            }
        }
        f.write_str(")")
    }
}

/// Turns a [`Message`] into the reader's language.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::{Catalogue, Message};
///
/// /// Shows keys, for tests.
/// struct Keys;
///
/// impl Catalogue for Keys {
///     fn render(&self, message: &Message) -> String {
///         message.key().to_owned()
///     }
/// }
/// assert_eq!(Keys.render(&Message::new("read-empty")), "read-empty");
/// ```
pub trait Catalogue: Send + Sync {
    /// The finished sentence. An unknown key renders as the key itself, never as an error.
    fn render(&self, message: &Message) -> String;
}

/// Makes the default catalogue of gates; see [`Registry::speaks`](crate::Registry::speaks).
pub type Words = fn() -> Arc<dyn Catalogue>;

/// A catalogue that shows keys and arguments: for tests that compare content, not wording.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys;

impl Catalogue for Keys {
    fn render(&self, message: &Message) -> String {
        message.to_string()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Plain(String),
    Message(Message),
}

impl Part {
    fn plain(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Message(message) => message.plain(),
        }
    }
}

/// Sentences of the catalogue and plain text, in order.
///
/// ```
/// # use palanca_core as palanca;
/// use palanca::message::{Keys, Message, Text};
///
/// let text = Text::from("a.txt").line(Message::new("read-empty"));
/// assert_eq!(text.render(&Keys), "a.txt\nread-empty");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    parts: Vec<Part>,
}

impl Text {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { parts: Vec::new() }
    }

    /// Appends directly.
    #[must_use]
    pub fn then(mut self, more: impl Into<Self>) -> Self {
        self.parts.extend(more.into().parts);
        self
    }

    /// Adds on a new line (the first addition starts without one).
    #[must_use]
    pub fn line(self, more: impl Into<Self>) -> Self {
        self.separated("\n", more.into())
    }

    /// Adds after an empty line (the first addition starts without one).
    #[must_use]
    pub fn paragraph(self, more: impl Into<Self>) -> Self {
        self.separated("\n\n", more.into())
    }

    fn separated(mut self, separator: &str, more: Self) -> Self {
        if !self.parts.is_empty() {
            self.parts.push(Part::Plain(separator.to_owned()));
        }
        self.then(more)
    }

    /// Whether nothing was added.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// See [`Message::map`].
    fn map(&self, change: &dyn Fn(&str) -> String) -> Self {
        let part = |part: &Part| match part {
            Part::Plain(text) => Part::Plain(change(text)),
            Part::Message(message) => Part::Message(message.map(change)),
        };
        Self { parts: self.parts.iter().map(part).collect() }
    }

    /// The whole text in the catalogue's language.
    #[must_use]
    pub fn render(&self, catalogue: &dyn Catalogue) -> String {
        let mut whole = String::new();
        for part in &self.parts {
            match part {
                Part::Plain(text) => whole.push_str(text),
                Part::Message(message) => whole.push_str(&catalogue.render(message)),
            }
        }
        whole
    }

    /// As [`Text::render`], without a copy when the text is one plain part.
    #[must_use]
    pub fn into_rendered(mut self, catalogue: &dyn Catalogue) -> String {
        if let [Part::Plain(only)] = self.parts.as_mut_slice() {
            return std::mem::take(only);
        }
        self.render(catalogue)
    }
}

impl From<Message> for Text {
    fn from(message: Message) -> Self {
        Self { parts: vec![Part::Message(message)] }
    }
}
impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { parts: vec![Part::Plain(text)] }
    }
}
impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_forge_no_line() {
        let name = "sh -c 'a\\b'\n[D src]\r\u{1b}[31m\u{2028}é";
        assert_eq!(on_one_line(name), "sh -c 'a\\b'\\n[D src]\\r\\u{1b}[31m\\u{2028}é");
    }
}
