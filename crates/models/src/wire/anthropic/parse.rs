//! An answer in this format.

use crate::arguments::printed;
use crate::assemble::RawCall;
use crate::event::{Stop, Usage, UsageBasis};
use crate::provider_state::StatePlace;
use crate::sse::SseEvent;
use crate::wire::fault::{Fault, report};
use crate::wire::{Part, Progress, Seen, json};
use serde_json::Value;

/// Reads one answer. A call is emitted when its block ends.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    open: Vec<(u64, Open)>,
    usage: Option<Usage>,
    seen: Seen,
}

/// A block that is not complete.
#[derive(Debug)]
enum Open {
    Call(RawCall),
    /// Thoughts, readable or not: the provider wants the block back.
    Thoughts(Value),
}

impl Parser {
    pub(in crate::wire) fn event(&mut self, event: &SseEvent, out: &mut Vec<Part>) -> Result<Progress, Fault> {
        let value = json::document(event.data.as_bytes())?;
        let index = value.get("index").and_then(Value::as_u64).unwrap_or(0);
        match json::text(&value, "type").unwrap_or(&event.name) {
            "message_start" => {
                self.seen.begin();
                if let Some(usage) = value.pointer("/message/usage") {
                    self.count(usage);
                }
            }
            "content_block_start" => {
                self.seen.begin();
                self.start(index, value.get("content_block").unwrap_or(&Value::Null), out);
            }
            "content_block_delta" => {
                self.seen.begin();
                self.delta(index, value.get("delta").unwrap_or(&Value::Null), out);
            }
            "content_block_stop" => self.hand_out(Some(index), out),
            "message_delta" => {
                self.seen.begin();
                if let Some(usage) = json::part(&value, "usage") {
                    self.count(usage);
                }
                if let Some(reason) = value.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    self.seen = Seen::Stopped;
                    out.push(Part::Stop(stop(reason)));
                }
            }
            "message_stop" => {
                self.seen.stop_if_begun();
                return Ok(Progress::Complete);
            }
            "error" => {
                let inner = json::part(&value, "error").unwrap_or(&value);
                return Err(Fault::Server(report(inner)));
            }
            _ => Fault::reported(&value)?,
        }
        Ok(Progress::More)
    }

    pub(in crate::wire) fn whole(&mut self, value: &Value, out: &mut Vec<Part>) -> Result<(), Fault> {
        if !value.get("content").is_some_and(Value::is_array) {
            return Err(Fault::Nonsense(json::shown(value)));
        }
        for (index, block) in (0_u64..).zip(json::list(value, "content")) {
            self.start(index, block, out);
            self.hand_out(Some(index), out);
        }
        if let Some(usage) = json::part(value, "usage") {
            self.count(usage);
        }
        if let Some(reason) = json::text(value, "stop_reason") {
            out.push(Part::Stop(stop(reason)));
        }
        self.seen = Seen::Stopped;
        self.finish(out)
    }

    pub(in crate::wire) fn finish(&mut self, out: &mut Vec<Part>) -> Result<(), Fault> {
        self.seen.whole()?;
        self.hand_out(None, out);
        out.extend(self.usage.take().map(Part::Usage));
        Ok(())
    }

    fn start(&mut self, index: u64, block: &Value, out: &mut Vec<Part>) {
        match json::text(block, "type") {
            Some("text") => self.delta(index, block, out),
            Some("thinking" | "redacted_thinking") => {
                out.extend(json::text(block, "thinking").map(|text| Part::Reasoning(text.to_owned())));
                self.open.push((index, Open::Thoughts(block.clone())));
            }
            Some("tool_use") => {
                let arguments = match block.get("input") {
                    // A stream begins with an empty object and sends the real one in pieces.
                    Some(Value::Object(map)) if map.is_empty() => String::new(),
                    None | Some(Value::Null) => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    Some(value) => printed(value),
                };
                let call = RawCall {
                    id: json::text(block, "id").unwrap_or_default().to_owned(),
                    name: json::text(block, "name").unwrap_or_default().to_owned(),
                    arguments,
                    state: None,
                };
                self.open.push((index, Open::Call(call)));
            }
            _ => {}
        }
    }

    fn delta(&mut self, index: u64, delta: &Value, out: &mut Vec<Part>) {
        if let Some(text) = json::text(delta, "text") {
            out.push(Part::Text(text.to_owned()));
        }
        if let Some(text) = json::text(delta, "thinking") {
            out.push(Part::Reasoning(text.to_owned()));
        }
        let open = self.open.iter_mut().rfind(|(at, _)| *at == index).map(|(_, open)| open);
        match open {
            Some(Open::Call(call)) => call.arguments.push_str(json::text(delta, "partial_json").unwrap_or_default()),
            Some(Open::Thoughts(Value::Object(block))) => {
                for key in ["thinking", "signature"] {
                    let Some(piece) = json::text(delta, key) else { continue };
                    match block.get_mut(key) {
                        Some(Value::String(text)) => text.push_str(piece),
                        _ => drop(block.insert(key.to_owned(), piece.into())),
                    }
                }
            }
            _ => {}
        }
    }

    /// Emits one block, or all.
    fn hand_out(&mut self, index: Option<u64>, out: &mut Vec<Part>) {
        let done = |at: u64| index.is_none_or(|index| index == at);
        out.extend(self.open.extract_if(.., |(at, _)| done(*at)).map(|(_, open)| match open {
            Open::Call(mut call) => {
                if call.arguments.is_empty() {
                    call.arguments.push_str("{}");
                }
                Part::Call(call)
            }
            Open::Thoughts(block) => Part::State(StatePlace::Block, block),
        }));
    }

    /// Later counts replace earlier ones; omitted ones stay.
    fn count(&mut self, usage: &Value) {
        let count = |name: &str| json::count(usage, &[name]);
        let sum = self.usage.get_or_insert_default();
        let before = *sum;
        if let Some(fresh) = count("/input_tokens") {
            let cached = count("/cache_read_input_tokens").unwrap_or(0);
            let written = count("/cache_creation_input_tokens").unwrap_or(0);
            sum.input = fresh + cached + written;
            sum.cached = cached;
            sum.cache_written = written;
            if sum.input == 0 {
                // Some servers repeat the field as zero at the end.
                *sum = before;
            }
        }
        if let Some(output) = count("/output_tokens") {
            sum.output = output;
        }
        sum.basis = UsageBasis::Reported;
    }
}

fn stop(reason: &str) -> Stop {
    match reason {
        "end_turn" | "stop_sequence" => Stop::Answer,
        "tool_use" => Stop::ToolCalls,
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Filtered,
        other => Stop::Other(other.to_owned()),
    }
}
