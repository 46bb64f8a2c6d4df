//! `{a,b}` and `{1..9}`.

use crate::command::{Piece, Unknown, UnknownKind};
use crate::read::grammar::tree::{Change, Form, Parameter, Part, Word};
use crate::read::limits::{Limit, Within};
use crate::read::walk::Walker;
use std::rc::Rc;

/// Opening braces that one word may have.
const OPEN: usize = 64;
/// Words that one word may become.
const WORDS: usize = 16_384;
/// Numbers of one range that are told apart.
const COUNTED: usize = 512;
/// The longest range: the shell makes a word of each number before it begins.
const RANGE: u64 = 1 << 20;

/// A character of the brace language, or what stands between.
#[derive(Clone, Debug)]
enum Token {
    Open,
    Comma,
    Close,
    Part(Part),
}

/// Whether a word has braces at all.
pub(super) fn any(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Raw(text) if text.contains('{')))
}

impl Walker<'_> {
    /// The words that braces make of one.
    pub(super) fn braced(&mut self, word: &Word) -> Within<Vec<Word>> {
        let opens: usize =
            word.parts.iter().map(|part| if let Part::Raw(text) = part { text.matches('{').count() } else { 0 }).sum();
        if opens > OPEN {
            return Err(Limit::Expansion);
        }
        let tokens = tokens(&word.parts);
        self.budget.copy(tokens.len() * opens)?;
        let words = self.expanded(&tokens, OPEN)?;
        Ok(words.into_iter().map(|parts| Word { parts: merged(parts) }).collect())
    }

    fn expanded(&mut self, tokens: &[Token], depth: usize) -> Within<Vec<Vec<Part>>> {
        self.budget.copy(tokens.len())?;
        let depth = depth.checked_sub(1).ok_or(Limit::Depth)?;
        for (open, _) in tokens.iter().enumerate().filter(|(_, token)| matches!(token, Token::Open)) {
            let Some((close, commas)) = matching(tokens, open) else { continue };
            let inner = tokens.get(open + 1..close).unwrap_or_default();
            let middle = if commas.is_empty() {
                let Some(mut range) = range(inner)? else { continue };
                // A long count is no thousand different things; of what is left out only the kind is known.
                if range.len() > COUNTED {
                    range.truncate(COUNTED);
                    let unknown = Unknown { kind: UnknownKind::Number, splits: false, may_be_empty: false };
                    range.push(vec![self.hole_part(Piece::Unknown(unknown))?]);
                }
                range
            } else {
                let mut middle = Vec::new();
                let mut from = open + 1;
                for end in commas.into_iter().chain([close]) {
                    middle.extend(self.expanded(tokens.get(from..end).unwrap_or_default(), depth)?);
                    from = end + 1;
                }
                middle
            };
            let head: Vec<Part> = tokens.get(..open).unwrap_or_default().iter().map(written).collect();
            let tails = self.expanded(tokens.get(close + 1..).unwrap_or_default(), depth)?;
            if middle.len() * tails.len() > WORDS {
                return Err(Limit::Expansion);
            }
            self.budget.words(middle.len() * tails.len())?;
            let parts: usize = tails.iter().chain(&middle).map(Vec::len).max().unwrap_or(0) + head.len() + 1;
            self.budget.copy(middle.len() * tails.len() * parts * 8)?;
            let mut all = Vec::with_capacity(middle.len() * tails.len());
            for one in &middle {
                for tail in &tails {
                    all.push(merged(head.iter().chain(one).chain(tail).cloned().collect()));
                }
            }
            return Ok(all);
        }
        Ok(vec![tokens.iter().map(written).collect()])
    }
}

fn tokens(parts: &[Part]) -> Vec<Token> {
    let mut out = Vec::new();
    for part in parts {
        let Part::Raw(text) = part else {
            out.push(Token::Part(part.clone()));
            continue;
        };
        let mut rest = text.as_str();
        while let Some(place) = rest.find(['{', ',', '}']) {
            let (before, after) = rest.split_at(place);
            if !before.is_empty() {
                out.push(Token::Part(Part::Raw(before.to_owned())));
            }
            out.push(match after.as_bytes().first() {
                Some(b'{') => Token::Open,
                Some(b',') => Token::Comma,
                _ => Token::Close,
            });
            rest = after.get(1..).unwrap_or_default();
        }
        if !rest.is_empty() {
            out.push(Token::Part(Part::Raw(rest.to_owned())));
        }
    }
    out
}

fn written(token: &Token) -> Part {
    match token {
        Token::Open => Part::Raw("{".to_owned()),
        Token::Comma => Part::Raw(",".to_owned()),
        Token::Close => Part::Raw("}".to_owned()),
        Token::Part(part) => part.clone(),
    }
}

/// The closing brace of an opening one, and the commas that belong to it.
fn matching(tokens: &[Token], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut level = 0_usize;
    let mut commas = Vec::new();
    for (place, token) in tokens.iter().enumerate().skip(open + 1) {
        match token {
            Token::Open => level += 1,
            Token::Close if level == 0 => return Some((place, commas)),
            Token::Close => level -= 1,
            Token::Comma if level == 0 => commas.push(place),
            _ => {}
        }
    }
    None
}

/// `1..9`, `01..10..2`, `a..e`.
fn range(inner: &[Token]) -> Within<Option<Vec<Vec<Part>>>> {
    let [Token::Part(Part::Raw(text))] = inner else { return Ok(None) };
    let ends: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match ends.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => match step.parse::<i64>() {
            Ok(step) => (*first, *last, step),
            Err(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    let step = usize::try_from(step.unsigned_abs().max(1)).map_err(|_| Limit::Expansion)?;
    let texts = if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        if from.abs_diff(to) / step as u64 > RANGE {
            return Err(Limit::Expansion);
        }
        let padded = [first, last]
            .iter()
            .any(|end| end.trim_start_matches('-').starts_with('0') && end.trim_start_matches('-').len() > 1);
        let width = if padded { first.len().max(last.len()) } else { 0 };
        let show = |value: i64| format!("{value:0width$}");
        if from <= to {
            (from..=to).step_by(step).take(COUNTED + 1).map(show).collect::<Vec<_>>()
        } else {
            (to..=from).rev().step_by(step).take(COUNTED + 1).map(show).collect()
        }
    } else {
        let mut letters = (first.chars(), last.chars());
        let (Some(from), None, Some(to), None) =
            (letters.0.next(), letters.0.next(), letters.1.next(), letters.1.next())
        else {
            return Ok(None);
        };
        if !from.is_ascii_alphabetic() || !to.is_ascii_alphabetic() {
            return Ok(None);
        }
        if from <= to {
            (from..=to).step_by(step).map(String::from).collect()
        } else {
            (to..=from).rev().step_by(step).map(String::from).collect()
        }
    };
    Ok(Some(texts.into_iter().map(|text| vec![Part::Raw(text)]).collect()))
}

fn merged(parts: Vec<Part>) -> Vec<Part> {
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
