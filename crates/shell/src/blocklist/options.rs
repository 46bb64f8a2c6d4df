//! Options and operands of one program, read as GNU programs read them: clusters, glued values, abbreviations.
//!
//! A reader for rules that refuse: what is doubtful counts as the option. Tables of what is harmless have their own.

use super::target::may_be_option;
use crate::command::Word;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Options<'a> {
    /// Letters and names without their dashes, with their values.
    given: Vec<(&'a str, Option<String>)>,
    /// Everything else, in order.
    pub(super) operands: Vec<&'a Word>,
    /// A word may hold any option.
    pub(super) doubtful: bool,
}

impl<'a> Options<'a> {
    /// Reads words. The values of options that are `valued`, letters and names with blanks between them, are no operands.
    pub(super) fn read(words: &'a [Word], valued: &str) -> Self {
        let mut out = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            out.doubtful |= may_be_option(word);
            let text = word.prefix();
            if word.literal() == Some("--") {
                out.operands.extend(rest.by_ref());
            } else if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, _)) => (name, word.to_string().split_once('=').map(|(_, value)| value.to_owned())),
                    None if means(valued, long) && word.literal().is_some() => (long, rest.next().map(Word::to_string)),
                    None => (long, None),
                };
                out.given.push((name, value));
            } else if text.len() > 1 && text.starts_with('-') {
                for (at, letter) in text.char_indices().skip(1) {
                    let after = at + letter.len_utf8();
                    let own = text.get(at..after).unwrap_or_default();
                    let glued = text.get(after..).unwrap_or_default();
                    if !means(valued, own) {
                        out.given.push((own, None));
                        continue;
                    }
                    let mut next = || rest.next().map(Word::to_string);
                    out.given.push((own, if glued.is_empty() { next() } else { Some(glued.to_owned()) }));
                    break;
                }
            } else {
                out.operands.push(word);
            }
        }
        out
    }

    /// Whether one of these options was given, abbreviated or not.
    pub(super) fn has(&self, names: &str) -> bool {
        self.given.iter().any(|(own, _)| means(names, own))
    }

    /// Whether an option that begins so was given: `--delete-after` for `delete`.
    pub(super) fn has_begun(&self, start: &str) -> bool {
        self.given.iter().any(|(own, _)| own.starts_with(start))
    }

    /// The values of these options.
    pub(super) fn values(&self, names: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(own, _)| means(names, own)).filter_map(|(_, value)| value.as_deref())
    }
}

/// Whether an option is one of these, or an abbreviation of one.
fn means(names: &str, own: &str) -> bool {
    names.split(' ').any(|name| name == own || (own.len() > 1 && name.starts_with(own)))
}
