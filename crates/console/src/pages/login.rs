//! In and out. A key is a token, or what a link of the terminal carries; the browser keeps a session of its own, which ends with it.

use super::{Fields, Frame, fields, form, go, own_path};
use crate::access::SESSION;
use crate::console::{FRONT, Shared};
use crate::language::{COOKIE, named};
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, SET_COOKIE};
use axum::response::Response;
use palanca_core::Message;
use palanca_store::{KeptKey, KeyKind};
use std::sync::Arc;
use std::time::Duration;

/// How long a browser stays logged in.
const LASTS: Duration = Duration::from_secs(7 * 86_400);
/// How long a choice of language is kept.
const CHOICE: u64 = 365 * 86_400;

/// `GET /login`
pub(super) async fn page(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    Frame::bare(&request, &shared).login()
}

/// `POST /login`
pub(super) async fn enter(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Problem> {
    let mut frame = Frame::bare(&request, &shared);
    let fields = fields(&shared, request).await?;
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let back = own_path(field("back"));
    let Some(key) = key(&shared, field("key").trim()).await? else {
        frame.path = back.to_owned();
        frame.status = StatusCode::UNAUTHORIZED;
        frame.notice = Some(("bad", frame.say(&Message::new("page-login-wrong"))));
        return Ok(frame.login());
    };
    let made = shared.keys.make((KeyKind::Session, &key.person), LASTS, Some(&key)).await?;
    let mut answer = go(back);
    let cookie = format!(
        "{SESSION}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}",
        made.secret,
        LASTS.as_secs(),
        shared.reach.of_cookie()
    );
    set(&mut answer, &cookie);
    Ok(answer)
}

/// Whose key this is.
async fn key(shared: &Shared, secret: &str) -> Result<Option<KeptKey>, Problem> {
    if let Some(token) = shared.keys.find(KeyKind::Token, secret)? {
        return Ok(Some(token));
    }
    Ok(shared.keys.use_link(secret).await?)
}

/// `POST /logout`
pub(super) async fn leave(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Problem> {
    let (_, visitor) = form(&shared, request).await?;
    shared.keys.end(&visitor.key.id, FRONT).await?;
    let mut answer = go("/");
    set(&mut answer, &format!("{SESSION}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0{}", shared.reach.of_cookie()));
    Ok(answer)
}

/// `POST /language`
pub(super) async fn language(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Problem> {
    let (fields, _): (Fields, _) = form(&shared, request).await?;
    let mut answer = go(fields.get("back").map(String::as_str).unwrap_or_default());
    if let Some(locale) = fields.get("language").and_then(|code| named(code)) {
        set(
            &mut answer,
            &format!(
                "{COOKIE}={}; Path=/; SameSite=Strict; Max-Age={CHOICE}{}",
                locale.code(),
                shared.reach.of_cookie()
            ),
        );
    }
    Ok(answer)
}

fn set(answer: &mut Response, cookie: &str) {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        answer.headers_mut().insert(SET_COOKIE, value);
    }
}
