//! Stage 1: a name becomes a tool of this turn's toolset.

use super::trail::Trail;
use crate::call::{ErrorKind, Outcome, Stage, ToolError};
use crate::message::Message;
use crate::registry::{Registered, Toolset};
use std::sync::Arc;

pub(super) fn resolve(toolset: &Toolset, trail: &mut Trail<'_>) -> Result<Arc<Registered>, Box<Outcome>> {
    let found = find(toolset, &trail.call().tool).map_err(|error| Box::new(Outcome::Failed(error)));
    trail.ends(Stage::Resolve, found)
}

fn find(toolset: &Toolset, name: &str) -> Result<Arc<Registered>, ToolError> {
    if let Some(registered) = toolset.registered(name) {
        return Ok(Arc::clone(registered));
    }
    let message = if toolset.is_empty() {
        Message::new("tool-none-offered").with("tool", name)
    } else if let Some(message) = toolset.why_absent(name) {
        message
    } else {
        let near = toolset.nearest(name);
        let listed = if near.is_empty() { toolset.names().collect() } else { near };
        Message::new("tool-not-found").with("tool", name).with("near", listed.join(", "))
    };
    Err(ToolError::new(ErrorKind::UnknownTool, message))
}
