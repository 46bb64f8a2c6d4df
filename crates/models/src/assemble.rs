//! Assembles tool calls from the fragments of a stream.
//!
//! Servers differ: they send the id only in the first fragment, or in every one; send the name in pieces, or whole in every
//! fragment; leave the index out, or give the same index to calls that differ in their id; send arguments as an object
//! instead of text. All of it ends as the same calls.

use crate::arguments::printed;
use serde_json::Value;

/// A piece of one call.
#[derive(Debug, Default)]
pub(crate) struct Fragment<'a> {
    pub(crate) index: Option<u64>,
    pub(crate) id: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: Option<&'a Value>,
    /// What the provider wants back with it: the name of the field, and its value.
    pub(crate) state: Option<(&'static str, &'a Value)>,
}

/// A call as received; the id may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RawCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    /// What the provider wants back with it.
    pub(crate) state: Option<(&'static str, Value)>,
}

#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    call: RawCall,
}

/// The calls of one answer, in order of their beginning.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    slots: Vec<Slot>,
}

impl Assembler {
    /// Adds one fragment.
    pub(crate) fn push(&mut self, fragment: &Fragment<'_>) {
        let id = fragment.id.unwrap_or_default();
        let place = self.find(fragment).unwrap_or_else(|| {
            self.slots.push(Slot { index: fragment.index, ..Slot::default() });
            self.slots.len() - 1
        });
        let Some(Slot { call, .. }) = self.slots.get_mut(place) else {
            return;
        };
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        if let Some(name) = fragment.name
            && name != call.name
        {
            call.name.push_str(name);
        }
        if let Some((name, value)) = fragment.state {
            call.state = Some((name, value.clone()));
        }
        match fragment.arguments {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => call.arguments.push_str(text),
            Some(value) => call.arguments = printed(value),
        }
    }

    /// The slot of a fragment; none if it begins a call.
    fn find(&self, fragment: &Fragment<'_>) -> Option<usize> {
        let id = fragment.id.filter(|id| !id.is_empty());
        let same_id = |slot: &Slot| id.is_none_or(|id| slot.call.id.is_empty() || slot.call.id == id);
        if let Some(index) = fragment.index {
            return self.slots.iter().rposition(|slot| slot.index == Some(index) && same_id(slot));
        }
        if let Some(id) = id {
            return self.slots.iter().rposition(|slot| slot.call.id == id);
        }
        // Neither index nor id: a name after arguments begins a call, everything else continues the last one.
        let last = self.slots.len().checked_sub(1)?;
        let begun = self.slots.get(last).is_some_and(|slot| !slot.call.arguments.is_empty());
        (!(begun && fragment.name.is_some())).then_some(last)
    }

    /// The calls so far, without those that have neither name nor arguments.
    pub(crate) fn finish(&mut self) -> Vec<RawCall> {
        std::mem::take(&mut self.slots)
            .into_iter()
            .map(|slot| slot.call)
            .filter(|call| !(call.name.is_empty() && call.arguments.is_empty()))
            .collect()
    }
}

#[cfg(test)]
mod tests;
