//! JSON with comments and trailing commas, but nothing looser: words without quotes are usually typing mistakes.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Number;

use super::{SyntaxError, line_at, twice};
use crate::node::{Kind, Node};

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| SyntaxError {
        line: u32::try_from(error.line_display()).unwrap_or(0),
        message: format!("is not valid JSON: {}", error.kind()),
    })?;
    match parsed.value {
        Some(value) => node(text, value),
        None => Ok(Node::new(0, Kind::Null)),
    }
}

fn node(text: &str, value: Value<'_>) -> Result<Node, SyntaxError> {
    let line = line_at(text, value.start());
    let kind = match value {
        Value::NullKeyword(_) => Kind::Null,
        Value::BooleanLit(flag) => Kind::Bool(flag.value),
        Value::StringLit(literal) => Kind::Text(literal.value.into_owned()),
        Value::NumberLit(literal) => {
            let number: Number = serde_json::from_str(literal.value).map_err(|_| SyntaxError {
                line,
                message: format!("\"{}\" is not a number that JSON knows", literal.value),
            })?;
            Kind::Number(number)
        }
        Value::Array(array) => {
            Kind::List(array.elements.into_iter().map(|element| node(text, element)).collect::<Result<_, _>>()?)
        }
        Value::Object(object) => {
            let mut entries: Vec<(String, Node)> = Vec::with_capacity(object.properties.len());
            for property in object.properties {
                let line = line_at(text, property.range.start);
                let key = property.name.into_string();
                if entries.iter().any(|(known, _)| *known == key) {
                    return Err(twice(line, &key));
                }
                let mut value = node(text, property.value)?;
                value.line = line;
                entries.push((key, value));
            }
            Kind::Map(entries)
        }
    };
    Ok(Node::new(line, kind))
}
