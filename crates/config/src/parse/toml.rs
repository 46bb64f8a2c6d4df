//! TOML. Dates become text, because no key is a date, so text was meant.

use serde_json::Number;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{SyntaxError, line_at, twice};
use crate::node::{Kind, Node};

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_at(text, span.start));
        match error.span().and_then(|span| text.get(span)) {
            Some(key) if error.message() == "duplicate key" => twice(line, key),
            _ => SyntaxError { line, message: format!("is not valid TOML: {}", error.message()) },
        }
    })?;
    map(text, table.into_inner(), 1)
}

fn map(text: &str, table: DeTable<'_>, line: u32) -> Result<Node, SyntaxError> {
    let entries = table
        .into_iter()
        .map(|(key, value)| {
            let line = line_at(text, key.span().start);
            let mut value = node(text, value)?;
            value.line = line;
            Ok((key.into_inner().into_owned(), value))
        })
        .collect::<Result<Vec<_>, SyntaxError>>()?;
    Ok(Node::new(line, Kind::Map(entries)))
}

fn node(text: &str, value: Spanned<DeValue<'_>>) -> Result<Node, SyntaxError> {
    let line = line_at(text, value.span().start);
    let unreadable = |number: &str| SyntaxError { line, message: format!("the number {number} is out of range") };
    let kind = match value.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Boolean(flag) => Kind::Bool(flag),
        DeValue::Datetime(date) => Kind::Text(date.to_string()),
        DeValue::Integer(integer) => {
            let number =
                i64::from_str_radix(integer.as_str(), integer.radix()).map_err(|_| unreadable(integer.as_str()))?;
            Kind::Number(number.into())
        }
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(Number::from_f64);
            Kind::Number(number.ok_or_else(|| unreadable(float.as_str()))?)
        }
        DeValue::Array(items) => Kind::List(items.into_iter().map(|item| node(text, item)).collect::<Result<_, _>>()?),
        DeValue::Table(table) => return map(text, table, line),
    };
    Ok(Node::new(line, kind))
}
