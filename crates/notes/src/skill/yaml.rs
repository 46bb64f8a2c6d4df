//! The YAML of front matter. The public validator reads it with StrictYAML: every value is text, and ambiguous
//! constructs (flow style, anchors, tags, duplicate keys, sections of uneven depth) are refused. Here such lines are
//! read anyway, each with its fault, because skills of other programs often contain them.

use super::fault::{Fault, Grade};
use super::lenient::{MOST_MENDS, mended};
use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StructureStyle};
use palanca_core::Message;
use std::collections::HashSet;

/// Deeper front matter is invalid.
const MAX_DEPTH: usize = 32;

/// A value of front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Yaml {
    Text(String),
    List(Vec<Self>),
    /// In the order of the file.
    Map(Vec<(String, Self)>),
}

/// Reads one document. None if there is nothing to read; the faults say why.
pub(super) fn read(text: &str) -> (Option<Yaml>, Vec<Fault>) {
    let mut text = text.to_owned();
    for _ in 0..=MOST_MENDS {
        match once(&text) {
            Ok((tree, mut faults)) => {
                faults.extend(unprintable(&text));
                return (tree, faults);
            }
            Err(Stop::Here(fault)) => return (None, vec![*fault]),
            Err(Stop::Syntax(error)) => match mended(&text, &error) {
                Some(again) => text = again,
                None => return (None, vec![syntax(error.marker().line(), &error.to_string())]),
            },
        }
    }
    (None, vec![syntax(1, "it has too many places that readers take differently")])
}

fn once(text: &str) -> Result<(Option<Yaml>, Vec<Fault>), Stop> {
    let mut options = granit_parser::options! { flow_nesting_limit: MAX_DEPTH, block_nesting_limit: MAX_DEPTH };
    options.set_emit_comments(false);
    let parser = Parser::new_from_str_with_options(text, options);
    let mut reader = Reader { events: parser, faults: Vec::new(), shielded: Vec::new() };
    let tree = reader.document()?;
    let mut faults = reader.faults;
    faults.extend(tab(text, &reader.shielded));
    Ok((tree, faults))
}

/// The role of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Value,
}

enum Stop {
    Syntax(Box<ScanError>),
    Here(Box<Fault>),
}

impl From<ScanError> for Stop {
    fn from(error: ScanError) -> Self {
        Self::Syntax(Box::new(error))
    }
}

/// The parser's messages are English, like those of every parser.
fn syntax(line: usize, reason: &str) -> Fault {
    Fault::broken(
        Message::new("skill-yaml").with("line", line).with("reason", reason.lines().next().unwrap_or_default()),
    )
}

fn strict(key: &'static str, span: Span) -> Fault {
    Fault::new(Grade::Unfit, Message::new(key).with("line", span.start.line()))
}

