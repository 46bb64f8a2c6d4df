//! Options as a program itself would read them: which words are options, which are values, which are operands.
//!
//! A row lists every option that it allows in one line of text:
//!
//! | written | means |
//! |---|---|
//! | `-abc` | flags; may stand together: `-ac` |
//! | `-n=` `--lines=` | takes a value: `-n 5`, `-n5`, `--lines=5`, `--lines 5` |
//! | `-w[=]` `--color[=]` | may take a value, only attached |
//! | `-L+` | takes the next word, never an attached value |
//! | `--arg=2` | takes two words |
//! | `--warn-*` | a flag, or a flag with an attached value, that begins so |
//! | `-#` | digits are flags: `-20` |
//! | `!-o` `!--output` | known to write, run or never end |
//!
//! After `=`, `[=]` or `+` may stand what the value is: `read` a file that is shown, `name` a path that is not, `rev` a
//! revision; nothing: any text.
//!
//! A value in a word of its own must not look like an option, but for a few (`-e`): in a version of the program where
//! that option takes none, the next word would be the option that it looks like.
//!
//! The surprising decision: an abbreviated long option is never accepted, though many programs do. A list of ours that
//! misses one option of a newer version would resolve an abbreviation wrongly; refusing costs a question.

use super::refusal::Refusal;
use crate::catalogue::has;
use crate::command::{Piece, Word};
use std::borrow::Cow;
use std::collections::HashMap;

/// Options whose value may look like an option: a pattern, a part of a script, a message.
const ANY_VALUE: &str = "-e -m --regexp --expression --message";

/// Bytes of a word of letters: no program has so many.
const CLUSTER: usize = 4096;

/// How a program writes its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `-a`, `-ab`, `--all`.
    Letters,
    /// `-all`, or `--all`: whole words after one dash or two.
    Words,
    /// No options: every word is an operand.
    Raw,
}

/// Where options may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Anywhere before `--`.
    Anywhere,
    /// Only before the first operand.
    First,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any text.
    Text,
    /// A file whose content may be shown.
    Read,
    /// A path.
    Name,
    /// A revision, or a path after a colon.
    Revision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value(Kind),
    Maybe(Kind),
    Next(Kind),
    Two,
    Harm,
}

/// One option that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Used {
    /// As the row writes it: `-o`, `--output`.
    pub(super) name: Cow<'static, str>,
    /// Its value.
    pub(super) value: Option<Word>,
    /// What the value is.
    pub(super) kind: Kind,
}

/// Words, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Given {
    /// Options in order.
    pub(super) used: Vec<Used>,
    /// Operands in order.
    pub(super) operands: Vec<Word>,
    /// How many operands stand before `--`.
    pub(super) before_end: usize,
    /// How many words were read; the operands begin there in [`Order::First`].
    pub(super) words: usize,
}

impl Given {
    /// Whether any of these options was given.
    pub(super) fn has(&self, names: &str) -> bool {
        self.used.iter().any(|used| has(names, &used.name))
    }

    /// The values of these options.
    pub(super) fn values<'g>(&'g self, names: &'g str) -> impl Iterator<Item = &'g Word> {
        self.used.iter().filter(move |used| has(names, &used.name)).filter_map(|used| used.value.as_ref())
    }
}

