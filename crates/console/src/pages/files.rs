//! What a bot has written of itself: its files as they are and as they were, and search in its memory.

use super::{Frame, encoded, form, go, view};
use crate::access::Visitor;
use crate::api::bots::bot;
use crate::console::Shared;
use crate::input::Parameters;
use crate::problem::Problem;
use crate::trials::{executor, person};
use axum::extract::{Path, Query, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::BoxFuture;
use minijinja::{Value, context};
use palanca_bots::Bot;
use palanca_core::Message;
use palanca_core::call::Digest;
use palanca_core::ports::{Answer, Asker, NoAsker, Question};
use palanca_host::agent::soul_files::SoulFiles;
use palanca_store::Approvals as _;
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
        diff = Some(view::diff(&unified(name, Some(&text(&version.path)?), Some(&now)).text));
        command = Some(format!("palanca --bot {} memory restore {name} {until}", bot.id));
    }
    let versions: Vec<Value> = versions.iter().map(|version| context! { until => version.until.clone() }).collect();
    let digest = digest(&soul, name)?;
    let now = until.is_none().then_some(now);
    Ok(context! { files, shown => context! { name, now, until, diff, command, digest, versions } })
}

fn digest(soul: &SoulFiles, name: &str) -> Result<String, Problem> {
    Ok(Digest::of_bytes(soul.text(name).map_err(Problem::refused)?.as_bytes()).to_hex())
}

/// `POST /bots/BOT/files {file, until, digest}`: puts a version back, if the file is still the one that was shown beside it.
pub(super) async fn put_back(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (fields, visitor) = form(&shared, request).await?;
    let bot = bot(&shared, &id).await?;
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let (file, shown) = (field("file"), field("digest"));
    let (of, its, wanted) = (Arc::clone(&shared), Arc::clone(&bot), (file.clone(), field("until")));
    let writes = tokio::task::spawn_blocking(move || writes(&of, &its, (&wanted.0, &wanted.1), &shown)).await;
    let writes = writes.map_err(|_| Problem::stopping())??;
    let executor = person(&shared, Arc::new(Pressed { shared: Arc::clone(&shared), visitor })).await?;
    for (path, content) in writes {
        let result = executor.execute("write_file", json!({"path": path, "content": content})).await;
        if let Some(error) = result.error {
            executor.end().await;
            let said = Message::new("system-words").with("words", error);
            return Err(Problem::new(StatusCode::CONFLICT, "not_restored", said));
        }
    }
    executor.end().await;
    Ok(go(&format!("/bots/{}/files?file={}", encoded(&bot.id), encoded(&file))))
}

/// What puts a version back, if the file is still the one that was shown.
fn writes(
    shared: &Shared,
    bot: &Bot,
    (file, until): (&str, &str),
    shown: &str,
) -> Result<Vec<(String, String)>, Problem> {
    let soul = SoulFiles::of(shared.host.places(), &bot.config).map_err(Problem::refused)?;
    let none = || Problem::missing(Message::new("console-no-file").with("file", file));
    let name = soul.files().into_iter().find(|name| name == file).ok_or_else(none)?;
    let version = soul.versions(&name).into_iter().find(|version| version.until == until).ok_or_else(none)?;
    if !digest(&soul, &name)?.eq_ignore_ascii_case(shown) {
        let changed = Message::new("console-file-changed").with("file", file);
        return Err(Problem::new(StatusCode::CONFLICT, "stale", changed));
    }
    soul.restoring(&name, &version).map_err(Problem::refused)
}

/// The yes of a person who has seen the change and pressed the button. It is theirs in the records.
struct Pressed {
    shared: Arc<Shared>,
    visitor: Visitor,
}

impl Asker for Pressed {
    fn can_answer(&self, _question: &Question) -> bool {
        true
    }

    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(async {
            // ignored: where it cannot be kept, it does not count, and the call says so.
            let _ = self.shared.desk.answer(&question.id, &Answer::Yes, &self.visitor.signature()).await;
            Some(Answer::Yes)
        })
    }
}
