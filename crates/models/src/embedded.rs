//! Tool calls that a model writes into its text instead of calling.
//!
//! Mentioning a call does not make it: a call counts only if it ends the answer, outside thoughts, code fences and
//! quotation marks, in a form that the model uses ([`format`] is the table). Call markers at the end of an answer that
//! cannot be read are a [`Misread`], never an answer. Text is held back only from a marker on, and released as soon as
//! it turns out not to be a call.

mod around;
mod cursor;
mod format;
mod json;
mod pythonic;
mod readers;
mod tagged;
mod tail;
mod typed;

use crate::assemble::RawCall;
use crate::event::{Misread, MisreadCause};
use crate::names::Names;
use around::{FENCE, Thought, run_of, thought_at};
pub(crate) use around::{Line, THOUGHTS, beginning_of};
use cursor::End;
pub(crate) use cursor::{members, with_controls_escaped};
use format::{Format, Forms};
use tail::Tail;

/// Maximum number of unreadable markers; later ones in the same answer are treated as text.
const MAX_SUSPECTS: usize = 256;

/// Whether calls inside code fences count for models that write them that way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fences {
    Count,
    /// The server supports tools: fenced calls are examples.
    Quote,
}

/// A call as written in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    name: String,
    /// None if the text has none.
    arguments: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// The held text begins with a marker that does not begin a call.
    Passed,
    Fence {
        mark: char,
        length: usize,
    },
    Thoughts {
        close: &'static str,
        /// Whether they are at the beginning of the answer.
        first: bool,
    },
    /// The held text may be the calls that end the answer; it is examined again at this length.
    Call {
        first: bool,
        again: usize,
    },
}

enum Next {
    Go(usize, State),
    Wait(usize),
    End(usize, Ending),
}

/// What ends an answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    #[default]
    Words,
    /// Calls, with their text.
    Calls(Vec<RawCall>, String),
    Misread(Misread),
}

/// The rest of an answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// Text without calls.
    pub(crate) text: String,
    pub(crate) ending: Ending,
}

/// Finds the calls that end a text that arrives in pieces.
pub(crate) struct Scanner {
    forms: Forms,
    /// The ASCII characters that can begin something relevant.
    alert: u128,
    /// The markers that begin like a word.
    words: Vec<&'static str>,
    state: State,
    held: String,
    /// The shown part of the line on which the held text begins.
    line: Line,
    /// The line at the furthest examined place of the held text, so that no line is scanned twice.
    furthest: (usize, Line),
    /// Nothing but white space and thoughts yet.
    first: bool,
    /// Number of bytes shown.
    total: usize,
    /// Number of unreadable markers.
    suspects: Vec<Suspect>,
    /// The text shown from the first of them on.
    since: String,
}

struct Suspect {
    row: &'static Format,
    /// Bytes before it in the answer.
    at: usize,
    line: Line,
}

impl std::fmt::Debug for Scanner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scanner").field("state", &self.state).field("held", &self.held.len()).finish_non_exhaustive()
    }
}

impl Scanner {
    /// For an answer of this model.
    pub(crate) fn new(model: &str, fences: Fences) -> Self {
        let forms = Forms::of(model, fences);
        let marks = forms.rows.iter().flat_map(|row| row.marks).copied();
        let others = THOUGHTS.iter().map(|(open, _)| *open).chain(["`", "~", "{"]);
        let alert = marks.chain(others).filter_map(|mark| mark.bytes().next()).fold(0, |set, byte| set | bit(byte));
        let words = forms.rows.iter().flat_map(|row| row.marks).copied();
        let words = words.filter(|mark| mark.starts_with(char::is_alphabetic)).collect();
        Self {
            forms,
            alert,
            words,
            state: State::Open,
            held: String::new(),
            line: Line::default(),
            furthest: (0, Line::default()),
            first: true,
            total: 0,
            suspects: Vec::new(),
            since: String::new(),
        }
    }

    /// Adds the next piece and returns the text that may be shown.
    pub(crate) fn push(&mut self, piece: String, names: &Names<'_>) -> String {
        if self.held.is_empty() && !self.first && self.is_plain(piece.as_bytes()) {
            self.remember(&piece);
            return piece;
        }
        self.held.push_str(&piece);
        self.advance(End::Open, names).text
    }