/// Reads `words`, the ones after the program's name.
///
/// # Errors
/// The first option that is not listed, or is listed as harmful.
pub(super) fn read(words: &[Word], program: &str, options: &Options, order: Order) -> Result<Given, Refusal> {
    let mut given = Given::default();
    let mut ended = options.style == Style::Raw;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        // `-*` stands for names that begin with a dash, so it counts as an option that nobody knows.
        let option = !ended && word.prefix().starts_with('-') && (word.prefix().len() > 1 || word.pieces.len() > 1);
        if !option {
            if order == Order::First {
                return Ok(given);
            }
            given.words += 1;
            given.operands.push(word.clone());
            given.before_end += usize::from(!ended);
            continue;
        }
        given.words += 1;
        if word.literal() == Some("--") {
            if order == Order::First {
                return Ok(given);
            }
            ended = true;
            continue;
        }
        let found = if options.style == Style::Words || word.prefix().starts_with("--") {
            options.whole(program, word)?
        } else {
            options.letters(program, word)?
        };
        for (name, takes, attached) in found {
            let mut next = || {
                given.words += 1;
                let value = rest.next().ok_or_else(|| unknown(program, word))?;
                let free = has(ANY_VALUE, &name) || !looks_like_option(value);
                if free { Ok(value.clone()) } else { Err(unknown(program, value)) }
            };
            let (value, kind) = match (takes, attached) {
                (Takes::Nothing | Takes::Harm, _) => (None, Kind::Text),
                (Takes::Maybe(kind), attached) => (attached, kind),
                (Takes::Value(kind), Some(attached)) => (Some(attached), kind),
                (Takes::Value(kind) | Takes::Next(kind), None) => (Some(next()?), kind),
                (Takes::Next(_), Some(_)) => return Err(unknown(program, word)),
                (Takes::Two, _) => {
                    next()?;
                    (Some(next()?), Kind::Text)
                }
            };
            given.used.push(Used { name, value, kind });
        }
    }
    Ok(given)
}

/// What each option of a row means, ready to look up.
#[derive(Debug)]
pub(super) struct Options {
    style: Style,
    /// By letter.
    letters: HashMap<char, Takes>,
    /// By name: with dashes, or in [`Style::Words`] without. With the name as the row writes it.
    words: HashMap<&'static str, (&'static str, Takes)>,
    /// The same for beginnings of names.
    beginnings: Vec<(&'static str, &'static str, Takes)>,
}

