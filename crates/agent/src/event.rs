//! Events of a run for front ends.
//!
//! A sink sees everything in the order in which it happened, on the run's own task: it must not block. A slow reader
//! puts a channel of its own between.

use crate::report::{Costs, StopReason};
use palanca_core::ToolResult;
use palanca_core::call::CallId;
use palanca_core::message::Message;
use palanca_core::ports::{Inquiry, LogLine, Progress};
use palanca_hooks::GateReport;
use palanca_models::{Message as Said, ToolCall, Usage};
use std::time::Duration;

/// Weight of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Something is not as the reader may think.
    Warning,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A model call begins.
    StepStarted {
        /// From 1.
        step: u32,
    },
    /// The model writes: a piece of text as it arrives, or the whole answer where it does not stream.
    TextDelta {
        /// The piece.
        text: &'a str,
    },
    /// The model thinks aloud; not part of the answer.
    ReasoningDelta {
        /// The piece.
        text: &'a str,
    },
    /// The text of this step so far does not count: the answer begins anew.
    TextVoided,
    /// A tool call goes to the gate. Up to four are on their way at a time.
    ToolStarted {
        /// The call; [`arguments_line`](crate::arguments_line) shows its arguments on one line.
        call: &'a ToolCall,
    },
    /// A program of a running call printed something. A sample, a few times a second, for sinks that
    /// [want it](Sink::output).
    ToolOutput {
        /// The call.
        call: &'a CallId,
        /// The end of what it printed so far, at most [`Tail::BYTES`](palanca_core::ports::Tail::BYTES), raw.
        tail: &'a str,
    },
    /// A running call says how far it is. A sample, a few times a second, for sinks that [want it](Sink::output).
    ToolProgress {
        /// The call.
        call: &'a CallId,
        /// How far.
        progress: &'a Progress,
    },
    /// A running call says a line, for sinks that [want it](Sink::output).
    ToolLog {
        /// The call.
        call: &'a CallId,
        /// The line.
        line: &'a LogLine,
    },
    /// A tool call came back, or was not run because the run ends. These come in the order of the calls.
    ToolEnded {
        /// The whole result: name, success, error, diff, duration.
        result: &'a ToolResult,
    },
    /// A quality gate was tried, because the model said that it was done.
    QualityGate {
        /// How it ended.
        report: &'a GateReport,
    },
    /// A model call is paid for.
    Usage {
        /// What this call used.
        usage: &'a Usage,
        /// What it cost; none where the price is not known.
        dollars: Option<f64>,
        /// What the run used so far.
        total: &'a Costs,
    },
    /// Something to say aloud; the sentence is the catalogue's.
    Notice {
        /// Its weight.
        level: Level,
        /// The sentence.
        message: Message,
    },
    /// A message became part of the conversation: what sessions keep.
    Appended {
        /// The message.
        message: &'a Said,
    },
    /// Messages left the conversation.
    Compacted {
        /// Messages that left.
        left: usize,
        /// What stands for them now; none where they left without a trace.
        summary: Option<&'a str>,
    },
    /// The run is over.
    Ended {
        /// Why.
        reason: StopReason,
        /// Model calls.
        steps: u32,
        /// From start to end.
        duration: Duration,
    },
}

/// An observer of a run.
pub trait Sink: Send + Sync {
    /// Takes one event. Called from the run's task: it must return at once.
    fn event(&self, event: &Event<'_>);

    /// Takes a question of a running call, for sinks that [want it](Sink::output), and [replies](Inquiry::reply) when it can; the
    /// call waits until its time limit. Dropped, as here, it is declined.
    fn asked(&self, _call: &CallId, inquiry: Inquiry) {
        drop(inquiry);
    }

    /// Whether it wants to see what running programs print, and what running calls say and ask. Asked as each call begins.
    fn output(&self) -> Output {
        Output::Unwatched
    }
}

/// Whether the output of running programs is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// No: it costs nothing.
    Unwatched,
    /// Yes, by [`Event::ToolOutput`], [`Event::ToolProgress`] and [`Event::ToolLog`].
    Watched,
}

/// No observer.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {
    fn event(&self, _event: &Event<'_>) {}
}
