//! What in a text is most like something that is not in it, and in what respect it differs.
//!
//! It serves error messages only, so it is bounded in time rather than complete. The surprising decision: texts are
//! first compared with white space, case and look-alike characters folded away all at once, because that single pass
//! finds nearly every slip of a model; counting common character groups comes only after it.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use memchr::memmem;
use serde::Serialize;
use similar::{Algorithm, capture_diff_slices_deadline, diff_ratio};

use super::lines::{Lines, line_number};

/// Time for the whole search, in release builds on one core.
const BUDGET: Duration = Duration::from_millis(15);
/// Texts above this size are searched up to here.
const MAX_TEXT: usize = 2 << 20;
/// Needles above this size are cut here.
const MAX_NEEDLE: usize = 8 << 10;
/// Less alike than this is not worth showing.
const WORTH_SHOWING: f32 = 0.5;
/// Lines and characters of the text shown.
const SHOWN: (usize, usize) = (20, 2000);
/// A line that stands more often in what is wanted votes for these places only.
const MAX_HOMES: usize = 4;
/// Single lines longer than this (minified code) are not compared.
const MAX_LINE: usize = 4 << 10;

/// A place that resembles the text that was not found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NearMiss {
    /// 1-based line where it begins.
    pub line: usize,
    /// What the text has there: whole lines, at most 20 of them and 2,000 characters.
    pub text: String,
    /// How alike it is, 0 to 1.
    pub similarity: f32,
    /// In what respect it differs.
    pub why: Why,
}

/// The respect in which two texts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Spaces, tabs or empty lines.
    Whitespace,
    /// Only the white space at the start of lines.
    Indentation,
    /// Upper and lower case.
    Case,
    /// Typographic quotes, dashes or special spaces instead of the plain ones, or the reverse.
    Lookalikes,
    /// The lines carry the line numbers of a listing.
    LineNumbers,
    /// `\n`, `\t` or `\"` written as two characters, or the reverse.
    Escapes,
    /// Several of these at once.
    Several,
    /// Other words.
    Wording,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whitespace => "white space differs",
            Self::Indentation => "indentation differs",
            Self::Case => "upper and lower case differ",
            Self::Lookalikes => "quotes, dashes or special spaces differ",
            Self::LineNumbers => "it was given with line numbers",
            Self::Escapes => "escape sequences differ",
            Self::Several => "white space, case or special characters differ",
            Self::Wording => "the wording differs",
        })
    }
}

/// Looks for what in `text` is most like `wanted`, which is known not to be in it.
pub(crate) fn near_miss(text: &str, wanted: &str) -> Option<NearMiss> {
    let deadline = Instant::now() + BUDGET;
    let text = cut(text, MAX_TEXT);
    let wanted = cut(wanted, MAX_NEEDLE);
    if wanted.trim().is_empty() {
        return None;
    }
    rewritten(text, wanted).or_else(|| folded(text, wanted)).or_else(|| reworded(text, wanted, deadline))
}

