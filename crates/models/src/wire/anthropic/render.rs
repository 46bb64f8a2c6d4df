//! A request in this format.
//!
//! The format requires what others do not: a limit on the answer, separate instructions, the results of one turn's
//! calls together in the user message that follows, and no empty text. Later instructions become user text, because
//! there is no other place for them.

use crate::arguments::{Object, as_object};
use crate::message::Message;
use crate::names::Names;
use crate::parts::{Base64, Shown, shown};
use crate::provider_state::{Block as Said, ProviderState};
use crate::request::{Delivery, PromptCaching, ToolChoice, ToolOffer};
use crate::senses::Takes;
use crate::wire::Question;
use crate::wire::ids::IdForm;
use crate::wire::json::{CacheControl, Each, given};
use palanca_core::call::Part;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Claude 3 models allow no more than the first, all later ones at least the second.
const OLD_LIMIT: u32 = 4096;
const NEW_LIMIT: u32 = 16_384;

#[derive(Serialize)]
struct Body<'a, T: Serialize> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<T>,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(flatten)]
    given: Map<String, Value>,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: Cow<'a, str>,
    description: &'a RawValue,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    Ours {
        #[serde(flatten)]
        kind: Kind<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
    /// Thoughts, as they came; no mark can be on them.
    Thoughts(&'a RawValue),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind<'a> {
    Text {
        text: Cow<'a, str>,
    },
    Image {
        source: Source<'a>,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: Object<'a>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: Told<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename = "base64")]
struct Source<'a> {
    media_type: &'a str,
    data: Base64<'a>,
}

/// What a result tells: a text, which is rendered once, or a list with everything beside it.
#[derive(Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Text(&'a RawValue),
    Parts(Vec<Block<'a>>),
}

impl<'a> From<Kind<'a>> for Block<'a> {
    fn from(kind: Kind<'a>) -> Self {
        Self::Ours { kind, cache_control: None }
    }
}

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, named, request, names, caching, takes, .. } = *question;
    let (limit, most) = if model.starts_with("claude-3-") { (OLD_LIMIT, OLD_LIMIT) } else { (NEW_LIMIT, u32::MAX) };
    let mut system = Vec::new();
    let mut messages: Vec<Turn<'_>> = Vec::with_capacity(request.messages.len());
    for message in request.messages {
        match message {
            Message::System { text } if messages.is_empty() => system.extend(text_block(text)),
            other => add(&mut messages, other, names, (takes, named)),
        }
    }
    if messages.first().is_none_or(|turn| turn.role != USER) {
        // The format begins with the user.
        let opening = Turn { role: USER, content: vec![Kind::Text { text: "Go on.".into() }.into()] };
        messages.insert(0, opening);
    }
    let offers = !request.tools.is_empty();
    if caching == PromptCaching::Marked {
        mark(system.last_mut());
        // A single question without tools (a summary) is never read again, and writing to the cache costs more than reading.
        if offers || messages.len() > 1 {
            mark(messages.last_mut().and_then(|turn| turn.content.last_mut()));
        }
    }
    let answer = |schema| json!({"format": {"type": "json_schema", "schema": schema}});
    let body = Body {
        model,
        max_tokens: request.max_output_tokens.unwrap_or(limit).min(most),
        system,
        tools: offers.then(|| {
            Each(request.tools.iter().enumerate().map(|(at, offer)| {
                // One mark after the last tool covers all of them.
                let marked = caching == PromptCaching::Marked && at + 1 == request.tools.len();
                Tool { cache_control: marked.then_some(CacheControl::Ephemeral), ..tool(offer, names) }
            }))
        }),
        messages,
        temperature: request.temperature,
        given: given([
            ("tool_choice", choice(request.tool_choice, names).filter(|_| offers)),
            ("output_config", request.response_schema.map(answer)),
            ("stream", (request.delivery == Delivery::Streamed).then_some(true.into())),
        ]),
    };
    serde_json::to_writer(out, &body)
}

const IDS: IdForm = IdForm::Word(64);
const USER: &str = "user";
const ASSISTANT: &str = "assistant";

fn mark(block: Option<&mut Block<'_>>) {
    if let Some(Block::Ours { cache_control, .. }) = block {
        *cache_control = Some(CacheControl::Ephemeral);
    }
}

/// Empty text is refused.
fn text_block(text: &str) -> Option<Block<'_>> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| Kind::Text { text: text.into() }.into())
}

/// A text and what is beside it. Audio is in words: this format has no place for it.
fn with_parts<'a>(text: &'a str, parts: &'a [Part], takes: Takes) -> impl Iterator<Item = Block<'a>> {
    text_block(text).into_iter().chain(parts.iter().filter_map(move |part| match shown(part, takes) {
        Shown::Image(image) => {
            let source = Source { media_type: image.media_type(), data: Base64(image) };
            Some(Kind::Image { source }.into())
        }
        Shown::Words(words) => Some(Kind::Text { text: words.into() }.into()),
        Shown::Audio(_) => None,
    }))
}

fn add<'a>(turns: &mut Vec<Turn<'a>>, message: &'a Message, names: &'a Names<'_>, (takes, named): (Takes, &str)) {
    match message {
        Message::System { text } => blocks(turns, USER, text_block(text)),
        Message::User { text, parts } => blocks(turns, USER, with_parts(text, parts, takes)),
        Message::Assistant { text, calls, provider_state } => {
            let said = ProviderState::blocks(provider_state.as_ref(), named, (text, calls));
            let said = said.into_iter().filter_map(|block| match block {
                Said::Text(text) => text_block(text),
                Said::State(thoughts) => Some(Block::Thoughts(thoughts)),
                Said::Call(call) => Some(Block::from(Kind::ToolUse {
                    id: IDS.wire(&call.id),
                    name: names.wire(&call.name),
                    input: as_object(&call.arguments),
                })),
            });
            blocks(turns, ASSISTANT, said);
        }
        Message::Tool { call_id, content, is_error, parts, .. } => {
            let is_error = is_error.then_some(true);
            let content = match parts.as_slice() {
                [] => Told::Text(content.json()),
                parts => Told::Parts(with_parts(content, parts, takes).collect()),
            };
            let result = Kind::ToolResult { tool_use_id: IDS.wire(call_id), content, is_error };
            blocks(turns, USER, [result.into()]);
        }
    }
}

/// Adds blocks to the last turn if it is this role's, or to a new one.
fn blocks<'a>(turns: &mut Vec<Turn<'a>>, role: &'static str, blocks: impl IntoIterator<Item = Block<'a>>) {
    let mut blocks = blocks.into_iter().peekable();
    if blocks.peek().is_none() {
        return;
    }
    match turns.last_mut() {
        Some(turn) if turn.role == role => turn.content.extend(blocks),
        _ => turns.push(Turn { role, content: blocks.collect() }),
    }
}

fn choice(choice: ToolChoice<'_>, names: &Names<'_>) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(json!({"type": "none"})),
        ToolChoice::Required => Some(json!({"type": "any"})),
        ToolChoice::Named(name) => Some(json!({"type": "tool", "name": names.wire(name)})),
    }
}

fn tool<'a>(offer: &'a ToolOffer, names: &'a Names<'_>) -> Tool<'a> {
    Tool {
        name: names.wire(offer.name()),
        description: offer.description_json(),
        input_schema: offer.schema(),
        cache_control: None,
    }
}
