//! Filters whose output follows from a known input: lines, columns, characters, simple substitutions.

mod characters;
mod stream;

use super::{Printed, options, read};
use crate::command::{Command, Word};
pub(in crate::unwrap) use stream::{substitute, substituted};

/// `None`: not a filter that is known here.
pub(super) fn printed(name: &str, command: &Command) -> Option<Printed> {
    let name = name
        .strip_prefix('g')
        .filter(|rest| matches!(*rest, "sed" | "tr" | "head" | "tail" | "cut" | "tac"))
        .unwrap_or(name);
    match name {
        "cat" | "bat" | "zsh-cat" => {
            let scan = options(command, "AbeEnstTuvp", "number show-ends show-all plain paging= style= color=");
            let plain = scan.options.iter().all(|(option, _)| matches!(option.as_str(), "u" | "p" | "plain"));
            Some(over(command, &scan.operands, |text| plain.then(|| text.to_owned())))
        }
        "tee" | "pee" | "sponge" | "ts-cat" => Some(over(command, &[], |text| Some(text.to_owned()))),
        "dd" => {
            let (skip, most) = (count_of(command, "skip="), count_of(command, "count="));
            let whole = most.is_none() && skip.is_none();
            let single = command.operands().iter().any(|word| word.literal() == Some("bs=1"));
            Some(over(command, &named(command), |text| match (whole, single) {
                (true, _) => Some(text.to_owned()),
                (false, true) => Some(text.chars().skip(skip.unwrap_or(0)).take(most.unwrap_or(usize::MAX)).collect()),
                (false, false) => None,
            }))
        }
        "pv" | "buffer" | "mbuffer" | "unexpand" | "expand" | "dos2unix" | "unix2dos" | "strings" | "col" | "fmt"
        | "iconv" | "pr" | "column" | "ansifilter" | "ftfy" => {
            let files = behind(command, "ftLiNBbocsSwlhgprTNW");
            Some(beside(command, &files, |text| Some(text.to_owned())))
        }
        "fold" => {
            let files = behind(command, "w");
            let width = widths(command);
            Some(beside(command, &files, |text| match width {
                Some(width) => Some(folded(text, width)),
                None => (text.lines().all(|line| line.len() <= 80)).then(|| text.to_owned()),
            }))
        }
        "rev" => Some(over(command, &named(command), |text| Some(by_line(text, |line| line.chars().rev().collect())))),
        "tac" => Some(over(command, &named(command), |text| Some(lines(text.lines().rev())))),
        "sort" => Some(over(command, &named(command), |text| sorted(command, text))),
        "uniq" => Some(over(command, &named(command), |text| {
            let mut kept: Vec<&str> = text.lines().collect();
            kept.dedup();
            command.operands().is_empty().then(|| lines(kept.into_iter()))
        })),
        "shuf" => Some(over(command, &named(command), |text| (text.lines().count() == 1).then(|| text.to_owned()))),
        "head" | "tail" => Some(ends(name, command)),
        "cut" => Some(columns(command)),
        "tr" => Some(over(command, &[], |text| characters::translated(command, text))),
        "rot13" => Some(over(command, &[], |text| Some(text.chars().map(characters::rot13).collect()))),
        "sed" => Some(stream::sed(command)),
        "grep" | "fgrep" | "egrep" => Some(matching(name, command)),
        "paste" => {
            let scan = options(command, "sd:z", "serial delimiters= zero-terminated");
            let with = scan.values("d delimiters").last().map_or(Some("\t"), Word::literal).map(|text| match text {
                "\\n" => "\n",
                "\\t" => "\t",
                "\\0" => "",
                text => text,
            });
            Some(over(command, &scan.operands, |text| {
                let with = with.filter(|with| with.chars().count() < 2)?;
                let joined: Vec<&str> = text.lines().collect();
                scan.has("s serial").then(|| joined.join(with) + "\n")
            }))
        }
        "nl" => Some(over(command, &named(command), |text| {
            let numbered = text.lines().enumerate().map(|(at, line)| format!("{:6}\t{line}\n", at + 1));
            command.operands().is_empty().then(|| numbered.collect())
        })),
        _ => None,
    }
}

