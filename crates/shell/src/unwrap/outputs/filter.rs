//! Filters whose output follows plainly from a known input.
//!
//! Of a filter that only chooses or sorts lines, every line that it may print counts as printed: a command too many makes
//! a text more dangerous, never less. What would have to be computed is not known.

use super::{Printed, options, read};
use crate::command::{Command, Origin, Trace, Word};
use crate::read::has_holes;
use crate::unwrap::words::LIMIT;

/// `None`: not a filter that is known here.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    let short = name.strip_prefix('g').filter(|rest| matches!(*rest, "sed" | "tr" | "head" | "tail" | "tac"));
    let all = |text: &str| Some(text.to_owned());
    match short.unwrap_or(name) {
        "cat" | "bat" => {
            let scan = options(command, "AbeEnstTuvp", "number show-ends show-all plain paging= style= color=");
            let plain = scan.options.iter().all(|(option, _)| matches!(option.as_str(), "u" | "p" | "plain"));
            Some(over(command, &scan.operands, |text| plain.then(|| text.to_owned())))
        }
        "tee" | "pee" | "sponge" => Some(over(command, &[], all)),
        "head" | "tail" => {
            let scan = options(command, "n:c:qvzf", "lines= bytes= quiet silent verbose follow?");
            let files: Vec<Word> =
                scan.operands.iter().filter(|word| !word.prefix().starts_with('+')).cloned().collect();
            Some(over(command, &files, |text| (!scan.has("c bytes")).then(|| text.to_owned())))
        }
        "sort" | "uniq" | "shuf" | "tac" => {
            let scan = options(command, "k:t:T:S:o:f:s:w:n:", "key= field-separator= output=");
            Some(over(command, &scan.operands, all))
        }
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
            printed.trace.merge(&command.input.trace);
            printed.text = printed.text.or_else(|| command.input.text.clone());
            Some(printed)
        }
        "rev" => Some(over(command, &files(command), |text| {
            Some(text.split('\n').map(|line| line.chars().rev().collect()).collect::<Vec<String>>().join("\n"))
        })),
        "sed" => Some(sed(command)),
        "tr" | "rot13" => Some(translated(command)),
        _ => None,
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
    let mut trace = command.input.trace.clone();
    let removes = |word: &Word| word.prefix().starts_with('-') && word.prefix().contains(['d', 's']);
    if !command.operands().iter().any(removes) && command.input.text.as_ref().is_some_and(|text| !has_holes(text)) {
        trace.merge(&Trace::of(Origin::Decoder));
    }
    Printed { text: None, trace }
}

/// `sed` as far as it only puts one literal in another's place.
fn sed(command: &Command) -> Printed {
    let scan = options(
        command,
        "ne:f:Ei::rsuzl:",
        "expression= file= quiet silent regexp-extended in-place? separate unbuffered null-data posix debug sandbox follow-symlinks",
    );
    let given: Vec<&Word> = scan.values("e expression").collect();
    let (scripts, files) = if given.is_empty() && !scan.has("f file") {
        (scan.operands.iter().take(1).collect(), scan.operands.get(1..).unwrap_or_default())
    } else {
        (given, scan.operands.as_ref())
    };
    let mut printed = over(command, files, |text| {
        let plain = !scan.has("n quiet silent f file i in-place z null-data");
        let [script] = scripts.as_slice() else { return None };
        replaced(text, substitute(script.literal().filter(|script| plain && script.starts_with('s'))?)?)
    });
    scripts.iter().for_each(|word| printed.trace.merge(&super::words_trace(std::slice::from_ref(*word))));
    printed
}

fn replaced(text: &str, (pattern, with, flags): (String, String, String)) -> Option<String> {
    let plain =
        |text: &str| !text.contains(['\\', '&', '.', '*', '[', ']', '^', '$', '+', '?', '(', ')', '{', '}', '|', '\n']);
    let most = match flags.trim_end() {
        "" => 1,
        "g" => usize::MAX,
        _ => return None,
    };
    let places = text.matches(pattern.as_str()).count();
    if pattern.is_empty() || !plain(&pattern) || with.contains(['\\', '&']) || places.saturating_mul(with.len()) > LIMIT
    {
        return None;
    }
    Some(text.split('\n').map(|line| line.replacen(&pattern, &with, most)).collect::<Vec<_>>().join("\n"))
}

/// `s/pattern/replacement/flags` taken apart, `y` alike.
pub(in crate::unwrap) fn substitute(command: &str) -> Option<(String, String, String)> {
    let rest = command.strip_prefix(['s', 'y'])?;
    let mark = rest.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace() && *c != '\\')?;
    let mut parts = vec![String::new()];
    let mut chars = rest.chars().skip(1);
    while let Some(c) = chars.next() {
        let count = parts.len();
        let last = parts.last_mut()?;
        match c {
            '\\' => match chars.next() {
                Some(next) if next == mark => last.push(mark),
                Some(next) => last.extend(['\\', next]),
                None => last.push('\\'),
            },
            c if c == mark && count < 3 => parts.push(String::new()),
            c => last.push(c),
        }
    }
    let [pattern, replacement, flags] = <[String; 3]>::try_from(parts).ok()?;
    Some((pattern, replacement, flags))
}
