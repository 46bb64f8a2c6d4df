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
//! The surprising decision: an abbreviated long option is never accepted, though many programs do. A list of ours that
//! misses one option of a newer version would resolve an abbreviation wrongly; refusing costs a question.

use super::refusal::Refusal;
use crate::shell::command::{Piece, Word};

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
    pub(super) name: String,
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
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.used.iter().any(|used| names.contains(&used.name.as_str()))
    }

    /// The values of these options.
    pub(super) fn values<'g>(&'g self, names: &'g [&str]) -> impl Iterator<Item = &'g Word> {
        self.used.iter().filter(|used| names.contains(&used.name.as_str())).filter_map(|used| used.value.as_ref())
    }
}

/// Reads `words`, the ones after the program's name.
pub(super) fn read(words: &[Word], list: &Listed<'_>) -> Result<Given, Refusal> {
    let mut given = Given::default();
    let mut ended = list.style == Style::Raw;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let option = !ended && word.prefix().len() > 1 && word.prefix().starts_with('-');
        if !option {
            if list.order == Order::First {
                return Ok(given);
            }
            given.words += 1;
            given.operands.push(word.clone());
            given.before_end += usize::from(!ended);
            continue;
        }
        given.words += 1;
        if word.literal() == Some("--") {
            if list.order == Order::First {
                return Ok(given);
            }
            ended = true;
            continue;
        }
        let found = if list.style == Style::Words || word.prefix().starts_with("--") {
            list.whole(word)?
        } else {
            list.letters(word)?
        };
        for (name, takes, attached) in found {
            let mut next = || {
                given.words += 1;
                rest.next().cloned().ok_or_else(|| list.unknown(word))
            };
            let (value, kind) = match (takes, attached) {
                (Takes::Nothing | Takes::Harm, _) => (None, Kind::Text),
                (Takes::Maybe(kind), attached) => (attached, kind),
                (Takes::Value(kind), Some(attached)) => (Some(attached), kind),
                (Takes::Value(kind) | Takes::Next(kind), None) => (Some(next()?), kind),
                (Takes::Next(_), Some(_)) => return Err(list.unknown(word)),
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

/// The options of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'l> {
    /// For reasons.
    pub(super) program: &'l str,
    /// See the module.
    pub(super) options: &'l [&'l str],
    /// How they are written.
    pub(super) style: Style,
    /// Where they stand.
    pub(super) order: Order,
}

type Found = (String, Takes, Option<Word>);

impl<'l> Listed<'l> {
    fn tokens(&self) -> impl Iterator<Item = &'l str> {
        self.options.iter().flat_map(|line| line.split_ascii_whitespace())
    }

    /// `--name`, `--name=value`.
    fn whole(&self, word: &Word) -> Result<Vec<Found>, Refusal> {
        let text = word.prefix();
        let (name, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(tail(word, name.len() + 1))),
            None if word.pieces.len() > 1 => return Err(self.unknown(word)),
            None => (text, None),
        };
        let name = if self.style == Style::Words { name.trim_start_matches('-') } else { name };
        let mut prefixed = None;
        for token in self.tokens() {
            let (listed, takes) = split(token);
            let listed = if self.style == Style::Words { listed.trim_start_matches('-') } else { listed };
            if let Some(start) = listed.strip_suffix('*') {
                if name.starts_with(start) {
                    prefixed = Some((token.trim_matches(['!', '*']).to_owned(), takes));
                }
            } else if listed == name {
                if takes == Takes::Harm {
                    return Err(self.harmful(name));
                }
                if takes == Takes::Nothing && attached.is_some() {
                    return Err(self.unknown(word));
                }
                return Ok(vec![(with_dashes(token), takes, attached)]);
            }
        }
        match prefixed {
            Some((start, Takes::Harm)) => Err(self.harmful(&start)),
            // What follows the prefix is kept as the value, so that a check can look at it.
            Some((start, _)) => {
                let dashes = text.len() - text.trim_start_matches('-').len();
                let value = tail(word, dashes + start.trim_start_matches('-').len());
                Ok(vec![(start, Takes::Maybe(Kind::Text), Some(value))])
            }
            None => Err(self.abbreviated(name).unwrap_or_else(|| self.unknown(word))),
        }
    }

    /// `-abc`, `-n5`.
    fn letters(&self, word: &Word) -> Result<Vec<Found>, Refusal> {
        let text = word.prefix();
        let mut found = Vec::new();
        let mut letters = text.char_indices().skip(1).peekable();
        while let Some((_, letter)) = letters.next() {
            let (name, takes) = self.letter(letter).ok_or_else(|| self.unknown(word))?;
            if takes == Takes::Harm {
                return Err(self.harmful(&name));
            }
            let after = letters.peek().map(|(at, _)| *at);
            let attached = match after {
                Some(at) => Some(tail(word, at)),
                None if word.pieces.len() > 1 => Some(tail(word, text.len())),
                None => None,
            };
            match takes {
                Takes::Value(_) | Takes::Maybe(_) => {
                    found.push((name, takes, attached));
                    return Ok(found);
                }
                Takes::Nothing => found.push((name, takes, None)),
                Takes::Next(_) if attached.is_none() => found.push((name, takes, None)),
                _ => return Err(self.unknown(word)),
            }
        }
        // A flag with something behind it that is not known to be a flag, too: `-a*`.
        if word.pieces.len() > 1 { Err(self.unknown(word)) } else { Ok(found) }
    }

    fn letter(&self, letter: char) -> Option<(String, Takes)> {
        self.tokens().filter(|token| !token.trim_start_matches('!').starts_with("--")).find_map(|token| {
            let (listed, takes) = split(token);
            let letters = listed.trim_start_matches('-');
            let hit = letters.contains(letter) || (letters == "#" && letter.is_ascii_digit());
            hit.then(|| (format!("-{letter}"), takes))
        })
    }

    fn harmful(&self, name: &str) -> Refusal {
        let dashed = if name.starts_with('-') { name.to_owned() } else { format!("-{name}") };
        Refusal::HarmfulOption(self.program.to_owned(), dashed)
    }

    fn unknown(&self, word: &Word) -> Refusal {
        Refusal::UnknownOption(self.program.to_owned(), word.to_string())
    }

    /// The harmful option that an abbreviation may stand for.
    fn abbreviated(&self, name: &str) -> Option<Refusal> {
        let full = self.tokens().map(split).find(|(listed, takes)| *takes == Takes::Harm && listed.starts_with(name));
        full.map(|(listed, _)| self.harmful(listed))
    }
}

/// A list's token: the name with its dashes, and what it takes.
fn split(token: &str) -> (&str, Takes) {
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

fn with_dashes(token: &str) -> String {
    split(token).0.to_owned()
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
