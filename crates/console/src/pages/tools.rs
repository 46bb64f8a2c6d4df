//! The tools of each bot, and those that bots made.

use super::{Frame, form, go, view};
use crate::api::bots::bot;
use crate::console::Shared;
use crate::input::Parameters;
use crate::made::{self, Act};
use crate::problem::Problem;
use crate::trials;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_bots::Executor;
use palanca_core::ports::Elsewhere;
use palanca_core::{Message, SchemaFormat};
use palanca_host::agent::toolset::registry;
use std::sync::Arc;

/// `GET /tools?bot=`
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "tools").await?;
    let ids = shared.bots.ids();
    let id = parameters.get("bot").cloned().or_else(|| ids.first().cloned()).unwrap_or_default();
    let tools = if id.is_empty() { Vec::new() } else { offered(&shared, &id).await?.1 };
    let tool = |tool: &Offered| {
        context! { name => tool.name.clone(), first => tool.description.lines().next().unwrap_or_default(), off => tool.off }
    };
    let tools: Vec<Value> = tools.iter().map(tool).collect();
    let listing = made::list(&shared, frame.tongue).await?;
    let items = listing.get("items").and_then(|items| items.as_array());
    let made: Vec<Value> = items.into_iter().flatten().map(|tool| made_view(&frame, tool)).collect();
    Ok(frame.page("tools.html", context! { tools, bot => id, made, bots => ids.to_vec() }))
}

/// A tool of a bot, as its model is told of it.
pub(super) struct Offered {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: serde_json::Value,
    /// Neither offered nor run: the bot's configuration says so.
    pub(super) off: bool,
}

/// Single calls as the bot, and its tools by name, with those that are switched off.
pub(super) async fn offered(shared: &Arc<Shared>, id: &str) -> Result<(Executor, Vec<Offered>), Problem> {
    let bot = bot(shared, id).await?;
    let executor = trials::executor(shared, id, Arc::new(Elsewhere)).await?;
    let mut all = (*bot.config).clone();
    Arc::make_mut(&mut all.bots).iter_mut().for_each(|bot| bot.disabled_tools.clear());
    let told = |off: bool, schema: &serde_json::Value| {
        let field = |key: &str| schema.get("function").and_then(|told| told.get(key));
        let text = |key: &str| field(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let schema = field("parameters").cloned().unwrap_or_default();
        Offered { name: text("name"), description: text("description"), schema, off }
    };
    let on = executor.toolset().schemas(SchemaFormat::OpenAi);
    let own = bot.config.bots.iter().find(|own| own.id == bot.id);
    let disabled = own.map(|own| &*own.disabled_tools).unwrap_or_default();
    let (off, _) = registry(&all)?.snapshot().restrict(disabled.iter().map(String::as_str));
    let off = off.schemas(SchemaFormat::OpenAi);
    let mut tools: Vec<Offered> = on.iter().map(|tool| told(false, tool)).collect();
    tools.extend(off.iter().map(|tool| told(true, tool)));
    tools.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    Ok((executor, tools))
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
