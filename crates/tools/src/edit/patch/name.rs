//! File names in patch headers: quoting, time stamps, and the prefixes that diff tools put before a path.
//!
//! It refuses to guess between two files. The surprising decision: `a/` and `b/` are only prefixes as a pair (or beside
//! `/dev/null`), so a real folder called `a` survives.

use std::ops::Range;

use super::error::PatchErrorKind;

/// Prefix pairs that git writes, plain and with `diff.mnemonicPrefix`; either may come first.
const PREFIXES: [(&str, &str); 6] =
    [("a/", "b/"), ("i/", "w/"), ("c/", "w/"), ("c/", "i/"), ("o/", "w/"), ("1/", "2/")];
/// Spaces in a `diff --git` line beyond which it is not split into two names.
const MAX_SPACES: usize = 64;

/// The name on a `---` or `+++` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) name: String,
    pub(super) stamp: Stamp,
}

/// What the time stamp after a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// Nothing about whether the file exists.
    Silent,
    /// The start of 1970 in some time zone, which `diff -N` writes for a file that is missing.
    Epoch,
}

/// Reads what follows `--- ` or `+++ `.
pub(super) fn read(rest: &str) -> Result<Side, PatchErrorKind> {
    let (name, stamp) = match rest.strip_prefix('"') {
        Some(_) => unquote(rest)?,
        None => {
            let tabs = rest.match_indices('\t').map(|(at, _)| rest.split_at(at));
            let (name, stamp) = tabs.into_iter().find(|(_, stamp)| is_stamp(stamp)).unwrap_or_else(|| spaced(rest));
            if name.contains('\t') && stamp.trim().is_empty() {
                return Err(PatchErrorKind::NameTab(name.to_owned()));
            }
            (accept(name.to_owned(), rest)?, stamp)
        }
    };
    let stamp = if is_epoch(stamp) { Stamp::Epoch } else { Stamp::Silent };
    Ok(Side { name, stamp })
}

/// Reads what follows `rename from ` and the like: the whole line is the name.
pub(super) fn whole(rest: &str) -> Result<String, PatchErrorKind> {
    let name = if rest.starts_with('"') { unquote(rest)?.0 } else { accept(rest.to_owned(), rest)? };
    Ok(tidy(&name))
}

