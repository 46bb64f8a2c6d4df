//! The routes for programs.

mod approvals;
pub(crate) mod bots;
pub(crate) mod sessions;
mod tools;

use crate::access::Visitor;
use crate::console::Shared;
use crate::events;
use crate::input::{Parameters, rows};
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::response::Json;
use axum::routing::{get, post};
use axum::{Extension, Router};
use palanca_core::Message;
use palanca_store::{Approvals as _, Which};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/events", get(events::stream))
        .route("/ws", get(events::socket))
        .route("/api/approvals", get(approvals::list))
        .route("/api/approvals/{id}", get(approvals::show))
        .route("/api/approvals/{id}/approve", post(approvals::approve))
        .route("/api/approvals/{id}/deny", post(approvals::deny))
        .route("/api/sessions", get(sessions::list))
        .route("/api/sessions/{id}", get(sessions::show))
        .route("/api/sessions/{id}/events", get(sessions::events))
        .route("/api/sessions/{id}/undo", get(sessions::would_undo).post(sessions::undo))
        .route("/api/bots", get(bots::list))
        .route("/api/bots/{bot}/chats/{chat}/messages", post(bots::say))
        .route("/api/bots/{bot}/chats/{chat}/stop", post(bots::stop))
        .route("/api/tools", get(tools::list))
        .route("/api/tools/{id}", get(tools::show).patch(tools::change).delete(tools::remove))
        .route("/api/tools/{id}/approve", post(tools::approve))
        .route("/api/tools/{id}/reject", post(tools::reject))
        .fallback(nowhere)
        .method_not_allowed_fallback(no_method)
}

/// No route.
async fn nowhere(request: Request) -> Problem {
    Problem::missing(Message::new("console-no-route").with("path", request.uri().path()))
}

async fn no_method(request: Request) -> Problem {
    Problem::no_method(request.method())
}

/// `GET /api/health`
async fn health(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Value>, Problem> {
    let open = shared.desk.questions(Which::Active).await?.len();
    Ok(Json(json!({
        "status": "ok", "version": env!("CARGO_PKG_VERSION"), "person": visitor.key.person, "bots": shared.bots.ids(),
        "open_questions": open,
    })))
}

/// A page of a list, and where the next one begins.
fn page(items: Vec<Value>, next: Option<String>) -> Json<Value> {
    Json(json!({"items": items, "next": next}))
}

/// At most as many as are wanted, and whether there are more. `found` was asked for one more.
fn cut<T>(mut found: Vec<T>, parameters: &Parameters) -> Result<(Vec<T>, bool), Problem> {
    let wanted = rows(parameters)?;
    let more = found.len() > wanted;
    found.truncate(wanted);
    Ok((found, more))
}
