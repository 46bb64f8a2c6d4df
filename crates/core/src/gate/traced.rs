//! The span of one call, `execute_tool`: which tool, for whom, how it ended. Nothing of its arguments and its output, and
//! nothing that whoever wrote the call may have put into its name or id.

use super::engine::Gate;
use crate::call::{Call, OutcomeKind, ToolResult};
use crate::registry::Toolset;
use tracing::field::Empty;
use tracing::{Span, info_span};

pub(super) fn span(gate: &Gate, toolset: &Toolset, call: &Call) -> Span {
    let span = info_span!(
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = Empty,
        gen_ai.tool.call.id = Empty,
        gen_ai.conversation.id = Empty,
        palanca.outcome = Empty,
        "error.type" = Empty,
    );
    if !span.is_disabled() {
        let clean = |text: &str| gate.redactor.redact(text).into_owned();
        let is_offered = toolset.registered(&call.tool).is_some();
        span.record("gen_ai.tool.name", if is_offered { &call.tool } else { "unknown" });
        span.record("gen_ai.tool.call.id", clean(call.id.as_str()));
        span.record("gen_ai.conversation.id", clean(call.scope.session.as_str()));
    }
    span
}

pub(super) fn ended(span: &Span, result: &ToolResult) {
    if !matches!(result.outcome, OutcomeKind::Done | OutcomeKind::Parked) {
        span.record("error.type", result.code.as_deref());
    }
    span.record("palanca.outcome", result.outcome.name());
}
