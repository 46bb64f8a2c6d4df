//! Whether a text is calls to its end: one group after the other, followed only by white space and end tokens.

use super::around::Line;
use super::cursor::{Cursor, End, Stop};
use super::format::{Format, Forms, Place};
use super::{Said, json};
use crate::assemble::RawCall;
use crate::event::{Misread, MisreadCause};
use crate::names::Names;

/// Most calls of one answer.
const MAX_CALLS: usize = 256;
/// Longest unclosed text that is treated as a broken call, in bytes.
const MAX_UNCLOSED: usize = 2000;
/// Every call contains one of these.
const STRUCTURE: [char; 4] = ['{', '[', '<', '('];
/// Tokens that may follow an answer if a server passes them through.
const END_TOKENS: [&str; 17] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "</s>",
    "<|end|>",
    "<|return|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<eos>",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
    "<|user|>",
    "<|observation|>",
    "<|message_end|>",
    "[e~[",
    "<|end_of_turn|>",
];

/// What a text is.
pub(super) enum Tail {
    /// Not calls to its end.
    Words,
    /// The same, but after a marker of this row, so it may be a broken call.
    Suspect(&'static Format),
    /// Undecided: it depends on the following text.
    Unfinished,
    Calls(Vec<RawCall>),
    /// Call markers without a readable call.
    Misread(Misread),
}

/// The position of the text in the answer.
pub(super) struct At {
    /// After only white space and thoughts.
    pub(super) first: bool,
    /// The part of its line before it.
    pub(super) line: Line,
}

/// Whether a call may begin at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    Yes,
    /// With more text.
    Perhaps,
    No,
}

pub(super) fn begins(forms: &Forms, text: &str, at: &At) -> Begins {
    let marks = || forms.rows.iter().flat_map(|row| row.marks);
    let starts = |row: &&'static Format| match row.place {
        Place::Start => at.first && text.starts_with(['{', '[']),
        Place::Line => at.line.is_blank() && text.starts_with(['{', '[']),
        Place::StartOfOwn => at.first && text.starts_with(char::is_alphabetic),
        Place::Mark | Place::Fence => false,
    };
    if marks().any(|mark| text.starts_with(mark)) || forms.rows.iter().any(starts) {
        Begins::Yes
    } else if marks().any(|mark| mark.starts_with(text)) {
        Begins::Perhaps
    } else {
        Begins::No
    }
}

