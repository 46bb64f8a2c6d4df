//! A network door without a network: hosts answer as a test says, and the door returns what was requested.

use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use futures_util::stream;
use palanca_core::call::{Chosen, HttpAccess};
use palanca_core::ports::http::Header;
use palanca_core::ports::{BodyEnd, Web, WebAnswer, WebError, WebErrorKind, WebLimits, WebRequest, WebStream};
use parking_lot::{Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// One sent request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What was sent.
    pub reach: HttpAccess,
    /// Its headers.
    pub headers: Vec<Header>,
    /// Its limits.
    pub limits: WebLimits,
    /// The maximum age of a cached answer.
    pub fresh: Duration,
}

#[derive(Debug, Default)]
struct State {
    answers: HashMap<String, VecDeque<Result<WebAnswer, WebError>>>,
    elsewhere: Option<WebAnswer>,
    asked: Vec<Asked>,
}

/// The door. Each address returns its scripted answers in order and repeats the last one; an address without any
/// returns the default answer, or is unreachable if there is none. Hosts whose names end in `.internal` are private and
/// refused.
#[derive(Debug, Default)]
pub struct FakeWeb {
    state: Mutex<State>,
}

/// An answer of this type and body, complete and fresh. The address is filled in by the door.
#[must_use]
pub fn page(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> WebAnswer {
    WebAnswer {
        status,
        url: String::new(),
        hops: Vec::new(),
        headers: vec![Header::new("content-type", content_type)],
        body: body.into().into(),
        end: BodyEnd::Complete,
        age: None,
    }
}

impl FakeWeb {
    /// Scripts the next answer of this address.
    #[must_use]
    pub fn at(self, url: &str, answer: WebAnswer) -> Self {
        self.then(url, Ok(answer))
    }

    /// The same for an error of this kind.
    #[must_use]
    pub fn failing(self, url: &str, kind: WebErrorKind, detail: &str) -> Self {
        self.ending(url, WebError::new(kind, url).detail(detail))
    }

    /// The same for exactly this error.
    #[must_use]
    pub fn ending(self, url: &str, error: WebError) -> Self {
        self.then(url, Err(error))
    }

    /// Sets the default answer.
    #[must_use]
    pub fn elsewhere(self, answer: WebAnswer) -> Self {
        self.state().elsewhere = Some(answer);
        self
    }

    fn then(self, url: &str, answer: Result<WebAnswer, WebError>) -> Self {
        self.state().answers.entry(url.to_owned()).or_default().push_back(answer);
        self
    }

    /// Every sent request, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl Web for FakeWeb {
    fn locate(&self, reach: &HttpAccess) -> Result<HttpAccess, WebError> {
        let refused = |kind| Err(WebError::new(kind, &reach.url));
        match reach.url.split_once("://") {
            Some(("http" | "https", _)) => {}
            Some(_) => return refused(WebErrorKind::Scheme),
            None => return refused(WebErrorKind::InvalidUrl),
        }
        if reach.chosen == Chosen::ByCall && reach.host().ends_with(".internal") {
            return refused(WebErrorKind::Private);
        }
        Ok(reach.clone())
    }

    fn open<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebAnswer, WebError>> {
        let mut state = self.state();
        let asked =
            Asked { reach: reach.clone(), headers: with.headers.to_vec(), limits: with.limits, fresh: with.fresh };
        state.asked.push(asked);
        let answer = match state.answers.get_mut(&reach.url) {
            Some(answers) if answers.len() > 1 => answers.pop_front(),
            Some(answers) => answers.front().cloned(),
            None => state.elsewhere.clone().map(Ok),
        };
        let answer = answer.unwrap_or_else(|| Err(WebError::new(WebErrorKind::Unreachable, &reach.url)));
        let answer = answer.map(|answer| match answer.url.is_empty() {
            true => WebAnswer { url: reach.url.clone(), ..answer },
            false => answer,
        });
        Box::pin(async move { answer })
    }

    fn stream<'a>(&'a self, reach: &'a HttpAccess, with: WebRequest<'a>) -> BoxFuture<'a, Result<WebStream, WebError>> {
        Box::pin(async move {
            let WebAnswer { status, url, hops, headers, body, .. } = self.open(reach, with).await?;
            Ok(WebStream { status, url, hops, headers, body: stream::iter([Ok(body)]).boxed() })
        })
    }
}
