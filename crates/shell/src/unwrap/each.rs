//! Programs that start a command for each of many items: `xargs`, `find`, `fd` and `parallel`.
//!
//! An item that is not known is a hole at the place where it would stand, so that a rule sees what could be there.

use super::build::{Start, script, started, thinned, too_much};
use super::shells::{is_stdin, made};
use super::words::{anything, join, moved, output, replaced, split};
use super::{Inner, Outer, Unwrapped};
use crate::catalogue::has;
use crate::command::{Command, Origin, Surroundings, Trace, UnknownKind, Via, Word};
use crate::options::{Given, Kind, Options, Order, readings};
use std::sync::LazyLock;

mod search;

pub(crate) use search::places_and_tests;

/// Items that are looked at one by one.
const ITEMS: usize = 512;
/// Words that are made of them.
const WORK: usize = 8192;

static XARGS: LazyLock<Options> = LazyLock::new(|| {
    let known = "-0oprtx -adEIJLnPRsS= -eil[=] --null --arg-file= --delimiter= --eof[=] --replace[=] --max-lines[=] \
        --max-args= --open-tty --max-procs= --interactive --process-slot-var= --no-run-if-empty --max-chars= \
        --show-limits --verbose --exit --help --version";
    Options::listed(known)
});

static PARALLEL: LazyLock<Options> = LazyLock::new(|| {
    let known = "-0kmXquvtrUx -jPaInNdSLsCWil= --jobs= --max-procs= --arg-file= --null --keep-order --xargs \
        --delimiter= --colsep= --max-args= --max-replace-args= --quote --ungroup --verbose --dry-run --no-run-if-empty \
        --sshlogin= --sshloginfile= --progress --bar --eta --joblog= --results= --resume --halt= --retries= --timeout= \
        --delay= --tag --tagstring= --line-buffer --pipe --block= --recstart= --recend= --group --tmpdir= \
        --workdir=dir --wd=dir --env= --nice= --load= --memfree= --will-cite --link --header= --trim= --semaphore \
        --id= --fg --shebang --replace[=] --plus --linebuffer";
    Options::listed(known)
});

/// What is started for each item.
pub(super) fn unwrap(command: &Command, surroundings: &Surroundings) -> Option<Unwrapped> {
    let name = command.program()?;
    let inner = match name {
        "xargs" | "gxargs" => xargs(command, name),
        "find" | "gfind" | "bfs" => search::find(command, name),
        "fd" | "fdfind" => search::fd(command, name),
        "parallel" | "rush" | "xapply" | "parallel-moreutils" => parallel(command, name, surroundings),
        "forfiles" | "apply" | "xe" => xargs(command, name),
        _ => return None,
    };
    Unwrapped::of(Outer::Judged, inner)
}

fn start<'a>(command: &'a Command, name: &str) -> Start<'a> {
    Start::new(command, Via::Each(name.to_owned())).without_input()
}

/// A word that is some item of an input.
fn some_item(command: &Command) -> Word {
    let trace = if command.input.trace.is_empty() { Trace::of(Origin::Program) } else { command.input.trace };
    output(trace)
}

fn xargs(command: &Command, name: &str) -> Vec<Inner> {
    let mut found = Vec::new();
    for reading in readings(command.operands(), &XARGS, Order::First) {
        if reading.has("--help --version") {
            continue;
        }
        let words = match reading.operands.as_ref() {
            [] => vec![Word::text("echo")],
            words => words.to_vec(),
        };
        found.extend(for_items(command, name, &reading, words));
        if found.len() > ITEMS {
            break;
        }
    }
    found
}

fn for_items(command: &Command, name: &str, reading: &Given<'_>, words: Vec<Word>) -> Vec<Inner> {
    let start = start(command, name);
    let mut marks = reading.used.iter().filter(|used| has("-I -i --replace -J", &used.name));
    let mark = marks.next_back().and_then(|used| match &used.value {
        Some(mark) => mark.literal().map(str::to_owned),
        None => Some("{}".to_owned()),
    });
    let items = items(command, reading, mark.is_some());
    let Some(items) = items else {
        let item = some_item(command);
        let whole = match &mark {
            Some(mark) => words.iter().map(|word| replaced(word, mark, &item)).collect(),
            None => words.into_iter().chain([item]).collect(),
        };
        return started(&start, whole).into_iter().collect();
    };
    let most =
        reading.values("-n --max-args").next().and_then(Word::literal).and_then(|text| text.parse::<usize>().ok());
    let most = most.filter(|most| *most > 0 && *most < items.len());
    let items = if mark.is_some() || most == Some(1) { thinned(items, |item| item.literal()) } else { items };
    let groups = if mark.is_some() { items.len() } else { most.map_or(1, |most| items.len().div_ceil(most)) };
    if groups > ITEMS || groups * words.len() + items.len() > WORK {
        return vec![too_much(&start)];
    }
    if let Some(mark) = mark {
        let lines = items.iter().map(|item| words.iter().map(|word| replaced(word, &mark, item)).collect());
        return lines.filter_map(|words| started(&start, words)).collect();
    }
    match most {
        Some(most) => {
            let groups = items.chunks(most).map(|group| words.iter().chain(group).cloned().collect());
            groups.filter_map(|words| started(&start, words)).collect()
        }
        None => started(&start, words.into_iter().chain(items).collect()).into_iter().collect(),
    }
}