/// Words that are no options; enough for filters whose options take no value or a glued one.
fn named(command: &Command) -> Vec<Word> {
    let mut files = Vec::new();
    for word in command.operands() {
        let text = word.prefix();
        if let Some(file) = text.strip_prefix("if=") {
            files.push(Word::text(file));
        } else if text == "-" || !(text.starts_with('-') || (text.contains('=') && command.program() == Some("dd"))) {
            files.push(word.clone());
        }
    }
    files
}

/// Words that are no options and no value of one of these letters.
fn behind(command: &Command, valued: &str) -> Vec<Word> {
    let mut files = Vec::new();
    let mut words = command.operands().iter();
    while let Some(word) = words.next() {
        let text = word.prefix();
        match text.strip_prefix('-') {
            Some(letters) if letters.chars().count() == 1 && valued.contains(letters) => {
                words.next();
            }
            Some(letters) if !letters.is_empty() => {}
            _ => files.push(word.clone()),
        }
    }
    files
}

/// What is read of the named files and, as a name may be an option's value, of stdin as well.
fn beside(command: &Command, files: &[Word], how: impl FnOnce(&str) -> Option<String>) -> Printed {
    let mut printed = over(command, files, how);
    printed.trace.merge(&command.input.trace);
    printed
}

fn count_of(command: &Command, option: &str) -> Option<usize> {
    let texts = command.operands().iter().filter_map(Word::literal);
    texts.filter_map(|text| text.strip_prefix(option)).next_back().map(|number| number.parse().unwrap_or(usize::MAX))
}

fn widths(command: &Command) -> Option<usize> {
    let texts: Vec<&str> = command.operands().iter().map(Word::prefix).collect();
    let glued = texts.iter().filter_map(|text| text.strip_prefix("-w").or_else(|| text.strip_prefix("--width=")));
    let apart = texts.windows(2).filter_map(|pair| match pair {
        ["-w" | "--width", width] => Some(*width),
        _ => None,
    });
    let old = texts.iter().filter_map(|text| text.strip_prefix('-'));
    glued.chain(apart).chain(old).filter_map(|text| text.parse().ok()).find(|width| *width > 0)
}

fn folded(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut column = 0;
    for c in text.chars() {
        if c != '\n' && column == width {
            out.push('\n');
            column = 0;
        }
        column = if c == '\n' { 0 } else { column + 1 };
        out.push(c);
    }
    out
}

fn over(command: &Command, files: &[Word], how: impl FnOnce(&str) -> Option<String>) -> Printed {
    let input = read(command, files);
    Printed { text: input.text.as_deref().and_then(how), trace: input.trace }
}

fn lines<'a>(all: impl Iterator<Item = &'a str>) -> String {
    all.fold(String::new(), |out, line| out + line + "\n")
}

fn by_line(text: &str, how: impl Fn(&str) -> String) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(line) => how(line) + "\n",
            None => how(line),
        })
        .collect()
}

fn sorted(command: &Command, text: &str) -> Option<String> {
    let mut all: Vec<&str> = text.lines().collect();
    if all.len() > 1 {
        let letters: Option<Vec<&str>> = command.operands().iter().map(Word::literal).collect();
        let letters = letters?.concat();
        if !letters.chars().all(|c| matches!(c, '-' | 'r' | 'u' | 'n')) {
            return None;
        }
        if letters.contains('n') {
            all.sort_by_key(|line| {
                line.split_whitespace().next().and_then(|first| first.parse::<i64>().ok()).unwrap_or(0)
            });
        } else {
            all.sort_unstable();
        }
        if letters.contains('r') {
            all.reverse();
        }
        if letters.contains('u') {
            all.dedup();
        }
    }
    Some(lines(all.into_iter()))
}

