//! A request in this format.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::request::{Delivery, PromptCaching, ToolChoice, ToolOffer};
use crate::wire::json::Each;
use crate::wire::{Dialect, Question};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a, M: Serialize, T: Serialize> {
    model: &'a str,
    messages: M,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    // The newer name is demanded by OpenAI's reasoning models, the older one is what everybody else knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: NamedSchema<'a>,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'static str,
    schema: &'a Value,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Function { r#type: &'static str, function: Named<'a> },
}

#[derive(Serialize)]
struct Named<'a> {
    name: Cow<'a, str>,
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

#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a, C: Serialize> {
    Plain { role: &'static str, content: &'a str },
    Marked { role: &'static str, content: [Block<'a>; 1] },
    Assistant { role: &'static str, content: Option<&'a str>, tool_calls: C },
    Result { role: &'static str, tool_call_id: &'a str, content: &'a str },
}

/// A text that a server is asked to cache. OpenAI itself caches without being asked and does not know the mark; servers that
/// pass requests on to Anthropic need it.
#[derive(Serialize)]
struct Block<'a> {
    r#type: &'static str,
    text: &'a str,
    cache_control: CacheControl,
}

#[derive(Serialize)]
struct CacheControl {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: CallBody<'a>,
}

#[derive(Serialize)]
struct CallBody<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, request, names, dialect, caching } = *question;
    let marked = caching == PromptCaching::Marked && dialect == Dialect::Compatible && is_claude(model);
    let streamed = request.delivery == Delivery::Streamed;
    let (max_completion_tokens, max_tokens) = match dialect {
        Dialect::Official => (request.max_output_tokens, None),
        Dialect::Compatible => (None, request.max_output_tokens),
    };
    let offers = !request.tools.is_empty();
    let body = Body {
        model,
        messages: Each(request.messages.iter().enumerate().map(|(at, message)| match message {
            Message::System { text } if marked && at == 0 => Entry::Marked {
                role: "system",
                content: [Block { r#type: "text", text, cache_control: CacheControl { r#type: "ephemeral" } }],
            },
            message => entry(message, names),
        })),
        tools: offers.then(|| Each(request.tools.iter().map(|offer| tool(offer, names)))),
        tool_choice: choice(request.tool_choice, names).filter(|_| offers),
        max_completion_tokens,
        max_tokens,
        temperature: request.temperature,
        response_format: request.response_schema.map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: NamedSchema { name: "answer", schema },
        }),
        stream: streamed.then_some(true),
        stream_options: streamed.then_some(StreamOptions { include_usage: true }),
    };
    serde_json::to_writer(out, &body)
}

/// Whether the model is Anthropic's, behind whichever gateway: `claude-…`, `anthropic/claude-…`.
fn is_claude(model: &str) -> bool {
    model.rsplit('/').next().is_some_and(|name| name.starts_with("claude"))
}

fn choice<'a>(choice: ToolChoice<'a>, names: &'a Names<'_>) -> Option<Choice<'a>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Word("none")),
        ToolChoice::Required => Some(Choice::Word("required")),
        ToolChoice::Named(name) => {
            Some(Choice::Function { r#type: "function", function: Named { name: names.wire(name) } })
        }
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

fn entry<'a>(message: &'a Message, names: &'a Names<'_>) -> Entry<'a, impl Serialize + use<'a>> {
    match message {
        Message::System { text } => Entry::Plain { role: "system", content: text },
        Message::User { text } => Entry::Plain { role: "user", content: text },
        Message::Assistant { text, calls } if calls.is_empty() => Entry::Plain { role: "assistant", content: text },
        Message::Assistant { text, calls } => Entry::Assistant {
            role: "assistant",
            content: (!text.is_empty()).then_some(text),
            tool_calls: Each(calls.iter().map(|made| call(made, names))),
        },
        Message::Tool { call_id, content, .. } => {
            Entry::Result { role: "tool", tool_call_id: call_id.as_str(), content }
        }
    }
}

fn call<'a>(made: &'a ToolCall, names: &'a Names<'_>) -> Call<'a> {
    Call {
        id: made.id.as_str(),
        r#type: "function",
        function: CallBody { name: names.wire(&made.name), arguments: as_object_text(&made.arguments) },
    }
}