    /// Whether nothing relevant begins in a piece. Most words differ from every marker in their first letters.
    fn is_plain(&self, piece: &[u8]) -> bool {
        let begins_word = |at: usize| {
            let head = piece.get(at..piece.len().min(at + 3)).unwrap_or_default();
            self.words.iter().any(|word| word.as_bytes().starts_with(head))
        };
        let mut alerts = piece.iter().enumerate().filter(|(_, byte)| self.alert & bit(**byte) != 0);
        !alerts.any(|(at, byte)| !byte.is_ascii_alphabetic() || begins_word(at))
    }

    /// Forgets everything so far, and returns what was held back.
    pub(crate) fn restart(&mut self) -> String {
        self.state = State::Open;
        self.line = Line::default();
        self.furthest = (0, Line::default());
        self.first = true;
        self.total = 0;
        self.suspects.clear();
        self.since.clear();
        std::mem::take(&mut self.held)
    }

    /// Takes the rest.
    pub(crate) fn finish(&mut self, names: &Names<'_>) -> Scanned {
        let mut scanned = self.advance(End::Final, names);
        if scanned.ending == Ending::Words {
            let last = std::mem::take(&mut self.held);
            self.remember(&last);
            scanned.text.push_str(&last);
            let start = self.suspects.first().map_or(0, |suspect| suspect.at);
            let text = |suspect: &Suspect| self.since.get(suspect.at - start..).unwrap_or_default();
            let broken =
                self.suspects.iter().find(|suspect| tail::is_broken(suspect.row, (text(suspect), suspect.line)));
            if let Some(Suspect { row, .. }) = broken {
                // It was shown when it turned out not to be a call.
                scanned.ending = Ending::Misread(row.misread(MisreadCause::Unreadable, ""));
            }
        }
        scanned
    }

    fn advance(&mut self, end: End, names: &Names<'_>) -> Scanned {
        let mut at = 0;
        let ending = loop {
            let next = match self.state {
                State::Open | State::Passed => self.open(at, end),
                State::Fence { mark, length } => self.fence(at, (mark, length), end),
                State::Thoughts { close, first } => self.thoughts(at, (close, first), end),
                State::Call { first, again } => self.call(at, (first, again), (end, names)),
            };
            match next {
                Next::Go(to, state) => (at, self.state) = (to, state),
                Next::Wait(to) => {
                    at = to;
                    break Ending::Words;
                }
                Next::End(to, ending) => {
                    at = to;
                    break ending;
                }
            }
        };
        let text: String = self.held.drain(..at).collect();
        self.remember(&text);
        if ending != Ending::Words {
            self.held.clear();
        }
        Scanned { text, ending }
    }

    fn remember(&mut self, shown: &str) {
        if let Some(first) = self.suspects.first() {
            self.since.push_str(shown.get(first.at.saturating_sub(self.total)..).unwrap_or_default());
        }
        self.total += shown.len();
        self.line.push(shown);
        self.furthest = (0, self.line);
    }

    fn rest(&self, at: usize) -> &str {
        self.held.get(at..).unwrap_or_default()
    }

    /// The line before this place.
    fn before(&mut self, at: usize) -> Line {
        let (mut from, mut line) = self.furthest;
        if at < from {
            (from, line) = (0, self.line);
        }
        line.push(self.held.get(from..at).unwrap_or_default());
        self.furthest = (at, line);
        line
    }

    /// Skips words up to the next relevant place.
    fn open(&mut self, from: usize, end: End) -> Next {
        let mut passed = std::mem::replace(&mut self.state, State::Open) == State::Passed;
        let mut at = from;
        while let Some(c) = self.rest(at).chars().next() {
            let candidate = !std::mem::take(&mut passed);
            let matters = u8::try_from(c).is_ok_and(|byte| self.alert & bit(byte) != 0);
            if c.is_whitespace() || !(self.first || matters) {
                at += c.len_utf8();
                continue;
            }
            let first = std::mem::take(&mut self.first);
            let line = self.before(at);
            let rest = self.rest(at);
            if candidate {
                match (tail::begins(&self.forms, rest, &tail::At { first, line }), end) {
                    (tail::Begins::Yes, _) if first || !line.is_quoted() => {
                        return Next::Go(at, State::Call { first, again: 0 });
                    }
                    (tail::Begins::Perhaps, End::Open) => {
                        self.first = first;
                        return Next::Wait(at);
                    }
                    _ => {}
                }
            }
            match thought_at(rest) {
                Some(Thought::Opens(open, close)) if !line.is_quoted() => {
                    return Next::Go(at + open, State::Thoughts { close, first });
                }
                // Some templates open the thoughts themselves.
                Some(Thought::Closes(close)) if !line.is_quoted() => {
                    self.first = true;
                    at += close;
                    continue;
                }
                Some(Thought::Perhaps) if end == End::Open => {
                    self.first = first;
                    self.state = if candidate { State::Open } else { State::Passed };
                    return Next::Wait(at);
                }
                _ => {}
            }
            match self.fence_at((at, line), c, end) {
                Some(Next::Go(to, State::Open)) => at = to,
                Some(next) => {
                    self.state = if candidate { State::Open } else { State::Passed };
                    return next;
                }
                None => at += c.len_utf8(),
            }
        }
        Next::Wait(at)
    }

