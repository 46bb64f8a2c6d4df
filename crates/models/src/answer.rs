//! Turns the parts of a wire format into the events of an answer.
//!
//! Common to all formats: names are mapped back to the tools' own, calls get unique ids, calls in text are found,
//! missing token counts are estimated, and the end is emitted exactly once.

use crate::assemble::RawCall;
use crate::constrained;
use crate::embedded::{Ending, Fences, Scanner};
use crate::estimate::estimate_tokens;
use crate::event::{ModelEvent, Stop, Usage, UsageBasis};
use crate::halves::{Joiner, joined, readable};
use crate::message::ToolCall;
use crate::names::Names;
use crate::provider_state::StatePlace;
use crate::random;
use crate::thoughts::{Piece, Thoughts};
use crate::wire::Part;
use palanca_core::CallId;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;

/// How calls arrive.
#[derive(Debug)]
enum Form {
    /// As native calls, or embedded in text.
    Native(Box<Scanner>),
    /// As a JSON object that is the whole text.
    Constrained(String),
    /// Not at all, because no tool was offered.
    Plain,
}

/// An answer being assembled.
#[derive(Debug)]
pub(crate) struct Answer {
    form: Form,
    model: String,
    ids: Vec<CallId>,
    /// Number of native calls.
    wired: usize,
    usage: Option<Usage>,
    stop: Option<Stop>,
    written: usize,
    halves: (Joiner, Joiner),
    thoughts: Thoughts,
}

impl Answer {
    /// For this model. `fences` says whether the server is known to support tools.
    pub(crate) fn native(names: &Names<'_>, model: &str, fences: Fences) -> Self {
        let form = if names.is_empty() { Form::Plain } else { Form::Native(Box::new(Scanner::new(model, fences))) };
        Self::new(form)
    }

    pub(crate) fn constrained() -> Self {
        Self::new(Form::Constrained(String::new()))
    }

    fn new(form: Form) -> Self {
        Self {
            form,
            model: String::new(),
            ids: Vec::new(),
            wired: 0,
            usage: None,
            stop: None,
            written: 0,
            halves: Default::default(),
            thoughts: Thoughts::default(),
        }
    }

    /// The same of a model with this name.
    pub(crate) fn of(mut self, model: &str) -> Self {
        model.clone_into(&mut self.model);
        self
    }

    /// Number of calls so far.
    pub(crate) const fn calls(&self) -> usize {
        self.ids.len()
    }

    /// How many of them are native.
    pub(crate) const fn wired(&self) -> usize {
        self.wired
    }

    /// Input tokens, as counted by the provider.
    pub(crate) fn reported_input(&self) -> Option<u64> {
        self.usage.map(|usage| usage.input).filter(|input| *input > 0)
    }

    /// Adds one part.
    pub(crate) fn push(&mut self, part: Part, names: &Names<'_>, out: &mut VecDeque<ModelEvent>) {
        match part {
            Part::Text(text) => {
                let text = self.halves.0.push(text);
                self.written += text.len();
                for piece in self.thoughts.push(text) {
                    self.piece(piece, names, out);
                }
            }
            Part::Reasoning(text) => {
                let text = self.halves.1.push(text);
                self.written += text.len();
                out.push_back(ModelEvent::ReasoningDelta(text));
            }
            Part::State(place, value) => self.state(place, &value, out),
            Part::Call(mut call) => {
                if let Some((field, value)) = call.state.take() {
                    self.state(StatePlace::Call(field.to_owned()), &value, out);
                }
                self.written += call.name.len() + call.arguments.len();
                let name = names.original(&call.name).to_owned();
                self.wired += 1;
                self.call(RawCall { name, ..call }, out);
            }
            Part::Usage(usage) => self.usage = Some(usage),
            Part::Stop(stop) => self.stop = Some(stop),
        }
    }

