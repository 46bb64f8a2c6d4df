//! `sed` as far as it only puts one text in another's place.

use super::super::{Printed, options, read};
use crate::command::{Command, Word};
use crate::unwrap::words::LIMIT;
use regex::bytes::{Regex, RegexBuilder};

const MOST: usize = 256;
/// Bytes that one substitution may make.
const MADE: usize = 4 * 1024 * 1024;

/// How patterns are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patterns {
    Basic,
    Extended,
}

/// What `sed` prints: known for substitutions, transliterations and line choices of simple shape.
pub(super) fn sed(command: &Command) -> Printed {
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
    let input = read(command, files);
    let mut trace = input.trace.clone();
    trace.merge(&super::super::words_trace(&scripts.iter().map(|word| (*word).clone()).collect::<Vec<_>>()));
    let silent = scan.has("n quiet silent");
    let patterns = if scan.has("E r regexp-extended") { Patterns::Extended } else { Patterns::Basic };
    let known: Option<Vec<&str>> = scripts.iter().map(|word| word.literal()).collect();
    let text = input.text.as_deref().zip(known).filter(|_| !scan.has("f file i in-place z null-data")).and_then(
        |(text, scripts)| match (silent, scripts.as_slice()) {
            (true, [script]) => shown(text, script, patterns),
            (true, _) => None,
            (false, scripts) => {
                scripts.iter().try_fold(text.to_owned(), |text, script| edited(&text, script, patterns))
            }
        },
    );
    Printed { text, trace }
}

/// What `-n` leaves: lines by number, by pattern, or what a substitution with `p` changes.
fn shown(text: &str, script: &str, patterns: Patterns) -> Option<String> {
    let script = script.trim();
    let (all, last) = (text.split_inclusive('\n'), text.split_inclusive('\n').count());
    if script.starts_with('s') && script.ends_with('p') {
        let changed = |line: &str| one(line, script.strip_suffix('p')?, patterns);
        let lines: Option<Vec<(&str, String)>> = all.map(|line| Some((line, changed(line)?))).collect();
        return Some(lines?.into_iter().filter(|(before, after)| before != after).map(|(_, after)| after).collect());
    }
    let choice = script.strip_suffix('p')?.trim();
    if let Some(pattern) = choice.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        let pattern = if patterns == Patterns::Basic { translated(pattern)? } else { pattern.to_owned() };
        let pattern = compiled(&pattern, Letters::Apart)?;
        return Some(all.filter(|line| pattern.is_match(line.as_bytes())).collect());
    }
    let number = |text: &str| if text == "$" { Some(last) } else { text.parse().ok() };
    let (from, to) = match choice.split_once(',') {
        _ if choice.is_empty() => (1, last),
        Some((from, to)) => (number(from)?, number(to)?),
        None => (number(choice)?, number(choice)?),
    };
    Some(all.skip(from.checked_sub(1)?).take((to + 1).saturating_sub(from)).collect())
}

fn edited(text: &str, script: &str, patterns: Patterns) -> Option<String> {
    let mut text = text.to_owned();
    let mut rest = script.trim();
    for _ in 0..MOST {
        rest = rest.trim_start_matches([';', ' ', '\n', '\t', '}']);
        if rest.is_empty() {
            return Some(text);
        }
        let (own, after) = command_end(rest)?;
        text = one(&text, own, patterns)?;
        rest = after;
    }
    None
}

/// A command and what follows it.
fn command_end(script: &str) -> Option<(&str, &str)> {
    let kind = script.chars().next()?;
    let end = match kind {
        's' | 'y' => {
            let mark = script.chars().nth(1)?;
            let mut marks = 0;
            let mut escaped = false;
            let mut end = None;
            for (at, c) in script.char_indices().skip(2) {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    c if c == mark && marks < 2 => marks += 1,
                    ';' | '\n' | '}' if marks == 2 => {
                        end = Some(at);
                        break;
                    }
                    _ => {}
                }
            }
            end.unwrap_or(script.len())
        }
        _ => script.find([';', '\n', '}']).unwrap_or(script.len()),
    };
    Some((script.get(..end)?, script.get(end..)?))
}

