//! Validates an answer against an agreed type. Errors make it invalid, warnings never do. `domain_map` is built in;
//! other types are JSON Schemas that the operator names.
//!
//! An answer given as text is parsed as JSON first, since models often send it so; a warning says so.

use super::domain_map;
use crate::operation::Operation;
use palanca_core::arguments::Checker;
use palanca_core::call::{Claims, ErrorKind};
use palanca_core::{Message, Output, ToolCx, ToolError};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The one type that is always there.
const DOMAIN_MAP: &str = "domain_map";
/// Sentences of one list; the rest is counted.
const MOST: usize = 50;

/// What is wrong with an answer, and what is only odd.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    pub(super) errors: Vec<String>,
    pub(super) warnings: Vec<String>,
}

pub(crate) struct Validate<'a> {
    pub(crate) output_type: &'a str,
    pub(crate) data: &'a Value,
    /// JSON Schemas by name.
    pub(crate) types: &'a BTreeMap<String, Value>,
}

impl Operation for Validate<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        if self.output_type == DOMAIN_MAP || self.types.contains_key(self.output_type) {
            return Ok(Claims::none());
        }
        let known: Vec<&str> = self.known().collect();
        let message =
            Message::new("output-type-unknown").with("name", self.output_type).with("known", known.join(", "));
        Err(ToolError::new(ErrorKind::InvalidArguments, message))
    }

    async fn run(&self, _cx: &ToolCx) -> Result<Output, ToolError> {
        let (data, was_text) = read(self.data);
        let mut findings = match self.types.get(self.output_type) {
            Some(schema) => Findings { errors: Checker::new(schema).errors(&data), warnings: Vec::new() },
            None => domain_map::check(&data),
        };
        if was_text {
            findings.warnings.insert(0, "The answer came as text; the JSON in it was checked".to_owned());
        }
        let valid = findings.errors.is_empty();
        let (errors, warnings) = (short(findings.errors), short(findings.warnings));
        let result = json!({"valid": valid, "errors": errors, "warnings": warnings});
        Ok(Output::text(result.to_string()).with_data(result))
    }
}

impl<'a> Validate<'a> {
    fn known(&self) -> impl Iterator<Item = &'a str> {
        std::iter::once(DOMAIN_MAP).chain(self.types.keys().map(String::as_str).filter(|name| *name != DOMAIN_MAP))
    }
}

fn read(data: &Value) -> (Cow<'_, Value>, bool) {
    match data.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()) {
        Some(parsed) if parsed.is_object() || parsed.is_array() => (Cow::Owned(parsed), true),
        _ => (Cow::Borrowed(data), false),
    }
}

fn short(mut sentences: Vec<String>) -> Vec<String> {
    let more = sentences.len().saturating_sub(MOST);
    if more > 0 {
        sentences.truncate(MOST);
        sentences.push(format!("and {more} more"));
    }
    sentences
}
