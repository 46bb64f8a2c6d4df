//! The tools of each bot, as its model is told of them.

use super::Frame;
use crate::console::Shared;
use crate::input::Parameters;
use crate::problem::Problem;
use axum::extract::{Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
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
    Ok(frame.page("tools.html", context! { tools, bot, bots => ids.to_vec() }))
}