/// Reads a git-quoted name and returns what follows the closing quote.
fn unquote(rest: &str) -> Result<(String, &str), PatchErrorKind> {
    let bad = || PatchErrorKind::Name(rest.to_owned());
    let mut bytes = Vec::new();
    let mut at = rest.strip_prefix('"').ok_or_else(bad)?.char_indices();
    while let Some((index, c)) = at.next() {
        match c {
            '"' => {
                let after = rest.get(index + 2..).unwrap_or("");
                let name = String::from_utf8(bytes).map_err(|_| bad())?;
                return Ok((accept(name, rest)?, after));
            }
            '\\' => {
                let (_, escaped) = at.next().ok_or_else(bad)?;
                bytes.push(match escaped {
                    'a' => 7,
                    'b' => 8,
                    't' => b'\t',
                    'n' => b'\n',
                    'v' => 11,
                    'f' => 12,
                    'r' => b'\r',
                    '"' => b'"',
                    '\\' => b'\\',
                    '0'..='3' => {
                        let mut value = escaped.to_digit(8).ok_or_else(bad)?;
                        for _ in 0..2 {
                            let (_, digit) = at.next().ok_or_else(bad)?;
                            value = value * 8 + digit.to_digit(8).ok_or_else(bad)?;
                        }
                        u8::try_from(value).map_err(|_| bad())?
                    }
                    _ => return Err(bad()),
                });
            }
            c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Err(bad())
}

pub(super) fn accept(name: String, raw: &str) -> Result<String, PatchErrorKind> {
    match name.as_str() {
        _ if name.contains('\n') => Err(PatchErrorKind::NameBreak(raw.to_owned())),
        _ if name.is_empty() || name.contains('\0') => Err(PatchErrorKind::Name(raw.to_owned())),
        _ => Ok(name),
    }
}

/// Splits ` 2024-01-31 10:20:30[.fraction][ +0100]` off, for patches whose tab became a space.
fn spaced(rest: &str) -> (&str, &str) {
    let name = rest.trim_end();
    let mut head = name;
    if let Some((before, zone)) = head.rsplit_once(' ')
        && zone.len() == 5
        && zone.starts_with(['+', '-'])
    {
        head = before.trim_end();
    }
    let parts = head.rsplit_once(' ').and_then(|(head, time)| Some((head.trim_end().rsplit_once(' ')?, time)));
    let Some(((head, date), time)) = parts else { return (name, "") };
    let clock = time.split_once('.').map_or(time, |(clock, _)| clock);
    let head = head.trim_end();
    if like(clock, "00:00:00") && like(date, "0000-00-00") && !head.is_empty() {
        name.split_at_checked(head.len()).unwrap_or((name, ""))
    } else {
        (name, "")
    }
}

/// Whether what follows a tab is no part of the name: nothing, `(revision 7)`, or a date as GNU diff, Mercurial, CVS and
/// Perforce write it.
fn is_stamp(rest: &str) -> bool {
    let rest = rest.trim();
    let word = rest.split_whitespace().next().unwrap_or("");
    let second = rest.split_whitespace().nth(1).unwrap_or("");
    let day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(&word.trim_end_matches(','));
    rest.is_empty()
        || (rest.starts_with('(') && rest.ends_with(')'))
        || ["0000-00-00", "0000/00/00"].iter().any(|shape| like(word, shape))
        || (day && !second.is_empty())
        || ((like(word, "0") || like(word, "00")) && second.len() == 3 && rest.contains(':'))
}

/// Whether a time stamp is the start of 1970. Without a zone it may be that of any place.
fn is_epoch(stamp: &str) -> bool {
    let words: Vec<&str> = stamp.split_whitespace().collect();
    let (days, clock, zone) = match words.as_slice() {
        ["1970-01-01", clock, zone @ ..] | ["Thu", "Jan", "1" | "01", clock, "1970", zone @ ..] => (0, clock, zone),
        ["1969-12-31", clock, zone @ ..] | ["Wed", "Dec", "31", clock, "1969", zone @ ..] => (-1, clock, zone),
        _ => return false,
    };
    let Some(minutes) = minutes(clock) else { return false };
    zone.first().is_none_or(|zone| offset(zone) == Some(days * 24 * 60 + minutes))
}

/// `HH:MM:00[.000]` in minutes.
fn minutes(clock: &str) -> Option<i32> {
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let whole = like(clock, "00:00:00") && clock.ends_with(":00") && fraction.bytes().all(|c| c == b'0');
    let number = |range: Range<usize>| clock.get(range)?.parse::<i32>().ok();
    if whole { Some(number(0..2)? * 60 + number(3..5)?) } else { None }
}

/// `+HHMM` or `+HH:MM` in minutes.
fn offset(zone: &str) -> Option<i32> {
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", digits) => (1, digits.replace(':', "")),
        ("-", digits) => (-1, digits.replace(':', "")),
        _ => return None,
    };
    let number = |range: Range<usize>| digits.get(range)?.parse::<i32>().ok();
    if like(&digits, "0000") { Some(sign * (number(0..2)? * 60 + number(2..4)?)) } else { None }
}

/// Whether `text` is `shape` with any digit for each `0`.
fn like(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(|(c, s)| if s == b'0' { c.is_ascii_digit() } else { c == s })
}

/// Whether the header says that there is no file on this side.
pub(super) fn is_absent(name: &str) -> bool {
    name == "/dev/null"
}

/// The names without their prefixes, when these are a pair that git writes by itself.
fn without_prefixes<'n>(old: &'n str, new: &'n str) -> Option<(&'n str, &'n str)> {
    PREFIXES
        .iter()
        .flat_map(|(a, b)| [(a, b), (b, a)])
        .find_map(|(a, b)| Some((old.strip_prefix(*a)?, new.strip_prefix(*b)?)))
}

/// The one path that a pair of header names stands for.
pub(super) fn agree(old: &str, new: &str) -> Result<String, PatchErrorKind> {
    if let Some((left, right)) = without_prefixes(old, new)
        && left == right
    {
        return Ok(tidy(left));
    }
    if old == new {
        return Ok(tidy(new));
    }
    let (left, right) = (alone(old), alone(new));
    if left == right {
        return Ok(tidy(right));
    }
    let backup = [".orig", "~", ".bak", ".old"].iter().any(|end| left.strip_suffix(end) == Some(right));
    if backup {
        return Ok(tidy(right));
    }
    // `diff -r proj-1.0 proj`: what `patch` calls -p1, or -p2 for `diff -r old/proj new/proj`.
    match tail(old, new) {
        Some((path, Depth::Same)) => Ok(path),
        _ => Err(PatchErrorKind::TwoNames(tidy(left), tidy(right))),
    }
}

