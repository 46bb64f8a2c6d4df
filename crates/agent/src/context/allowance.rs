//! How much of the results of one answer's calls the model receives.
//!
//! Every result has the same allowance. One whose call named a range or a page may take the free part of the conversation
//! beside it, which the calls of one answer share: together they never fill it.

use super::shorten::{Keeps, Marker, shorten};
use super::{History, PER_MESSAGE, PER_TOKEN, ROOMY_PERCENT, size_of_parts};
use palanca_core::ToolResult;
use palanca_core::call::{Content, Part, Resource};
use palanca_core::message::Catalogue;
use palanca_core::tool::Extent;
use parking_lot::Mutex;

/// The room for the results of one answer.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// Characters of one result; 0 for no limit.
    each: usize,
    /// Characters that are free for all together.
    room: Mutex<usize>,
}

impl History {
    /// What the next results may take.
    pub(crate) fn allowance(&self) -> Allowance {
        let whole = self.limits.max_context_tokens.saturating_mul(PER_TOKEN) / 100 * ROOMY_PERCENT;
        let room = if whole == 0 { usize::MAX } else { whole.saturating_sub(self.size) };
        Allowance { each: self.limits.max_tool_result_tokens.saturating_mul(PER_TOKEN), room: Mutex::new(room) }
    }
}

impl Allowance {
    /// What the model is told of a result, and shown beside it: texts are shortened where they are too long.
    pub(crate) fn told(&self, result: &ToolResult, catalogue: &dyn Catalogue) -> (String, Vec<Part>) {
        let whole = result.for_model();
        let mut room = self.room.lock();
        let (limit, keeps) = match (self.each, result.extent) {
            (0, _) => (0, Keeps::Both),
            (each, Extent::Open) => (each, Keeps::Both),
            (each, Extent::Chosen) => (each.max(*room), Keeps::Beginning),
        };
        let told = shorten(&whole, (limit, keeps), &Marker { result, catalogue }).unwrap_or(whole);
        let parts = self.parts(result, catalogue);
        *room = room.saturating_sub(told.chars().count() + size_of_parts(&parts) + PER_MESSAGE);
        (told, parts)
    }

    /// Each text of a resource has the allowance of a result.
    fn parts(&self, result: &ToolResult, catalogue: &dyn Catalogue) -> Vec<Part> {
        let mut parts = result.parts.clone();
        for part in &mut parts {
            if let Part::Resource(Resource { content: Content::Text { text, .. }, .. }) = part
                && let Some(short) = shorten(text, (self.each, Keeps::Both), &Marker { result, catalogue })
            {
                *text = short;
            }
        }
        parts
    }
}
