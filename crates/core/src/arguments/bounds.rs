//! How much work compiling a schema may take: one that others wrote must cost its own tool at most, and that little.
//!
//! Every value counts as often as a `$ref` leads to it: a short schema whose references each lead to two more would keep a
//! validator busy for years. A circle counts once; what it costs depends on the arguments, which [`work`](super::work)
//! counts for each call. The worst schemas within these bounds compile in 30 ms (`docs/performance.md`).

use super::references::{References, children};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::Value;
use std::collections::HashMap;

/// Values on the way from the first to the innermost, through references.
pub(super) const DEEPEST: usize = 200;
/// Values, with those that references lead to.
const MOST: usize = 20_000;
/// Values that a pattern counts as, and each byte of it.
const PATTERN: usize = 400;
const PATTERN_BYTE: usize = 4;
/// States of a pattern that nothing is known about, and of the largest one: those of 128 KiB.
const MOST_STATES: usize = 5_000;

/// The size of a pattern, about.
pub(super) struct Pattern {
    /// How many states it may be in at once.
    pub(super) states: usize,
    /// Ranges of characters that it names.
    ranges: usize,
}

/// The patterns of a schema.
pub(super) type Patterns = HashMap<String, Pattern>;

/// The patterns of a schema that may be compiled.
///
/// # Errors
/// Why it is refused.
pub(super) fn patterns(schema: &Value) -> Result<Patterns, String> {
    let references = References::of(schema);
    if let Some(fault) = references.fault() {
        return Err(fault);
    }
    let mut counting = Counting { references, counted: HashMap::new(), patterns: Patterns::new() };
    counting.count(schema, 0)?;
    Ok(counting.patterns)
}

struct Counting<'s> {
    references: References<'s>,
    /// Values within each; none while they are counted.
    counted: HashMap<*const Value, Option<usize>>,
    patterns: Patterns,
}

impl<'s> Counting<'s> {
    fn count(&mut self, value: &'s Value, depth: usize) -> Result<usize, String> {
        if depth >= DEEPEST {
            return Err(format!("it is more than {DEEPEST} levels deep, with its references"));
        }
        let place = std::ptr::from_ref(value);
        match self.counted.get(&place) {
            Some(Some(count)) => return Ok(*count),
            Some(None) => return Ok(1),
            None => {}
        }
        self.counted.insert(place, None);
        let mut count = 1;
        for (key, child) in children(value) {
            match (key, child) {
                ("$ref" | "$dynamicRef", Value::String(reference)) => {
                    let target = self.references.target(reference);
                    let target = target.ok_or_else(|| format!("its $ref {reference:?} leads nowhere in it"))?;
                    add(&mut count, self.count(target, depth + 1)?)?;
                }
                ("pattern", Value::String(text)) => add(&mut count, self.pattern(text))?,
                ("patternProperties", Value::Object(map)) => {
                    map.keys().try_for_each(|key| add(&mut count, self.pattern(key)))?;
                    add(&mut count, self.count(child, depth + 1)?)?;
                }
                _ => add(&mut count, self.count(child, depth + 1)?)?,
            }
        }
        self.counted.insert(place, Some(count));
        Ok(count)
    }

    fn pattern(&mut self, text: &str) -> usize {
        let count = text.len().saturating_mul(PATTERN_BYTE).saturating_add(PATTERN);
        if count > MOST {
            return count;
        }
        let pattern = self.patterns.entry(text.to_owned()).or_insert_with(|| read(text));
        count.saturating_add(pattern.ranges)
    }
}

fn add(count: &mut usize, more: usize) -> Result<(), String> {
    *count = count.saturating_add(more);
    if *count <= MOST {
        return Ok(());
    }
    Err(format!(
        "it has more than {MOST} values, with those that its references lead to, {PATTERN} for each pattern, \
         {PATTERN_BYTE} for each byte of one and 1 for each range of its characters"
    ))
}

/// Patterns of JSON Schema are written as in JavaScript, so not every one is read here.
fn read(pattern: &str) -> Pattern {
    let bytes = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok();
    let Some(read) = bytes.or_else(|| regex_syntax::parse(pattern).ok()) else {
        return Pattern { states: MOST_STATES, ranges: 0 };
    };
    let Pattern { states, ranges } = size(&read);
    Pattern { states: states.min(MOST_STATES), ranges }
}

fn size(pattern: &Hir) -> Pattern {
    let states = |states| Pattern { states, ranges: 0 };
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => states(1),
        HirKind::Literal(literal) => states(literal.0.len()),
        HirKind::Class(Class::Bytes(class)) => Pattern { states: 2, ranges: class.ranges().len() },
        HirKind::Class(Class::Unicode(class)) => Pattern { states: 2, ranges: class.ranges().len() },
        HirKind::Capture(group) => size(&group.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(size).fold(states(1), |all, part| {
            Pattern { states: all.states.saturating_add(part.states), ranges: all.ranges.saturating_add(part.ranges) }
        }),
        HirKind::Repetition(repeated) => {
            let Pattern { states, ranges } = size(&repeated.sub);
            let times = repeated.max.unwrap_or(repeated.min).max(1);
            Pattern {
                states: states.saturating_add(1).saturating_mul(usize::try_from(times).unwrap_or(usize::MAX)),
                ranges,
            }
        }
    }
}

#[cfg(test)]
mod tests;
