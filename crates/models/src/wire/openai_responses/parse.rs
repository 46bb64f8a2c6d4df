//! An answer in this format.

use crate::arguments::printed;
use crate::assemble::RawCall;
use crate::event::{Stop, Usage};
use crate::provider_state::StatePlace;
use crate::sse::SseEvent;
use crate::wire::fault::{Fault, report};
use crate::wire::{Part, Progress, Seen, json};
use serde_json::Value;

/// Reads one answer. A call is emitted when its item is done; parts that a server only sends in the last event are
/// taken from there.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    calls: Vec<Slot>,
    text_seen: bool,
    /// Reasoning that was handed out, by its id.
    reasoned: Vec<String>,
    seen: Seen,
}

#[derive(Debug, Default)]
struct Slot {
    item: String,
    index: Option<u64>,
    call: RawCall,
    handed_out: bool,
}

impl Parser {
    pub(in crate::wire) fn event(&mut self, event: &SseEvent, out: &mut Vec<Part>) -> Result<Progress, Fault> {
        if event.data.trim() == "[DONE]" {
            self.seen.stop_if_begun();
            return Ok(Progress::Complete);
        }
        let value = json::document(event.data.as_bytes())?;
        let kind = json::text(&value, "type").unwrap_or(&event.name);
        match kind {
            "response.output_text.delta" | "response.refusal.delta" => {
                self.push_text(json::text(&value, "delta"), out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                if let Some(text) = json::text(&value, "delta") {
                    out.push(Part::Reasoning(text.to_owned()));
                }
            }
            "response.output_item.added" => self.item(&value, None),
            "response.output_item.done" => self.item(&value, Some(out)),
            "response.function_call_arguments.delta" => {
                let delta = json::text(&value, "delta").unwrap_or_default();
                self.slot(&value).call.arguments.push_str(delta);
            }
            "response.function_call_arguments.done" => {
                if let Some(text) = json::text(&value, "arguments") {
                    text.clone_into(&mut self.slot(&value).call.arguments);
                }
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let response = value.get("response").unwrap_or(&value);
                self.complete(response, out)?;
                return Ok(Progress::Complete);
            }
            "error" => {
                let inner = json::part(&value, "error").unwrap_or(&value);
                return Err(Fault::Server(report(inner)));
            }
            _ => {
                Fault::reported(&value)?;
                if !kind.starts_with("response.") {
                    return Ok(Progress::More);
                }
            }
        }
        self.seen = Seen::Begun;
        Ok(Progress::More)
    }

    pub(in crate::wire) fn whole(&mut self, value: &Value, out: &mut Vec<Part>) -> Result<(), Fault> {
        if !value.get("output").is_some_and(Value::is_array) {
            return Err(Fault::Nonsense(json::shown(value)));
        }
        self.complete(value, out)?;
        self.finish(out)
    }

    pub(in crate::wire) fn finish(&mut self, out: &mut Vec<Part>) -> Result<(), Fault> {
        self.seen.whole()?;
        for slot in &mut self.calls {
            slot.hand_out(out);
        }
        Ok(())
    }

    fn push_text(&mut self, text: Option<&str>, out: &mut Vec<Part>) {
        if let Some(text) = text {
            self.text_seen = true;
            out.push(Part::Text(text.to_owned()));
        }
    }

    /// The slot of an event about a call; a new one if it has none yet.
    fn slot(&mut self, event: &Value) -> &mut Slot {
        let item = event.get("item").unwrap_or(&Value::Null);
        let id = json::text(event, "item_id").or_else(|| json::text(item, "id"));
        let index = event.get("output_index").and_then(Value::as_u64);
        let call_id = json::text(item, "call_id");
        let by = |same: &dyn Fn(&Slot) -> bool| self.calls.iter().position(same);
        let found = id
            .and_then(|id| by(&|slot| slot.item == id))
            .or_else(|| call_id.and_then(|call_id| by(&|slot| slot.call.id == call_id)))
            .or_else(|| {
                // The index alone counts only if one side has no id.
                let unnamed = |slot: &Slot| id.is_none() || slot.item.is_empty();
                index.and_then(|index| by(&|slot| slot.index == Some(index) && unnamed(slot)))
            })
            .or_else(|| {
                let nameless = id.is_none() && call_id.is_none() && index.is_none();
                self.calls.len().checked_sub(1).filter(|_| nameless)
            });
        let place = found.unwrap_or_else(|| {
            self.calls.push(Slot { item: id.unwrap_or_default().to_owned(), index, ..Slot::default() });
            self.calls.len() - 1
        });
        // `place` is inside: it was found, or was just pushed.
        #[allow(clippy::indexing_slicing)]
        &mut self.calls[place]
    }

    /// An item began, or (if an output is given) is done.
    fn item(&mut self, event: &Value, mut out: Option<&mut Vec<Part>>) {
        let Some(item) = event.get("item") else {
            return;
        };
        if let Some(out) = &mut out
            && json::text(item, "type") == Some("reasoning")
        {
            self.reasoning(item, out);
        }
        if json::text(item, "type") != Some("function_call") {
            return;
        }
        let slot = self.slot(event);
        slot.read(item);
        if let Some(out) = out {
            slot.hand_out(out);
        }
    }

    /// A provider that keeps nothing wants the item back if there is anything in it.
    fn reasoning(&mut self, item: &Value, out: &mut Vec<Part>) {
        let id = json::text(item, "id").map_or_else(|| item.to_string(), str::to_owned);
        let has_thoughts =
            json::text(item, "encrypted_content").is_some() || json::list(item, "content").next().is_some();
        if has_thoughts && !self.reasoned.contains(&id) {
            self.reasoned.push(id);
            out.push(Part::State(StatePlace::Block, item.clone()));
        }
    }

    fn complete(&mut self, response: &Value, out: &mut Vec<Part>) -> Result<(), Fault> {
        if let Some(error) = json::part(response, "error") {
            return Err(Fault::Server(report(error)));
        }
        if json::text(response, "status") == Some("failed") {
            return Err(Fault::Server(report(&Value::from("the response failed"))));
        }
        let streamed = self.text_seen;
        for (index, item) in (0_u64..).zip(json::list(response, "output")) {
            match json::text(item, "type") {
                Some("message") if !streamed => {
                    let text = item.get("content").map(json::content).unwrap_or_default();
                    self.push_text(Some(text.as_str()).filter(|text| !text.is_empty()), out);
                }
                Some("reasoning") => {
                    let text = item.get("summary").map(json::content).unwrap_or_default();
                    if !streamed && self.seen == Seen::Nothing && !text.is_empty() {
                        out.push(Part::Reasoning(text));
                    }
                    self.reasoning(item, out);
                }
                Some("function_call") => {
                    let event = serde_json::json!({"output_index": index, "item": item});
                    self.item(&event, Some(out));
                }
                _ => {}
            }
        }
        if let Some(usage) = json::part(response, "usage") {
            out.push(Part::Usage(read_usage(usage)));
        }
        out.push(Part::Stop(stop(response)));
        self.seen = Seen::Stopped;
        Ok(())
    }
}

impl Slot {
    fn read(&mut self, item: &Value) {
        let RawCall { id, name, arguments, .. } = &mut self.call;
        for (target, keys) in [(id, ["call_id", "id"]), (name, ["name", "name"])] {
            if let Some(text) = keys.iter().find_map(|key| json::text(item, key)) {
                text.clone_into(target);
            }
        }
        match item.get("arguments") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) if text.is_empty() => {}
            Some(Value::String(text)) => text.clone_into(arguments),
            Some(value) => *arguments = printed(value),
        }
    }

    fn hand_out(&mut self, out: &mut Vec<Part>) {
        if !std::mem::replace(&mut self.handed_out, true) {
            out.push(Part::Call(self.call.clone()));
        }
    }
}

fn stop(response: &Value) -> Stop {
    let reason = response.pointer("/incomplete_details/reason").and_then(Value::as_str);
    match (json::text(response, "status"), reason) {
        (_, Some("max_output_tokens" | "max_tokens")) => Stop::Length,
        (_, Some("content_filter")) => Stop::Filtered,
        (_, Some(reason)) => Stop::Other(reason.to_owned()),
        (None | Some("completed"), None) => Stop::Answer,
        (Some(other), None) => Stop::Other(other.to_owned()),
    }
}

fn read_usage(usage: &Value) -> Usage {
    let count = |pointers: &[&str]| json::count(usage, pointers).unwrap_or(0);
    Usage {
        input: count(&["/input_tokens", "/prompt_tokens"]),
        cached: count(&["/input_tokens_details/cached_tokens"]),
        output: count(&["/output_tokens", "/completion_tokens"]),
        reasoning: count(&["/output_tokens_details/reasoning_tokens"]),
        ..Usage::default()
    }
}
