//! An answer in this format.

use super::state::State;
use crate::assemble::{Assembler, Fragment};
use crate::event::{Stop, Usage};
use crate::sse::SseEvent;
use crate::wire::fault::Fault;
use crate::wire::{Part, Progress, Seen, json};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// What is read of an event. An answer comes in hundreds of them, and each repeats the model, the time and the answer's id:
/// these are skipped where they stand.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    choices: Option<&'a RawValue>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

impl Event<'_> {
    fn read(text: &str) -> Result<Value, Fault> {
        let object = Some(text.trim()).filter(|text| text.starts_with('{'));
        let event: Option<Event<'_>> = object.and_then(|text| serde_json::from_str(text).ok());
        let Event { error, choices, usage } = event.ok_or_else(|| Fault::nonsense(text))?;
        let given = [("error", error), ("choices", choices), ("usage", usage)].into_iter();
        given.filter_map(|(name, part)| Some(json::value(part?.get()).map(|part| (name.to_owned(), part)))).collect()
    }
}

/// Reads one answer; tool calls are emitted at its end, because any of them may continue until then.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    calls: Assembler,
    state: State,
    seen: Seen,
}

impl Parser {
    pub(in crate::wire) fn event(&mut self, event: &SseEvent, out: &mut Vec<Part>) -> Result<Progress, Fault> {
        if event.data.trim() == "[DONE]" {
            // Some servers send no finish_reason; this is as good.
            self.seen = Seen::Stopped;
            return Ok(Progress::Complete);
        }
        let value = Event::read(&event.data)?;
        Fault::reported(&value)?;
        self.read(&value, out);
        Ok(Progress::More)
    }

    pub(in crate::wire) fn whole(&mut self, value: &Value, out: &mut Vec<Part>) -> Result<(), Fault> {
        self.read(value, out);
        if self.seen == Seen::Nothing {
            return Err(Fault::Nonsense(json::shown(value)));
        }
        self.seen = Seen::Stopped;
        self.finish(out)
    }

    pub(in crate::wire) fn finish(&mut self, out: &mut Vec<Part>) -> Result<(), Fault> {
        self.seen.whole()?;
        self.state.hand_out(out);
        out.extend(self.calls.finish().into_iter().map(Part::Call));
        Ok(())
    }

    fn read(&mut self, value: &Value, out: &mut Vec<Part>) {
        if let Some(usage) = json::part(value, "usage").filter(|usage| usage.is_object()) {
            out.push(Part::Usage(read_usage(usage)));
        }
        let choice = json::list(value, "choices").find(|choice| {
            // One answer is requested; further ones are ignored.
            choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0
        });
        let Some(choice) = choice else {
            return;
        };
        self.seen.begin();
        if let Some(delta) = json::part(choice, "delta").or_else(|| json::part(choice, "message")) {
            self.delta(delta, out);
        }
        if let Some(reason) = json::text(choice, "finish_reason") {
            self.seen = Seen::Stopped;
            out.push(Part::Stop(stop(reason)));
        }
    }

    fn delta(&mut self, delta: &Value, out: &mut Vec<Part>) {
        self.state.read(delta);
        for key in ["reasoning_content", "reasoning"] {
            if let Some(text) = json::text(delta, key) {
                out.push(Part::Reasoning(text.to_owned()));
                break;
            }
        }
        for key in ["content", "refusal"] {
            let text = delta.get(key).map(json::content).unwrap_or_default();
            if !text.is_empty() {
                out.push(Part::Text(text));
            }
        }
        for call in json::list(delta, "tool_calls") {
            self.fragment(call, call.get("function").unwrap_or(call));
        }
        if let Some(function) = json::part(delta, "function_call") {
            self.fragment(&Value::Null, function);
        }
    }

    fn fragment(&mut self, call: &Value, function: &Value) {
        self.calls.push(&Fragment {
            index: call.get("index").and_then(Value::as_u64),
            id: json::text(call, "id"),
            name: json::text(function, "name"),
            arguments: function.get("arguments"),
            state: State::of_call(call),
        });
    }
}

fn stop(reason: &str) -> Stop {
    match reason {
        "stop" | "eos" | "end_turn" => Stop::Answer,
        "tool_calls" | "function_call" => Stop::ToolCalls,
        "length" | "max_tokens" | "model_length" => Stop::Length,
        "content_filter" => Stop::Filtered,
        other => Stop::Other(other.to_owned()),
    }
}

fn read_usage(usage: &Value) -> Usage {
    let count = |pointers: &[&str]| json::count(usage, pointers).unwrap_or(0);
    Usage {
        input: count(&["/prompt_tokens", "/input_tokens"]),
        cached: count(&["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"]),
        output: count(&["/completion_tokens", "/output_tokens"]),
        reasoning: count(&["/completion_tokens_details/reasoning_tokens"]),
        ..Usage::default()
    }
}
