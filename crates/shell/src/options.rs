//! Options as a program itself would read them: which words are options, which are values, which are operands.
//!
//! A row of the catalogue lists the options of a program in one line of text:
//!
//! | written | means |
//! |---|---|
//! | `-abc` | flags; may stand together: `-ac` |
//! | `-n=` `--lines=` | takes a value: `-n 5`, `-n5`, `--lines=5`, `--lines 5` |
//! | `-w[=]` `--color[=]` | may take a value, only attached |
//! | `-L+` | takes the next word, never an attached value |
//! | `--arg=2` | takes two words |
//! | `-S!` `--split-string!` | what follows is operands; what is attached comes before them |
//! | `--warn-*` | a flag, or a flag with an attached value, that begins so |
//! | `-#` | digits are flags: `-20` |
//! | `!-o` `!--output` | known to write, run or never end |
//!
//! After `=`, `[=]`, `+` or `=2` may stand what the value is: `read` a file that is shown, `name` a path that is not, `rev` a
//! revision; and of a command that is started: `dir` its directory, `sh` its text, `program` its program, `mount` a folder
//! and the name that it has there. Nothing: any text.
//!
//! A value in a word of its own must not look like an option, but for a few (`-e`): in a version of the program where
//! that option takes none, the next word would be the option that it looks like. An abbreviated long option is doubtful,
//! too, though many programs accept it: a list of ours that misses one option of a newer version would resolve it wrongly.
//!
//! The surprising decision: one reader serves those who refuse what is doubtful and those who must not lose a command behind
//! it. The latter get every reading: with and without a value behind the word that the list does not tell of.

use crate::catalogue::has;
use crate::command::{Piece, Word};
use crate::unwrap::words::{join, without};
use hashbrown::HashMap;
use std::borrow::Cow;

/// Options whose value may look like an option: a pattern, a part of a script, a message.
const ANY_VALUE: &str = "-e -m --regexp --expression --message -perm -name -iname -path -newer";

/// Bytes of a word of letters: no program has so many.
const CLUSTER: usize = 4096;

/// Ways to read the same words that are followed.
const READINGS: usize = 8;

/// How a program writes its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Style {
    /// `-a`, `-ab`, `--all`.
    #[default]
    Letters,
    /// `-all`, or `--all`: whole words after one dash or two.
    Words,
    /// No options: every word is an operand.
    Raw,
}

/// Where options may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// Only before the first operand.
    #[default]
    First,
    /// Anywhere before `--`.
    Anywhere,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any text.
    Text,
    /// A file whose content may be shown.
    Read,
    /// A path.
    Name,
    /// A revision, or a path after a colon.
    Revision,
    /// The directory that a command runs in.
    Directory,
    /// A text for a shell.
    Script,
    /// The command's program; the operands are its arguments.
    Program,
    /// A folder and the name that it has for the command.
    Mount,
    /// Words, read as if they stood there.
    Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value(Kind),
    Maybe(Kind),
    Next(Kind),
    Two(Kind),
    Rest,
    Harm,
}

/// One option that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    /// As the row writes it: `-o`, `--output`.
    pub(crate) name: Cow<'static, str>,
    /// Its value; two are joined by a colon.
    pub(crate) value: Option<Word>,
    /// What the value is.
    pub(crate) kind: Kind,
}

/// What a list does not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// This word.
    Unknown(String),
    /// It names this option as harmful.
    Harmful(String),
}

/// One reading of the words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Given<'w> {
    /// Options in order.
    pub(crate) used: Vec<Used>,
    /// Operands in order; in [`Order::First`] the first one and all that follows.
    pub(crate) operands: Cow<'w, [Word]>,
    /// How many operands stand before a `--`, when there is one.
    pub(crate) dashes: Option<usize>,
    /// The first doubt.
    pub(crate) doubt: Option<Doubt>,
}

impl<'w> Given<'w> {
    /// Whether any of these options was given; names with blanks or commas between them.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.used.iter().any(|used| names.split([' ', ',']).any(|name| name == used.name))
    }

    /// The values of these options.
    pub(crate) fn values<'g>(&'g self, names: &'g str) -> impl Iterator<Item = &'g Word> {
        let of = self.used.iter().filter(move |used| names.split([' ', ',']).any(|name| name == used.name));
        of.filter_map(|used| used.value.as_ref())
    }

    /// The values that are this.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Word> {
        self.used.iter().filter(move |used| used.kind == kind).filter_map(|used| used.value.as_ref())
    }

    /// The rest of the words is operands.
    fn ends(&mut self, rest: &'w [Word]) {
        if self.operands.is_empty() {
            self.operands = Cow::Borrowed(rest);
        } else {
            self.operands.to_mut().extend_from_slice(rest);
        }
    }
}