/// What both names end with, when two trees are compared: the folders before it differ from the first one on. Two paths
/// of one tree are two files.
fn tail(old: &str, new: &str) -> Option<(String, Depth)> {
    if without_prefixes(old, new).is_some() {
        return None;
    }
    let (left, right): (Vec<&str>, Vec<&str>) = (old.split('/').collect(), new.split('/').collect());
    let shared = left.iter().rev().zip(right.iter().rev()).take_while(|(one, other)| one == other).count();
    let (before, path) = left.split_at_checked(left.len() - shared)?;
    let after = right.get(..right.len() - shared)?;
    let plain = |folder: &&str| !matches!(*folder, "" | "." | "..");
    let apart = before.first() != after.first() && before.iter().chain(after).all(plain);
    let depth = if before.len() == after.len() { Depth::Same } else { Depth::Different };
    (apart && !path.concat().is_empty()).then(|| (tidy(&path.join("/")), depth))
}

/// A name whose partner is `/dev/null`, or that stands alone.
pub(super) fn alone(name: &str) -> &str {
    name.strip_prefix("b/").or_else(|| name.strip_prefix("a/")).filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Drops `./` and doubled slashes, so that one file has one name within a patch. `..` stays for the workspace to judge.
pub(super) fn tidy(path: &str) -> String {
    if !path.contains("//") && !path.contains("./") {
        return path.to_owned();
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    let kept: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    format!("{root}{}", kept.join("/"))
}

/// The two names of a `diff --git` line and the path that they stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitNames {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) path: String,
}

/// Reads `diff --git a/NAME b/NAME`. `None` when it does not say which file is meant, as in a rename; other lines do then.
pub(super) fn from_git_header(rest: &str) -> Result<Option<GitNames>, PatchErrorKind> {
    if rest.starts_with('"') {
        let (old, after) = unquote(rest)?;
        let Some(new) = after.strip_prefix(' ') else { return Ok(None) };
        let new = if new.starts_with('"') { unquote(new)?.0 } else { new.to_owned() };
        return Ok(below_prefixes(&old, &new).map(|(names, _)| names));
    }
    if let Some(at) = rest.find(" \"") {
        let (old, new) = rest.split_at(at);
        let new = unquote(new.get(1..).unwrap_or(""))?.0;
        return Ok(below_prefixes(old, &new).map(|(names, _)| names));
    }
    let rest = rest.trim_end();
    let middle = rest.len() / 2;
    let split = |at: usize| below_prefixes(rest.get(..at)?, rest.get(at + 1..)?);
    if rest.as_bytes().get(middle) == Some(&b' ')
        && let Some((names, _)) = split(middle)
    {
        return Ok(Some(names));
    }
    if rest.bytes().filter(|byte| *byte == b' ').count() > MAX_SPACES {
        return Ok(None);
    }
    let mut found: Vec<_> = rest.match_indices(' ').filter_map(|(at, _)| split(at)).collect();
    if found.iter().any(|(_, depth)| *depth == Depth::Same) {
        found.retain(|(_, depth)| *depth == Depth::Same);
    }
    Ok(found.pop().filter(|_| found.is_empty()).map(|(names, _)| names))
}

/// Whether the prefixes of a pair of names have as many folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Same,
    Different,
}

/// git names one file twice, each time below a prefix that may be of any length.
fn below_prefixes(old: &str, new: &str) -> Option<(GitNames, Depth)> {
    let (path, depth) = match without_prefixes(old, new) {
        Some((left, right)) => (tidy(Some(left).filter(|left| *left == right && !left.is_empty())?), Depth::Same),
        None if old == new => (tidy(Some(old).filter(|old| !old.is_empty())?), Depth::Same),
        None => tail(old, new)?,
    };
    Some((GitNames { old: old.to_owned(), new: new.to_owned(), path }, depth))
}

#[cfg(test)]
mod tests;