/// Reads a text that begins as a call.
pub(super) fn read(forms: &Forms, text: &str, (end, names): (End, &Names<'_>), at: &At) -> Tail {
    let mut cursor = Cursor::new(text, end);
    let mut said: Vec<(&'static Format, Said)> = Vec::new();
    while said.is_empty() || !cursor.rest.is_empty() {
        let place = if said.is_empty() { Some(at) } else { None };
        let group = group(forms, &mut cursor, names, place);
        match (group, end) {
            (Ok((row, calls)), _) => said.extend(calls.into_iter().map(|call| (row, call))),
            (Err((Stop::More, _)), End::Open) => return Tail::Unfinished,
            (Err((Stop::More, Some(row))), End::Final) => {
                let line = if said.is_empty() { at.line } else { Line::default() };
                let cut = is_cut_off(row, (cursor.rest, line), names);
                return if cut { misread(row, MisreadCause::CutOff, text) } else { Tail::Words };
            }
            (Err((Stop::No, Some(row))), _) if said.is_empty() && row.place == Place::Mark => {
                return Tail::Suspect(row);
            }
            (Err(_), _) => return Tail::Words,
        }
        if said.len() > MAX_CALLS {
            return Tail::Words;
        }
        cursor.space();
        loop {
            match cursor.has_any(&END_TOKENS) {
                Ok(true) => cursor.space(),
                Ok(false) => break,
                Err(_) if end == End::Open => return Tail::Unfinished,
                // Half of a marker; which one does not matter.
                Err(_) => break,
            }
        }
    }
    if end == End::Open {
        return Tail::Unfinished;
    }
    resolve(forms, said, names, text)
}

/// Calls, and the row that read them.
type Group = (&'static Format, Vec<Said>);

/// The calls of the first row that reads them; else why none does, and the row that came closest.
fn group(
    forms: &Forms,
    cursor: &mut Cursor<'_>,
    names: &Names<'_>,
    at: Option<&At>,
) -> Result<Group, (Stop, Option<&'static Format>)> {
    let mut failed = (Stop::No, None);
    for row in &forms.rows {
        let mut inside = *cursor;
        let begun = match row.place {
            Place::Start | Place::StartOfOwn => Ok(at.is_some_and(|at| at.first)),
            Place::Line => Ok(at.is_some_and(|at| at.line.is_blank())),
            Place::Mark | Place::Fence => inside.has_any(row.marks),
        };
        let read = match begun {
            Ok(true) => (row.read)(&mut inside, names, row.close),
            Ok(false) => continue,
            Err(stop) => Err(stop),
        };
        match read {
            Ok(calls) => {
                *cursor = inside;
                return Ok((row, calls));
            }
            Err(Stop::More) if failed.0 != Stop::More => failed = (Stop::More, Some(*row)),
            Err(Stop::No) => failed.1 = failed.1.or(Some(*row)),
            Err(Stop::More | Stop::Words) => {}
        }
    }
    Err(failed)
}

/// Whether a text that ends too early was meant as a call.
fn is_cut_off(row: &Format, (text, line): (&str, Line), names: &Names<'_>) -> bool {
    let offered = |name: &str| names.meant(name).is_some();
    match row.place {
        // Half a marker after a call, or a whole one. A marker at the end of a line is only mentioned.
        Place::Mark => match behind_mark(row, text) {
            None => true,
            Some(body) if body.contains(STRUCTURE) => true,
            Some(body) if !text.starts_with(['<', '[', ']']) || is_sentence(body) => false,
            Some("") => line.is_blank(),
            Some(_) => line.is_blank() || !is_apart(row, text),
        },
        Place::Start | Place::Line if json::begins_a_call(text, offered) => true,
        Place::Start => {
            let name = text.strip_prefix('[').and_then(|text| text.split_once('(')).map(|(name, _)| name.trim());
            name.is_some_and(offered)
        }
        Place::StartOfOwn | Place::Line | Place::Fence => false,
    }
}

/// Whether a text that ends the answer, and that its row cannot read, was meant as a call and not as words about one.
pub(super) fn is_broken(row: &Format, (text, line): (&str, Line)) -> bool {
    let body = behind_mark(row, text).unwrap_or_default();
    let body = END_TOKENS.iter().fold(body, |body, token| body.trim_end_matches(token).trim_end());
    let closes = body.find(row.close).filter(|_| !row.close.is_empty());
    let closed = closes.is_some_and(|at| body.len() == at + row.close.len());
    if closes.is_some() && !closed {
        return false;
    }
    let token = row.marks.iter().any(|mark| text.starts_with(mark) && mark.contains(['|', '｜', '[']));
    let starts_line = line.is_blank();
    let ends = body.ends_with(['}', ']', '>', ')']) && !body.contains("\n\n") && body.len() <= MAX_UNCLOSED;
    let structured = body.starts_with(STRUCTURE) && (closed || ends);
    let word = is_sentence(body) || (is_apart(row, text) && !body.contains(STRUCTURE));
    structured || (starts_line && (closed || (token && !word)))
}

/// Whether white space follows the marker.
fn is_apart(row: &Format, text: &str) -> bool {
    row.marks.iter().find_map(|mark| text.strip_prefix(mark)).is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

fn is_sentence(body: &str) -> bool {
    body.ends_with(['.', '?', '!', ':', ','])
}

fn behind_mark<'t>(row: &Format, text: &'t str) -> Option<&'t str> {
    row.marks.iter().find_map(|mark| text.strip_prefix(mark)).map(str::trim)
}

/// The calls under the tools' own names.
fn resolve(forms: &Forms, said: Vec<(&'static Format, Said)>, names: &Names<'_>, text: &str) -> Tail {
    let mut calls = Vec::with_capacity(said.len());
    for (row, call) in said {
        let Some(tool) = names.meant(&call.name) else {
            // JSON that is the whole answer of an unknown model may be any JSON.
            let counts = row.place == Place::Mark || (matches!(row.place, Place::Start | Place::Line) && forms.own);
            return if counts { misread(row, MisreadCause::UnknownTool(call.name), text) } else { Tail::Words };
        };
        let arguments = call.arguments.unwrap_or_else(|| "{}".to_owned());
        calls.push(RawCall { name: tool.name().to_owned(), arguments, ..RawCall::default() });
    }
    Tail::Calls(calls)
}

fn misread(row: &Format, cause: MisreadCause, text: &str) -> Tail {
    Tail::Misread(row.misread(cause, text))
}

impl Format {
    pub(super) fn misread(&self, cause: MisreadCause, text: &str) -> Misread {
        Misread { text: text.to_owned(), cause, form: self.title, example: self.example }
    }
}