    /// What a run of backticks or tildes begins: a fence, or ([`State::Open`]) nothing.
    fn fence_at(&self, (at, line): (usize, Line), mark: char, end: End) -> Option<Next> {
        if mark != '`' && mark != '~' {
            return None;
        }
        let rest = self.rest(at);
        let length = run_of(rest, mark);
        let behind = at + length;
        if length < FENCE || (mark == '~' && !line.is_blank()) {
            let grows = end == End::Open && length == rest.len();
            return Some(if grows { Next::Wait(at) } else { Next::Go(behind, State::Open) });
        }
        let Some(line_end) = rest.find('\n') else {
            let next = State::Fence { mark, length };
            return Some(if end == End::Open { Next::Wait(at) } else { Next::Go(behind, next) });
        };
        let info = rest.get(length..line_end).unwrap_or_default();
        let opens = !info.contains(mark);
        Some(if opens { Next::Go(at + line_end, State::Fence { mark, length }) } else { Next::Go(behind, State::Open) })
    }

    /// Skips the content of a fence. Its end is at the beginning or end of a line; a word directly after it makes it
    /// the beginning of another one.
    fn fence(&mut self, from: usize, (mark, length): (char, usize), end: End) -> Next {
        let mut at = from;
        while let Some(offset) = self.rest(at).find(mark) {
            at += offset;
            let starts_line = self.before(at).is_margin();
            let run = run_of(self.rest(at), mark);
            let behind = self.rest(at + run);
            let line = behind.split('\n').next().unwrap_or_default();
            if line.trim().is_empty() && line.len() == behind.len() && end == End::Open {
                return Next::Wait(at);
            }
            let ends_line = line.trim().is_empty();
            at += run;
            if run >= length && (ends_line || (starts_line && !line.starts_with(char::is_alphanumeric))) {
                return Next::Go(at, State::Open);
            }
        }
        Next::Wait(self.held.len())
    }

    fn thoughts(&mut self, from: usize, (close, first): (&str, bool), end: End) -> Next {
        let rest = self.rest(from);
        let Some(at) = rest.find(close) else {
            let kept = if end == End::Open { beginning_of(close, rest) } else { 0 };
            return Next::Wait(self.held.len() - kept);
        };
        self.first = first;
        Next::Go(from + at + close.len(), State::Open)
    }

    fn call(&mut self, at: usize, (first, again): (bool, usize), (end, names): (End, &Names<'_>)) -> Next {
        if end == End::Open && self.rest(at).len() < again {
            return Next::Wait(at);
        }
        let line = self.before(at);
        let rest = self.rest(at);
        let place = tail::At { first, line };
        match tail::read(&self.forms, rest, (end, names), &place) {
            Tail::Words => Next::Go(at, State::Passed),
            Tail::Suspect(row) => {
                if self.suspects.len() < MAX_SUSPECTS {
                    self.suspects.push(Suspect { row, at: self.total + at, line });
                }
                Next::Go(at, State::Passed)
            }
            Tail::Unfinished => {
                // Growing steps, so that a long call is not read again for every piece.
                self.state = State::Call { first, again: rest.len() + rest.len() / 4 + 8 };
                Next::Wait(at)
            }
            Tail::Calls(calls) => Next::End(at, Ending::Calls(calls, rest.to_owned())),
            Tail::Misread(misread) => Next::End(at, Ending::Misread(misread)),
        }
    }
}

const fn bit(byte: u8) -> u128 {
    if byte < 128 { 1 << byte } else { 0 }
}

#[cfg(test)]
mod tests;
