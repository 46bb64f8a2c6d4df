//! `{a,b}` and `{1..9}`.

use crate::command::UnknownKind;
use crate::read::grammar::tree::{Change, Form, Parameter, Part, Word};
use crate::read::grammar::with_holes;
use crate::read::limits::{Limit, Within};
use crate::read::walk::Walker;
use crate::unwrap::words::something;
use std::rc::Rc;

/// Opening braces that one word may have.
const OPEN: usize = 64;
/// Words that one word may become.
const WORDS: usize = 16_384;
/// Numbers of one range that are told apart.
const COUNTED: usize = 512;
/// The longest range: the shell makes a word of each number before it begins.
const RANGE: u64 = 1 << 20;

/// Whether a word has braces at all.
pub(super) fn any(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Raw(text) if text.contains('{')))
}

impl Walker<'_> {
    /// The words that braces make of one.
    pub(super) fn braced(&mut self, word: &Word) -> Within<Vec<Word>> {
        let raw = word.parts.iter().filter_map(|part| if let Part::Raw(text) = part { Some(text) } else { None });
        let opens: usize = raw.map(|text| text.matches('{').count()).sum();
        if opens > OPEN {
            return Err(Limit::Expansion);
        }
        let parts = apart(&word.parts);
        self.budget.copy(parts.len() * opens)?;
        let words = self.expanded(&parts, OPEN)?;
        Ok(words.into_iter().map(|parts| Word { parts: joined(parts) }).collect())
    }

    fn expanded(&mut self, parts: &[Part], depth: usize) -> Within<Vec<Vec<Part>>> {
        self.budget.copy(parts.len())?;
        let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
        for (open, _) in parts.iter().enumerate().filter(|(_, part)| is(part, "{")) {
            let Some((close, commas)) = matching(parts, open) else { continue };
            let middle = if commas.is_empty() {
                let Some(range) = self.range(parts.get(open + 1..close).unwrap_or_default())? else { continue };
                range
            } else {
                let mut middle = Vec::new();
                let mut from = open + 1;
                for end in commas.into_iter().chain([close]) {
                    middle.extend(self.expanded(parts.get(from..end).unwrap_or_default(), depth)?);
                    from = end + 1;
                }
                middle
            };
            let head = parts.get(..open).unwrap_or_default();
            let tails = self.expanded(parts.get(close + 1..).unwrap_or_default(), depth)?;
            if middle.len() * tails.len() > WORDS {
                return Err(Limit::Expansion);
            }
            self.budget.words(middle.len() * tails.len())?;
            let length: usize = tails.iter().chain(&middle).map(Vec::len).max().unwrap_or(0) + head.len() + 1;
            self.budget.copy(middle.len() * tails.len() * length * 8)?;
            let mut all = Vec::with_capacity(middle.len() * tails.len());
            for one in &middle {
                for tail in &tails {
                    all.push(joined(head.iter().chain(one).chain(tail).cloned().collect()));
                }
            }
            return Ok(all);
        }
        Ok(vec![parts.to_vec()])
    }

    /// `1..9`, `01..10..2`, `a..e`.
    fn range(&mut self, inner: &[Part]) -> Within<Option<Vec<Vec<Part>>>> {
        let [Part::Raw(text)] = inner else { return Ok(None) };
        let Some((from, last, step)) = ends(text) else { return Ok(None) };
        let count = from.value.abs_diff(last.value) / step;
        if count > RANGE {
            return Err(Limit::Expansion);
        }
        let width = if from.padded || last.padded { from.width.max(last.width) } else { 0 };
        let shown = |number: u64| {
            let distance = i64::try_from(number * step).unwrap_or(i64::MAX);
            let value = from.value.saturating_add(if last.value < from.value { -distance } else { distance });
            match u8::try_from(value).ok().filter(|_| from.letter) {
                Some(letter) => char::from(letter).to_string(),
                None => format!("{value:0width$}"),
            }
        };
        let mut all: Vec<Vec<Part>> = (0..=count).take(COUNTED).map(|number| vec![Part::Raw(shown(number))]).collect();
        // A long count is no thousand different things; of what is left out only the kind is known.
        if count >= COUNTED as u64 {
            all.push(with_holes(&self.flattened(&something(UnknownKind::Number))?));
        }
        Ok(Some(all))
    }
}

/// One end of a range.
struct End {
    value: i64,
    letter: bool,
    padded: bool,
    width: usize,
}

fn ends(text: &str) -> Option<(End, End, u64)> {
    let mut all = text.split("..");
    let (first, last) = (end(all.next()?)?, end(all.next()?)?);
    let step = all.next().map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    (all.next().is_none() && first.letter == last.letter).then_some((first, last, step))
}

fn end(text: &str) -> Option<End> {
    let digits = text.trim_start_matches('-');
    let padded = digits.len() > 1 && digits.starts_with('0');
    let (value, letter) = match (text.parse(), text.as_bytes()) {
        (Ok(value), _) => (value, false),
        (_, [letter]) if letter.is_ascii_alphabetic() => (i64::from(*letter), true),
        _ => return None,
    };
    Some(End { value, letter, padded, width: text.len() })
}

/// Parts in which every unquoted brace and comma stands alone.
fn apart(parts: &[Part]) -> Vec<Part> {
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Raw(text) => {
                let mut rest = text.as_str();
                while !rest.is_empty() {
                    let place = rest.find(['{', ',', '}']).unwrap_or(rest.len());
                    let (one, after) = rest.split_at(place.max(1));
                    out.push(Part::Raw(one.to_owned()));
                    rest = after;
                }
            }
            other => out.push(other.clone()),
        }
    }
    out
}

fn is(part: &Part, mark: &str) -> bool {
    matches!(part, Part::Raw(text) if text == mark)
}

/// The closing brace of an opening one, and the commas that belong to it.
fn matching(parts: &[Part], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut level = 0_usize;
    let mut commas = Vec::new();
    for (place, part) in parts.iter().enumerate().skip(open + 1) {
        match part {
            Part::Raw(text) if text == "{" => level += 1,
            Part::Raw(text) if text == "}" && level == 0 => return Some((place, commas)),
            Part::Raw(text) if text == "}" => level -= 1,
            Part::Raw(text) if text == "," && level == 0 => commas.push(place),
            _ => {}
        }
    }
    None
}

fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match (out.last_mut(), part) {
            (Some(Part::Raw(before)), Part::Raw(more)) => before.push_str(&more),
            // Braces come first: `{$x,y}z` is `$xz yz`.
            (Some(Part::Parameter(before)), Part::Raw(more))
                if before.form == Form::Bare && before.name.starts_with(|c: char| c.is_alphabetic() || c == '_') =>
            {
                let end = more.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(more.len());
                let (tail, rest) = more.split_at(end);
                let name = format!("{}{tail}", before.name);
                *before = Rc::new(Parameter { name, index: None, form: Form::Bare, change: Change::None });
                if !rest.is_empty() {
                    out.push(Part::Raw(rest.to_owned()));
                }
            }
            (_, part) => out.push(part),
        }
    }
    out
}
