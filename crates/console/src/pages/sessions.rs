//! Sessions: the list, and one with what happened in it.

use super::{Frame, bots, form, go, timeline, view};
use crate::api::sessions::{after, as_it_stands, cursor, session};
use crate::console::{FRONT, Shared};
use crate::input::Parameters;
use crate::problem::Problem;
use crate::undo::{self, Undo, Undoing};
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::unfold;
use minijinja::{Value, context};
use palanca_agent::session::row;
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{EventNumber, Level, SessionFilter, SessionStatus, Sessions as _, StoredSession};
use palanca_text::some;
use std::sync::Arc;

/// Sessions of a page.
const ROWS: usize = 30;
/// Events that are read at once.
const PAGE: usize = 500;

/// `GET /sessions?text=&cursor=`
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "sessions").await?;
    let text = parameters.get("text").map(|text| text.trim().to_owned()).unwrap_or_default();
    let wanted = SessionFilter {
        level: Level::Top,
        text: Some(text.clone()).filter(|text| !text.is_empty()),
        after: parameters.get("cursor").map(|text| cursor(text)).transpose()?,
        limit: Some(ROWS + 1),
        ..SessionFilter::default()
    };
    let mut found = shared.database.sessions(&wanted).await?;
    let more = found.len() > ROWS;
    found.truncate(ROWS);
    let next = found.last().filter(|_| more).map(|last| after(&last.cursor()));
    let sessions = listed(&shared, &frame, found).await;
    Ok(frame.page("sessions.html", context! { sessions, next, text }))
}

/// `GET /sessions/ID`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "sessions").await?;
    let kept = session(&shared, &id).await?;
    let (rows, before) = timeline::read(&shared, &frame, &kept).await?;
    let wanted = SessionFilter { level: Level::Below(kept.began.scope.session.clone()), ..SessionFilter::default() };
    let below = listed(&shared, &frame, shared.database.sessions(&wanted).await?).await;
    let left_out = (before > 0).then(|| frame.say(&Message::new("page-events-left-out").with("events", before)));
    let questions = waiting(&frame, &kept.began.scope.session);
    let can_undo = kept.summary.status != SessionStatus::Running && kept.summary.calls > 0;
    Ok(frame.page(
        "session.html",
        context! { s => view::session(&frame, &kept), rows, below, left_out, questions, can_undo, resume => resume(&kept) },
    ))
}

/// How the session goes on: a chat of this console by its address, any other by a command. None while it runs, and for subagents.
fn resume(kept: &StoredSession) -> Option<Value> {
    let scope = &kept.began.scope;
    if kept.summary.status == SessionStatus::Running || kept.began.parent.is_some() {
        return None;
    }
    let chat = scope.bot.as_ref().zip(scope.chat.as_ref());
    let here = chat.filter(|_| scope.channel.as_ref().is_some_and(|channel| channel.as_str() == FRONT));
    let place = here.map(|(bot, chat)| bots::place(bot.as_str(), chat.as_str()));
    // Of other channels it goes on where its person is.
    let command = scope.channel.is_none().then(|| format!("palanca sessions resume {}", scope.session));
    Some(context! { place, command })
}

/// `GET /sessions/ID/export`: its events, one JSON object a line.
pub(super) async fn export(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let kept = session(&shared, &id).await?;
    let id = kept.began.scope.session;
    let plain: String = id.as_str().chars().filter(|one| one.is_ascii_alphanumeric() || *one == '-').collect();
    let name = format!("attachment; filename=\"session-{plain}.jsonl\"");
    let name = HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("attachment"));
    let pages = unfold(Some(EventNumber::default()), move |after| {
        let (shared, id) = (Arc::clone(&shared), id.clone());
        async move {
            let events = match shared.database.events(&id, after?, PAGE).await {
                Ok(events) => events,
                // The connection breaks off: what arrived is not taken for all.
                Err(fault) => return Some((Err(std::io::Error::other(format!("{fault:?}"))), None)),
            };
            let last = events.last()?.number;
            let lines: String = events.iter().map(|event| format!("{}\n", row(&id, event))).collect();
            Some((Ok(lines), Some(last)))
        }
    });
    let kind = HeaderValue::from_static("application/x-ndjson");
    Ok(([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)], Body::from_stream(pages)).into_response())
}

/// `GET /sessions/ID/undo`: what an undo would do, and a button that does it.
pub(super) async fn look(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "sessions").await?;
    let kept = session(&shared, &id).await?;
    let Undoing { changes, diff, left } = undo::undo(&shared, &kept, Undo::Look).await?;
    let left = (!left.is_empty()).then(|| frame.say(&Message::new("sessions-undo-left").with("names", some(&left))));
    let diff = view::diff(&diff);
    Ok(frame.page("undo.html", context! { s => view::session(&frame, &kept), changes, diff, left }))
}

/// `POST /sessions/ID/undo`
pub(super) async fn undo(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    form(&shared, request).await?;
    let kept = session(&shared, &id).await?;
    undo::undo(&shared, &kept, Undo::Do).await?;
    Ok(go(&format!("/sessions/{}", kept.began.scope.session)))
}

/// The open questions of a session.
pub(super) fn waiting(frame: &Frame, id: &SessionId) -> Vec<Value> {
    let here = frame.open.iter().filter(|asked| asked.scope.session == *id);
    here.map(|asked| view::question(frame, asked)).collect()
}

/// Sessions in a list.
async fn listed(shared: &Shared, frame: &Frame, found: Vec<StoredSession>) -> Vec<Value> {
    let mut rows = Vec::with_capacity(found.len());
    for kept in found {
        rows.push(view::session(frame, &as_it_stands(shared, kept).await));
    }
    rows
}
