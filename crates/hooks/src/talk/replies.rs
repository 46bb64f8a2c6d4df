//! The valid responses of a long-lived program; anything else is a named failure.

use crate::event::Event;
use crate::failure::Failure;
use crate::once::Effective;
use serde::Deserialize;
use serde_json::Value;

/// Its action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    #[default]
    Continue,
    Modify,
    Respond,
    DenyTool,
    AbortTurn,
    HardAbort,
}

#[derive(Debug, Default, Deserialize)]
struct OfModel {
    #[serde(default)]
    action: Action,
    #[serde(default)]
    reason: String,
    #[serde(default, rename = "additionalContext")]
    additional_context: Option<String>,
}

/// `hook.before_tool`
#[derive(Debug, Default, Deserialize)]
pub(super) struct OfTool {
    #[serde(default)]
    pub(super) action: Action,
    #[serde(default)]
    pub(super) reason: String,
    pub(super) call: Option<NewCall>,
    pub(super) result: Option<Spoken>,
}

#[derive(Debug, Deserialize)]
pub(super) struct NewCall {
    pub(super) tool: Option<String>,
    pub(super) arguments: serde_json::Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Spoken {
    #[serde(default)]
    pub(super) for_llm: String,
}

/// `hook.approve_tool`
#[derive(Debug, Deserialize)]
pub(super) struct OfApproval {
    pub(super) approved: bool,
    #[serde(default)]
    pub(super) reason: String,
}

pub(super) fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, Failure> {
    serde_json::from_value(value).map_err(|error| Failure::Shape(error.to_string()))
}

/// `hook.before_llm`, `hook.after_llm`: hooks cannot rewrite requests or responses; they can add text for the model.
pub(super) fn of_model(value: Value, event: Event) -> Result<Effective, Failure> {
    if value.is_null() {
        return Ok(Effective::Go { context: None, arguments: None });
    }
    let reply: OfModel = read(value)?;
    match reply.action {
        Action::Continue => Ok(Effective::Go { context: reply.additional_context, arguments: None }),
        Action::AbortTurn | Action::HardAbort => Ok(Effective::Block(reply.reason)),
        action => Err(Failure::Shape(format!("{action:?} means nothing at {event}"))),
    }
}
