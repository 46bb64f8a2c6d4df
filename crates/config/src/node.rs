//! A parsed file with the line of every key: the common form of the three formats before validation.

use serde_json::{Map, Number, Value};

/// A value and the line it begins on (0: unknown).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub line: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    /// In the order of the file; the parser has refused duplicates.
    Map(Vec<(String, Node)>),
}

impl Node {
    pub(crate) fn new(line: u32, kind: Kind) -> Self {
        Self { line, kind }
    }

    /// A node from a value that is not from a file (a flag, an agent preset).
    pub(crate) fn from_value(value: Value) -> Self {
        let kind = match value {
            Value::Null => Kind::Null,
            Value::Bool(flag) => Kind::Bool(flag),
            Value::Number(number) => Kind::Number(number),
            Value::String(text) => Kind::Text(text),
            Value::Array(items) => Kind::List(items.into_iter().map(Self::from_value).collect()),
            Value::Object(entries) => {
                Kind::Map(entries.into_iter().map(|(key, value)| (key, Self::from_value(value))).collect())
            }
        };
        Self::new(0, kind)
    }

    /// A map with this node at the end of a dotted path.
    pub(crate) fn under(self, path: &[&str]) -> Self {
        path.iter().rev().fold(self, |node, key| Self::new(node.line, Kind::Map(vec![((*key).to_owned(), node)])))
    }

    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_value).collect()),
            Kind::Map(entries) => {
                Value::Object(entries.iter().map(|(key, node)| (key.clone(), node.to_value())).collect::<Map<_, _>>())
            }
        }
    }

    /// The word for messages.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a section",
        }
    }
}
