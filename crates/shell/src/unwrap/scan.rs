//! Options before a command: which words are the program's own, and where what it starts begins.
//!
//! A word that the table does not know may or may not take a value: both readings are kept, so that neither hides what
//! is started.

use super::words::{cut_at, without};
use crate::command::Word;
use std::borrow::Cow;

/// The options of a program, as `getopt` writes them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Syntax {
    /// Letters; `:` after one that takes a value, `::` after one whose value is only ever glued to it, `!` after one whose
    /// value is read again in front of what follows, so that all of that is operands.
    pub(crate) short: &'static str,
    /// Names with blanks between them; `=` after one that takes a value, `?` after one whose value is only glued, `!`
    /// as above.
    pub(crate) long: &'static str,
}

/// Whether options may follow operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first operand ends them.
    #[default]
    First,
    /// They may stand anywhere before `--`.
    Any,
}

/// One reading of the words.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan<'w> {
    /// The options by letter or full name, with their values.
    pub(super) options: Vec<(String, Option<Word>)>,
    /// Everything else, in order; with [`Order::First`] the first operand and all that follows.
    pub(super) operands: Cow<'w, [Word]>,
    /// How many operands stand before a `--`, when there is one.
    pub(super) dashes: Option<usize>,
    /// An option that the table does not tell of.
    pub(super) doubtful: bool,
}

impl<'w> Scan<'w> {
    /// Whether any of these options was given; names with blanks between them.
    pub(super) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(own, _)| names.split(' ').any(|name| name == own))
    }

    /// The values of these options.
    pub(super) fn values<'a>(&'a self, names: &'a str) -> impl Iterator<Item = &'a Word> {
        let of = self.options.iter().filter(move |(own, _)| names.split(' ').any(|name| name == own));
        of.filter_map(|(_, value)| value.as_ref())
    }

    /// The rest of the words is operands.
    fn ends(&mut self, rest: &'w [Word]) {
        if self.operands.is_empty() {
            self.operands = Cow::Borrowed(rest);
        } else {
            self.operands.to_mut().extend(rest.iter().cloned());
        }
    }

    fn option(&mut self, name: impl Into<String>, value: Option<Word>) {
        self.options.push((name.into(), value));
    }
}

const READINGS: usize = 8;

/// Every reading of `words` (the program left out), the likeliest first; at most eight.
pub(super) fn scan(words: &[Word], syntax: Syntax, order: Order) -> Vec<Scan<'_>> {
    let mut done = Vec::new();
    let mut open = vec![(Scan::default(), 0)];
    while let Some((mut scan, mut at)) = open.pop() {
        while let Some(word) = words.get(at) {
            at += 1;
            let text = word.prefix();
            if text == "--" && word.pieces.len() == 1 {
                scan.dashes = Some(scan.operands.len());
                scan.ends(words.get(at..).unwrap_or_default());
                break;
            }
            let step = match text.strip_prefix("--") {
                Some(_) if !syntax.long.is_empty() => long(&mut scan, word, words.get(at), syntax.long),
                Some(name) if !name.is_empty() => Step::Doubtful,
                _ if text.len() > 1 && text.starts_with('-') => short(&mut scan, word, words.get(at), syntax.short),
                _ if word.pieces.first().is_some_and(|first| matches!(first, crate::Piece::Unknown(_))) => {
                    if open.len() + done.len() < READINGS {
                        open.push((Scan { doubtful: true, ..scan.clone() }, at));
                    }
                    Step::Operand
                }
                _ => Step::Operand,
            };
            match step {
                Step::Plain => {}
                Step::Value => at += 1,
                Step::Last(taken) => {
                    scan.ends(words.get(at + taken..).unwrap_or_default());
                    break;
                }
                Step::Doubtful => {
                    scan.doubtful = true;
                    if open.len() + done.len() < READINGS
                        && words.get(at).is_some_and(|next| !next.prefix().starts_with('-'))
                    {
                        open.push((scan.clone(), at + 1));
                    }
                }
                Step::Operand if order == Order::Any => scan.operands.to_mut().push(word.clone()),
                Step::Operand => {
                    scan.ends(words.get(at - 1..).unwrap_or_default());
                    break;
                }
            }
        }
        done.push(scan);
    }
    done
}

