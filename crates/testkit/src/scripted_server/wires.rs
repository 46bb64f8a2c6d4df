//! A turn in each of the three wire formats, whole and streamed.
#![allow(clippy::indexing_slicing, reason = "setting a field of a JSON object that was just made")]

use super::Tools;
use super::turn::{Kind, Turn};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    Chat,
    Responses,
    Anthropic,
}

/// Characters in each delta.
const DELTA: usize = 24;

/// A quarter of the bytes of what a model would read.
pub(super) fn prompt_tokens(body: &Value, tools: Tools) -> u64 {
    let read = ["system", "instructions", "messages", "input", "tools"];
    let size: usize = read
        .iter()
        .filter(|key| **key != "tools" || tools == Tools::Read)
        .filter_map(|key| body.get(*key))
        .map(|part| part.to_string().len())
        .sum();
    (size / 4) as u64
}

/// The content of a turn.
struct Said<'a> {
    text: &'a str,
    calls: Vec<(String, &'a str, &'a str)>,
    output: u64,
    input: u64,
}

fn said(turn: &Turn, prompt: u64) -> Said<'_> {
    let Kind::Answer { text, calls, usage, .. } = &turn.kind else { unreachable!("only answers are rendered") };
    let calls: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| (format!("call_{index}"), name.as_str(), arguments.as_str()))
        .collect();
    let written = text.len() + calls.iter().map(|(_, _, a)| a.len()).sum::<usize>();
    let (input, output) = usage.unwrap_or((prompt, (written / 4) as u64));
    Said { text, calls, output, input }
}

fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(DELTA).map(|piece| piece.iter().collect()).collect()
}

fn event(name: Option<&str>, data: &Value) -> String {
    match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
}

impl Wire {
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        [("/chat/completions", Self::Chat), ("/responses", Self::Responses), ("/messages", Self::Anthropic)]
            .into_iter()
            .find(|(end, _)| path.ends_with(end))
            .map(|(_, wire)| wire)
    }

    pub(super) fn error(self, code: u16, message: &str) -> String {
        match self {
            Self::Anthropic => json!({"type": "error", "error": {"type": "scripted", "message": message}}),
            _ => json!({"error": {"message": message, "type": "scripted", "code": code.to_string()}}),
        }
        .to_string()
    }

    pub(super) fn whole(self, turn: &Turn, prompt: u64) -> String {
        let said = said(turn, prompt);
        match self {
            Self::Chat => chat_whole(&said),
            Self::Responses => responses_whole(&said),
            Self::Anthropic => anthropic_whole(&said),
        }
        .to_string()
    }

    /// The events, one text each.
    pub(super) fn stream(self, turn: &Turn, prompt: u64) -> Vec<String> {
        let said = said(turn, prompt);
        match self {
            Self::Chat => chat_stream(&said),
            Self::Responses => responses_stream(&said),
            Self::Anthropic => anthropic_stream(&said),
        }
    }
}

fn chat_usage(said: &Said<'_>) -> Value {
    json!({"prompt_tokens": said.input, "completion_tokens": said.output, "total_tokens": said.input + said.output})
}