fn ends(name: &str, command: &Command) -> Printed {
    let mut scan = options(command, "n:c:qvzf", "lines= bytes= quiet silent verbose follow?");
    let old = scan.options.iter().filter(|(option, _)| option.chars().all(|c| c.is_ascii_digit()));
    let old: String = old.map(|(option, _)| option.as_str()).collect();
    let from_start =
        scan.operands.first().and_then(Word::literal).and_then(|word| word.strip_prefix('+').map(str::to_owned));
    if from_start.is_some() && name == "tail" {
        scan.operands.to_mut().remove(0);
    }
    let count = scan.values("n lines").last().and_then(Word::literal).map(str::to_owned);
    let count = count.or_else(|| from_start.map(|number| format!("+{number}"))).or((!old.is_empty()).then_some(old));
    let bytes = scan.values("c bytes").last().and_then(Word::literal).map(str::to_owned);
    over(command, &scan.operands, |text| {
        let units: Vec<&str> = match &bytes {
            Some(_) => text.char_indices().map(|(at, c)| text.get(at..at + c.len_utf8()).unwrap_or_default()).collect(),
            None => text.split_inclusive('\n').collect(),
        };
        let wish = bytes.as_deref().or(count.as_deref()).unwrap_or("10");
        let number: usize = wish.trim_start_matches(['+', '-']).parse().ok()?;
        let all = units.len();
        let range = match (name, wish.chars().next()) {
            ("head", Some('-')) => 0..all.saturating_sub(number),
            ("head", _) => 0..number.min(all),
            (_, Some('+')) => number.saturating_sub(1).min(all)..all,
            _ => all.saturating_sub(number)..all,
        };
        units.get(range).map(|units| units.concat())
    })
}

fn columns(command: &Command) -> Printed {
    let scan = options(
        command,
        "b:c:f:d:nsz",
        "bytes= characters= fields= delimiter= only-delimited output-delimiter= complement",
    );
    let value = |names: &'static str| scan.values(names).next().and_then(Word::literal).map(str::to_owned);
    let (letters, fields) = (value("c b characters bytes"), value("f fields"));
    let mark = value("d delimiter").and_then(|text| text.chars().next()).unwrap_or('\t');
    let between = value("output-delimiter").unwrap_or_else(|| mark.to_string());
    let simple = !scan.has("complement z");
    over(command, &scan.operands, |text| {
        let list = letters.as_deref().or(fields.as_deref()).filter(|_| simple)?;
        let ranges = ranges(list)?;
        let within = |at: usize| ranges.iter().any(|(from, to)| (*from..=*to).contains(&at));
        Some(by_line(text, |line| {
            if letters.is_some() {
                return line.chars().enumerate().filter(|(at, _)| within(at + 1)).map(|(_, c)| c).collect();
            }
            if !line.contains(mark) {
                return line.to_owned();
            }
            let kept: Vec<&str> =
                line.split(mark).enumerate().filter(|(at, _)| within(at + 1)).map(|(_, field)| field).collect();
            kept.join(&between)
        }))
    })
}

fn ranges(list: &str) -> Option<Vec<(usize, usize)>> {
    let one = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let from = if from.is_empty() { 1 } else { from.parse().ok()? };
        let to = if to.is_empty() { usize::MAX } else { to.parse().ok()? };
        Some((from, to))
    };
    list.split(',').map(one).collect()
}

/// Lines that a pattern chooses, or what it finds in them.
fn matching(name: &str, command: &Command) -> Printed {
    let scan = options(command, "e:f:vioEFPqcnhxwA:B:C:m:", "regexp= file= only-matching invert-match color?");
    let (pattern, files) = match scan.values("e regexp").next() {
        Some(pattern) => (Some(pattern.clone()), scan.operands.as_ref()),
        None => (scan.operands.first().cloned(), scan.operands.get(1..).unwrap_or_default()),
    };
    over(command, files, |text| {
        let pattern = pattern.as_ref().and_then(Word::literal)?;
        let known = |option: &str| matches!(option, "e" | "regexp" | "E" | "F" | "h" | "i" | "v" | "o" | "P");
        let simple = scan.options.iter().all(|(option, _)| known(option));
        let pattern = match (name, scan.has("F"), scan.has("E P")) {
            ("fgrep", ..) | (_, true, _) => regex::escape(pattern),
            ("egrep", ..) | (_, _, true) => pattern.to_owned(),
            _ => stream::translated(pattern)?,
        };
        let letters = if scan.has("i") { stream::Letters::Alike } else { stream::Letters::Apart };
        let pattern = stream::compiled(&pattern, letters).filter(|_| simple)?;
        let invert = scan.has("v invert-match");
        let chosen = text.lines().filter(|line| pattern.is_match(line.as_bytes()) != invert);
        if !scan.has("o only-matching") || invert {
            return Some(lines(chosen));
        }
        let found = |line: &'_ str| -> Vec<String> {
            let all = pattern.find_iter(line.as_bytes());
            all.filter_map(|found| line.get(found.range()).map(str::to_owned)).collect()
        };
        Some(chosen.flat_map(found).fold(String::new(), |out, part| out + &part + "\n"))
    })
}
