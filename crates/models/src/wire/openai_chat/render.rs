//! A request in this format.
//!
//! Results are text alone here. Images and audio of a turn's results follow in one user message behind all of them, because
//! nothing may stand between two results.

use crate::arguments::as_object_text;
use crate::message::{Message, ToolCall};
use crate::names::Names;
use crate::parts::{self, Base64, InlineUrl, Shown, add_words, shown};
use crate::provider_state::ProviderState;
use crate::request::{Delivery, PromptCaching, ToolChoice, ToolOffer};
use crate::senses::Takes;
use crate::wire::ids::IdForm;
use crate::wire::json::{CacheControl, Each, given};
use crate::wire::{Dialect, Question};
use palanca_core::call::{MediaKind, Part};
use serde::{Serialize, Serializer};
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

#[derive(Clone, Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Clone, Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    description: &'a RawValue,
    parameters: &'a RawValue,
}

#[derive(Clone, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Entry<'a> {
    System {
        content: Instructions<'a>,
    },
    User {
        content: Input<'a>,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
        #[serde(flatten)]
        state: Fields<'a>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: Told<'a>,
    },
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Told<'a> {
    Rendered(&'a RawValue),
    Text(String),
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Input<'a> {
    Plain(&'a str),
    Parts(Vec<InputPart<'a>>),
}

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum InputPart<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl<'a> },
    InputAudio { input_audio: InputAudio<'a> },
}

#[derive(Clone, Serialize)]
struct ImageUrl<'a> {
    url: InlineUrl<'a>,
}

#[derive(Clone, Serialize)]
struct InputAudio<'a> {
    data: Base64<'a>,
    format: &'static str,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Instructions<'a> {
    Plain(&'a str),
    /// OpenAI itself caches without being asked and does not know the mark; servers that pass requests on to Anthropic need
    /// it.
    Marked([Marked<'a>; 1]),
}

#[derive(Clone, Serialize)]
#[serde(tag = "type", rename = "text")]
struct Marked<'a> {
    text: &'a str,
    cache_control: CacheControl,
}

#[derive(Clone, Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: Called<'a>,
    #[serde(flatten)]
    state: Fields<'a>,
}

/// What the provider wants back, beside the fields of the API.
#[derive(Clone)]
struct Fields<'a>(Vec<(&'a str, &'a RawValue)>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Clone, Serialize)]
struct Called<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

pub(in crate::wire) fn render(question: &Question<'_>, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    let Question { model, named, request, names, dialect, caching, takes } = *question;
    let marked = caching == PromptCaching::Marked && dialect == Dialect::Compatible && is_claude(model);
    let ids = IdForm::of_chat(model);
    let streamed = request.delivery == Delivery::Streamed;
    // OpenAI's reasoning models require the newer name; other servers only know the older one.
    let limit = if dialect == Dialect::Official { "max_completion_tokens" } else { "max_tokens" };
    let answer = |schema| json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
    let offers = !request.tools.is_empty();
    let body = Body {
        model,
        messages: Each(request.messages.iter().enumerate().flat_map(|(at, message)| {
            let entry = match message {
                Message::System { text } if marked && at == 0 => Entry::System {
                    content: Instructions::Marked([Marked { text, cache_control: CacheControl::Ephemeral }]),
                },
                message => entry(message, names, (takes, ids, named)),
            };
            std::iter::once(entry).chain(behind_results(request.messages, at, takes))
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

fn entry<'a>(message: &'a Message, names: &'a Names<'_>, (takes, ids, named): (Takes, IdForm, &str)) -> Entry<'a> {
    match message {
        Message::System { text } => Entry::System { content: Instructions::Plain(text) },
        Message::User { text, parts } if parts.is_empty() => Entry::User { content: Input::Plain(text) },
        Message::User { text, parts } => {
            let said = (!text.is_empty()).then(|| InputPart::Text { text: text.into() });
            let parts = parts.iter().map(|part| input(part, takes));
            Entry::User { content: Input::Parts(said.into_iter().chain(parts).collect()) }
        }
        Message::Assistant { text, calls, provider_state } => {
            let state = provider_state.as_ref();
            let called = calls.iter().enumerate().map(|(number, made)| {
                let state = ProviderState::call_fields(state, named, number);
                Call { state: Fields(state), ..call(made, names, ids) }
            });
            Entry::Assistant {
                content: (!text.is_empty() || calls.is_empty()).then_some(text),
                tool_calls: called.collect(),
                state: Fields(ProviderState::message_fields(state, named)),
            }
        }
        Message::Tool { call_id, content, parts, .. } => {
            let content = match parts.as_slice() {
                [] => Told::Rendered(content.json()),
                parts => Told::Text(with_words(content, parts, takes)),
            };
            Entry::Tool { tool_call_id: ids.wire(call_id), content }
        }
    }
}

/// A result's text with what is beside it, in words; of what follows, only that it does.
fn with_words(text: &str, parts: &[Part], takes: Takes) -> String {
    let mut whole = text.to_owned();
    for part in parts {
        match shown(part, takes) {
            Shown::Words(words) => add_words(&mut whole, &words),
            Shown::Image(media) | Shown::Audio(media) => {
                add_words(&mut whole, &format!("[{}: in the message behind these results]", media.media_type()));
            }
        }
    }
    whole
}

fn input(part: &Part, takes: Takes) -> InputPart<'_> {
    match shown(part, takes) {
        Shown::Image(image) => InputPart::ImageUrl { image_url: ImageUrl { url: InlineUrl(image) } },
        Shown::Audio(audio) => {
            let format = if audio.kind() == Some(MediaKind::Mp3) { "mp3" } else { "wav" };
            InputPart::InputAudio { input_audio: InputAudio { data: Base64(audio), format } }
        }
        Shown::Words(words) => InputPart::Text { text: words.into() },
    }
}

/// What the results that end with this message hold for eyes and ears.
fn behind_results(messages: &[Message], at: usize, takes: Takes) -> Option<Entry<'_>> {
    let is_result = |message: &&Message| matches!(message, Message::Tool { .. });
    messages.get(at).filter(is_result)?;
    if messages.get(at + 1).as_ref().is_some_and(is_result) {
        return None;
    }
    let before = messages.get(..=at)?.iter().rev().take_while(is_result).count();
    let results = messages.get(at + 1 - before..=at)?;
    let mut content = Vec::new();
    for result in results {
        let Message::Tool { name, .. } = result else { continue };
        let mut is_named = false;
        for part in parts::of(result) {
            let part = input(part, takes);
            if matches!(part, InputPart::Text { .. }) {
                continue;
            }
            if !is_named {
                content.push(InputPart::Text { text: format!("From the result of {name}:").into() });
                is_named = true;
            }
            content.push(part);
        }
    }
    (!content.is_empty()).then_some(Entry::User { content: Input::Parts(content) })
}

fn call<'a>(made: &'a ToolCall, names: &'a Names<'_>, ids: IdForm) -> Call<'a> {
    Call {
        id: ids.wire(&made.id),
        r#type: "function",
        function: Called { name: names.wire(&made.name), arguments: as_object_text(&made.arguments) },
        state: Fields(Vec::new()),
    }
}