/// The line most like `wanted`, and how alike it is.
pub(crate) fn closest_line<'a>(lines: impl Iterator<Item = &'a str>, wanted: &str) -> Option<(usize, f32)> {
    let deadline = Instant::now() + BUDGET;
    let wanted = cut(wanted, MAX_LINE);
    let grams = Grams::of(wanted);
    let mut best: Vec<(f32, usize, &str)> = Vec::new();
    for (at, line) in lines.enumerate() {
        if at % 1024 == 0 && Instant::now() > deadline {
            break;
        }
        let line = line.trim_ascii();
        if !line.is_empty() && line.len() <= MAX_LINE {
            keep_best(&mut best, (grams.likeness(line), at, line));
        }
    }
    let rated = best.into_iter().map(|(_, at, line)| (at, likeness(line, wanted, deadline)));
    rated.filter(|(_, alike)| *alike >= WORTH_SHOWING).max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Keeps the five best, best first; earlier ones win ties.
fn keep_best<T>(best: &mut Vec<(f32, usize, T)>, candidate: (f32, usize, T)) {
    if candidate.0 > 0.2 {
        let at = best.partition_point(|kept| kept.0 >= candidate.0);
        if at < 5 {
            best.insert(at, candidate);
            best.truncate(5);
        }
    }
}

fn cut(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    text.get(..text.floor_char_boundary(limit)).unwrap_or(text)
}

/// The whole lines that bytes `start..end` touch.
fn shown(text: &str, start: usize, end: usize) -> (usize, String) {
    let from = text.get(..start).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
    let until = text.get(end.saturating_sub(1).max(start)..).and_then(|tail| tail.find('\n'));
    let until = until.map_or(text.len(), |at| end.saturating_sub(1).max(start) + at);
    let body = text.get(from..until).unwrap_or("");
    let lines: Vec<&str> = body.split('\n').take(SHOWN.0).map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let mut body = lines.join("\n");
    if body.len() > SHOWN.1 {
        body.truncate(body.floor_char_boundary(SHOWN.1));
    }
    (line_number(text, start), body)
}

fn found(text: &str, start: usize, length: usize, wanted: &str, why: Why) -> NearMiss {
    let there = text.get(start..start + length).unwrap_or("");
    let similarity = likeness(there, wanted, Instant::now() + Duration::from_millis(2));
    let (line, text) = shown(text, start, start + length);
    NearMiss { line, text, similarity, why }
}

/// Ways in which a model rewrites what it has read: line numbers of a listing kept, escapes spelled out.
fn rewritten(text: &str, wanted: &str) -> Option<NearMiss> {
    let attempts = [
        (without_line_numbers(wanted), Why::LineNumbers),
        (unescaped(wanted), Why::Escapes),
        (wanted.contains('\n').then(|| wanted.replace('\n', "\\n")), Why::Escapes),
    ];
    attempts.into_iter().find_map(|(attempt, why)| {
        let attempt = attempt.filter(|attempt| !attempt.trim().is_empty())?;
        let start = memmem::find(text.as_bytes(), attempt.as_bytes())?;
        Some(found(text, start, attempt.len(), wanted, why))
    })
}

/// Strips `12:`, `12|`, `12→` or `12<tab>` from every line; `None` unless every line that is not blank has one.
fn without_line_numbers(wanted: &str) -> Option<String> {
    let mut out = Vec::new();
    for line in wanted.split('\n') {
        let rest = line.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            if line.trim().is_empty() {
                out.push(line);
                continue;
            }
            return None;
        }
        let rest = rest.get(digits..)?;
        let body = rest.strip_prefix('\t').or_else(|| {
            let rest = rest.trim_start_matches(' ');
            let rest = rest.strip_prefix([':', '|', '→'])?;
            Some(rest.strip_prefix(' ').unwrap_or(rest))
        })?;
        out.push(body);
    }
    Some(out.join("\n"))
}

/// Replaces spelled-out escapes by what they mean; `None` when there are none.
fn unescaped(wanted: &str) -> Option<String> {
    if !wanted.contains('\\') {
        return None;
    }
    let mut out = String::with_capacity(wanted.len());
    let mut chars = wanted.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => {}
            Some(escaped @ ('"' | '\'' | '\\')) => out.push(escaped),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    (out != wanted).then_some(out)
}

/// The plain character that a typographic one stands for.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2007}' | '\u{202f}' => ' ',
        other => other,
    }
}

/// White space (and invisible marks) out, lower case, plain characters.
fn fold(c: char) -> impl Iterator<Item = char> {
    let c = plain(c);
    let skipped = c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}');
    (!skipped).then(|| c.to_lowercase()).into_iter().flatten()
}

fn folded(text: &str, wanted: &str) -> Option<NearMiss> {
    let needle: String = wanted.chars().flat_map(fold).collect();
    if needle.len() < 3 {
        return None;
    }
    // Where each line begins in the folded text; the exact place is found again within the line.
    let mut haystack = String::with_capacity(text.len());
    let mut begins = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        begins.push((haystack.len(), start));
        start += line.len();
        if line.is_ascii() {
            haystack.extend(
                line.bytes()
                    .filter(|c| !c.is_ascii_whitespace() && *c != 11)
                    .map(|c| char::from(c.to_ascii_lowercase())),
            );
        } else {
            haystack.extend(line.chars().flat_map(fold));
        }
    }
    let at = memmem::find(haystack.as_bytes(), needle.as_bytes())?;
    let start = unfold(text, &begins, at, Edge::Start)?;
    let end = unfold(text, &begins, at + needle.len(), Edge::End)?;
    let there = text.get(start..end)?;
    Some(found(text, start, end - start, wanted, respect(there, wanted)))
}

/// Which side of a folded position is meant: skipped characters lie between the two.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Start,
    End,
}

/// The byte of `text` that a position in the folded text came from.
fn unfold(text: &str, begins: &[(usize, usize)], target: usize, edge: Edge) -> Option<usize> {
    let line = begins.partition_point(|(folded, _)| match edge {
        Edge::Start => *folded <= target,
        Edge::End => *folded < target,
    });
    let (mut folded, start) = *begins.get(line.checked_sub(1)?)?;
    for (offset, c) in text.get(start..)?.char_indices() {
        let width: usize = fold(c).map(char::len_utf8).sum();
        match edge {
            Edge::Start if width > 0 && folded + width > target => return Some(start + offset),
            Edge::End if folded + width >= target => return Some(start + offset + c.len_utf8()),
            _ => folded += width,
        }
    }
    None
}

