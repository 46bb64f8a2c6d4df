//! The spans of a turn, `invoke_agent`, and of its requests to the model, `chat`: names, counts and ends; nothing that was said.

use super::ask::Unanswered;
use super::{Ended, Turn};
use palanca_core::call::SessionId;
use palanca_models::{Reply, Stop};
use tracing::field::{Empty, debug};
use tracing::{Span, info_span};

pub(super) fn turn(turn: &Turn<'_>) -> Span {
    let span = info_span!(
        "invoke_agent",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = &*turn.agent.name,
        gen_ai.conversation.id = conversation(turn).as_str(),
        gen_ai.provider.name = Empty,
        gen_ai.request.model = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        palanca.cost_usd = Empty,
        palanca.steps = Empty,
        palanca.stop_reason = Empty,
        palanca.outcome = Empty,
    );
    name(&span, turn.model.name());
    span
}

pub(super) fn turn_ended(span: &Span, ended: &Ended) {
    let report = &ended.report;
    if let Some(costs) = &report.costs {
        span.record("gen_ai.usage.input_tokens", costs.total_input_tokens);
        span.record("gen_ai.usage.output_tokens", costs.total_output_tokens);
    }
    span.record("palanca.cost_usd", report.cost);
    span.record("palanca.steps", report.steps);
    span.record("palanca.stop_reason", report.stop_reason.name());
    span.record("palanca.outcome", report.status.name());
}

pub(super) fn chat(turn: &Turn<'_>, step: u32) -> Span {
    let span = info_span!(
        "chat",
        gen_ai.operation.name = "chat",
        gen_ai.conversation.id = conversation(turn).as_str(),
        gen_ai.provider.name = Empty,
        gen_ai.request.model = Empty,
        gen_ai.response.model = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        palanca.cost_usd = Empty,
        palanca.step = step,
        palanca.outcome = Empty,
        "error.type" = Empty,
    );
    name(&span, turn.model.name());
    span
}

/// What the provider said of its tokens, and what they cost.
pub(super) fn chat_ended(span: &Span, reply: &Reply, dollars: Option<f64>, heard: &Result<(), Unanswered>) {
    if reply.usage.input > 0 || reply.usage.output > 0 {
        span.record("gen_ai.usage.input_tokens", reply.usage.input);
        span.record("gen_ai.usage.output_tokens", reply.usage.output);
        span.record("palanca.cost_usd", dollars);
    }
    span.record("gen_ai.response.model", reply.answered_by.as_deref().map(|name| split(name).1));
    let outcome = match heard {
        Ok(()) => match reply.stop {
            Stop::Answer => "answer",
            Stop::ToolCalls => "tool_calls",
            Stop::Length => "length",
            _ => "other",
        },
        Err(Unanswered::Halted(reason)) => {
            span.record("error.type", reason.name());
            "stopped"
        }
        Err(Unanswered::Failed(error)) => {
            span.record("error.type", debug(error.kind()));
            "failed"
        }
    };
    span.record("palanca.outcome", outcome);
}

fn conversation<'t>(turn: &'t Turn<'_>) -> &'t SessionId {
    &turn.settings.scope.session
}

fn name(span: &Span, model: &str) {
    let (provider, model) = split(model);
    span.record("gen_ai.provider.name", provider);
    span.record("gen_ai.request.model", model);
}

/// `openai:gpt-4.1` has both parts. The file that is replayed is nobody's business.
fn split(model: &str) -> (&str, &str) {
    match model.split_once(':') {
        Some(("replay", _)) => ("replay", "replay"),
        Some(parts) => parts,
        None => ("_OTHER", model),
    }
}
