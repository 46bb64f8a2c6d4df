//! Tools that bots made: the documented routes.

use crate::access::Visitor;
use crate::console::Shared;
use crate::input::{object, perhaps, text};
use crate::language::Tongue;
use crate::made::{self, Act};
use crate::problem::Problem;
use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::response::Json;
use palanca_core::Message;
use serde_json::Value;
use std::sync::Arc;

type Who = (Extension<Visitor>, Extension<Tongue>);

/// `GET /api/tools`
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Extension(tongue): Extension<Tongue>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(made::list(&shared, tongue).await?))
}

/// `GET /api/tools/ID`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Extension(tongue): Extension<Tongue>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(made::show(&shared, id, tongue).await?))
}

/// `POST /api/tools/ID/approve {digest}`
pub(super) async fn approve(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    who: Who,
    request: Request,
) -> Result<Json<Value>, Problem> {
    let body = object(request, &["digest"]).await?;
    let digest = text(&body, "digest")?.to_owned();
    decided(&shared, (id, Act::Approve { digest }), who).await
}

/// `POST /api/tools/ID/reject {note?}`
pub(super) async fn reject(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    who: Who,
    request: Request,
) -> Result<Json<Value>, Problem> {
    let body = object(request, &["note"]).await?;
    let note = perhaps(&body, "note")?.map(str::to_owned);
    decided(&shared, (id, Act::Reject(note)), who).await
}

/// `PATCH /api/tools/ID {description?, source?, parameters?, scope?}`: it waits for a decision again.
pub(super) async fn change(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    who: Who,
    request: Request,
) -> Result<Json<Value>, Problem> {
    let body = object(request, &["description", "source", "parameters", "scope"]).await?;
    let bad = |error: serde_json::Error| Message::new("console-bad-json").with("reason", error.to_string());
    let patch = serde_json::from_value(Value::Object(body)).map_err(|error| Problem::wrong(bad(error)))?;
    decided(&shared, (id, Act::Change(patch)), who).await
}

/// `DELETE /api/tools/ID`
pub(super) async fn remove(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    visitor: Extension<Visitor>,
    tongue: Extension<Tongue>,
) -> Result<Json<Value>, Problem> {
    decided(&shared, (id, Act::Delete), (visitor, tongue)).await
}

async fn decided(
    shared: &Arc<Shared>,
    decision: (String, Act),
    (Extension(visitor), Extension(tongue)): Who,
) -> Result<Json<Value>, Problem> {
    Ok(Json(made::decide(shared, decision, (&visitor, tongue)).await?))
}