/// The items of the input, when they are known.
fn items(command: &Command, reading: &Given<'_>, by_line: bool) -> Option<Vec<Word>> {
    // A file that a substitution prints is handed over as the input.
    if reading.values("-a --arg-file").any(|file| !is_stdin(file) && made(file).is_none()) {
        return None;
    }
    let text = command.input.text.as_deref()?;
    let delimiter = reading.values("-d --delimiter").next().and_then(Word::literal).map(|text| match text {
        "\\n" => '\n',
        "\\0" => '\0',
        "\\t" => '\t',
        text => text.chars().next().unwrap_or('\n'),
    });
    let all: Vec<String> = if reading.has("-0 --null") {
        // A shell text cannot hold a NUL, so what folded one away left the items side by side.
        let mark = if text.contains('\0') { '\0' } else { '\n' };
        text.split(mark).filter(|item| !item.is_empty()).map(str::to_owned).collect()
    } else if let Some(mark) = delimiter {
        text.strip_suffix('\n').unwrap_or(text).split(mark).map(str::to_owned).collect()
    } else if by_line {
        text.lines().map(|line| split_line(line.trim_start())).filter(|line| !line.is_empty()).collect()
    } else {
        split(text)
    };
    Some(all.into_iter().map(Word::text).collect())
}

/// A line as one item: quotes are taken away, blanks stay.
fn split_line(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, '\\') => out.extend(chars.next()),
            (_, c) => out.push(c),
        }
    }
    out
}

/// GNU parallel gives what it puts together to a shell; moreutils' starts it.
fn parallel(command: &Command, name: &str, surroundings: &Surroundings) -> Vec<Inner> {
    let mut found = Vec::new();
    for reading in readings(command.operands(), &PARALLEL, Order::First) {
        let mut start = start(command, name);
        for to in reading.of(Kind::Directory) {
            start.directory = moved(&start.directory, to, surroundings.home.as_deref());
        }
        let is_mark = |word: &Word| matches!(word.literal(), Some(":::" | "::::" | ":::+" | "::::+" | "--"));
        let place = reading.operands.iter().position(is_mark).unwrap_or(reading.operands.len());
        let (words, after) = reading.operands.split_at(place);
        // What follows `--` are the items of moreutils' and words of GNU's own command.
        if after.first().and_then(Word::literal) == Some("--") && !words.is_empty() {
            found.push(script(&start, join(reading.operands.iter(), " "), Vec::new()));
        }
        let items: Vec<Word> = match after.split_first() {
            Some((mark, _)) if mark.prefix().starts_with("::::") => vec![output(Trace::of(Origin::File))],
            Some((_, items)) => items.iter().filter(|word| !is_mark(word)).cloned().collect(),
            None if reading.has("--pipe") => Vec::new(),
            None => items(command, &reading, true).unwrap_or_else(|| vec![some_item(command)]),
        };
        let mark = reading.values("-I").last().and_then(Word::literal).unwrap_or("{}");
        let items = thinned(items, |item| item.literal());
        if items.len() > ITEMS || (items.len() + 1) * (words.len() + 1) > WORK {
            found.push(too_much(&start));
            continue;
        }
        for item in &items {
            found.push(script(&start, with_item(words, item, mark), Vec::new()));
            if words.is_empty() {
                continue;
            }
            let plain = words.iter().cloned().chain([item.clone()]).collect();
            found.extend(
                started(&start, plain).filter(|_| !words.iter().any(|word| word.to_string().contains(['{', ' ']))),
            );
        }
        if items.is_empty() && !words.is_empty() {
            found.push(script(&start, join(words, " "), Vec::new()));
        }
    }
    found
}

/// The text for one item: its marks replaced, or the item added.
fn with_item(words: &[Word], item: &Word, mark: &str) -> Word {
    const MARKS: &str = "{} {1} {.} {/} {//} {/.} {1.} {2} {+}";
    let whole = join(words, " ");
    let text = whole.to_string();
    if mark != "{}" && text.contains(mark) {
        return replaced(&whole, mark, item);
    }
    if !MARKS.split(' ').any(|mark| text.contains(mark)) {
        return if words.is_empty() { item.clone() } else { join([&whole, item], " ") };
    }
    let known = |mark: &str| matches!(mark, "{}" | "{1}");
    MARKS.split(' ').fold(whole, |out, mark| {
        let with = if known(mark) { item.clone() } else { anything(UnknownKind::Other) };
        replaced(&out, mark, &with)
    })
}