/// Reads `words`, the ones after the program's name, as far as the list tells what they mean.
pub(crate) fn read<'w>(words: &'w [Word], options: &Options, order: Order) -> Given<'w> {
    all_readings(words, options, order, 1).pop().unwrap_or_default()
}

/// Every reading, the likeliest first.
pub(crate) fn readings<'w>(words: &'w [Word], options: &Options, order: Order) -> Vec<Given<'w>> {
    all_readings(words, options, order, READINGS)
}

fn all_readings<'w>(words: &'w [Word], options: &Options, order: Order, most: usize) -> Vec<Given<'w>> {
    if options.style == Style::Raw {
        return vec![Given { operands: Cow::Borrowed(words), ..Given::default() }];
    }
    let mut done = Vec::new();
    let mut open = vec![(Given::default(), 0)];
    while let Some((mut given, mut at)) = open.pop() {
        while let Some(word) = words.get(at) {
            at += 1;
            let text = word.prefix();
            let more = open.len() + done.len() + 1 < most;
            if word.literal() == Some("--") {
                given.dashes = Some(given.operands.len());
                given.ends(words.get(at..).unwrap_or_default());
                break;
            }
            // `-*` stands for names that begin with a dash, so it counts as an option that no list has.
            if !text.starts_with('-') || (text.len() == 1 && word.pieces.len() == 1) {
                if more && matches!(word.pieces.first(), Some(Piece::Unknown(_))) {
                    let doubt = Some(Doubt::Unknown(word.to_string()));
                    open.push((Given { doubt, ..given.clone() }, at));
                }
                if order == Order::First {
                    given.ends(words.get(at - 1..).unwrap_or_default());
                    break;
                }
                given.operands.to_mut().push(word.clone());
                continue;
            }
            let (found, mut doubt) = options.find(word);
            let open_ended = matches!(doubt, Some(Doubt::Unknown(_))) && !text.contains('=');
            let mut rest = false;
            for (name, takes, attached) in found {
                let mut next = || {
                    at += 1;
                    let value = words.get(at - 1);
                    if value.is_none_or(|value| looks_like_option(value) && !has(ANY_VALUE, &name)) {
                        doubt.get_or_insert(Doubt::Unknown(value.unwrap_or(word).to_string()));
                    }
                    value.cloned()
                };
                let (value, kind) = match (takes, attached) {
                    (Takes::Value(kind) | Takes::Next(kind), None) => (next(), kind),
                    (Takes::Value(kind) | Takes::Maybe(kind) | Takes::Next(kind), attached) => (attached, kind),
                    (Takes::Two(kind), _) => (next().zip(next()).map(|(one, two)| join([&one, &two], ":")), kind),
                    (Takes::Rest, attached) => (attached, Kind::Split),
                    (Takes::Nothing | Takes::Harm, attached) => (attached, Kind::Text),
                };
                rest |= takes == Takes::Rest;
                given.used.push(Used { name, value, kind });
            }
            if let Some(doubt) = doubt {
                given.doubt.get_or_insert(doubt);
                if most == 1 {
                    return vec![given];
                }
                if open_ended && more && words.get(at).is_some_and(|next| !next.prefix().starts_with('-')) {
                    open.push((given.clone(), at + 1));
                }
            }
            if rest {
                given.ends(words.get(at..).unwrap_or_default());
                break;
            }
        }
        done.push(given);
    }
    done
}

/// What each option of a list means, ready to look up.
#[derive(Debug, Default)]
pub(crate) struct Options {
    style: Style,
    /// By letter.
    letters: HashMap<char, Takes>,
    /// By name: with dashes, or in [`Style::Words`] without. With the name as the row writes it.
    words: HashMap<&'static str, (&'static str, Takes)>,
    /// The same for beginnings of names.
    beginnings: Vec<(&'static str, &'static str, Takes)>,
}

