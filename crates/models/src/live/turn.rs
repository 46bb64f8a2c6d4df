//! One request from its first byte to the last event of its answer.
//!
//! A failed exchange is retried only while the consumer has received nothing of the answer: shown text is never withdrawn,
//! with the one exception that [`Notice::ToolsIgnored`] announces.

use super::reading::{Broken, Reading};
use super::{HttpModel, Learnt};
use crate::answer::Answer;
use crate::constrained;
use crate::error::ModelError;
use crate::event::{ModelEvent, Notice, Sign};
use crate::names::Names;
use crate::request::{ModelRequest, ToolChoice};
use crate::wire::{Fault, Progress, Question, refuses_tools};
use bytes::Bytes;
use std::collections::VecDeque;
use std::time::Duration;

/// A request in progress.
pub(super) struct Turn<'a> {
    model: &'a HttpModel,
    request: ModelRequest<'a>,
    names: Names<'a>,
    form: Form,
    body: Bytes,
    queue: VecDeque<ModelEvent>,
    consumer: Consumer,
    attempts: u32,
    phase: Phase,
}

/// How tools are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Native,
    Constrained,
}

/// Whether the consumer has received a part of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consumer {
    HasNothing,
    HasSome,
}

enum Phase {
    Begin,
    Send,
    Pause(Duration),
    Read(Box<Reading>),
    Failed(Box<ModelError>),
    Ended,
}

impl<'a> Turn<'a> {
    pub(super) fn new(model: &'a HttpModel, request: ModelRequest<'a>) -> Self {
        Self {
            model,
            names: Names::new(request.tools),
            request,
            form: Form::Native,
            body: Bytes::new(),
            queue: VecDeque::new(),
            consumer: Consumer::HasNothing,
            attempts: 0,
            phase: Phase::Begin,
        }
    }

    /// The next event.
    pub(super) async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.queue.pop_front() {
                if !matches!(event, ModelEvent::Notice(_)) {
                    self.consumer = Consumer::HasSome;
                }
                return Some(Ok(event));
            }
            let outcome = match std::mem::replace(&mut self.phase, Phase::Ended) {
                Phase::Ended => return None,
                Phase::Failed(error) => return Some(Err(*error)),
                Phase::Begin => self.begin(),
                Phase::Pause(pause) => {
                    self.model.options.pacer.sleep(pause).await;
                    Ok(Phase::Send)
                }
                Phase::Send => self.send().await,
                Phase::Read(reading) => self.read(reading).await,
            };
            self.phase = outcome.unwrap_or_else(|error| self.recover(error));
        }
    }

    fn begin(&mut self) -> Result<Phase, ModelError> {
        match self.model.learnt() {
            Learnt::Ignores if !self.request.tools.is_empty() => self.fall_back(Sign::Told),
            Learnt::IgnoresAndSaid => {
                self.form = Form::Constrained;
                self.render()
            }
            _ => self.render(),
        }
    }

    fn render(&mut self) -> Result<Phase, ModelError> {
        let rewritten;
        let request = match self.form {
            Form::Native => self.request,
            Form::Constrained => {
                rewritten = constrained::rewrite(&self.request, &self.names);
                ModelRequest {
                    messages: &rewritten.messages,
                    tools: &[],
                    tool_choice: ToolChoice::Auto,
                    response_schema: rewritten.schema.as_ref().or(self.request.response_schema),
                    ..self.request
                }
            }
        };
        let rendered = self.model.endpoint.wire.render(&Question {
            model: &self.model.endpoint.model,
            named: &self.model.endpoint.place.model,
            request: &request,
            names: &self.names,
            caching: self.model.options.caching,
            takes: self.model.takes,
            dialect: self.model.dialect(),
        });
        match rendered {
            Ok(body) => {
                self.body = Bytes::from(body);
                Ok(Phase::Send)
            }
            Err(error) => Err(self.model.fault(Fault::Nonsense(error.to_string()), &[])),
        }
    }

    async fn send(&mut self) -> Result<Phase, ModelError> {
        self.attempts += 1;
        let model = self.model;
        let response = model
            .http
            .send(model.http_request(self.body.clone()))
            .await
            .map_err(|error| model.transport_error(&error))?;
        if (200..300).contains(&response.status) {
            let answer = match self.form {
                Form::Constrained if !self.request.tools.is_empty() => Answer::constrained(),
                _ => Answer::native(&self.names, &model.endpoint.model, model.fences()),
            };
            let wire = model.endpoint.wire;
            let answer = answer.of(&model.endpoint.place.model);
            let reading = Reading::new(response, wire, self.request.delivery, answer);
            return Ok(Phase::Read(Box::new(reading)));
        }
        let (error, report) = model.status_error(response).await;
        let detects = model.learnt() == Learnt::Nothing && self.form == Form::Native;
        if detects && !self.request.tools.is_empty() && refuses_tools(&report) {
            return self.fall_back(Sign::Refused);
        }
        Err(error)
    }

    async fn read(&mut self, mut reading: Box<Reading>) -> Result<Phase, ModelError> {
        let model = self.model;
        match reading.step(&self.names, &mut self.queue).await {
            Ok(Progress::More) => Ok(Phase::Read(reading)),
            Ok(Progress::Complete) => Ok(self.complete(*reading)),
            Err(Broken::Transport(error)) => Err(model.transport_error(&error)),
            Err(Broken::Fault(fault)) => Err(model.fault(fault, &reading.head)),
        }
    }

    fn complete(&mut self, mut reading: Reading) -> Phase {
        let model = self.model;
        if self.form == Form::Native {
            if model.suspects(&self.request, &reading.answer) {
                model.learn(Learnt::Doubtful);
                let model = model.endpoint.place.model.clone();
                self.queue.push_back(ModelEvent::Notice(Notice::ToolsUnread { model }));
            }
            if reading.answer.wired() > 0 && matches!(model.learnt(), Learnt::Nothing | Learnt::Doubtful) {
                model.learn(Learnt::Works);
            }
        }
        reading.answer.close(self.body.len(), &mut self.queue);
        Phase::Ended
    }

    /// Starts again in the constrained form, with a notice.
    fn fall_back(&mut self, sign: Sign) -> Result<Phase, ModelError> {
        self.model.learn(Learnt::IgnoresAndSaid);
        self.form = Form::Constrained;
        self.attempts = 0;
        self.queue.clear();
        self.queue.push_back(ModelEvent::Notice(Notice::ToolsIgnored {
            model: self.model.endpoint.place.model.clone(),
            sign,
        }));
        // The notice voids the received text.
        self.consumer = Consumer::HasNothing;
        self.render()
    }

    /// Retries, if that is allowed and may help.
    fn recover(&mut self, error: ModelError) -> Phase {
        let options = &self.model.options;
        let pause = options
            .retry
            .pause(self.attempts, error.retry(), options.pacer.as_ref())
            .filter(|_| self.consumer == Consumer::HasNothing);
        let Some(wait) = pause else {
            return Phase::Failed(Box::new(error.after_attempts(self.attempts.max(1))));
        };
        self.queue.clear();
        self.queue.push_back(ModelEvent::Notice(Notice::Retrying {
            attempt: self.attempts,
            wait,
            reason: error.detail(),
        }));
        Phase::Pause(wait)
    }
}
