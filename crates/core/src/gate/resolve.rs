//! Stage 1: a name becomes a tool of this turn's toolset.

use crate::call::{ErrorKind, Outcome, ToolError};
use crate::message::Message;
use crate::registry::{Registered, Toolset};
use std::sync::Arc;

pub(super) fn resolve(toolset: &Toolset, name: &str) -> Result<Arc<Registered>, Box<Outcome>> {
    if let Some(registered) = toolset.registered(name) {
        return Ok(Arc::clone(registered));
    }
    if toolset.is_empty() {
        let message = Message::new("tool-none-offered").with("tool", name);
        return Err(Box::new(Outcome::Failed(ToolError::new(ErrorKind::UnknownTool, message))));
    }
    if let Some(message) = toolset.why_absent(name) {
        return Err(Box::new(Outcome::Failed(ToolError::new(ErrorKind::UnknownTool, message))));
    }
    let near = toolset.nearest(name);
    let listed = if near.is_empty() { toolset.names().collect() } else { near };
    let message = Message::new("tool-not-found").with("tool", name).with("near", listed.join(", "));
    Err(Box::new(Outcome::Failed(ToolError::new(ErrorKind::UnknownTool, message))))
}