fn chat_stop(said: &Said<'_>) -> &'static str {
    if said.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn chat_whole(said: &Said<'_>) -> Value {
    let mut message = json!({"role": "assistant", "content": said.text});
    if !said.calls.is_empty() {
        message["tool_calls"] = said
            .calls
            .iter()
            .map(|(id, name, arguments)| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
            .collect();
    }
    json!({
        "id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": chat_stop(said), "logprobs": null}],
        "usage": chat_usage(said),
    })
}

fn chat_stream(said: &Said<'_>) -> Vec<String> {
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        event(
            None,
            &json!({"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [choice]}),
        )
    };
    let mut events = vec![chunk(json!({"role": "assistant", "content": ""}), None)];
    events.extend(pieces(said.text).iter().map(|piece| chunk(json!({"content": piece}), None)));
    for (index, (id, name, arguments)) in said.calls.iter().enumerate() {
        let function = json!({"name": name, "arguments": ""});
        events.push(chunk(
            json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": function}]}),
            None,
        ));
        events.extend(
            pieces(arguments)
                .iter()
                .map(|piece| chunk(json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), None)),
        );
    }
    events.push(chunk(json!({}), Some(chat_stop(said))));
    events.push(event(None, &json!({"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "choices": [], "usage": chat_usage(said)})));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn response(said: &Said<'_>, status: &str, output: &[Value]) -> Value {
    let usage =
        json!({"input_tokens": said.input, "output_tokens": said.output, "total_tokens": said.input + said.output});
    json!({"id": "resp_scripted", "object": "response", "status": status, "model": "scripted", "output": output, "error": null, "incomplete_details": null, "usage": if status == "completed" { usage } else { Value::Null }})
}

fn response_items(said: &Said<'_>) -> Vec<Value> {
    let mut items = Vec::new();
    if !said.text.is_empty() {
        items.push(json!({"id": "msg_0", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": said.text, "annotations": []}]}));
    }
    items.extend(said.calls.iter().map(|(id, name, arguments)| {
        json!({"id": format!("fc_{id}"), "type": "function_call", "status": "completed", "call_id": id, "name": name, "arguments": arguments})
    }));
    items
}

fn responses_whole(said: &Said<'_>) -> Value {
    response(said, "completed", &response_items(said))
}

fn responses_stream(said: &Said<'_>) -> Vec<String> {
    let mut events = Vec::new();
    let mut push = |kind: &str, mut data: Value| {
        data["type"] = kind.into();
        data["sequence_number"] = events.len().into();
        events.push(event(Some(kind), &data));
    };
    let items = response_items(said);
    push("response.created", json!({"response": response(said, "in_progress", &[])}));
    for (index, item) in items.iter().enumerate() {
        let mut begun = item.clone();
        begun["status"] = "in_progress".into();
        let at = |more: Value| {
            let mut data = json!({"item_id": item["id"], "output_index": index});
            for (key, value) in more.as_object().into_iter().flatten() {
                data[key] = value.clone();
            }
            data
        };
        if item["type"] == "message" {
            begun["content"] = json!([]);
            push("response.output_item.added", json!({"output_index": index, "item": begun}));
            for piece in pieces(said.text) {
                push("response.output_text.delta", at(json!({"content_index": 0, "delta": piece})));
            }
            push("response.output_text.done", at(json!({"content_index": 0, "text": said.text})));
        } else {
            begun["arguments"] = "".into();
            push("response.output_item.added", json!({"output_index": index, "item": begun}));
            for piece in pieces(item["arguments"].as_str().unwrap_or_default()) {
                push("response.function_call_arguments.delta", at(json!({"delta": piece})));
            }
            push("response.function_call_arguments.done", at(json!({"arguments": item["arguments"]})));
        }
        push("response.output_item.done", json!({"output_index": index, "item": item}));
    }
    push("response.completed", json!({"response": response(said, "completed", &items)}));
    events
}

fn anthropic_stop(said: &Said<'_>) -> &'static str {
    if said.calls.is_empty() { "end_turn" } else { "tool_use" }
}

/// In this format, broken arguments can only be sent in pieces; in one piece they become text.
fn anthropic_blocks(said: &Said<'_>) -> Vec<Value> {
    let mut blocks = Vec::new();
    if !said.text.is_empty() {
        blocks.push(json!({"type": "text", "text": said.text}));
    }
    blocks.extend(said.calls.iter().map(|(id, name, arguments)| {
        let input = serde_json::from_str(arguments).unwrap_or_else(|_| Value::from(*arguments));
        json!({"type": "tool_use", "id": id, "name": name, "input": input})
    }));
    blocks
}

fn anthropic_whole(said: &Said<'_>) -> Value {
    json!({
        "id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted", "content": anthropic_blocks(said),
        "stop_reason": anthropic_stop(said), "stop_sequence": null,
        "usage": {"input_tokens": said.input, "output_tokens": said.output},
    })
}

fn anthropic_stream(said: &Said<'_>) -> Vec<String> {
    let mut events = Vec::new();
    let mut push = |kind: &str, mut data: Value| {
        data["type"] = kind.into();
        events.push(event(Some(kind), &data));
    };
    push(
        "message_start",
        json!({"message": {"id": "msg_scripted", "type": "message", "role": "assistant", "model": "scripted", "content": [], "stop_reason": null, "usage": {"input_tokens": said.input, "output_tokens": 1}}}),
    );
    push("ping", json!({}));
    let mut index = 0;
    if !said.text.is_empty() {
        push("content_block_start", json!({"index": index, "content_block": {"type": "text", "text": ""}}));
        for piece in pieces(said.text) {
            push("content_block_delta", json!({"index": index, "delta": {"type": "text_delta", "text": piece}}));
        }
        push("content_block_stop", json!({"index": index}));
        index += 1;
    }
    for (id, name, arguments) in &said.calls {
        push(
            "content_block_start",
            json!({"index": index, "content_block": {"type": "tool_use", "id": id, "name": name, "input": {}}}),
        );
        for piece in pieces(arguments) {
            push(
                "content_block_delta",
                json!({"index": index, "delta": {"type": "input_json_delta", "partial_json": piece}}),
            );
        }
        push("content_block_stop", json!({"index": index}));
        index += 1;
    }
    push(
        "message_delta",
        json!({"delta": {"stop_reason": anthropic_stop(said), "stop_sequence": null}, "usage": {"output_tokens": said.output}}),
    );
    push("message_stop", json!({}));
    events
}
