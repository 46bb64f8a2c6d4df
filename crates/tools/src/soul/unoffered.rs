//! Tools that no toolset offers: who keeps a bot calls them for itself, so that what they do is judged and recorded as any call.

use super::Dated;
use super::mended::JobsMended;
use super::noted::JobNoted;
use super::recalled::MemoryRecalled;
use super::tidied::SoulTidied;
use crate::operation::{Offer, Offered, ToolOptions};
use palanca_core::AnyTool;
use palanca_core::tool::Typed;
use std::sync::Arc;

/// `cron_noted`, `cron_mended`, `memory_recalled`, `soul_tidied`.
#[must_use]
pub fn unoffered(options: &Arc<ToolOptions>) -> [Arc<dyn AnyTool>; 4] {
    [
        one::<Dated<JobNoted>>(options),
        one::<Dated<JobsMended>>(options),
        one::<MemoryRecalled>(options),
        one::<SoulTidied>(options),
    ]
}

fn one<O: Offer + 'static>(options: &Arc<ToolOptions>) -> Arc<dyn AnyTool> {
    Arc::new(Typed::new(Offered::<O>::new(Arc::clone(options))))
}