    fn piece(&mut self, piece: Piece, names: &Names<'_>, out: &mut VecDeque<ModelEvent>) {
        match (piece, &mut self.form) {
            (Piece::Text(text), Form::Plain) => push_text(text, out),
            (Piece::Text(text), Form::Native(scanner)) => push_text(scanner.push(text, names), out),
            (Piece::Text(text), Form::Constrained(held)) => held.push_str(&text),
            (Piece::Thought(text), _) => out.push_back(ModelEvent::ReasoningDelta(text)),
            (Piece::TextWasThought, form) => {
                let held = match form {
                    Form::Plain => String::new(),
                    Form::Native(scanner) => scanner.restart(),
                    Form::Constrained(held) => std::mem::take(held),
                };
                out.push_back(ModelEvent::TextWasReasoning);
                if !held.is_empty() {
                    out.push_back(ModelEvent::ReasoningDelta(held));
                }
            }
        }
    }

    /// Ends the wire's parts and releases held-back text.
    pub(crate) fn settle(&mut self, names: &Names<'_>, out: &mut VecDeque<ModelEvent>) {
        if let Some(lone) = self.halves.0.finish() {
            self.push(Part::Text(lone.into()), names, out);
        }
        for piece in self.thoughts.finish() {
            self.piece(piece, names, out);
        }
        match &mut self.form {
            Form::Plain => {}
            Form::Native(scanner) => {
                let scanned = scanner.finish(names);
                push_text(scanned.text, out);
                // If a model makes native calls, calls in its text are only mentions.
                match scanned.ending {
                    Ending::Words => {}
                    Ending::Calls(_, text) if self.wired > 0 => push_text(text, out),
                    Ending::Calls(calls, _) => {
                        for call in calls {
                            self.call(call, out);
                        }
                    }
                    Ending::Misread(misread) if self.wired > 0 => push_text(misread.text, out),
                    Ending::Misread(misread) => out.push_back(ModelEvent::Misread(misread)),
                }
            }
            Form::Constrained(held) => {
                let held = std::mem::take(held);
                match constrained::read(&held, names) {
                    constrained::Said::Call(call) => self.call(call, out),
                    constrained::Said::Text(text) => push_text(text, out),
                    constrained::Said::Misread(misread) => out.push_back(ModelEvent::Misread(misread)),
                }
            }
        }
    }

    /// Emits the end. `sent` is the size of the request, to estimate uncounted tokens.
    pub(crate) fn close(&mut self, sent: usize, out: &mut VecDeque<ModelEvent>) {
        let usage = self.usage.filter(|usage| usage.input > 0 || usage.output > 0).unwrap_or_else(|| Usage {
            input: estimate_tokens(sent),
            output: estimate_tokens(self.written),
            basis: UsageBasis::Estimated,
            ..Usage::default()
        });
        out.push_back(ModelEvent::Usage(usage));
        let stop = match self.stop.take().unwrap_or_default() {
            Stop::Answer if !self.ids.is_empty() => Stop::ToolCalls,
            Stop::ToolCalls if self.ids.is_empty() => Stop::Answer,
            stop => stop,
        };
        out.push_back(ModelEvent::Done { stop });
    }

    fn state(&self, place: StatePlace, value: &Value, out: &mut VecDeque<ModelEvent>) {
        out.push_back(ModelEvent::State { model: self.model.clone(), place, json: joined(value.to_string()) });
    }

    fn call(&mut self, call: RawCall, out: &mut VecDeque<ModelEvent>) {
        let mut id = CallId::new(call.id);
        while id.as_str().is_empty() || self.ids.contains(&id) {
            id = CallId::new(random::call_id());
        }
        self.ids.push(id.clone());
        let arguments = match readable(&call.arguments) {
            Cow::Borrowed(_) => joined(call.arguments),
            Cow::Owned(arguments) => joined(arguments),
        };
        out.push_back(ModelEvent::ToolCall(ToolCall { id, name: call.name, arguments }));
    }
}

fn push_text(text: String, out: &mut VecDeque<ModelEvent>) {
    if !text.is_empty() {
        out.push_back(ModelEvent::TextDelta(text));
    }
}
