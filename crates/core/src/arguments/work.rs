//! How many steps a validator may take over some arguments, counted before it takes any.
//!
//! A schema of a few lines whose circle leads to itself twice doubles the work with every level of the arguments: 22 levels
//! took 40 seconds and 8 GB. So each keyword is followed here as if every branch were tried, and what would take too many
//! steps is not checked at all. The count is never less than what the validator does.

use super::bounds::Patterns;
use super::references::References;
use serde_json::{Map, Value};

/// Levels of schema and arguments together, each of which takes stack.
const DEEPEST: usize = 400;
/// Bytes of a text that are looked at in one step.
const BYTES: usize = 8;

/// The steps; none if they are more than `most`.
pub(super) fn steps(schema: &Value, patterns: &Patterns, arguments: &Value, most: usize) -> Option<usize> {
    let mut walk = Walk { references: References::of(schema), patterns, left: most };
    walk.schema(schema, arguments, DEEPEST)?;
    Some(most - walk.left)
}

struct Walk<'s, 'p> {
    references: References<'s>,
    patterns: &'p Patterns,
    /// Steps that may still be taken.
    left: usize,
}

impl<'s> Walk<'s, '_> {
    fn take(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    fn schema(&mut self, schema: &'s Value, value: &Value, levels: usize) -> Option<()> {
        let levels = levels.checked_sub(1)?;
        self.take(1)?;
        let Some(keywords) = schema.as_object() else { return Some(()) };
        let before = self.left;
        for (keyword, wanted) in keywords {
            self.take(1)?;
            self.in_place(keyword, wanted, value, levels)?;
            self.within(keyword, wanted, value, levels)?;
        }
        if keywords.contains_key("unevaluatedProperties") || keywords.contains_key("unevaluatedItems") {
            // For each member it is asked again which of the others has seen it.
            let again = before.saturating_sub(self.left).saturating_mul(size(value));
            self.take(again)?;
        }
        Some(())
    }

    /// Keywords whose schemas are about the same value, or have none.
    fn in_place(&mut self, keyword: &str, wanted: &'s Value, value: &Value, levels: usize) -> Option<()> {
        match (keyword, wanted, value) {
            ("$ref" | "$dynamicRef", Value::String(reference), _) => {
                self.references.target(reference).map_or(Some(()), |target| self.schema(target, value, levels))
            }
            ("not" | "if" | "then" | "else", _, _) => self.schema(wanted, value, levels),
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches), _) => {
                branches.iter().try_for_each(|branch| self.schema(branch, value, levels))
            }
            ("dependentSchemas" | "dependencies", Value::Object(schemas), _) => {
                schemas.values().try_for_each(|schema| self.schema(schema, value, levels))
            }
            ("pattern", Value::String(pattern), Value::String(text)) => self.pattern(pattern, text),
            ("uniqueItems", _, _) => self.whole(value),
            (_, _, Value::String(text)) => self.take(size(wanted).saturating_add(text.len() / BYTES)),
            _ => self.take(size(wanted)),
        }
    }

    /// Keywords whose schemas are about what is in the value.
    fn within(&mut self, keyword: &str, wanted: &'s Value, value: &Value, levels: usize) -> Option<()> {
        match (keyword, wanted, value) {
            ("properties", Value::Object(schemas), Value::Object(members)) => {
                schemas.iter().try_for_each(|(name, schema)| {
                    members.get(name).map_or(Some(()), |member| self.schema(schema, member, levels))
                })
            }
            ("patternProperties", Value::Object(schemas), Value::Object(members)) => {
                schemas.iter().try_for_each(|(pattern, schema)| {
                    members.iter().try_for_each(|(name, member)| {
                        self.pattern(pattern, name)?;
                        self.schema(schema, member, levels)
                    })
                })
            }
            ("additionalProperties" | "unevaluatedProperties", _, Value::Object(members)) => {
                self.others(wanted, members, levels)
            }
            ("propertyNames", _, Value::Object(members)) => {
                members.keys().try_for_each(|name| self.schema(wanted, &Value::String(name.clone()), levels))
            }
            ("prefixItems" | "items", Value::Array(schemas), Value::Array(items)) => {
                schemas.iter().zip(items).try_for_each(|(schema, item)| self.schema(schema, item, levels))
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _, Value::Array(items)) => {
                items.iter().try_for_each(|item| self.schema(wanted, item, levels))
            }
            _ => Some(()),
        }
    }

    fn others(&mut self, schema: &'s Value, members: &Map<String, Value>, levels: usize) -> Option<()> {
        members.values().try_for_each(|member| self.schema(schema, member, levels))
    }

    /// In the worst case every state of it is looked at for every byte.
    fn pattern(&mut self, pattern: &str, text: &str) -> Option<()> {
        let states = self.patterns.get(pattern).map_or(1, |pattern| pattern.states);
        self.take(text.len().saturating_add(1).saturating_mul(states))
    }

    fn whole(&mut self, value: &Value) -> Option<()> {
        self.take(size(value).saturating_add(1))?;
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.whole(item)),
            Value::Object(members) => members.values().try_for_each(|member| self.whole(member)),
            _ => Some(()),
        }
    }
}

/// How many values are directly in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
