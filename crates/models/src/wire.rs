//! The wire formats, one folder each: how a request is rendered, and how an answer is read.
//!
//! Rendering writes straight from the borrowed conversation into bytes. Reading uses untyped JSON on purpose: a
//! compatible server may omit, add or mistype anything, and only really needed parts are required.

mod anthropic;
mod fault;
mod ids;
mod json;
mod openai_chat;
mod openai_responses;

#[cfg(test)]
mod tests;

use crate::assemble::RawCall;
use crate::endpoint::ApiKey;
use crate::event::{Stop, Usage};
use crate::halves;
use crate::names::Names;
use crate::provider_state::StatePlace;
use crate::request::{ModelRequest, PromptCaching};
use crate::senses::Takes;
use crate::sse::SseEvent;
use palanca_core::ports::http::Header;
use serde_json::Value;
use std::borrow::Cow;

pub(crate) use fault::{Fault, Report, classify, refuses_tools, server_message};

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WireFormat {
    /// OpenAI's Chat Completions.
    OpenAiChat,
    /// OpenAI's Responses.
    OpenAiResponses,
    /// Anthropic's Messages.
    Anthropic,
}

/// Which name of the output limit a server understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The provider's own, newest form.
    Official,
    /// The form that every compatible server understands.
    Compatible,
}

/// Everything needed for rendering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) model: &'a str,
    /// As `--model` names it.
    pub(crate) named: &'a str,
    pub(crate) request: &'a ModelRequest<'a>,
    pub(crate) names: &'a Names<'a>,
    pub(crate) caching: PromptCaching,
    pub(crate) dialect: Dialect,
    pub(crate) takes: Takes,
}

/// A part of an answer as received; names are the wire's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Reasoning(String),
    Call(RawCall),
    State(StatePlace, Value),
    Usage(Usage),
    Stop(Stop),
}

/// Whether the answer is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Complete,
}

/// How far an answer got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    #[default]
    Nothing,
    Begun,
    Stopped,
}

impl Seen {
    fn begin(&mut self) {
        *self = (*self).max(Self::Begun);
    }

    /// The end of the stream was announced: as good as a reason for it, where there was anything before.
    fn stop_if_begun(&mut self) {
        if *self == Self::Begun {
            *self = Self::Stopped;
        }
    }

    /// Refuses an end that came too early.
    const fn whole(self) -> Result<(), Fault> {
        match self {
            Self::Nothing => Err(Fault::Silence),
            Self::Begun => Err(Fault::Cut),
            Self::Stopped => Ok(()),
        }
    }
}

/// Reads one answer.
#[derive(Debug)]
pub(crate) enum Parser {
    Chat(openai_chat::Parser),
    Responses(openai_responses::Parser),
    Anthropic(anthropic::Parser),
}

impl WireFormat {
    /// The path of requests after the base URL.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::OpenAiChat => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::Anthropic => "/v1/messages",
        }
    }

    /// The headers of a request.
    pub(crate) fn headers(self, key: Option<&ApiKey>) -> Vec<Header> {
        let mut headers = vec![
            Header::new("content-type", "application/json"),
            Header::new("accept", "application/json, text/event-stream"),
        ];
        match self {
            Self::Anthropic => {
                headers.push(Header::new("anthropic-version", "2023-06-01"));
                headers.extend(key.map(|key| Header::secret("x-api-key", key.expose())));
            }
            Self::OpenAiChat | Self::OpenAiResponses => {
                headers.extend(key.map(|key| Header::secret("authorization", format!("Bearer {}", key.expose()))))
            }
        }
        headers
    }

    /// The body of a request.
    pub(crate) fn render(self, question: &Question<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let mut body = Vec::with_capacity(8 << 10);
        match self {
            Self::OpenAiChat => openai_chat::render(question, &mut body),
            Self::OpenAiResponses => openai_responses::render(question, &mut body),
            Self::Anthropic => anthropic::render(question, &mut body),
        }?;
        Ok(body)
    }

    /// A reader for one answer.
    pub(crate) fn parser(self) -> Parser {
        match self {
            Self::OpenAiChat => Parser::Chat(openai_chat::Parser::default()),
            Self::OpenAiResponses => Parser::Responses(openai_responses::Parser::default()),
            Self::Anthropic => Parser::Anthropic(anthropic::Parser::default()),
        }
    }
}

impl Parser {
    /// Reads one event of a stream.
    pub(crate) fn event(&mut self, event: &SseEvent, out: &mut Vec<Part>) -> Result<Progress, Fault> {
        if event.data.trim().is_empty() {
            return Ok(Progress::More);
        }
        let mended;
        let event = match halves::carried(&event.data) {
            Cow::Borrowed(_) => event,
            Cow::Owned(data) => {
                mended = SseEvent { data, ..event.clone() };
                &mended
            }
        };
        match self {
            Self::Chat(parser) => parser.event(event, out),
            Self::Responses(parser) => parser.event(event, out),
            Self::Anthropic(parser) => parser.event(event, out),
        }
    }

    /// Reads an answer received in one piece.
    pub(crate) fn whole(&mut self, body: &[u8], out: &mut Vec<Part>) -> Result<(), Fault> {
        let text = str::from_utf8(body).map_or(Cow::Borrowed(""), halves::carried);
        let value = json::document(if let Cow::Owned(text) = &text { text.as_bytes() } else { body })?;
        Fault::reported(&value)?;
        match self {
            Self::Chat(parser) => parser.whole(&value, out),
            Self::Responses(parser) => parser.whole(&value, out),
            Self::Anthropic(parser) => parser.whole(&value, out),
        }
    }

    /// Ends a stream: releases held parts, or reports that it ended too early.
    pub(crate) fn finish(&mut self, out: &mut Vec<Part>) -> Result<(), Fault> {
        match self {
            Self::Chat(parser) => parser.finish(out),
            Self::Responses(parser) => parser.finish(out),
            Self::Anthropic(parser) => parser.finish(out),
        }
    }
}
