//! Options and operands of one program, read as GNU programs read them: clusters, glued values, abbreviations.
//!
//! A reader for rules that refuse: what is doubtful counts as the option. Tables of what is harmless have their own.

use super::target::may_be_option;
use crate::command::Word;

/// Which options take a value, so that the value is not taken for an operand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Valued {
    /// One letter each.
    pub(super) short: &'static str,
    /// Without the dashes, with blanks between them.
    pub(super) long: &'static str,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Options<'a> {
    short: Vec<(char, Option<String>)>,
    long: Vec<(&'a str, Option<String>)>,
    /// Everything else, in order.
    pub(super) operands: Vec<&'a Word>,
    /// A word may hold any option.
    pub(super) doubtful: bool,
}

impl<'a> Options<'a> {
    pub(super) fn read(words: &'a [Word], valued: Valued) -> Self {
        let mut out = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            out.doubtful |= may_be_option(word);
            let Some(text) = word.literal() else {
                match word.prefix() {
                    prefix if prefix.starts_with("--") => out.long(prefix, Some(word)),
                    prefix if prefix.len() > 1 && prefix.starts_with('-') => {
                        out.cluster(prefix.get(1..).unwrap_or_default(), valued, &mut rest);
                    }
                    _ => out.operands.push(word),
                }
                continue;
            };
            if text == "--" {
                out.operands.extend(rest.by_ref());
            } else if let Some(name) = text.strip_prefix("--") {
                let plain = !name.contains('=');
                let takes = plain && valued.long.split(' ').any(|long| long.starts_with(name));
                out.long(text, None);
                if takes && let (Some(value), Some(last)) = (rest.next(), out.long.last_mut()) {
                    last.1 = Some(value.to_string());
                }
            } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
                out.cluster(cluster, valued, &mut rest);
            } else {
                out.operands.push(word);
            }
        }
        out
    }

    fn long(&mut self, text: &'a str, whole: Option<&Word>) {
        let text = text.strip_prefix("--").unwrap_or(text);
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(whole.map_or_else(|| value.to_owned(), ToString::to_string))),
            None => (text, None),
        };
        self.long.push((name, value));
    }

    fn cluster(&mut self, cluster: &str, valued: Valued, rest: &mut std::slice::Iter<'a, Word>) {
        for (at, letter) in cluster.char_indices() {
            if !valued.short.contains(letter) {
                self.short.push((letter, None));
                continue;
            }
            let glued = cluster.get(at + letter.len_utf8()..).unwrap_or_default();
            let value = if glued.is_empty() { rest.next().map(ToString::to_string) } else { Some(glued.to_owned()) };
            self.short.push((letter, value));
            return;
        }
    }

    /// Whether this letter was given.
    pub(super) fn letter(&self, letter: char) -> bool {
        self.short.iter().any(|(own, _)| *own == letter)
    }

    /// Whether this option was given, abbreviated or not.
    pub(super) fn name(&self, long: &str) -> bool {
        self.long.iter().any(|(own, _)| own.len() > 1 && long.starts_with(own))
    }

    /// Whether an option that begins so was given: `--delete-after` for `delete`.
    pub(super) fn name_begins(&self, start: &str) -> bool {
        self.long.iter().any(|(own, _)| own.starts_with(start))
    }

    /// The values of this option, by letter or by name.
    pub(super) fn values(&self, letter: char, long: &str) -> impl Iterator<Item = &str> {
        let short = self.short.iter().filter(move |(own, _)| *own == letter).filter_map(|(_, value)| value.as_deref());
        let long = self.long.iter().filter(move |(own, _)| own.len() > 1 && long.starts_with(own));
        short.chain(long.filter_map(|(_, value)| value.as_deref()))
    }
}
