//! The tools of each bot, as its model is told of them.

use super::{Frame, form, go, view};
use crate::console::Shared;
use crate::input::Parameters;
use crate::made::{self, Act};
use crate::problem::Problem;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_core::Message;
use std::sync::Arc;

/// `GET /tools?bot=`
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "tools").await?;
    let ids = shared.bots.ids();
    let bot = parameters.get("bot").cloned().or_else(|| ids.first().cloned()).unwrap_or_default();
    let tools = if bot.is_empty() {
        Vec::new()
    } else {
        crate::api::bots::bot(&shared, &bot).await?;
        shared.bots.definitions_for_bot(&bot)?
    };
    let tool = |definition: &serde_json::Value| {
        let told = definition.get("function");
        let field = |key: &str| told.and_then(|told| told.get(key));
        let text = |key: &str| field(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let description = text("description");
        context! {
            name => text("name"), first => description.lines().next().unwrap_or_default(), description,
            schema => serde_json::to_string_pretty(&field("parameters")).unwrap_or_default(),
        }
    };
    let tools: Vec<Value> = tools.iter().map(tool).collect();
    let listing = made::list(&shared, frame.tongue).await?;
    let items = listing.get("items").and_then(|items| items.as_array());
    let made: Vec<Value> = items.into_iter().flatten().map(|tool| made_view(&frame, tool)).collect();
    Ok(frame.page("tools.html", context! { tools, bot, made, bots => ids.to_vec() }))
}

fn made_view(frame: &Frame, tool: &serde_json::Value) -> Value {
    let text = |key: &str| tool.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let findings = tool.get("analysis").and_then(|findings| findings.as_array()).into_iter().flatten();
    let findings = findings.filter_map(|finding| finding.as_str().map(str::to_owned));
    let standing = match &*text("standing") {
        "approved" => Message::new("page-made-approved"),
        "rejected" => Message::new("page-made-rejected"),
        "changed" => Message::new("page-made-changed"),
        _ => Message::new("page-made-pending"),
    };
    let waits = ["pending", "changed"].contains(&&*text("standing"));
    context! {
        id => text("id"), name => text("name"), description => text("description"), by => text("createdBy"),
        digest => text("digest"), standing => frame.say(&standing), waits, refused => text("refused"),
        findings => findings.collect::<Vec<_>>(), diff => view::diff(&text("diff")), source => text("source"),
    }
}

/// `POST /tools/ID`
pub(super) async fn decide(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "tools").await?;
    let (fields, visitor) = form(&shared, request).await?;
    let field = |name: &str| fields.get(name).map(|value| value.trim().to_owned()).unwrap_or_default();
    let act = match &*field("decision") {
        "approve" => Act::Approve { digest: field("digest") },
        "reject" => Act::Reject(Some(field("note")).filter(|note| !note.is_empty())),
        _ => return Err(Problem::wrong(Message::new("console-unreadable"))),
    };
    made::decide(&shared, (id, act), (&visitor, frame.tongue)).await?;
    Ok(go("/tools"))
}