enum Step {
    Plain,
    Value,
    /// Only operands follow, after so many words that were its value.
    Last(usize),
    Doubtful,
    Operand,
}

fn long(scan: &mut Scan<'_>, word: &Word, next: Option<&Word>, known: &'static str) -> Step {
    let (name, glued) = match cut_at(word, '=') {
        Some((name, value)) => (name, Some(value)),
        None => (word.prefix(), None),
    };
    let name = name.trim_start_matches("--");
    let own = |entry: &&str| entry.trim_end_matches(['=', '?', '!']) == name;
    let abbreviated = |entry: &&str| name.len() > 1 && entry.starts_with(name);
    let Some(entry) = known.split(' ').find(own).or_else(|| known.split(' ').find(abbreviated)) else {
        let step = if glued.is_some() { Step::Plain } else { Step::Doubtful };
        scan.doubtful = true;
        scan.option(name, glued);
        return step;
    };
    let full = entry.trim_end_matches(['=', '?', '!']);
    if entry.ends_with('!') {
        let taken = usize::from(glued.is_none());
        scan.option(full, glued.or_else(|| next.cloned()));
        return Step::Last(taken);
    }
    if entry.ends_with('=') && glued.is_none() {
        scan.option(full, next.cloned());
        return Step::Value;
    }
    scan.option(full, glued);
    Step::Plain
}

fn short(scan: &mut Scan<'_>, word: &Word, next: Option<&Word>, known: &'static str) -> Step {
    let text = word.prefix();
    for (at, letter) in text.char_indices().skip(1) {
        let after = at + letter.len_utf8();
        let last = after == text.len() && word.pieces.len() == 1;
        let place = known.find(letter).filter(|_| !matches!(letter, ':' | '!'));
        let Some(place) = place else {
            scan.option(letter.to_string(), None);
            if letter.is_ascii_digit() {
                continue;
            }
            scan.doubtful = true;
            return Step::Doubtful;
        };
        let takes = known.get(place + letter.len_utf8()..).unwrap_or_default();
        if takes.starts_with("::") {
            scan.option(letter.to_string(), (!last).then(|| without(word, after)));
            return Step::Plain;
        }
        if takes.starts_with('!') {
            scan.option(letter.to_string(), if last { next.cloned() } else { Some(without(word, after)) });
            return Step::Last(usize::from(last));
        }
        if takes.starts_with(':') {
            let value = if last { next.cloned() } else { Some(without(word, after)) };
            scan.option(letter.to_string(), value);
            return if last { Step::Value } else { Step::Plain };
        }
        scan.option(letter.to_string(), None);
    }
    Step::Plain
}

/// The values of an option: after it, after `=`, or glued to a letter.
pub(crate) fn values(words: &[Word], option: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let letter = option.len() == 2 && option.starts_with('-');
    for (at, word) in words.iter().enumerate() {
        let text = word.prefix();
        let exact = word.pieces.len() == 1 && text == option;
        let cluster = letter
            && word.pieces.len() == 1
            && text.starts_with('-')
            && !text.starts_with("--")
            && text.len() > 2
            && text.chars().skip(1).all(|c| c.is_ascii_alphanumeric())
            && option.chars().last().is_some_and(|own| text.ends_with(own));
        let begun = |name: &str| option.starts_with("--") && name.len() > 4 && option.starts_with(name);
        if exact || cluster || (begun(text) && word.pieces.len() == 1) {
            found.extend(words.get(at + 1).cloned());
        } else if let Some((name, value)) = cut_at(word, '=')
            && (name == option || begun(name))
            && !letter
        {
            found.push(value);
        } else if letter && text.starts_with(option) {
            found.push(without(word, 2));
        }
    }
    found
}
