//! Sessions: the list, and one with what happened in it.

use super::{Frame, form, go, timeline, view};
use crate::api::sessions::{after, as_it_stands, cursor, session};
use crate::console::Shared;
use crate::input::Parameters;
use crate::problem::Problem;
use crate::undo::{self, Undo, Undoing};
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_core::Message;
use palanca_core::call::SessionId;
use palanca_core::ports::{Level, SessionFilter, SessionStatus, Sessions as _};
use palanca_text::some;
use std::sync::Arc;

/// Sessions of a page.
const ROWS: usize = 30;

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
    let mut sessions = Vec::with_capacity(found.len());
    for kept in found {
        sessions.push(view::session(&frame, &as_it_stands(&shared, kept).await));
    }
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
    let mut below = Vec::new();
    for child in shared.database.sessions(&wanted).await? {
        below.push(view::session(&frame, &as_it_stands(&shared, child).await));
    }
    let left_out = (before > 0).then(|| frame.say(&Message::new("page-events-left-out").with("events", before)));
    let questions = waiting(&frame, &kept.began.scope.session);
    let can_undo = kept.summary.status != SessionStatus::Running && kept.summary.calls > 0;
    Ok(frame.page(
        "session.html",
        context! { s => view::session(&frame, &kept), rows, below, left_out, questions, can_undo },
    ))
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
