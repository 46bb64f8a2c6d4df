//! A request in this format.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::parts::{InlineUrl, Shown, shown};
use crate::provider_state::{Block, ProviderState};
use crate::request::{Delivery, ToolChoice, ToolOffer};
use crate::senses::Takes;
use crate::wire::Question;
use crate::wire::ids::IdForm;
use crate::wire::json::{Each, given};
use palanca_core::call::Part;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
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
    temperature: Option<f32>,
    store: bool,
    #[serde(flatten)]
    given: Map<String, Value>,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: Cow<'a, str>,
    description: &'a RawValue,
    parameters: &'a RawValue,
    // The API's default rewrites schemas; ours are sent unchanged.
    strict: bool,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Ours(Item<'a>),
    /// Reasoning, as it came.
    Reasoning(&'a RawValue),
}

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item<'a> {
    Message {
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
        content: Content<'a>,
    },
    FunctionCall {
        call_id: Cow<'a, str>,
        name: Cow<'a, str>,
        arguments: Cow<'a, str>,
    },
    FunctionCallOutput {
        call_id: Cow<'a, str>,
        output: Told<'a>,
    },
}

/// What a result tells: a text, which is rendered once, or a list with everything beside it.
#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Text(&'a RawValue),
    Parts(Vec<Input<'a>>),
}

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Input<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { image_url: InlineUrl<'a> },
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Input(&'a str),
    Parts(Vec<Input<'a>>),
    Output([Output<'a>; 1]),
}

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename = "output_text")]
struct Output<'a> {
    text: &'a str,
    annotations: [&'a str; 0],
}

const IDS: IdForm = IdForm::Word(64);

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, named, request, names, takes, .. } = *question;
    let leading = request.messages.iter().take_while(|message| matches!(message, Message::System { .. })).count();
    let (system, rest) = request.messages.split_at_checked(leading).unwrap_or((&[], request.messages));
    let offers = !request.tools.is_empty();
    let answer = |schema| json!({"format": {"type": "json_schema", "name": "answer", "schema": schema}});
    let body = Body {
        model,
        instructions: instructions(system),
        input: Each(rest.iter().flat_map(|message| items(message, names, (takes, named)))),
        tools: offers.then(|| Each(request.tools.iter().map(|offer| tool(offer, names)))),
        temperature: request.temperature,
        store: false,
        given: given([
            ("include", may_reason(model).then(|| json!(["reasoning.encrypted_content"]))),
            ("tool_choice", choice(request.tool_choice, names).filter(|_| offers)),
            ("max_output_tokens", request.max_output_tokens.map(Value::from)),
            ("text", request.response_schema.map(answer)),
            ("stream", (request.delivery == Delivery::Streamed).then_some(true.into())),
        ]),
    };
    serde_json::to_writer(out, &body)
}

/// Models that do not reason refuse to be asked for what they have thought.
fn may_reason(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    !["gpt-3", "gpt-4", "chatgpt-"].iter().any(|without| name.starts_with(without)) && !name.contains("-chat")
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

fn choice(choice: ToolChoice<'_>, names: &Names<'_>) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some("none".into()),
        ToolChoice::Required => Some("required".into()),
        ToolChoice::Named(name) => Some(json!({"type": "function", "name": names.wire(name)})),
    }
}

fn tool<'a>(offer: &'a ToolOffer, names: &'a Names<'_>) -> Tool<'a> {
    Tool {
        r#type: "function",
        name: names.wire(offer.name()),
        description: offer.description_json(),
        parameters: offer.schema(),
        strict: false,
    }
}

/// One message becomes its text and then its calls.
fn items<'a>(message: &'a Message, names: &'a Names<'_>, (takes, named): (Takes, &str)) -> Vec<Entry<'a>> {
    let said = |role, text| Entry::Ours(Item::Message { role, status: None, content: Content::Input(text) });
    match message {
        Message::System { text } => vec![said("system", text)],
        Message::User { text, parts } if parts.is_empty() => vec![said("user", text)],
        Message::User { text, parts } => {
            let content = Content::Parts(with_parts(text, parts, takes));
            vec![Entry::Ours(Item::Message { role: "user", status: None, content })]
        }
        Message::Assistant { text, calls, provider_state } => {
            let blocks = ProviderState::blocks(provider_state.as_ref(), named, (text, calls));
            let entry = |block| match block {
                Block::Text(text) => Entry::Ours(Item::Message {
                    role: "assistant",
                    status: Some("completed"),
                    content: Content::Output([Output { text, annotations: [] }]),
                }),
                Block::Call(made) => Entry::Ours(call(made, names)),
                Block::State(reasoning) => Entry::Reasoning(reasoning),
            };
            blocks.into_iter().map(entry).collect()
        }
        Message::Tool { call_id, content, parts, .. } => {
            let output = match parts.as_slice() {
                [] => Told::Text(content.json()),
                parts => Told::Parts(with_parts(content, parts, takes)),
            };
            vec![Entry::Ours(Item::FunctionCallOutput { call_id: IDS.wire(call_id), output })]
        }
    }
}

/// A text and what is beside it. Audio is in words: results have no place for it in this format.
fn with_parts<'a>(text: &'a str, parts: &'a [Part], takes: Takes) -> Vec<Input<'a>> {
    let text = (!text.is_empty()).then(|| Input::InputText { text: text.into() });
    let parts = parts.iter().filter_map(|part| match shown(part, takes) {
        Shown::Image(image) => Some(Input::InputImage { image_url: InlineUrl(image) }),
        Shown::Words(words) => Some(Input::InputText { text: words.into() }),
        Shown::Audio(_) => None,
    });
    text.into_iter().chain(parts).collect()
}

fn call<'a>(made: &'a ToolCall, names: &'a Names<'_>) -> Item<'a> {
    Item::FunctionCall {
        call_id: IDS.wire(&made.id),
        name: names.wire(&made.name),
        arguments: as_object_text(&made.arguments),
    }
}