/// What exactly differs between two texts that are the same when folded.
fn respect(there: &str, wanted: &str) -> Why {
    let same = |a: &dyn Fn(&str) -> String| a(there) == a(wanted);
    let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let unindented = |text: &str| text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    let lookalikes = |text: &str| text.chars().map(plain).collect::<String>();
    if same(&|text| unindented(text.trim())) {
        Why::Indentation
    } else if same(&words) {
        Why::Whitespace
    } else if same(&|text| text.trim().to_lowercase()) {
        Why::Case
    } else if same(&|text| lookalikes(text.trim())) {
        Why::Lookalikes
    } else {
        Why::Several
    }
}

/// Lines vote for the place where they would be at home; without votes, the most telling line decides by likeness.
fn reworded(text: &str, wanted: &str, deadline: Instant) -> Option<NearMiss> {
    let lines = Lines::of(text);
    let wanted_lines: Vec<&str> = wanted.lines().collect();
    let mut homes: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in wanted_lines.iter().enumerate() {
        let line = line.trim_ascii();
        if line.chars().filter(|c| c.is_alphanumeric()).count() >= 3 {
            let places = homes.entry(line).or_default();
            if places.len() < MAX_HOMES {
                places.push(at);
            }
        }
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    if wanted_lines.len() > 1 {
        for (at, line) in lines.iter().enumerate() {
            let line = line.trim_ascii();
            for home in homes.get(line).into_iter().flatten() {
                *votes.entry(at.saturating_sub(*home)).or_default() += line.len().min(60);
            }
        }
    }
    let mut candidates: Vec<(usize, usize)> = votes.into_iter().map(|(at, weight)| (weight, at)).collect();
    candidates.sort_unstable_by_key(|(weight, at)| (std::cmp::Reverse(*weight), *at));
    candidates.truncate(3);
    if candidates.is_empty() {
        let (place, telling) = wanted_lines.iter().enumerate().max_by_key(|(_, line)| line.trim().len())?;
        let (at, _) = closest_line((0..lines.len()).map(|at| lines.text(at)), telling.trim())?;
        candidates.push((0, at.saturating_sub(place)));
    }
    let rated = candidates.into_iter().map(|(_, at)| {
        let there = lines.span(at..(at + wanted_lines.len()).min(lines.len()));
        (at, there, likeness(there.trim(), wanted.trim(), deadline + Duration::from_millis(3)))
    });
    let (at, there, similarity) = rated.max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)))?;
    let (_, text) = shown(there, 0, there.len());
    (similarity >= WORTH_SHOWING).then_some(NearMiss { line: at + 1, text, similarity, why: Why::Wording })
}

/// How alike two texts are, 0 to 1: by characters when short, by words when long.
fn likeness(a: &str, b: &str, deadline: Instant) -> f32 {
    if a.len() + b.len() <= 2048 {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        return ratio(&a, &b, deadline);
    }
    let words =
        |text: &'_ str| -> Vec<String> { text.split_inclusive([' ', '\n', '(', '.']).map(str::to_owned).collect() };
    ratio(&words(cut(a, 2 * MAX_NEEDLE)), &words(cut(b, 2 * MAX_NEEDLE)), deadline)
}

fn ratio<T: Eq + std::hash::Hash>(a: &[T], b: &[T], deadline: Instant) -> f32 {
    diff_ratio(&capture_diff_slices_deadline(Algorithm::Myers, a, b, Some(deadline)), a.len(), b.len())
}

/// Which groups of three bytes a line has, as a set of hashes.
struct Grams {
    bits: Vec<u64>,
    count: usize,
}

impl Grams {
    fn of(line: &str) -> Self {
        let mut grams = Self { bits: vec![0; 64], count: 0 };
        for hash in hashes(line) {
            grams.count += 1;
            if let Some(word) = grams.bits.get_mut(hash >> 6) {
                *word |= 1 << (hash & 63);
            }
        }
        grams
    }

    /// Share of common groups, 0 to 1.
    fn likeness(&self, line: &str) -> f32 {
        let (mut all, mut common) = (0_usize, 0_usize);
        for hash in hashes(line) {
            all += 1;
            common += self.bits.get(hash >> 6).map_or(0, |word| (word >> (hash & 63)) & 1) as usize;
        }
        #[allow(clippy::cast_precision_loss)]
        let share = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
        share(2 * common.min(self.count), all + self.count)
    }
}

/// 12-bit hashes of the groups of three bytes of a line.
fn hashes(line: &str) -> impl Iterator<Item = usize> + '_ {
    line.as_bytes().windows(3).map(|group| {
        let mixed =
            group.iter().fold(0_u32, |mixed, byte| mixed.wrapping_mul(31).wrapping_add(u32::from(*byte | 0x20)));
        (mixed.wrapping_mul(0x9E37_79B1) >> 20) as usize
    })
}
