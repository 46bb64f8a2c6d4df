//! A request in this format.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::request::{Delivery, PromptCaching, ToolChoice, ToolOffer};
use crate::wire::json::{CacheControl, Each, given};
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
    description: &'a RawValue,
    parameters: &'a RawValue,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Entry<'a> {
    System {
        content: Instructions<'a>,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a RawValue,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Instructions<'a> {
    Plain(&'a str),
    /// OpenAI itself caches without being asked and does not know the mark; servers that pass requests on to Anthropic need
    /// it.
    Marked([Marked<'a>; 1]),
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "text")]
struct Marked<'a> {
    text: &'a str,
    cache_control: CacheControl,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
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
            Message::System { text } if marked && at == 0 => Entry::System {
                content: Instructions::Marked([Marked { text, cache_control: CacheControl::Ephemeral }]),
            },
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
            description: offer.description_json(),
            parameters: offer.schema(),
        },
    }
}

fn entry<'a>(message: &'a Message, names: &'a Names<'_>) -> Entry<'a> {
    match message {
        Message::System { text } => Entry::System { content: Instructions::Plain(text) },
        Message::User { text } => Entry::User { content: text },
        Message::Assistant { text, calls } => Entry::Assistant {
            content: (!text.is_empty() || calls.is_empty()).then_some(text),
            tool_calls: calls.iter().map(|made| call(made, names)).collect(),
        },
        Message::Tool { call_id, content, .. } => {
            Entry::Tool { tool_call_id: call_id.as_str(), content: content.json() }
        }
    }
}

fn call<'a>(made: &'a ToolCall, names: &'a Names<'_>) -> Call<'a> {
    Call {
        id: made.id.as_str(),
        r#type: "function",
        function: Called { name: names.wire(&made.name), arguments: as_object_text(&made.arguments) },
    }
}
