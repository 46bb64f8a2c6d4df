//! The tools that a model is offered: chosen anew before each request when tools came or went since the last one.

use super::course::Course;
use crate::agents::Agent;
use palanca_core::Toolset;
use palanca_models::ToolOffer;
use std::sync::Arc;

/// The tools of a step, and the same tools as the model is told of them.
pub(super) struct Offered {
    /// What they were chosen from.
    registered: Toolset,
    pub(super) toolset: Toolset,
    pub(super) tools: Arc<[ToolOffer]>,
}

impl Offered {
    /// The agent's part of what is registered, and the names on its list that are not.
    pub(super) fn new(agent: &Agent, registered: Toolset) -> (Self, Vec<String>) {
        let (toolset, missing) = agent.offered(&registered);
        let toolset = toolset.for_models();
        let offer = |tool: &Arc<dyn palanca_core::AnyTool>| {
            let spec = tool.spec();
            ToolOffer::new(&*spec.name, &*spec.description, tool.schema())
        };
        let tools = toolset.offered().map(offer).collect();
        (Self { registered, toolset, tools }, missing)
    }
}

impl Course<'_> {
    /// Looks for tools that came or went.
    pub(super) fn renew_offers(&mut self) {
        let registered = self.turn.registered();
        if !registered.is_same(&self.offered.registered) {
            (self.offered, _) = Offered::new(self.turn.agent, registered);
            self.history.instruct(self.turn.system(&self.offered));
        }
    }
}
