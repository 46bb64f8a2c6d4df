//! What a bot has written of itself: its files as they are and as they were, and search in its memory.

use super::{Frame, view};
use crate::api::bots::bot;
use crate::console::Shared;
use crate::input::Parameters;
use crate::problem::Problem;
use crate::trials::executor;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_bots::Bot;
use palanca_core::Message;
use palanca_core::ports::NoAsker;
use palanca_host::agent::soul_files::SoulFiles;
use palanca_tools::edit::diff::unified;
use serde_json::json;
use std::sync::Arc;

/// What is looked at: a file, perhaps as it was.
struct Wanted {
    file: String,
    until: Option<String>,
}

/// `GET /bots/BOT/files?file=&until=&search=`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "bots").await?;
    let bot = bot(&shared, &id).await?;
    let field = |name: &str| parameters.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let search = field("search");
    let found = match &search {
        Some(query) => {
            let executor = executor(&shared, &bot.id, Arc::new(NoAsker)).await?;
            let result = executor.execute("memory_search", json!({ "query": query })).await;
            executor.end().await;
            Some(context! { text => result.output, error => result.error })
        }
        None => None,
    };
    let wanted = field("file").map(|file| Wanted { file, until: field("until") });
    let (of, its) = (Arc::clone(&shared), Arc::clone(&bot));
    let read = tokio::task::spawn_blocking(move || read(&of, &its, wanted)).await;
    let own = read.map_err(|_| Problem::stopping())??;
    Ok(frame.page("files.html", context! { bot => bot.id.clone(), search, found, ..own }))
}

/// The list, and what is looked at. Only what is in the list is read.
fn read(shared: &Shared, bot: &Bot, wanted: Option<Wanted>) -> Result<Value, Problem> {
    let soul = SoulFiles::of(shared.host.places(), &bot.config).map_err(Problem::refused)?;
    let redactor = &bot.agent.words().redactor;
    let names = soul.files();
    let counted = names.iter().map(|name| context! { name, versions => soul.versions(name).len() });
    let files: Vec<Value> = counted.collect();
    let Some(Wanted { file, until }) = wanted else { return Ok(context! { files, shown => () }) };
    let none = || Problem::missing(Message::new("console-no-file").with("file", &file));
    let name = names.iter().find(|name| **name == file).ok_or_else(none)?;
    let text = |path: &str| soul.text(path).map(|text| redactor.redact(&text).into_owned()).map_err(Problem::refused);
    let versions = soul.versions(name);
    let now = text(name)?;
    let (mut diff, mut command) = (None, None);
    if let Some(until) = &until {
        let version = versions.iter().find(|version| version.until == *until).ok_or_else(none)?;
        diff = Some(view::diff(&unified(name, Some(&text(&version.file)?), Some(&now)).text));
        command = Some(format!("palanca --bot {} memory restore {name} {until}", bot.id));
    }
    let versions: Vec<Value> = versions.iter().map(|version| context! { until => version.until.clone() }).collect();
    let now = until.is_none().then_some(now);
    Ok(context! { files, shown => context! { name, now, until, diff, command, versions } })
}