type Found = Vec<(Cow<'static, str>, Takes, Option<Word>)>;

impl Options {
    /// Reads the tokens of a list.
    pub(crate) fn new(tokens: impl IntoIterator<Item = &'static str>, style: Style) -> Self {
        let mut options = Self { style, ..Self::default() };
        for token in tokens {
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

    /// The same of a list with blanks between its tokens.
    pub(crate) fn listed(list: &'static str) -> Self {
        Self::new(list.split(' '), Style::Letters)
    }

    /// The options in a word that begins with a dash, up to the first doubt.
    fn find(&self, word: &Word) -> (Found, Option<Doubt>) {
        let mut found = Vec::new();
        let whole = self.style == Style::Words || word.prefix().starts_with("--");
        let doubt = if whole { self.whole(word, &mut found) } else { self.letters(word, &mut found) };
        (found, doubt.err())
    }

    /// `--name`, `--name=value`.
    fn whole(&self, word: &Word, found: &mut Found) -> Result<(), Doubt> {
        let text = word.prefix();
        let (full, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(without(word, name.len() + 1))),
            None if word.pieces.len() > 1 => return Err(unknown(word)),
            None => (text, None),
        };
        let name = if self.style == Style::Words { full.trim_start_matches('-') } else { full };
        if let Some((listed, takes)) = self.words.get(name) {
            let doubt = match takes {
                Takes::Harm => Err(Doubt::Harmful((*listed).to_owned())),
                Takes::Nothing | Takes::Next(_) if attached.is_some() => Err(unknown(word)),
                _ => Ok(()),
            };
            found.push((Cow::Borrowed(*listed), *takes, attached));
            return doubt;
        }
        if let Some((begin, listed, takes)) = self.beginnings.iter().find(|(begin, _, _)| name.starts_with(begin)) {
            // What follows the beginning is kept as the value, so that a check can look at it.
            let value = without(word, full.len() - name.len() + begin.len());
            found.push((Cow::Borrowed(*listed), Takes::Maybe(Kind::Text), Some(value)));
            return if *takes == Takes::Harm { Err(Doubt::Harmful((*listed).to_owned())) } else { Ok(()) };
        }
        let meant = self.words.iter().filter(|(key, _)| name.len() > 2 && key.starts_with(name));
        let Some((listed, takes)) = meant.map(|(_, meant)| *meant).min_by_key(|(listed, _)| *listed) else {
            found.push((Cow::Owned(full.to_owned()), Takes::Nothing, attached));
            return Err(unknown(word));
        };
        found.push((Cow::Borrowed(listed), takes, attached));
        if takes == Takes::Harm { Err(Doubt::Harmful(listed.to_owned())) } else { Err(unknown(word)) }
    }

    /// `-abc`, `-n5`.
    fn letters(&self, word: &Word, found: &mut Found) -> Result<(), Doubt> {
        let text = word.prefix();
        if text.len() > CLUSTER {
            return Err(unknown(word));
        }
        let mut letters = text.char_indices().skip(1).peekable();
        while let Some((_, letter)) = letters.next() {
            let name = Cow::Owned(format!("-{letter}"));
            let behind = letters.peek().map(|(at, _)| *at).or((word.pieces.len() > 1).then_some(text.len()));
            let Some(takes) = self.letters.get(&letter).copied() else {
                found.push((name, Takes::Nothing, None));
                return Err(unknown(word));
            };
            match takes {
                Takes::Harm => return Err(Doubt::Harmful(name.into_owned())),
                Takes::Next(_) | Takes::Two(_) if behind.is_some() => return Err(unknown(word)),
                Takes::Value(_) | Takes::Maybe(_) | Takes::Rest => {
                    found.push((name, takes, behind.map(|at| without(word, at))));
                    return Ok(());
                }
                Takes::Nothing | Takes::Next(_) | Takes::Two(_) => found.push((name, takes, None)),
            }
        }
        // A flag with something behind it that is not known to be a flag, too: `-a*`.
        if word.pieces.len() > 1 { Err(unknown(word)) } else { Ok(()) }
    }
}

/// `-o`, `--output=x`; not `-`, not `-5`.
fn looks_like_option(word: &Word) -> bool {
    let mut letters = word.prefix().chars();
    letters.next() == Some('-') && letters.next().is_some_and(|second| !second.is_ascii_digit())
}

fn unknown(word: &Word) -> Doubt {
    Doubt::Unknown(word.to_string())
}

/// A list's token: the name with its dashes, and what it takes.
fn split(token: &'static str) -> (&'static str, Takes) {
    if let Some(name) = token.strip_prefix('!') {
        return (name, Takes::Harm);
    }
    if let Some((name, kind)) = token.split_once("[=]") {
        return (name, Takes::Maybe(kind_of(kind)));
    }
    if let Some((name, kind)) = token.split_once('=') {
        return (name, kind.strip_prefix('2').map_or(Takes::Value(kind_of(kind)), |kind| Takes::Two(kind_of(kind))));
    }
    if let Some(name) = token.strip_suffix('!') {
        return (name, Takes::Rest);
    }
    match token.rsplit_once('+').filter(|(name, _)| name.len() > 1) {
        Some((name, kind)) => (name, Takes::Next(kind_of(kind))),
        None => (token, Takes::Nothing),
    }
}

fn kind_of(name: &str) -> Kind {
    match name {
        "read" => Kind::Read,
        "name" => Kind::Name,
        "rev" => Kind::Revision,
        "dir" => Kind::Directory,
        "sh" => Kind::Script,
        "program" => Kind::Program,
        "mount" => Kind::Mount,
        _ => Kind::Text,
    }
}
