//! Filters whose output follows plainly from a known input.
//!
//! Of a filter that only chooses or sorts lines, every line that it may print counts as printed: a command too many makes
//! a text more dangerous, never less. What would have to be computed is not known.

use super::{Printed, options, read};
use crate::catalogue::has;
use crate::command::{Command, Origin, Trace, Word};
use crate::options::Options;
use crate::read::has_holes;
use crate::sed::{Step, steps};
use crate::unwrap::code::sed::given;
use crate::unwrap::words::LIMIT;
use std::sync::LazyLock;

/// Filters that choose or sort lines, their options, and those with which lines are changed.
static LINES: LazyLock<[(&str, Options, &str); 3]> = LazyLock::new(|| {
    let cat = "-AbeEnstTuvp --number --show-ends --show-all --plain --paging= --style= --color=";
    let ends = "-# -nc= -qvzf --lines= --bytes= --quiet --silent --verbose --follow[=]";
    let sort = "-ktTSofswn= --key= --field-separator= --output=";
    let changed = "-A -b -e -E -n -s -t -T -v --number --show-ends --show-all --paging --style --color";
    [
        ("cat bat", Options::listed(cat), changed),
        ("head tail", Options::listed(ends), "-c --bytes"),
        ("sort uniq shuf tac", Options::listed(sort), ""),
    ]
});

/// `None`: not a filter that is known here.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    let short = name.strip_prefix('g').filter(|rest| matches!(*rest, "sed" | "tr" | "head" | "tail" | "tac"));
    let all = |text: &str| Some(text.to_owned());
    match short.unwrap_or(name) {
        "tee" | "pee" | "sponge" => Some(over(command, &[], all)),
        "dd" => {
            let value = |start: &str| {
                let texts = command.operands().iter().filter_map(Word::literal);
                texts.filter_map(|text| text.strip_prefix(start)).next().map(Word::text)
            };
            let whole = value("skip=").is_none() && value("count=").is_none();
            Some(over(command, &Vec::from_iter(value("if=")), |text| whole.then(|| text.to_owned())))
        }
        "pv" | "buffer" | "mbuffer" | "strings" | "iconv" | "dos2unix" | "unix2dos" | "col" | "fmt" | "pr"
        | "column" | "expand" | "unexpand" => {
            // A name may be an option's value, so stdin counts as well.
            let mut printed = read(command, &files(command));
            printed.trace.merge(command.input.trace);
            printed.text = printed.text.or_else(|| command.input.text.clone());
            Some(printed)
        }
        "rev" => Some(over(command, &files(command), |text| {
            Some(text.split('\n').map(|line| line.chars().rev().collect()).collect::<Vec<String>>().join("\n"))
        })),
        "sed" => Some(sed(command)),
        "tr" | "rot13" => Some(translated(command)),
        name => {
            let (_, known, changes) = LINES.iter().find(|(names, ..)| has(names, name))?;
            let scan = options(command, known);
            let is_file = |word: &&Word| !word.prefix().starts_with('+');
            let files: Vec<Word> = scan.operands.iter().filter(is_file).cloned().collect();
            Some(over(command, &files, |text| (!scan.has(changes)).then(|| text.to_owned())))
        }
    }
}

fn over(command: &Command, files: &[Word], how: impl FnOnce(&str) -> Option<String>) -> Printed {
    let input = read(command, files);
    Printed { text: input.text.as_deref().and_then(how), trace: input.trace }
}

/// Words that are no options.
pub(super) fn files(command: &Command) -> Vec<Word> {
    let is_file = |word: &&Word| word.literal() == Some("-") || !word.prefix().starts_with('-');
    command.operands().iter().filter(is_file).cloned().collect()
}

/// Characters put in the place of others are a cipher when the text itself tells what they are put into.
fn translated(command: &Command) -> Printed {
    let mut trace = command.input.trace;
    let removes = |word: &Word| word.prefix().starts_with('-') && word.prefix().contains(['d', 's']);
    if !command.operands().iter().any(removes) && command.input.text.as_ref().is_some_and(|text| !has_holes(text)) {
        trace.merge(Trace::of(Origin::Decoder));
    }
    Printed { text: None, trace }
}

/// `sed` as far as it only puts one literal in another's place.
fn sed(command: &Command) -> Printed {
    let given = given(command);
    let mut printed = over(command, &given.files, |text| {
        let plain = !given.options.has("-n --quiet --silent -f --file -i --in-place -z --null-data");
        let [script] = given.scripts.as_slice() else { return None };
        match steps(script.literal().filter(|_| plain)?) {
            (steps, true) => match steps.as_slice() {
                [Step::Substitute { pattern, with, flags }] => replaced(text, pattern, with, flags),
                _ => None,
            },
            _ => None,
        }
    });
    printed.trace.merge(super::words_trace(&given.scripts));
    printed
}

fn replaced(text: &str, pattern: &str, with: &str, flags: &str) -> Option<String> {
    const SPECIAL: [char; 16] = ['\\', '&', '.', '*', '[', ']', '^', '$', '+', '?', '(', ')', '{', '}', '|', '\n'];
    let most = match flags.trim_end() {
        "" => 1,
        "g" => usize::MAX,
        _ => return None,
    };
    let grown = text.matches(pattern).count().saturating_mul(with.len());
    if pattern.is_empty() || pattern.contains(SPECIAL) || with.contains(['\\', '&']) || grown > LIMIT {
        return None;
    }
    Some(text.split('\n').map(|line| line.replacen(pattern, with, most)).collect::<Vec<_>>().join("\n"))
}
