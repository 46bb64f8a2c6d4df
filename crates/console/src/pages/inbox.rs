//! Questions that wait for a person, and what became of earlier ones.

use super::{Frame, form, go, view};
use crate::console::Shared;
use crate::decide::{Decision, decide, question};
use crate::problem::Problem;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_core::Message;
use palanca_store::{Approvals as _, KeptQuestion, QuestionState, Which};
use std::sync::Arc;

/// Earlier questions on the page.
const SETTLED: usize = 20;

/// `GET /`
pub(super) async fn list(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "inbox").await?;
    let latest = shared.desk.newest(Which::All, None, SETTLED.saturating_add(frame.open.len())).await?;
    let settled = latest.iter().filter(|asked| asked.state != QuestionState::Open).take(SETTLED);
    let shown = |asked: &KeptQuestion| view::question(&frame, asked);
    Ok(frame.page(
        "inbox.html",
        context! {
            questions => frame.open.iter().map(shown).collect::<Vec<_>>(),
            settled => settled.map(shown).collect::<Vec<_>>(),
        },
    ))
}

/// `GET /questions/ID`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "inbox").await?;
    let asked = question(&shared, &id).await?;
    Ok(frame.page("one.html", context! { q => view::question(&frame, &asked) }))
}

/// `POST /questions/ID`
pub(super) async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "inbox").await?;
    let (fields, visitor) = form(&shared, request).await?;
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let note = Some(field("note").trim().to_owned()).filter(|note| !note.is_empty());
    let decision = match field("decision") {
        "yes" => Decision::Approve(None),
        "no" => Decision::Deny(note),
        number => {
            let bad = |_| Problem::wrong(Message::new("console-bad-rule"));
            Decision::Approve(Some(number.parse().map_err(bad)?))
        }
    };
    match decide(&shared, (&id, field("digest")), decision, &visitor).await {
        Ok(decided) if decided.is_parked => {
            let session = decided.question.scope.session.to_string();
            let message = Message::new("approvals-answered-parked").with("session", session);
            let mut frame = frame;
            frame.notice = Some(("good", frame.say(&message)));
            let asked: Value = view::question(&frame, &decided.question);
            Ok(frame.page("one.html", context! { q => asked }))
        }
        Ok(_) => Ok(go(field("back"))),
        // What became of it stands below the reason.
        Err(problem) => match question(&shared, &id).await {
            Ok(asked) => {
                let frame = frame.with_problem(&problem);
                Ok(frame.page("one.html", context! { q => view::question(&frame, &asked) }))
            }
            Err(_) => Err(problem),
        },
    }
}
