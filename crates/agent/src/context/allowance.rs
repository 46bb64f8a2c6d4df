//! How much of the results of one answer's calls the model receives.
//!
//! Every result has the same allowance. One whose call named a range or a page may take the free part of the conversation
//! beside it, which the calls of one answer share: together they never fill it.

use super::shorten::{Keeps, Marker, shorten};
use super::{History, PER_MESSAGE, PER_TOKEN, ROOMY_PERCENT};
use palanca_core::ToolResult;
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
    /// What the model is told of a result: shortened where it is too long.
    pub(crate) fn told(&self, result: &ToolResult, catalogue: &dyn Catalogue) -> String {
        let whole = result.for_model();
        let mut room = self.room.lock();
        let (limit, keeps) = match (self.each, result.extent) {
            (0, _) => (0, Keeps::Both),
            (each, Extent::Open) => (each, Keeps::Both),
            (each, Extent::Chosen) => (each.max(*room), Keeps::Beginning),
        };
        let told = shorten(&whole, (limit, keeps), &Marker { result, catalogue }).unwrap_or(whole);
        *room = room.saturating_sub(told.chars().count().saturating_add(PER_MESSAGE));
        told
    }
}
