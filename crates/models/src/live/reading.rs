//! Reads a response's body into an answer.

use crate::answer::Answer;
use crate::event::ModelEvent;
use crate::names::Names;
use crate::request::Delivery;
use crate::sse::SseParser;
use crate::wire::{Fault, Parser, Part, Progress, WireFormat};
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use palanca_core::ports::http::{HttpError, HttpResponse};
use std::collections::VecDeque;
use std::time::Duration;

/// Longest answer, in bytes on the wire: streams spend a few hundred bytes on each token.
const MAX_ANSWER: usize = 256 << 20;
/// How much of it is kept for quoting if it turns out to be invalid.
const HEAD: usize = 1000;
/// How long the end of a complete answer may take, so that its connection can be reused.
const DRAIN: Duration = Duration::from_millis(20);

/// One response being read.
pub(super) struct Reading {
    body: BoxStream<'static, Result<Bytes, HttpError>>,
    form: Form,
    parser: Parser,
    pub(super) answer: Answer,
    pub(super) head: Vec<u8>,
    received: usize,
    parts: Vec<Part>,
}

enum Form {
    Events(SseParser),
    Whole(Vec<u8>),
}

/// Why reading stops early.
pub(super) enum Broken {
    Transport(HttpError),
    Fault(Fault),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Reading {
    /// The declared content type takes precedence over the requested one.
    pub(super) fn new(response: HttpResponse, wire: WireFormat, asked: Delivery, answer: Answer) -> Self {
        let content = response.header("content-type").unwrap_or_default();
        let form = if content.contains("event-stream") {
            Form::Events(SseParser::default())
        } else if content.contains("json") || asked == Delivery::Whole {
            Form::Whole(Vec::new())
        } else {
            Form::Events(SseParser::default())
        };
        Self {
            body: response.body,
            form,
            parser: wire.parser(),
            answer,
            head: Vec::new(),
            received: 0,
            parts: Vec::new(),
        }
    }

    /// Reads one piece of the body.
    pub(super) async fn step(&mut self, names: &Names<'_>, out: &mut VecDeque<ModelEvent>) -> Result<Progress, Broken> {
        let progress = match self.body.next().await {
            Some(Err(error)) => return Err(Broken::Transport(error)),
            Some(Ok(bytes)) => {
                let progress = self.take(&bytes);
                if let Ok(Progress::Complete) = progress {
                    self.drain().await;
                }
                progress
            }
            None => self.end(),
        };
        // The part before an error belongs to the answer, too.
        for part in self.parts.drain(..) {
            self.answer.push(part, names, out);
        }
        let progress = progress?;
        if progress == Progress::Complete {
            let finished = self.parser.finish(&mut self.parts);
            for part in self.parts.drain(..) {
                self.answer.push(part, names, out);
            }
            finished?;
            self.answer.settle(names, out);
        }
        Ok(progress)
    }

    fn take(&mut self, bytes: &[u8]) -> Result<Progress, Fault> {
        self.received += bytes.len();
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(room));
        if self.received > MAX_ANSWER {
            return Err(Fault::Nonsense("an answer that does not end".to_owned()));
        }
        match &mut self.form {
            Form::Whole(body) => body.extend_from_slice(bytes),
            Form::Events(events) => {
                if events.push(bytes).is_err() {
                    return Err(Fault::Nonsense("an event that does not end".to_owned()));
                }
                while let Some(event) = events.next() {
                    if self.parser.event(&event, &mut self.parts)? == Progress::Complete {
                        return Ok(Progress::Complete);
                    }
                }
            }
        }
        Ok(Progress::More)
    }

    fn end(&mut self) -> Result<Progress, Fault> {
        match &mut self.form {
            Form::Whole(body) => self.parser.whole(body, &mut self.parts)?,
            Form::Events(events) => {
                if let Some(event) = events.finish() {
                    self.parser.event(&event, &mut self.parts)?;
                }
            }
        }
        Ok(Progress::Complete)
    }

    /// Reads the few bytes after the last event; an unfinished connection cannot be reused.
    async fn drain(&mut self) {
        let body = &mut self.body;
        let rest = async move { while let Some(Ok(_)) = body.next().await {} };
        // ignored: a server that keeps the stream open costs a new connection, not an error.
        let _ = tokio::time::timeout(DRAIN, rest).await;
    }
}
