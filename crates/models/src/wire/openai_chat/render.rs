//! A request in this format.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::request::{Delivery, PromptCaching, ToolChoice, ToolOffer};
use crate::wire::json::{Each, given};
use crate::wire::{Dialect, Question};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a, M: Serialize, T: Serialize> {
    model: &'a str,
    messages: M,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(flatten)]
    given: Map<String, Value>,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    description: &'a str,
    parameters: &'a RawValue,
}

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, request, names, dialect, caching } = *question;
    let marked = caching == PromptCaching::Marked && dialect == Dialect::Compatible && is_claude(model);
    let streamed = request.delivery == Delivery::Streamed;
    // OpenAI's reasoning models require the newer name; other servers only know the older one.
    let limit = if dialect == Dialect::Official { "max_completion_tokens" } else { "max_tokens" };
    let answer = |schema| json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
    let offers = !request.tools.is_empty();
    let body = Body {
        model,
        messages: Each(request.messages.iter().enumerate().map(|(at, message)| match message {
            // OpenAI itself caches without being asked and does not know the mark; servers that pass requests on to Anthropic
            // need it.
            Message::System { text } if marked && at == 0 => json!({
                "role": "system",
                "content": [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}],
            }),
            message => entry(message, names),
        })),
        tools: offers.then(|| Each(request.tools.iter().map(|offer| tool(offer, names)))),
        temperature: request.temperature,
        given: given([
            ("tool_choice", choice(request.tool_choice, names).filter(|_| offers)),
            (limit, request.max_output_tokens.map(Value::from)),
            ("response_format", request.response_schema.map(answer)),
            ("stream", streamed.then_some(true.into())),
            ("stream_options", streamed.then(|| json!({"include_usage": true}))),
        ]),
    };
    serde_json::to_writer(out, &body)
}

/// Whether the model is Anthropic's, behind any gateway: `claude-…`, `anthropic/claude-…`.
fn is_claude(model: &str) -> bool {
    model.rsplit('/').next().is_some_and(|name| name.starts_with("claude"))
}

fn choice(choice: ToolChoice<'_>, names: &Names<'_>) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some("none".into()),
        ToolChoice::Required => Some("required".into()),
        ToolChoice::Named(name) => Some(json!({"type": "function", "function": {"name": names.wire(name)}})),
    }
}

fn tool<'a>(offer: &'a ToolOffer, names: &'a Names<'_>) -> Tool<'a> {
    Tool {
        r#type: "function",
        function: Function {
            name: names.wire(offer.name()),
            description: offer.description(),
            parameters: offer.schema(),
        },
    }
}

fn entry(message: &Message, names: &Names<'_>) -> Value {
    match message {
        Message::System { text } => json!({"role": "system", "content": text}),
        Message::User { text } => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls } if calls.is_empty() => json!({"role": "assistant", "content": text}),
        Message::Assistant { text, calls } => json!({
            "role": "assistant",
            "content": (!text.is_empty()).then_some(text),
            "tool_calls": calls.iter().map(|made| call(made, names)).collect::<Vec<_>>(),
        }),
        Message::Tool { call_id, content, .. } => {
            json!({"role": "tool", "tool_call_id": call_id.as_str(), "content": content})
        }
    }
}

fn call(made: &ToolCall, names: &Names<'_>) -> Value {
    json!({
        "id": made.id.as_str(),
        "type": "function",
        "function": {"name": names.wire(&made.name), "arguments": as_object_text(&made.arguments)},
    })
}
