//! Tool calls that a model writes into its text instead of calling.
//!
//! Accepted: a bare object or array that is the whole text, fenced JSON, `<tool_call>` tags; `name` or `tool_name` with
//! `arguments`, `parameters` or `args`, also inside `function`. Only names on offer count, so an answer that shows JSON
//! stays an answer. Text is held back only from where a call may have begun, and let go as soon as it turns out to be none.

use crate::assemble::RawCall;
use crate::names::Names;
use serde_json::{Map, Value};

const FENCE: &str = "```";
const TAG: &str = "<tool_call>";
const END_TAG: &str = "</tool_call>";
/// What may stand behind the opening fence of a call.
const LANGUAGES: [&str; 6] = ["", "json", "tool_call", "tool_calls", "tool_code", "tool"];

/// What the text so far may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Only white space yet.
    #[default]
    Start,
    /// Ordinary text.
    Open,
    /// Inside a fence that holds no call.
    Quoted,
    /// The whole text may be JSON.
    Whole,
    /// The held text begins with a fence.
    Fence,
    /// The held text begins with a tag.
    Tag,
}

/// Finds calls in text that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    held: String,
    found: Vec<(String, Vec<RawCall>)>,
}

/// What a text came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scanned {
    /// Text that is surely none of a call.
    pub(crate) text: String,
    /// The calls, each group with the text in which it stood.
    pub(crate) found: Vec<(String, Vec<RawCall>)>,
}

impl Scanner {
    /// Takes the next piece and returns the text that may be shown.
    pub(crate) fn push(&mut self, piece: String, names: &Names<'_>) -> String {
        let plain = matches!(self.state, State::Open | State::Quoted) && self.held.is_empty();
        if plain && !piece.contains(['`', '<']) {
            return piece;
        }
        self.held.push_str(&piece);
        let mut shown = String::new();
        while self.step(&mut shown, names) {}
        shown
    }

    /// Takes what is left.
    pub(crate) fn finish(&mut self, names: &Names<'_>) -> Scanned {
        let held = std::mem::take(&mut self.held);
        let inner = match self.state {
            State::Start | State::Open | State::Quoted => None,
            State::Whole => Some(held.as_str()),
            State::Tag => held.strip_prefix(TAG),
            State::Fence => {
                held.strip_prefix(FENCE).map(|rest| rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
            }
        };
        let mut scanned = Scanned::default();
        match inner.and_then(|text| parse(text, names)) {
            Some(calls) => self.found.push((held, calls)),
            None => scanned.text = held,
        }
        scanned.found = std::mem::take(&mut self.found);
        self.state = State::Start;
        scanned
    }

    /// Moves on by one decision; `false` when more text is needed.
    fn step(&mut self, shown: &mut String, names: &Names<'_>) -> bool {
        match self.state {
            State::Start => self.begin(),
            State::Open => self.open(shown),
            State::Quoted => self.quoted(shown),
            State::Whole => false,
            State::Fence => self.fence(shown, names),
            State::Tag => self.tag(shown, names),
        }
    }

    fn begin(&mut self) -> bool {
        let mut solid = self.held.chars().filter(|c| !c.is_whitespace());
        let (Some(first), second) = (solid.next(), solid.next()) else {
            return false;
        };
        self.state = match (first, second) {
            ('{' | '[', None) => return false,
            ('{', Some('"')) | ('[', Some('{')) => State::Whole,
            _ => State::Open,
        };
        true
    }

    /// Shows everything up to where a fence or a tag may begin.
    fn open(&mut self, shown: &mut String) -> bool {
        let fence = self.held.find(FENCE);
        let tag = self.held.find(TAG);
        let (at, next) = match (fence, tag) {
            (Some(fence), Some(tag)) if tag < fence => (tag, State::Tag),
            (Some(fence), _) => (fence, State::Fence),
            (None, Some(tag)) => (tag, State::Tag),
            (None, None) => {
                self.show_all_but_a_beginning_of(shown, &[FENCE, TAG]);
                return false;
            }
        };
        shown.extend(self.held.drain(..at));
        self.state = next;
        true
    }

    fn quoted(&mut self, shown: &mut String) -> bool {
        let Some(at) = self.held.find(FENCE) else {
            self.show_all_but_a_beginning_of(shown, &[FENCE]);
            return false;
        };
        shown.extend(self.held.drain(..at + FENCE.len()));
        self.state = State::Open;
        true
    }

    fn fence(&mut self, shown: &mut String, names: &Names<'_>) -> bool {
        let inner = self.held.get(FENCE.len()..).unwrap_or_default();
        let Some(start) = inner.find(|c: char| !(c.is_alphanumeric() || c == '_')) else {
            return false;
        };
        let (language, body) = inner.split_at(start);
        let first = body.trim_start().chars().next();
        if !LANGUAGES.contains(&language) || first.is_some_and(|c| c != '{' && c != '[') {
            shown.extend(self.held.drain(..FENCE.len()));
            self.state = State::Quoted;
            return true;
        }
        // A fence may also stand inside a string of the arguments: the JSON is complete where it parses.
        for (offset, _) in body.match_indices(FENCE) {
            let text = body.get(..offset).unwrap_or_default();
            let end = FENCE.len() + start + offset + FENCE.len();
            if let Some(calls) = parse(text, names) {
                let whole: String = self.held.drain(..end).collect();
                self.found.push((whole, calls));
                self.state = State::Open;
                return true;
            }
            if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
                shown.extend(self.held.drain(..end));
                self.state = State::Open;
                return true;
            }
        }
        false
    }