struct Reader<'t> {
    events: Parser<'t, granit_parser::StrInput<'t>>,
    faults: Vec<Fault>,
    /// Byte ranges in which a tab is content, ascending: quoted and block scalars.
    shielded: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<(Event<'t>, Span), Stop> {
        match self.events.next() {
            Some(next) => Ok(next?),
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn document(&mut self) -> Result<Option<Yaml>, Stop> {
        let mut tree = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(tree),
                Event::DocumentStart(..) if tree.is_some() => {
                    let fault = Fault::broken(Message::new("skill-two-documents").with("line", span.start.line()));
                    return Err(Stop::Here(Box::new(fault)));
                }
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                event => tree = Some(self.node(event, span, (Place::Value, 0))?.0),
            }
        }
    }

    /// The value that begins with `event`; for a block-style map also its column.
    fn node(
        &mut self,
        event: Event<'t>,
        span: Span,
        (place, depth): (Place, usize),
    ) -> Result<(Yaml, Option<usize>), Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop::Here(Box::new(syntax(span.start.line(), "nested too deep"))));
        }
        let (tagged, anchored) = match &event {
            Event::Scalar(_, _, anchor, tag)
            | Event::SequenceStart(_, anchor, tag)
            | Event::MappingStart(_, anchor, tag) => (tag.is_some(), *anchor != 0),
            _ => (false, false),
        };
        if tagged {
            self.faults.push(strict("skill-yaml-tag", span));
        }
        if anchored {
            self.faults.push(strict("skill-yaml-anchor", span));
        }
        match event {
            // A missing value is an empty text here; the parser reports `~`.
            Event::Scalar(_, ScalarStyle::Plain, ..) if span.start.index() == span.end.index() => {
                Ok((Yaml::Text(String::new()), None))
            }
            Event::Scalar(text, style, ..) => {
                // In YAML 1.1 these were not texts, and StrictYAML refuses them.
                if style == ScalarStyle::Plain && matches!(&*text, "=" | "<<") && place == Place::Value {
                    return Ok((Yaml::List(Vec::new()), None));
                }
                if style != ScalarStyle::Plain
                    && let (Some(start), Some(end)) = (span.start.byte_offset(), span.end.byte_offset())
                {
                    self.shielded.push((start, end));
                }
                Ok((Yaml::Text(text.into_owned()), None))
            }
            Event::SequenceStart(style, ..) => {
                self.flow(style, span);
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => return Ok((Yaml::List(list), None)),
                        (event, span) => list.push(self.node(event, span, (Place::Value, depth + 1))?.0),
                    }
                }
            }
            Event::MappingStart(style, ..) => {
                self.flow(style, span);
                let map = self.map(depth)?;
                Ok((Yaml::Map(map), (style == StructureStyle::Block).then(|| span.start.col())))
            }
            Event::Alias(_) => {
                self.faults.push(strict("skill-yaml-anchor", span));
                Ok((Yaml::Text(String::new()), None))
            }
            _ => Err(Stop::Here(Box::new(syntax(span.start.line(), "a value is missing")))),
        }
    }

    fn flow(&mut self, style: StructureStyle, span: Span) {
        if style == StructureStyle::Flow {
            self.faults.push(strict("skill-yaml-flow", span));
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<(String, Yaml)>, Stop> {
        let mut map: Vec<(String, Yaml)> = Vec::new();
        let mut known = HashSet::new();
        let mut column = None;
        loop {
            let (event, at) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(map);
            }
            let merges = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<");
            let (Yaml::Text(key), _) = self.node(event, at, (Place::Key, depth + 1))? else {
                let fault = Fault::broken(Message::new("skill-yaml-key").with("line", at.start.line()));
                return Err(Stop::Here(Box::new(fault)));
            };
            let (event, span) = self.next()?;
            let (value, begins) = self.node(event, span, (Place::Value, depth + 1))?;
            if merges && matches!(value, Yaml::Text(_)) {
                self.faults.push(strict("skill-yaml-anchor", at));
            }
            if begins.is_some_and(|begins| *column.get_or_insert(begins) != begins) {
                self.faults.push(strict("skill-yaml-indent", span));
            }
            if known.insert(key.clone()) {
                map.push((key, value));
            } else {
                let twice = Message::new("skill-yaml-twice").with("line", at.start.line()).with("key", &key);
                self.faults.push(Fault::new(Grade::Unfit, twice));
            }
        }
    }
}

/// A tab between tokens: YAML allows some, the validator's reader allows none.
fn tab(text: &str, shielded: &[(usize, usize)]) -> Option<Fault> {
    let (mut comment, mut before, mut line) = (false, '\n', 1_usize);
    let mut shielded = shielded.iter().peekable();
    for (at, char) in text.char_indices() {
        if char == '\n' {
            (comment, line) = (false, line + 1);
        }
        while shielded.next_if(|(_, end)| *end <= at).is_some() {}
        let inside = shielded.peek().is_some_and(|(start, _)| *start <= at);
        if char == '#' && !inside && (before == '\n' || before == ' ') {
            comment = true;
        }
        if char == '\t' && !inside && !comment {
            return Some(Fault::new(Grade::Unfit, Message::new("skill-yaml-tab").with("line", line)));
        }
        before = char;
    }
    None
}

/// Characters that YAML forbids.
fn unprintable(text: &str) -> Option<Fault> {
    let allowed = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c >= '\u{10000}'
    };
    let found = text.chars().find(|c| !allowed(*c))?;
    let code = format!("U+{:04X}", u32::from(found));
    Some(Fault::new(Grade::Unfit, Message::new("skill-yaml-character").with("code", code)))
}
