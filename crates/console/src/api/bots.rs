//! Bots and their chats.

use crate::chats::{self, chat, frames};
use crate::console::Shared;
use crate::events::sent;
use crate::input::{object, text};
use crate::language::Tongue;
use crate::problem::Problem;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::{Json, Response};
use palanca_bots::Bot;
use palanca_core::Message;
use palanca_host::agent::bots;
use serde_json::{Value, json};
use std::sync::Arc;

/// `GET /api/bots`
pub(super) async fn list(State(shared): State<Arc<Shared>>, Extension(tongue): Extension<Tongue>) -> Json<Value> {
    let mut items = Vec::new();
    let ids = shared.bots.ids();
    for id in ids.iter() {
        items.push(match bot(&shared, id).await {
            Ok(bot) => told(&bot),
            Err(problem) => json!({"id": id, "error": tongue.say(&problem.message)}),
        });
    }
    Json(json!({"items": items, "next": null}))
}

pub(crate) fn told(bot: &Bot) -> Value {
    let own = bot.config.bots.iter().find(|own| own.id == bot.id);
    json!({
        "id": bot.id, "name": bots::name(&bot.config), "model": bot.config.llm.model,
        "description": own.and_then(|own| own.description.clone()),
    })
}

/// A bot that is there. Building it reads files.
pub(crate) async fn bot(shared: &Arc<Shared>, id: &str) -> Result<Arc<Bot>, Problem> {
    let known = shared.bots.ids();
    if !known.iter().any(|known| known == id) {
        let near = palanca_config::closest(id, known.iter().map(String::as_str));
        let names = near.map_or_else(|| known.join(", "), str::to_owned);
        return Err(Problem::missing(Message::new("cli-bot-unknown").with("bot", id).with("names", names)));
    }
    let (shared, id) = (Arc::clone(shared), id.to_owned());
    let built = tokio::task::spawn_blocking(move || shared.bots.bot(&id)).await;
    Ok(built.map_err(|_| Problem::stopping())??)
}

/// `POST /api/bots/BOT/chats/CHAT/messages {text}`: the answer as it comes, server-sent events.
pub(super) async fn say(
    State(shared): State<Arc<Shared>>,
    Path((id, name)): Path<(String, String)>,
    Extension(tongue): Extension<Tongue>,
    request: Request,
) -> Result<Response, Problem> {
    let body = object(request, &["text"]).await?;
    let words = text(&body, "text")?;
    if words.trim().is_empty() {
        return Err(Problem::wrong(Message::new("console-nothing-said")));
    }
    let chat = chat(&name)?;
    let bot = bot(&shared, &id).await?;
    let told = chats::say(&shared, (bot.id.clone(), chat), words.to_owned(), tongue);
    Ok(sent(Body::from_stream(frames(told))))
}

/// `POST /api/bots/BOT/chats/CHAT/stop {}`: ends the answers that are under way there; what they did stays.
pub(super) async fn stop(
    State(shared): State<Arc<Shared>>,
    Path((id, name)): Path<(String, String)>,
    request: Request,
) -> Result<Json<Value>, Problem> {
    object(request, &[]).await?;
    let chat = chat(&name)?;
    let bot = bot(&shared, &id).await?;
    Ok(Json(json!({"stopped": shared.chats.stop(&bot.id, &chat)})))
}
