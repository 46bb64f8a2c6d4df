//! Questions, and their answers.

use super::{cut, page};
use crate::access::Visitor;
use crate::console::Shared;
use crate::decide::{Decided, Decision, decide, question};
use crate::input::{Parameters, known, object, perhaps, rows, text};
use crate::problem::Problem;
use axum::Extension;
use axum::extract::{Path, Query, Request, State};
use axum::response::Json;
use palanca_core::Message;
use palanca_core::call::QuestionId;
use palanca_store::{Approvals as _, KeptQuestion, Which};
use serde_json::{Value, json};
use std::sync::Arc;

/// `GET /api/approvals?state=open|all&limit=&cursor=`: newest first.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Value>, Problem> {
    known(parameters.keys().map(String::as_str), &["state", "limit", "cursor"])?;
    let which = match parameters.get("state").map(String::as_str) {
        None | Some("open") => Which::Active,
        Some("all") => Which::All,
        Some(other) => return Err(Problem::wrong(Message::new("console-bad-state").with("state", other))),
    };
    let before = parameters.get("cursor").map(|id| QuestionId::new(id.as_str()));
    let asked = rows(&parameters)?.saturating_add(1);
    let found = shared.desk.newest(which, before.as_ref(), asked).await?;
    let (found, more) = cut(found, &parameters)?;
    let next = found.last().filter(|_| more).map(|last| last.id.to_string());
    Ok(page(found.iter().map(|question| json!(question)).collect(), next))
}

/// `GET /api/approvals/ID`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Json<KeptQuestion>, Problem> {
    Ok(Json(question(&shared, &id).await?))
}

/// `POST /api/approvals/ID/approve`
pub(super) async fn approve(
    state: State<Arc<Shared>>,
    id: Path<String>,
    visitor: Extension<Visitor>,
    request: Request,
) -> Result<Json<Value>, Problem> {
    answer(state, id, visitor, (request, "approve")).await
}

/// `POST /api/approvals/ID/deny`
pub(super) async fn deny(
    state: State<Arc<Shared>>,
    id: Path<String>,
    visitor: Extension<Visitor>,
    request: Request,
) -> Result<Json<Value>, Problem> {
    answer(state, id, visitor, (request, "deny")).await
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Extension(visitor): Extension<Visitor>,
    (request, wanted): (Request, &'static str),
) -> Result<Json<Value>, Problem> {
    let body = object(request, &["decision", "digest", "note", "rule"]).await?;
    let said = text(&body, "decision")?;
    if said != wanted {
        let message = Message::new("console-contradiction").with("decision", said).with("path", wanted);
        return Err(Problem::wrong(message));
    }
    let digest = text(&body, "digest")?;
    let note = perhaps(&body, "note")?;
    let rule = match body.get("rule") {
        None | Some(Value::Null) => None,
        Some(rule) => {
            let number = rule.as_u64().and_then(|number| usize::try_from(number).ok());
            Some(number.ok_or_else(|| Problem::wrong(Message::new("console-bad-rule")))?)
        }
    };
    let decision = match (wanted, note, rule) {
        ("approve", Some(_), _) => return Err(Problem::wrong(Message::new("console-note-with-yes"))),
        ("approve", None, rule) => Decision::Approve(rule),
        (_, _, Some(_)) => return Err(Problem::wrong(Message::new("console-rule-with-no"))),
        (_, note, None) => Decision::Deny(note.map(str::to_owned).filter(|note| !note.trim().is_empty())),
    };
    let Decided { question, is_parked } = decide(&shared, (&id, digest), decision, &visitor).await?;
    Ok(Json(json!({"question": question, "parked": is_parked})))
}
