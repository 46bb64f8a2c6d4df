//! Who is let in. Every request passes here: its person is found or it goes no further, and every answer leaves with the headers
//! that keep other pages away from it.
//!
//! A token in an address is none: addresses are written down everywhere. A page's cookie alone changes nothing, because a browser
//! sends it for whoever asks; the page's own word must come with it.

use crate::console::Shared;
use crate::language::Tongue;
use crate::pages::{Frame, is_public};
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_store::{KeptKey, KeyKind, StoreError};
use std::sync::Arc;

/// The session of a browser.
pub(crate) const SESSION: &str = "palanca_session";

/// The page's own word, in requests of scripts.
const WORD: HeaderName = HeaderName::from_static("x-palanca-word");

const HEADERS: [(HeaderName, &str); 6] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Who asks: an extension of every request that was let in.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) key: KeptKey,
    /// What a page of a browser's session says with every change; None for a token.
    pub(crate) word: Option<String>,
}

impl Visitor {
    /// For the record.
    pub(crate) fn signature(&self) -> String {
        format!("{} ({})", self.key.person, crate::FRONT)
    }

    /// Whether this is the word of the page.
    pub(crate) fn says(&self, word: Option<&str>) -> bool {
        self.word.as_deref().is_none_or(|own| Some(own) == word)
    }
}

pub(crate) async fn enter(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let tongue = Tongue::of(request.headers(), shared.locale);
    let path = request.uri().path().to_owned();
    let is_api = path == "/ws" || path == "/api" || path.starts_with("/api/");
    request.extensions_mut().insert(tongue);
    let answer = match judge(&shared, &mut request, is_api) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    finished(answer, tongue, if is_api { None } else { Some(path) })
}

/// Lets a request on, with its person.
fn judge(shared: &Shared, request: &mut Request, is_api: bool) -> Result<(), Problem> {
    let visitor = match find(shared, request.headers())? {
        Some(visitor) => visitor,
        None if is_public(request.uri().path()) => return Ok(()),
        None => return Err(Problem::stranger()),
    };
    let is_change = ![Method::GET, Method::HEAD].contains(request.method());
    let word = || request.headers().get(WORD).and_then(|word| word.to_str().ok());
    if is_api && is_change && !visitor.says(word()) {
        return Err(strange_page());
    }
    request.extensions_mut().insert(visitor);
    Ok(())
}

/// A change without the word of one of our pages.
pub(crate) fn strange_page() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, "strange_page", Message::new("console-strange-page"))
}

/// Whose key a request brings.
fn find(shared: &Shared, headers: &HeaderMap) -> Result<Option<Visitor>, StoreError> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    if let Some(first) = given.next() {
        let token = first.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let Some(token) = token.filter(|_| given.next().is_none()) else { return Ok(None) };
        return Ok(shared.keys.find(KeyKind::Token, token)?.map(|key| Visitor { key, word: None }));
    }
    let Some(secret) = cookie(headers, SESSION) else { return Ok(None) };
    let found = shared.keys.find(KeyKind::Session, secret)?;
    Ok(found.map(|key| Visitor { key, word: Some(word_of(secret)) }))
}

/// Known to the pages of a session alone.
fn word_of(secret: &str) -> String {
    Digest::of_bytes(format!("word {secret}").as_bytes()).to_hex()
}

/// The only cookie of this name; of several none is believed.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(key, _)| *key == name).map(|(_, value)| value);
    values.next().filter(|_| values.next().is_none())
}

/// The answer in words, with the headers of every answer. The path is that of a page.
fn finished(mut answer: Response, tongue: Tongue, page: Option<String>) -> Response {
    let mut problem = answer.extensions_mut().remove::<Problem>();
    // What the library below could not take apart, such as a name that is no UTF-8.
    if problem.is_none() && answer.status() == StatusCode::BAD_REQUEST {
        problem = Some(Problem::wrong(Message::new("console-unreadable")));
    }
    if let Some(problem) = problem {
        answer = match page {
            None => problem.json(tongue),
            Some(path) => {
                let frame = Frame::of_nobody(tongue, problem.status, path);
                let is_stranger = problem.status == StatusCode::UNAUTHORIZED;
                if is_stranger { frame.login() } else { frame.problem(&problem.message) }
            }
        };
    }
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if !headers.contains_key(CONTENT_TYPE) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    }
    answer
}
