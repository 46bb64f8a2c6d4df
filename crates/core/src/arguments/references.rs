//! Where the references of a schema lead: always within it, and to one place each.
//!
//! A name that stands twice, a schema with an `$id` of its own within another, and `$recursiveRef` would make that depend
//! on the way to the reference. They are refused, so that what is counted here is what a validator does.

use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Deeper values are not named; the bounds refuse such a schema anyway.
const DEEPEST: usize = super::bounds::DEEPEST;

type Named<'s> = HashMap<&'s str, &'s Value>;

/// The references of one schema.
pub(super) struct References<'s> {
    root: &'s Value,
    /// What references may name: `$id`, `$anchor`, `$dynamicAnchor`. Empty if that is ambiguous.
    named: OnceCell<Named<'s>>,
}

impl<'s> References<'s> {
    pub(super) const fn of(root: &'s Value) -> Self {
        Self { root, named: OnceCell::new() }
    }

    /// Why they are refused.
    pub(super) fn fault(&self) -> Option<String> {
        named(self.root).err()
    }

    pub(super) fn target(&self, reference: &str) -> Option<&'s Value> {
        let named = || self.named.get_or_init(|| named(self.root).unwrap_or_default());
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let document = if document.is_empty() { self.root } else { *named().get(document)? };
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        match &*fragment {
            "" => Some(document),
            pointer if pointer.starts_with('/') => document.pointer(pointer),
            anchor => named().get(anchor).copied(),
        }
    }
}

fn named(root: &Value) -> Result<Named<'_>, String> {
    let mut named = Named::new();
    name(root, 0, &mut named)?;
    Ok(named)
}

fn name<'s>(value: &'s Value, depth: usize, named: &mut Named<'s>) -> Result<(), String> {
    if depth > DEEPEST {
        return Ok(());
    }
    let given = |key: &str| value.get(key).and_then(Value::as_str);
    if given("$recursiveRef").is_some() {
        return Err("`$recursiveRef` is not supported".to_owned());
    }
    if let Some(id) = given("$id").filter(|id| depth > 0 && !id.starts_with('#')) {
        return Err(format!("the schema {id:?} stands within it: only its root may have an `$id`"));
    }
    for key in ["$id", "$anchor", "$dynamicAnchor"] {
        if let Some(name) = given(key)
            && named.insert(name.trim_end_matches('#'), value).is_some_and(|other| !std::ptr::eq(other, value))
        {
            return Err(format!("two of its values are named {name:?}"));
        }
    }
    children(value).try_for_each(|(_, child)| name(child, depth + 1, named))
}

/// The values in a value, with their names where they have one.
pub(super) fn children(value: &Value) -> Box<dyn Iterator<Item = (&str, &Value)> + '_> {
    match value {
        Value::Object(map) => Box::new(map.iter().map(|(key, value)| (key.as_str(), value))),
        Value::Array(items) => Box::new(items.iter().map(|item| ("", item))),
        _ => Box::new(std::iter::empty()),
    }
}
