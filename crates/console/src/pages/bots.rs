//! Bots: who they are, and a chat with one.

use super::sessions::waiting;
use super::{Frame, encoded, form, go, timeline};
use crate::api::bots::{bot, told};
use crate::chats::{self, chat};
use crate::console::{FRONT, Shared};
use crate::input::Parameters;
use crate::problem::Problem;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_agent::BotMode;
use palanca_bots::Bot;
use palanca_core::Message;
use palanca_core::call::ChatId;
use palanca_core::ports::{Level, SessionFilter, Sessions as _, StoredSession};
use palanca_host::agent::soul;
use palanca_host::workspace::disk;
use std::sync::Arc;

/// The chat that a bot's page begins with.
const FIRST: &str = "main";
/// Chats that are listed, and sessions that are looked at for them.
const CHATS: usize = 12;
const LOOKED_AT: usize = 100;

/// `GET /bots`
pub(super) async fn list(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "bots").await?;
    let ids = shared.bots.ids();
    let mut bots = Vec::new();
    for id in ids.iter() {
        bots.push(match bot(&shared, id).await {
            Ok(bot) => context! { id, error => (), ..about(&bot) },
            Err(problem) => context! { id, name => id, error => frame.say(&problem.message), about => "" },
        });
    }
    Ok(frame.page("bots.html", context! { bots }))
}

fn about(bot: &Bot) -> Value {
    let told = told(bot);
    let text = |key: &str| told.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let about = [text("description"), text("model")];
    let about: Vec<String> = about.into_iter().filter(|part| !part.is_empty()).collect();
    context! { name => text("name"), about => about.join(" · ") }
}

/// `GET /bots/BOT?chat=`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "bots").await?;
    let bot = bot(&shared, &id).await?;
    let chat = chat(parameters.get("chat").map_or(FIRST, String::as_str))?;
    let sessions = kept(&shared, &bot, (None, LOOKED_AT)).await?;
    let here = kept(&shared, &bot, (Some(&chat.name), 1)).await?.pop();
    let (rows, questions) = match &here {
        Some(kept) => {
            let (rows, _) = timeline::read(&shared, &frame, kept).await?;
            (rows, waiting(&frame, &kept.began.scope.session))
        }
        None => (Vec::new(), Vec::new()),
    };
    let mut chats = vec![chat.name.to_string()];
    for name in sessions.iter().filter_map(|kept| kept.began.scope.chat.as_ref()) {
        if chats.len() < CHATS && !chats.iter().any(|known| known == name.as_str()) {
            chats.push(name.to_string());
        }
    }
    chats.sort_unstable();
    let (emoji, own) = own(&shared, &frame, &bot).await?;
    Ok(frame.page(
        "bot.html",
        context! {
            b => context! { id => bot.id.clone(), emoji, ..about(&bot) }, chat => chat.name.as_str(), chats, rows, questions, own,
            session => here.map(|kept| kept.began.scope.session.to_string()).unwrap_or_default(),
            running => shared.chats.is_running(&bot.id, &chat),
        },
    ))
}

/// The bot's chats at the console, or one of them: its sessions, the latest first.
async fn kept(
    shared: &Shared,
    bot: &Bot,
    (chat, limit): (Option<&ChatId>, usize),
) -> Result<Vec<StoredSession>, Problem> {
    let wanted = SessionFilter {
        workspace: Some(disk::here(&bot.config)?),
        level: Level::Top,
        bot: Some(bot.id.as_str().into()),
        chat: chat.cloned(),
        channel: Some(FRONT.into()),
        limit: Some(limit),
        ..SessionFilter::default()
    };
    Ok(shared.database.sessions(&wanted).await?)
}

/// Its emoji, and what it has of its own: character, motivations, goals, memory.
async fn own(shared: &Arc<Shared>, frame: &Frame, bot: &Arc<Bot>) -> Result<(String, Vec<Value>), Problem> {
    let (of, its) = (Arc::clone(shared), Arc::clone(bot));
    let read = tokio::task::spawn_blocking(move || {
        let disk = disk::disk(of.host.places(), &its.config)?;
        Ok::<_, Problem>(soul::prompt(&its.config, BotMode::Conversation, &disk, None).soul)
    });
    let soul = read.await.map_err(|_| Problem::stopping())??;
    let redactor = &bot.agent.words().redactor;
    let mut parts = vec![
        (frame.say(&Message::new("page-soul")), soul.character),
        (frame.say(&Message::new("page-motivations")), soul.motivations),
        (frame.say(&Message::new("page-goals")), soul.goals),
        (frame.say(&Message::new("page-memory")), soul.core_memory),
    ];
    let memory = frame.say(&Message::new("page-memory"));
    parts.extend(soul.recent_memory.into_iter().map(|(day, text)| (format!("{memory}: {day}"), text)));
    let parts = parts.into_iter().filter(|(_, text)| !text.trim().is_empty());
    let shown = |(title, text): (String, String)| context! { title, text => redactor.redact(&text).into_owned() };
    Ok((soul.emoji, parts.map(shown).collect()))
}

/// `POST /bots/BOT`: says something, and looks on.
pub(super) async fn say(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "bots").await?;
    let (fields, _) = form(&shared, request).await?;
    let field = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let (bot, chat) = (bot(&shared, &id).await?, chat(field("chat"))?);
    let words = field("text").trim();
    if words.is_empty() {
        return Err(Problem::wrong(Message::new("console-nothing-said")));
    }
    let back = place(&bot.id, chat.name.as_str());
    // The page shows it as it is kept.
    drop(chats::say(&shared, (bot.id.clone(), chat), words.to_owned(), frame.tongue));
    Ok(go(&back))
}

/// `POST /bots/BOT/stop`
pub(super) async fn stop(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (fields, _) = form(&shared, request).await?;
    let chat = chat(fields.get("chat").map(String::as_str).unwrap_or_default())?;
    shared.chats.stop(&id, &chat);
    Ok(go(&place(&id, chat.name.as_str())))
}

/// The address of a chat.
pub(super) fn place(bot: &str, chat: &str) -> String {
    format!("/bots/{}?chat={}", encoded(bot), encoded(chat))
}
