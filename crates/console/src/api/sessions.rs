//! Sessions and their events.

use super::{cut, page};
use crate::console::Shared;
use crate::input::{Parameters, bad_cursor, known, object, rows};
use crate::problem::Problem;
use crate::undo::{Undo, Undoing};
use axum::extract::{Path, Query, Request, State};
use axum::response::Json;
use data_encoding::BASE64URL_NOPAD;
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{
    EventNumber, Level, SessionCursor, SessionFilter, SessionStatus, Sessions as _, StoredSession,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// `GET /api/sessions?bot=&status=&text=&parent=&limit=&cursor=`: the most recently changed first.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Value>, Problem> {
    known(parameters.keys().map(String::as_str), &["bot", "status", "text", "parent", "limit", "cursor"])?;
    let status = match parameters.get("status") {
        None => None,
        Some(name) => {
            let unknown = || Problem::wrong(Message::new("console-bad-status").with("status", name));
            Some(SessionStatus::named(name).ok_or_else(unknown)?)
        }
    };
    let wanted = SessionFilter {
        level: parameters.get("parent").map_or(Level::Top, |parent| Level::Below(parent.as_str().into())),
        bot: parameters.get("bot").map(|bot| bot.as_str().into()),
        status,
        text: parameters.get("text").cloned(),
        after: parameters.get("cursor").map(|text| cursor(text)).transpose()?,
        limit: Some(rows(&parameters)?.saturating_add(1)),
        ..SessionFilter::default()
    };
    let (found, more) = cut(shared.database.sessions(&wanted).await?, &parameters)?;
    let next = found.last().filter(|_| more).map(|last| after(&last.cursor()));
    let mut items = Vec::with_capacity(found.len());
    for session in found {
        items.push(json(&as_it_stands(&shared, session).await));
    }
    Ok(page(items, next))
}

/// `GET /api/sessions/ID`
pub(super) async fn show(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Result<Json<Value>, Problem> {
    Ok(Json(json(&session(&shared, &id).await?)))
}

/// `GET /api/sessions/ID/events?after=&limit=`: the rows as they are kept.
pub(super) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Value>, Problem> {
    known(parameters.keys().map(String::as_str), &["after", "limit"])?;
    let kept = session(&shared, &id).await?;
    let first = match parameters.get("after") {
        None => 0,
        Some(number) => number.parse().map_err(|_| bad_cursor())?,
    };
    let asked = rows(&parameters)?.saturating_add(1);
    let found = shared.database.events(&kept.began.scope.session, EventNumber(first), asked).await?;
    let (found, more) = cut(found, &parameters)?;
    let next = found.last().filter(|_| more).map(|last| last.number.0.to_string());
    let item = |event: &palanca_core::ports::StoredEvent| {
        let body: Value = serde_json::from_str(&event.body).unwrap_or_default();
        json!({"number": event.number, "at_ms": event.at_ms, "kind": event.kind, "call": event.call, "body": body})
    };
    Ok(page(found.iter().map(item).collect(), next))
}

/// `GET /api/sessions/ID/undo`: what an undo would do.
pub(super) async fn would_undo(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    undoing(&shared, &id, Undo::Look).await
}

/// `POST /api/sessions/ID/undo {}`: undoes everything that the session changed.
pub(super) async fn undo(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Json<Value>, Problem> {
    object(request, &[]).await?;
    undoing(&shared, &id, Undo::Do).await
}

async fn undoing(shared: &Arc<Shared>, id: &str, what: Undo) -> Result<Json<Value>, Problem> {
    let kept = session(shared, id).await?;
    let Undoing { changes, diff, left } = crate::undo::undo(shared, &kept, what).await?;
    Ok(Json(json!({"session": id, "done": what == Undo::Do, "changes": changes, "diff": diff, "left": left})))
}

/// One session, as it stands.
pub(crate) async fn session(shared: &Shared, id: &str) -> Result<StoredSession, Problem> {
    let unknown = || Problem::missing(Message::new("console-no-session").with("id", id));
    let found = shared.database.session(&SessionId::new(id)).await?.ok_or_else(unknown)?;
    Ok(as_it_stands(shared, found).await)
}

/// A session whose process was killed still says that it runs.
pub(crate) async fn as_it_stands(shared: &Shared, mut kept: StoredSession) -> StoredSession {
    if kept.summary.status == SessionStatus::Running
        && matches!(shared.database.is_held(&kept.began.scope.session).await, Ok(false))
    {
        kept.summary.status = SessionStatus::Interrupted;
    }
    kept
}

pub(crate) fn json(kept: &StoredSession) -> Value {
    let (began, summary) = (&kept.began, &kept.summary);
    json!({
        "id": began.scope.session, "bot": began.scope.bot, "chat": began.scope.chat, "channel": began.scope.channel,
        "parent": began.parent, "workspace": began.workspace, "task": began.task, "agent": began.agent,
        "model": began.model, "started_ms": began.started_ms, "updated_ms": kept.updated_ms,
        "status": summary.status, "stop_reason": summary.stop_reason, "model_calls": summary.steps,
        "calls": summary.calls, "tokens": summary.tokens, "cost": summary.dollars, "events": kept.last,
    })
}

/// A place in the list, as a word.
pub(crate) fn after(cursor: &SessionCursor) -> String {
    BASE64URL_NOPAD.encode(&serde_json::to_vec(cursor).unwrap_or_default())
}

pub(crate) fn cursor(text: &str) -> Result<SessionCursor, Problem> {
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| bad_cursor())?;
    serde_json::from_slice(&bytes).map_err(|_| bad_cursor())
}