fn one(text: &str, command: &str, patterns: Patterns) -> Option<String> {
    let command = command.trim();
    match command {
        "" | "p" => return Some(text.to_owned()),
        "q" | "1q" => return Some(text.split_inclusive('\n').take(1).collect()),
        "d" => return Some(String::new()),
        "1d" => return Some(text.split_inclusive('\n').skip(1).collect()),
        "$d" => {
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            return Some(all.get(..all.len().saturating_sub(1))?.concat());
        }
        _ => {}
    }
    let parts = substitute(command)?;
    if command.starts_with('y') {
        let (from, to): (Vec<char>, Vec<char>) = (parts.0.chars().collect(), parts.1.chars().collect());
        let moved = |c: char| from.iter().position(|own| *own == c).and_then(|at| to.get(at).copied()).unwrap_or(c);
        return Some(text.chars().map(moved).collect());
    }
    let (pattern, replacement, flags) = parts;
    put(text, (&pattern, &replacement, &flags), patterns)
}

/// A substitution in every line; basic and extended patterns are tried.
pub(in crate::unwrap) fn substituted(text: &str, parts: (&str, &str, &str)) -> Option<String> {
    put(text, parts, Patterns::Basic).or_else(|| put(text, parts, Patterns::Extended))
}

fn put(text: &str, (pattern, replacement, flags): (&str, &str, &str), patterns: Patterns) -> Option<String> {
    if !flags.chars().all(|c| matches!(c, 'g' | 'I' | 'i')) {
        return None;
    }
    let pattern = match patterns {
        Patterns::Extended => pattern.to_owned(),
        Patterns::Basic => translated(pattern)?,
    };
    let letters = if flags.contains(['i', 'I']) { Letters::Alike } else { Letters::Apart };
    let pattern = compiled(&pattern, letters)?;
    let replacement = replaced_by(replacement)?;
    let global = flags.contains('g');
    let places = if global { text.len() + 1 } else { text.lines().count() };
    if places.saturating_mul(replacement.len()) > MADE {
        return None;
    }
    let mut out = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let most = usize::from(!global);
        out.extend_from_slice(&pattern.replacen(bare.as_bytes(), most, replacement.as_bytes()));
        out.extend_from_slice(line.get(bare.len()..).unwrap_or_default().as_bytes());
    }
    String::from_utf8(out).ok().filter(|out| out.len() <= LIMIT)
}

/// Whether large letters are small ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    Alike,
    Apart,
}

/// A pattern over bytes: those over characters take a thousand times as long to compile.
pub(super) fn compiled(pattern: &str, letters: Letters) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    builder.unicode(false).case_insensitive(letters == Letters::Alike).size_limit(1 << 16).dfa_size_limit(1 << 16);
    builder.build().ok()
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

/// A basic pattern as an extended one; only what both share, and groups.
pub(super) fn translated(pattern: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                group @ ('(' | ')' | '+' | '?' | '|' | '{' | '}') => out.push(group),
                digit if digit.is_ascii_digit() => return None,
                other => out.extend(['\\', other]),
            },
            '(' | ')' | '+' | '?' | '|' | '{' | '}' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    Some(out)
}

fn replaced_by(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '$' => out.push_str("$$"),
            '&' => out.push_str("${0}"),
            '\\' => match chars.next()? {
                digit if digit.is_ascii_digit() => out.push_str(&format!("${{{digit}}}")),
                'n' => out.push('\n'),
                't' => out.push('\t'),
                '$' => out.push_str("$$"),
                'U' | 'L' | 'u' | 'l' | 'E' => return None,
                other => out.push(other),
            },
            c => out.push(c),
        }
    }
    Some(out)
}