type Found = (Cow<'static, str>, Takes, Option<Word>);

impl Options {
    /// Reads a row's lines.
    pub(super) fn new(lines: &[&'static str], style: Style) -> Self {
        let mut options = Self { style, letters: HashMap::new(), words: HashMap::new(), beginnings: Vec::new() };
        for token in lines.iter().flat_map(|line| line.split_ascii_whitespace()) {
            let (name, takes) = split(token);
            if style != Style::Words && !name.starts_with("--") {
                let letters = name.trim_start_matches('-');
                let digits = if letters == "#" { "0123456789" } else { letters };
                for letter in digits.chars() {
                    options.letters.entry(letter).or_insert(takes);
                }
                continue;
            }
            let key = if style == Style::Words { name.trim_start_matches('-') } else { name };
            match key.strip_suffix('*') {
                Some(begin) => options.beginnings.push((begin, name.trim_end_matches('*'), takes)),
                None => _ = options.words.entry(key).or_insert((name, takes)),
            }
        }
        options
    }

    /// `--name`, `--name=value`.
    fn whole(&self, program: &str, word: &Word) -> Result<Vec<Found>, Refusal> {
        let text = word.prefix();
        let (full, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(tail(word, name.len() + 1))),
            None if word.pieces.len() > 1 => return Err(unknown(program, word)),
            None => (text, None),
        };
        let name = if self.style == Style::Words { full.trim_start_matches('-') } else { full };
        match self.words.get(name) {
            Some((listed, Takes::Harm)) => return Err(harmful(program, listed)),
            Some((_, Takes::Nothing)) if attached.is_some() => return Err(unknown(program, word)),
            Some((listed, takes)) => return Ok(vec![(Cow::Borrowed(*listed), *takes, attached)]),
            None => {}
        }
        match self.beginnings.iter().find(|(begin, _, _)| name.starts_with(begin)) {
            Some((_, listed, Takes::Harm)) => Err(harmful(program, listed)),
            // What follows the beginning is kept as the value, so that a check can look at it.
            Some((begin, listed, _)) => {
                let value = tail(word, full.len() - name.len() + begin.len());
                Ok(vec![(Cow::Borrowed(*listed), Takes::Maybe(Kind::Text), Some(value))])
            }
            None => Err(self.abbreviated(program, name).unwrap_or_else(|| unknown(program, word))),
        }
    }

    /// `-abc`, `-n5`.
    fn letters(&self, program: &str, word: &Word) -> Result<Vec<Found>, Refusal> {
        let text = word.prefix();
        let mut found = Vec::new();
        if text.len() > CLUSTER {
            return Err(unknown(program, word));
        }
        let mut letters = text.char_indices().skip(1).peekable();
        while let Some((_, letter)) = letters.next() {
            let takes = *self.letters.get(&letter).ok_or_else(|| unknown(program, word))?;
            let name = format!("-{letter}");
            let behind = letters.peek().map(|(at, _)| *at).or((word.pieces.len() > 1).then_some(text.len()));
            match takes {
                Takes::Harm => return Err(harmful(program, &name)),
                Takes::Nothing => found.push((name.into(), takes, None)),
                Takes::Next(_) if behind.is_none() => found.push((name.into(), takes, None)),
                Takes::Value(_) | Takes::Maybe(_) => {
                    found.push((name.into(), takes, behind.map(|at| tail(word, at))));
                    return Ok(found);
                }
                Takes::Next(_) | Takes::Two => return Err(unknown(program, word)),
            }
        }
        // A flag with something behind it that is not known to be a flag, too: `-a*`.
        if word.pieces.len() > 1 { Err(unknown(program, word)) } else { Ok(found) }
    }

    /// The harmful option that an abbreviation may stand for.
    fn abbreviated(&self, program: &str, name: &str) -> Option<Refusal> {
        let mut harm = self.words.iter().filter(|(key, (_, takes))| *takes == Takes::Harm && key.starts_with(name));
        let first = harm.next()?;
        Some(harmful(program, harm.map(|(_, (listed, _))| *listed).fold(first.1.0, Ord::min)))
    }
}

/// `-o`, `--output=x`; not `-`, not `-5`.
fn looks_like_option(word: &Word) -> bool {
    let mut letters = word.prefix().chars();
    letters.next() == Some('-') && letters.next().is_some_and(|second| !second.is_ascii_digit())
}

fn harmful(program: &str, name: &str) -> Refusal {
    Refusal::HarmfulOption(program.to_owned(), name.to_owned())
}

fn unknown(program: &str, word: &Word) -> Refusal {
    Refusal::UnknownOption(program.to_owned(), word.to_string())
}

/// A list's token: the name with its dashes, and what it takes.
fn split(token: &'static str) -> (&'static str, Takes) {
    if let Some(name) = token.strip_prefix('!') {
        return (name, Takes::Harm);
    }
    let cut = |at: usize, mark: &str| (token.get(..at).unwrap_or_default(), token.get(at + mark.len()..).unwrap_or(""));
    if let Some(at) = token.find("[=]") {
        let (name, kind) = cut(at, "[=]");
        return (name, Takes::Maybe(kind_of(kind)));
    }
    if let Some(at) = token.find('=') {
        let (name, kind) = cut(at, "=");
        return (name, if kind == "2" { Takes::Two } else { Takes::Value(kind_of(kind)) });
    }
    match token.find('+').filter(|at| *at > 1) {
        Some(at) => {
            let (name, kind) = cut(at, "+");
            (name, Takes::Next(kind_of(kind)))
        }
        None => (token, Takes::Nothing),
    }
}

fn kind_of(name: &str) -> Kind {
    match name {
        "read" => Kind::Read,
        "name" => Kind::Name,
        "rev" => Kind::Revision,
        _ => Kind::Text,
    }
}

/// The word without its first `from` bytes, which lie in its first piece.
pub(super) fn tail(word: &Word, from: usize) -> Word {
    let mut pieces = word.pieces.clone();
    if let Some(Piece::Text(text)) = pieces.first_mut() {
        let rest = text.get(from..).unwrap_or_default().to_owned();
        if rest.is_empty() {
            pieces.remove(0);
        } else {
            *text = rest;
        }
    }
    Word { pieces }
}
