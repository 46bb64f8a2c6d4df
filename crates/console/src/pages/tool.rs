//! One tool of a bot: what its model is told of it, what the gate says to a call, and a call that a person makes.

use super::tools::{Offered, offered};
use super::{Frame, encoded, form, go, sessions, timeline, view};
use crate::console::Shared;
use crate::input::Parameters;
use crate::problem::Problem;
use crate::trials;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use minijinja::{Value, context};
use palanca_bots::{Executor, Switch};
use palanca_core::{Message, ToolResult};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// `GET /bots/BOT/tools/TOOL?trial=`
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(place): Path<(String, String)>,
    Query(parameters): Query<Parameters>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "tools").await?;
    let (executor, tool) = found(&shared, &place).await?;
    let trial = parameters.get("trial").and_then(|name| shared.trials.of(name, (&place.0, &place.1)));
    let arguments = trial.as_ref().map_or_else(|| example(&tool.schema), |trial| trial.arguments.clone());
    let questions = trial.as_ref().map(|trial| sessions::waiting(&frame, &trial.session)).unwrap_or_default();
    let running = trial.as_ref().is_some_and(|trial| trial.result.get().is_none());
    let result = trial.as_ref().and_then(|trial| trial.result.get()).map(|result| ended(&frame, result));
    let more = context! { questions, running, r => result };
    page(&frame, (&place.0, &tool, &executor), arguments, more).await
}

/// `POST /bots/BOT/tools/TOOL`: what the gate would say, the call itself, or a switch.
pub(super) async fn act(
    State(shared): State<Arc<Shared>>,
    Path(place): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let frame = Frame::new(&shared, &request, "tools").await?;
    let (fields, _) = form(&shared, request).await?;
    let (executor, tool) = found(&shared, &place).await?;
    let arguments = fields.get("arguments").cloned().unwrap_or_default();
    let to = match fields.get("do").map(String::as_str) {
        Some("explain") => {
            let none = context! { questions => Vec::<Value>::new(), running => false, r => () };
            return page(&frame, (&place.0, &tool, &executor), arguments, none).await;
        }
        Some("run") => {
            let trial = trials::begin(&shared, executor, (&place.0, &tool.name), arguments).await;
            return Ok(go(&format!("{}?trial={trial}", address(&place.0, &tool.name))));
        }
        Some("on") => Switch::On,
        Some("off") => Switch::Off,
        _ => return Err(Problem::wrong(Message::new("console-unreadable"))),
    };
    let (of, bot, name) = (Arc::clone(&shared), place.0.clone(), tool.name.clone());
    let switched = tokio::task::spawn_blocking(move || of.bots.switch(&bot, &name, to)).await;
    switched.map_err(|_| Problem::stopping())?.map_err(Problem::refused)?;
    Ok(go(&address(&place.0, &tool.name)))
}

async fn found(shared: &Arc<Shared>, (bot, tool): &(String, String)) -> Result<(Executor, Offered), Problem> {
    let (executor, mut tools) = offered(shared, bot).await?;
    if let Some(at) = tools.iter().position(|offered| offered.name == *tool) {
        return Ok((executor, tools.swap_remove(at)));
    }
    let near = executor.toolset().nearest(tool).join(", ");
    Err(Problem::missing(Message::new("tool-not-found").with("tool", tool).with("near", near)))
}

fn address(bot: &str, tool: &str) -> String {
    format!("/bots/{}/tools/{}", encoded(bot), encoded(tool))
}

async fn page(
    frame: &Frame,
    (bot, tool, executor): (&str, &Offered, &Executor),
    arguments: String,
    more: Value,
) -> Result<Response, Problem> {
    let explained = executor.explain(&tool.name, arguments.clone()).await;
    let stage = |told: &palanca_core::gate::StageVerdict| {
        context! {
            stage => told.stage.name(), verdict => told.verdict.name(), rule => told.rule.clone().unwrap_or_default(),
            reason => told.reason.clone().unwrap_or_default(),
        }
    };
    let commands =
        explained.commands.iter().flat_map(|command| &command.parts).map(
            |part| context! { source => part.source.clone(), class => part.class.name(), rule => part.rule.clone() },
        );
    let e = context! {
        effects => explained.effects.iter().map(|effect| frame.say(&effect.message())).collect::<Vec<_>>(),
        commands => commands.collect::<Vec<_>>(), diff => explained.diff.as_deref().map(view::diff),
        stages => explained.stages.iter().map(stage).collect::<Vec<_>>(),
    };
    let schema = serde_json::to_string_pretty(&tool.schema).unwrap_or_default();
    let t = context! { name => tool.name.clone(), description => tool.description.clone(), schema, off => tool.off };
    let own = context! { bot, t, e, arguments, action => address(bot, &tool.name) };
    Ok(frame.page("tool.html", context! { ..own, ..more }))
}

/// What came of a call.
fn ended(frame: &Frame, result: &ToolResult) -> Value {
    let (outcome, mark, word) = timeline::outcome(result.success, result.outcome);
    let (output, more) = timeline::cut(frame, &result.output);
    let parts = result.parts.iter().filter_map(|part| part.media()).map(|media| {
        let bytes = media.bytes().len();
        frame.say(&Message::new("cli-part-bytes").with("type", media.media_type()).with("bytes", bytes))
    });
    context! {
        outcome, mark, outcome_word => frame.say(&word), took => format!("{} ms", result.duration.as_millis()),
        error => result.error.clone(), output, more, foreign => result.foreign,
        lines => result.repairs.iter().cloned().chain(parts).collect::<Vec<_>>(), diff => result.diff.as_deref().map(view::diff),
    }
}

/// Arguments that the schema allows as far as it says, to begin with: whatever is required.
fn example(schema: &Json) -> String {
    let properties = schema.get("properties").and_then(Json::as_object);
    let required = schema.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    let named = required.filter_map(|name| Some((name.to_owned(), one(name, properties?.get(name)?))));
    serde_json::to_string_pretty(&named.collect::<Map<_, _>>()).unwrap_or_default()
}

/// A value for a property.
fn one(name: &str, schema: &Json) -> Json {
    let first = |key: &str| schema.get(key).and_then(Json::as_array).and_then(|values| values.first()).cloned();
    let said = schema.get("default").cloned().or_else(|| first("enum")).or_else(|| first("examples"));
    said.unwrap_or_else(|| match schema.get("type").and_then(Json::as_str) {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!(name),
    })
}
