//! One layer against the schema: unknown keys, wrong types, values out of range, placeholders filled in. Wrong entries
//! are reported and skipped, so that one mistake does not hide the next.
//!
//! It is written by hand because its messages are for people who mistyped a key: they need the line, the nearest name
//! and the allowed words, not a schema path.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use crate::nearest;
use crate::node::{Kind, Node};
use crate::not_yet::elsewhere;
use crate::origin::{Origin, Place};
use crate::problem::{Problem, Warning, WarningKind};
use crate::schema::{Shape, Type, join};
use crate::substitute::{Substituted, is_verbatim, substitute};

/// Checks the layers one after another and collects their problems.
pub(crate) struct Checker<'e> {
    pub environment: &'e BTreeMap<String, String>,
    pub problems: Vec<Problem>,
    pub warnings: Vec<Warning>,
}

/// The values of a layer: typed, or texts to be parsed as the key expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    Typed,
    Text,
}

struct At<'k> {
    key: &'k str,
    origin: &'k Origin,
    writing: Writing,
}

impl Checker<'_> {
    /// The valid part of the layer.
    pub(crate) fn layer(&mut self, origin: &Origin, node: Node, writing: Writing) -> Option<Node> {
        let at = At { key: "", origin, writing };
        self.node(node, crate::schema::root(), &at)
    }

    fn node(&mut self, node: Node, shape: Shape, at: &At<'_>) -> Option<Node> {
        let line = node.line;
        let node = match node.kind {
            Kind::Text(text) => self.text(text, line, shape, at)?,
            kind => Node::new(line, kind),
        };
        let expected = shape.expected();
        match (node.kind, expected) {
            (kind, Type::Free) => Some(Node::new(line, kind)),
            (Kind::Null, _) if shape.nullable() => Some(Node::new(line, Kind::Null)),
            // `commands:` with every key commented out is an empty section.
            (Kind::Null, Type::Section | Type::Table(_)) => None,
            (Kind::Map(entries), Type::Section | Type::Table(_)) => self.map(entries, line, shape, at),
            (Kind::List(items), Type::List(item)) => Some(self.list(items, line, item, at)),
            (Kind::Bool(flag), Type::Flag) => Some(Node::new(line, Kind::Bool(flag))),
            // YAML 1.1 and JSON writers say `off` as false.
            (Kind::Bool(false), Type::Text) if shape.choices().any(|word| word == "off") => {
                Some(Node::new(line, Kind::Text("off".to_owned())))
            }
            (Kind::Number(number), Type::Integer | Type::Number) => self.number(number, line, shape, at),
            (Kind::Text(text), Type::Text) => self.word(text, line, shape, at),
            (Kind::Text(text), Type::List(item)) if shape.takes_one() => {
                Some(self.list(vec![Node::new(line, Kind::Text(text))], line, item, at))
            }
            (kind, _) => {
                let found = Node::new(line, kind).kind_name();
                self.problem(line, at, format!("expected {}, found {found}", describe(shape)));
                None
            }
        }
    }

    fn map(&mut self, entries: Vec<(String, Node)>, line: u32, shape: Shape, at: &At<'_>) -> Option<Node> {
        let before = self.problems.len();
        let mut kept = Vec::with_capacity(entries.len());
        let mut present = Vec::new();
        for (name, node) in entries {
            let key = join(at.key, &name);
            if at.key.is_empty() && name == "$schema" {
                continue;
            }
            let at = At { key: &key, ..*at };
            match shape.key(&name) {
                Some(child) => {
                    if let Some(node) = self.node(node, child, &at) {
                        kept.push((name.clone(), node));
                    }
                }
                None => self.unknown(node.line, shape, &name, &at),
            }
            present.push(name);
        }
        for missing in shape.required() {
            if !present.iter().any(|name| name == missing) {
                self.problem(line, at, format!("needs the key \"{missing}\""));
            }
        }
        // A partly valid item of a list would fail again, later and less clearly.
        let in_list = at.key.ends_with(']');
        (!in_list || self.problems.len() == before).then(|| Node::new(line, Kind::Map(kept)))
    }

    fn list(&mut self, items: Vec<Node>, line: u32, item: Shape, at: &At<'_>) -> Node {
        let mut kept = Vec::with_capacity(items.len());
        for (index, node) in items.into_iter().enumerate() {
            let key = format!("{}[{index}]", at.key);
            let at = At { key: &key, ..*at };
            if let Kind::Null = node.kind {
                self.problem(node.line, &at, format!("expected {}, found nothing", describe(item)));
            } else {
                kept.extend(self.node(node, item, &at));
            }
        }
        Node::new(line, Kind::List(kept))
    }

    fn number(&mut self, number: Number, line: u32, shape: Shape, at: &At<'_>) -> Option<Node> {
        let as_float = number.as_f64().unwrap_or(f64::NAN);
        let whole = number.is_i64() || number.is_u64() || as_float.fract() == 0.0;
        let integer = matches!(shape.expected(), Type::Integer);
        let too_small = shape.minimum().is_some_and(|least| as_float < least);
        let too_large = shape.maximum().is_some_and(|most| as_float > most);
        if (integer && !whole) || too_small || too_large {
            self.problem(line, at, format!("expected {}, found {number}", describe(shape)));
            return None;
        }
        // 30.0 for a whole number, as programs that write floats do.
        let number = match number.as_f64() {
            Some(float) if integer && number.is_f64() && float.abs() < 9e15 => {
                #[expect(clippy::cast_possible_truncation, reason = "checked: whole and below 2^53")]
                let whole = float as i64;
                whole.into()
            }
            _ => number,
        };
        Some(Node::new(line, Kind::Number(number)))
    }

    fn word(&mut self, text: String, line: u32, shape: Shape, at: &At<'_>) -> Option<Node> {
        if shape.choices().next().is_some() && !shape.choices().any(|word| word == text) {
            let near = nearest::closest(&text, shape.choices());
            let hint = near.map_or_else(String::new, |word| format!("; did you mean \"{word}\"?"));
            self.problem(line, at, format!("expected {}, found \"{text}\"{hint}", describe(shape)));
            return None;
        }
        Some(Node::new(line, Kind::Text(text)))
    }

    /// Fills in placeholders and parses texts from the environment and the command line as the key expects.
    fn text(&mut self, text: String, line: u32, shape: Shape, at: &At<'_>) -> Option<Node> {
        if at.writing == Writing::Text {
            return self.read(&text, line, shape, at);
        }
        if is_verbatim(at.key) {
            return Some(Node::new(line, Kind::Text(text)));
        }
        match substitute(&text, self.environment) {
            Ok(Substituted::Unchanged) => Some(Node::new(line, Kind::Text(text))),
            Ok(_) | Err(_) if at.origin.is_untrusted() => {
                self.warnings.push(Warning {
                    place: Place::new(at.origin.clone(), line),
                    key: at.key.to_owned(),
                    kind: WarningKind::NotTrusted,
                    message: format!(
                        "\"{text}\" is not applied: a project's file gets no environment variables {}",
                        crate::trust::REMEDY
                    ),
                });
                None
            }
            Ok(Substituted::Text(text)) => Some(Node::new(line, Kind::Text(text))),
            Ok(Substituted::Whole(text)) => self.read(&text, line, shape, at),
            Err(message) => {
                self.problem(line, at, message);
                None
            }
        }
    }

    fn read(&mut self, text: &str, line: u32, shape: Shape, at: &At<'_>) -> Option<Node> {
        let trimmed = text.trim();
        let value = match shape.expected() {
            Type::Text => return Some(Node::new(line, Kind::Text(text.to_owned()))),
            Type::Flag => match trimmed.to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(Value::Bool(true)),
                "false" | "0" | "no" | "off" => Some(Value::Bool(false)),
                _ => None,
            },
            Type::Integer | Type::Number => trimmed.parse::<Number>().ok().map(Value::Number),
            Type::List(_) if !trimmed.starts_with('[') => {
                Some(trimmed.split(',').map(str::trim).filter(|item| !item.is_empty()).map(Value::from).collect())
            }
            _ => serde_json::from_str(trimmed).ok(),
        };
        match value {
            // An item of a list is not parsed again.
            Some(value) => Some(with_line(Node::from_value(value), line)),
            None => {
                self.problem(line, at, format!("expected {}, found \"{text}\"", describe(shape)));
                None
            }
        }
    }

    fn unknown(&mut self, line: u32, shape: Shape, name: &str, at: &At<'_>) {
        if let Some(instead) = elsewhere(at.key) {
            let place = Place::new(at.origin.clone(), line);
            let message = format!("has no effect: {instead}");
            return self.warnings.push(Warning {
                place,
                key: at.key.to_owned(),
                kind: WarningKind::Elsewhere,
                message,
            });
        }
        let section = at.key.strip_suffix(name).unwrap_or_default().trim_end_matches('.');
        let hint = match nearest::nearest(section, shape, name) {
            Some(key) => format!("did you mean \"{key}\"?"),
            None => {
                let known: Vec<_> = shape.keys().map(|(key, _)| key).collect();
                format!("known here: {}", known.join(", "))
            }
        };
        self.problem(line, at, format!("unknown key; {hint}"));
    }

    fn problem(&mut self, line: u32, at: &At<'_>, message: String) {
        self.problems.push(Problem { place: Place::new(at.origin.clone(), line), key: at.key.to_owned(), message });
    }
}

fn with_line(mut node: Node, line: u32) -> Node {
    node.line = line;
    node
}

/// The expected type of a key, in words.
pub(crate) fn describe(shape: Shape) -> String {
    let range = match (shape.minimum(), shape.maximum()) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    };
    match shape.expected() {
        Type::Section | Type::Table(_) => "a section of keys".to_owned(),
        Type::List(_) => "a list".to_owned(),
        Type::Integer => format!("a whole number{range}"),
        Type::Number => format!("a number{range}"),
        Type::Flag => "true or false".to_owned(),
        Type::Free => "any value".to_owned(),
        Type::Text => {
            let words: Vec<_> = shape.choices().collect();
            if words.is_empty() { "text".to_owned() } else { format!("one of {}", words.join(", ")) }
        }
    }
}
