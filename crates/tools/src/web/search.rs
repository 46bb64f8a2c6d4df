//! Searching the web through providers that the operator has chosen, one after another until one answers.
//!
//! Every provider that could be tried is claimed, so a question and an `explain` show all of them. The surprising decision:
//! an answer without results is an answer, and the next provider is not asked; a provider whose own sources failed is one
//! that failed.

mod brave;
mod clean;
mod hits;
mod provider;
mod searxng;
mod told;

use super::ask::Ask;
use super::content;
use super::status;
use crate::operation::Operation;
use crate::options::ToolOptions;
use hits::Hit;
use palanca_core::call::{Claims, Effect, ErrorKind, HttpAccess};
use palanca_core::ports::{WebAnswer, WebError, WebErrorKind, WebHandle, WebLimits};
use palanca_core::{Message, Output, Text, ToolCx, ToolError};
pub use provider::{BRAVE, NAMES, SearchProvider};
use std::time::Duration;
pub(crate) use told::Listing;

/// What Brave accepts as a query; the other providers get no more, so that a fallback finds the same.
const MOST_CHARS: usize = 400;
const MOST_WORDS: usize = 50;
/// Bytes of a provider's answer; an ordinary one has less than a tenth of it.
const ANSWER_BYTES: usize = 1 << 20;

pub(crate) struct Search<'a> {
    pub(crate) query: &'a str,
    /// Results to show; unset, as many as the operator says.
    pub(crate) count: Option<usize>,
    pub(crate) listing: Listing,
    pub(crate) options: &'a ToolOptions,
}

/// What a provider found.
struct Found {
    provider: &'static str,
    hits: Vec<Hit>,
    age: Option<Duration>,
}

impl Operation for Search<'_> {
    fn claims(&self) -> Result<Claims, ToolError> {
        super::switched_on("web_search", self.options)?;
        let query = self.query.trim();
        if query.is_empty() {
            return Err(invalid(Message::new("web-search-empty")));
        }
        let (chars, words) = (query.chars().count(), query.split_whitespace().count());
        if chars > MOST_CHARS || words > MOST_WORDS {
            return Err(invalid(
                Message::new("web-search-too-long")
                    .with("chars", chars)
                    .with("words", words)
                    .with("most_chars", MOST_CHARS)
                    .with("most_words", MOST_WORDS),
            ));
        }
        let providers = &self.options.web.search.providers;
        if providers.is_empty() {
            return Err(ToolError::new(ErrorKind::Disabled, Message::new("web-search-no-provider")));
        }
        let reach = |provider: &SearchProvider| {
            let url = provider.ask(query, self.count());
            Effect::Http(Box::new(HttpAccess::get(url).provider(provider.name())))
        };
        Ok(providers.iter().map(reach).collect())
    }

    async fn run(&self, cx: &ToolCx) -> Result<Output, ToolError> {
        let web = cx.web();
        let mut errors = Vec::new();
        for (provider, reach) in self.options.web.search.providers.iter().zip(web.granted()) {
            match self.ask(provider, web, reach).await {
                Ok(found) => return Ok(self.tell(&found, &errors)),
                Err(error) => errors.push((provider.name(), error)),
            }
        }
        Err(failed(errors).unwrap_or_else(|| WebError::new(WebErrorKind::NotGranted, BRAVE).into_tool_error()))
    }
}

impl Search<'_> {
    fn count(&self) -> usize {
        self.count.unwrap_or(self.options.web.search.max_results).clamp(1, provider::MOST_RESULTS)
    }

    async fn ask(&self, provider: &SearchProvider, web: &WebHandle, reach: &HttpAccess) -> Result<Found, ToolError> {
        let limits = WebLimits { bytes: ANSWER_BYTES, time: self.options.web.search.timeout, ..WebLimits::default() };
        let headers = provider.headers();
        let ask = Ask { headers: &headers, limits, fresh: self.options.web.search.fresh };
        // A cached answer without results is not used.
        let worth = |answer: &WebAnswer| self.read(provider, answer).is_ok_and(|hits| !hits.is_empty());
        let answer = ask.send(web, reach, worth).await.map_err(WebError::into_tool_error)?;
        let hits = self.read(provider, &answer)?;
        Ok(Found { provider: provider.title(), hits, age: answer.age })
    }

    fn read(&self, provider: &SearchProvider, answer: &WebAnswer) -> Result<Vec<Hit>, ToolError> {
        if !answer.is_success() {
            return Err(refused(provider, answer));
        }
        let read = serde_json::from_slice(&answer.body).ok().and_then(|value| match provider {
            SearchProvider::Brave { .. } => brave::read(&value),
            SearchProvider::SearXng { .. } => searxng::read(&value),
        });
        let mut hits = read.unwrap_or_else(|| {
            let key = match provider {
                SearchProvider::Brave { .. } => "web-search-unreadable",
                SearchProvider::SearXng { .. } => "web-search-no-json",
            };
            let kind = content::media_type(answer).unwrap_or_else(|| "?".to_owned());
            let message = Message::new(key).with("provider", provider.title()).with("status", answer.status);
            Err(ToolError::new(ErrorKind::Failed, message.with("type", kind)))
        })?;
        hits.truncate(self.count());
        Ok(hits)
    }
}

/// What a provider's status means: who can do something about it is not always the model.
fn refused(provider: &SearchProvider, answer: &WebAnswer) -> ToolError {
    let key = match (answer.status, provider) {
        (429, _) if status::retry_after(answer).is_some() => "web-search-wait",
        (429, _) => "web-search-limited",
        (401 | 403 | 422, SearchProvider::Brave { .. }) => "web-search-key-refused",
        (403, SearchProvider::SearXng { .. }) => "web-search-no-json",
        _ => "web-search-status",
    };
    let message = Message::new(key)
        .with("provider", provider.title())
        .with("status", status::named(answer.status))
        .with("type", content::media_type(answer).unwrap_or_else(|| "?".to_owned()))
        .with("seconds", status::retry_after(answer).unwrap_or_default());
    ToolError::new(status::kind(answer.status), message)
}

/// One error of all that were tried.
fn failed(mut errors: Vec<(&'static str, ToolError)>) -> Option<ToolError> {
    if errors.len() < 2 {
        return errors.pop().map(|(_, error)| error);
    }
    let kind = errors.first()?.1.kind();
    let names: Vec<&str> = errors.iter().map(|(name, _)| *name).collect();
    let message = Message::new("web-search-failed").with("providers", names.join(", "));
    let lines = errors.iter().map(|(_, error)| Text::from(error.message().clone())).reduce(Text::line)?;
    Some(ToolError::new(kind, message).with_output(lines))
}

/// The longest that all providers take, one after another.
pub(crate) fn longest(options: &ToolOptions) -> Duration {
    let search = &options.web.search;
    search.timeout.saturating_mul(u32::try_from(search.providers.len()).unwrap_or(u32::MAX).max(1))
}

fn invalid(message: Message) -> ToolError {
    ToolError::new(ErrorKind::InvalidArguments, message)
}