    fn tag(&mut self, shown: &mut String, names: &Names<'_>) -> bool {
        let Some(at) = self.held.find(END_TAG) else {
            return false;
        };
        let inner = self.held.get(TAG.len()..at).unwrap_or_default();
        let calls = parse(inner, names);
        let whole: String = self.held.drain(..at + END_TAG.len()).collect();
        match calls {
            Some(calls) => self.found.push((whole, calls)),
            None => shown.push_str(&whole),
        }
        self.state = State::Open;
        true
    }

    fn show_all_but_a_beginning_of(&mut self, shown: &mut String, marks: &[&str]) {
        let keep = marks
            .iter()
            .flat_map(|mark| (1..mark.len()).filter_map(|length| mark.get(..length)))
            .filter(|start| self.held.ends_with(start))
            .map(str::len)
            .max()
            .unwrap_or(0);
        let until = self.held.len() - keep;
        shown.extend(self.held.drain(..until));
    }
}

/// All of the text as calls: one or more JSON values, each of which is a call or a list of calls.
fn parse(text: &str, names: &Names<'_>) -> Option<Vec<RawCall>> {
    let mut calls = Vec::new();
    for value in serde_json::Deserializer::from_str(text.trim()).into_iter::<Value>() {
        match value.ok()? {
            Value::Array(items) => {
                for item in &items {
                    calls.push(call(item.as_object()?, names)?);
                }
            }
            Value::Object(map) => match map.get("tool_calls").and_then(Value::as_array) {
                Some(items) => {
                    for item in items {
                        calls.push(call(item.as_object()?, names)?);
                    }
                }
                None => calls.push(call(&map, names)?),
            },
            _ => return None,
        }
    }
    (!calls.is_empty()).then_some(calls)
}

fn call(map: &Map<String, Value>, names: &Names<'_>) -> Option<RawCall> {
    if let Some(inner) = map.get("function").and_then(Value::as_object) {
        return call(inner, names);
    }
    let first = |keys: &[&str]| keys.iter().find_map(|key| map.get(*key));
    let name = first(&["name", "tool_name"])?.as_str()?;
    let arguments = match first(&["arguments", "parameters", "args"])? {
        Value::String(text) => text.clone(),
        Value::Null => "{}".to_owned(),
        value @ Value::Object(_) => value.to_string(),
        _ => return None,
    };
    Some(RawCall { id: String::new(), name: names.offered(name)?.to_owned(), arguments })
}

#[cfg(test)]
mod tests;
