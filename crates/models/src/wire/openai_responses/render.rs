//! A request in this format.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::request::{Delivery, ToolChoice, ToolOffer};
use crate::wire::Question;
use crate::wire::json::Each;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

#[derive(Serialize)]
struct Body<'a, I: Serialize, T: Serialize> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<Cow<'a, str>>,
    input: I,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<TextFormat<'a>>,
    store: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
}

#[derive(Serialize)]
struct TextFormat<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    name: &'static str,
    schema: &'a Value,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Function { r#type: &'static str, name: Cow<'a, str> },
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: Cow<'a, str>,
    description: &'a str,
    parameters: &'a RawValue,
    // The API's own default rewrites schemas; ours go as they are.
    strict: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Message { r#type: &'static str, role: &'static str, content: &'a str },
    Said { r#type: &'static str, role: &'static str, status: &'static str, content: [Output<'a>; 1] },
    Call { r#type: &'static str, call_id: &'a str, name: Cow<'a, str>, arguments: Cow<'a, str> },
    Result { r#type: &'static str, call_id: &'a str, output: &'a str },
}

#[derive(Serialize)]
struct Output<'a> {
    r#type: &'static str,
    text: &'a str,
    annotations: [(); 0],
}

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, request, names, .. } = *question;
    let leading = request.messages.iter().take_while(|message| matches!(message, Message::System { .. })).count();
    let (system, rest) = request.messages.split_at_checked(leading).unwrap_or((&[], request.messages));
    let offers = !request.tools.is_empty();
    let body = Body {
        model,
        instructions: instructions(system),
        input: Each(rest.iter().flat_map(|message| items(message, names))),
        tools: offers.then(|| Each(request.tools.iter().map(|offer| tool(offer, names)))),
        tool_choice: choice(request.tool_choice, names).filter(|_| offers),
        max_output_tokens: request.max_output_tokens,
        temperature: request.temperature,
        text: request
            .response_schema
            .map(|schema| TextFormat { format: Format { r#type: "json_schema", name: "answer", schema } }),
        store: false,
        stream: (request.delivery == Delivery::Streamed).then_some(true),
    };
    serde_json::to_writer(out, &body)
}

fn instructions(system: &[Message]) -> Option<Cow<'_, str>> {
    let mut texts = system.iter().filter_map(|message| match message {
        Message::System { text } => Some(text.as_str()),
        _ => None,
    });
    let first = texts.next()?;
    let mut all = Cow::Borrowed(first);
    for text in texts {
        let all = all.to_mut();
        all.push_str("\n\n");
        all.push_str(text);
    }
    Some(all)
}

fn choice<'a>(choice: ToolChoice<'a>, names: &'a Names<'_>) -> Option<Choice<'a>> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(Choice::Word("none")),
        ToolChoice::Required => Some(Choice::Word("required")),
        ToolChoice::Named(name) => Some(Choice::Function { r#type: "function", name: names.wire(name) }),
    }
}

fn tool<'a>(offer: &'a ToolOffer, names: &'a Names<'_>) -> Tool<'a> {
    Tool {
        r#type: "function",
        name: names.wire(offer.name()),
        description: offer.description(),
        parameters: offer.schema(),
        strict: false,
    }
}

/// One message becomes its text and then its calls.
fn items<'a>(message: &'a Message, names: &'a Names<'_>) -> impl Iterator<Item = Item<'a>> + Clone {
    let no_calls: &[ToolCall] = &[];
    let (first, calls) = match message {
        Message::System { text } => (Some(Text::Message("system", text)), no_calls),
        Message::User { text } => (Some(Text::Message("user", text)), no_calls),
        Message::Assistant { text, calls } => ((!text.is_empty()).then_some(Text::Said(text)), calls.as_slice()),
        Message::Tool { call_id, content, .. } => (Some(Text::Result(call_id.as_str(), content)), no_calls),
    };
    first.into_iter().map(Text::item).chain(calls.iter().map(|made| call(made, names)))
}

#[derive(Clone, Copy)]
enum Text<'a> {
    Message(&'static str, &'a str),
    Said(&'a str),
    Result(&'a str, &'a str),
}

impl<'a> Text<'a> {
    fn item(self) -> Item<'a> {
        match self {
            Self::Message(role, content) => Item::Message { r#type: "message", role, content },
            Self::Said(text) => Item::Said {
                r#type: "message",
                role: "assistant",
                status: "completed",
                content: [Output { r#type: "output_text", text, annotations: [] }],
            },
            Self::Result(call_id, output) => Item::Result { r#type: "function_call_output", call_id, output },
        }
    }
}

fn call<'a>(made: &'a ToolCall, names: &'a Names<'_>) -> Item<'a> {
    Item::Call {
        r#type: "function_call",
        call_id: made.id.as_str(),
        name: names.wire(&made.name),
        arguments: as_object_text(&made.arguments),
    }
}
