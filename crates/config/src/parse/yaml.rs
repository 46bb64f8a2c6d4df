//! YAML 1.2 with only `true` and `false` as booleans, so that `mode: off` and `language: no` stay the words as typed.
//! Budgets limit the parser's work on a hostile file; includes are not compiled in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::DuplicateKeyPolicy;
use serde_saphyr::{Error, Spanned, UserMessageFormatter, budget, options};

use super::{SyntaxError, twice};
use crate::node::{Kind, Node};

pub(super) fn parse(text: &str) -> Result<Node, SyntaxError> {
    if text.trim().is_empty() {
        return Ok(Node::new(0, Kind::Null));
    }
    let options = options! {
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        budget: budget! {
            max_depth: 32,
            max_nodes: 20_000,
            max_documents: 1,
        },
    };
    let parsed: Spanned<Parsed> = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |place| place.line());
        let line = u32::try_from(line).unwrap_or(0);
        match error.without_snippet() {
            Error::DuplicateMappingKey { key: Some(key), .. } => twice(line, key),
            Error::Budget { breach: BudgetBreach::Documents { .. }, .. } => {
                SyntaxError { line, message: "begins a second document with `---`; keep one".to_owned() }
            }
            _ => SyntaxError { line, message: format!("is not valid YAML: {}", first_line(&error)) },
        }
    })?;
    Ok(located(parsed))
}

/// The parser's message has a snippet below it; ours is one line with our own position. Its default formatter's advice
/// is for programmers.
fn first_line(error: &Error) -> String {
    let text = error.without_snippet().render_with_formatter(&UserMessageFormatter);
    let line = text.lines().next().unwrap_or_default();
    line.rsplit_once(" at line ").map_or(line, |(words, _)| words).to_owned()
}

struct Parsed(Kind);

fn located(parsed: Spanned<Parsed>) -> Node {
    let line = u32::try_from(parsed.referenced.line()).unwrap_or(0);
    Node::new(line, parsed.value.0)
}

impl<'de> Deserialize<'de> for Parsed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any).map(Self)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Kind, E> {
        Ok(Kind::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Kind, E> {
        Ok(Kind::Number(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Kind, E> {
        Number::from_f64(number).map(Kind::Number).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Kind, E> {
        Ok(Kind::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Kind, E> {
        Ok(Kind::Text(text))
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Kind, D::Error> {
        inner.deserialize_any(Self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Kind, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Spanned<Parsed>>()? {
            list.push(located(item));
        }
        Ok(Kind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Kind, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key::<Spanned<String>>()? {
            let mut value = located(entries.next_value::<Spanned<Parsed>>()?);
            value.line = u32::try_from(key.referenced.line()).unwrap_or(value.line);
            map.push((key.value, value));
        }
        Ok(Kind::Map(map))
    }
}
