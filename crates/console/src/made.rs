//! Tools that bots made, and people's decisions about them. An approval is of the digest that was shown.

use crate::access::Visitor;
use crate::console::Shared;
use crate::language::Tongue;
use crate::problem::Problem;
use axum::http::StatusCode;
use palanca_core::Message;
use palanca_host::Fault;
use palanca_host::dynamic::{DynamicTools, Patch};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::runtime::Handle;

/// What a person does with a made tool.
pub(crate) enum Act {
    /// It may run, as it was shown.
    Approve {
        /// What was shown.
        digest: String,
    },
    /// It may not, and perhaps why.
    Reject(Option<String>),
    /// It is gone.
    Delete,
    /// It is another one, which waits for a decision.
    Change(Patch),
}

/// All of them, the oldest first, and folders that hold none that can be read.
pub(crate) async fn list(shared: &Arc<Shared>, tongue: Tongue) -> Result<Value, Problem> {
    with(shared, move |tools| {
        let listing = tools.list()?;
        let items: Vec<Value> = listing.tools.iter().map(|tool| tool.to_json(tongue.catalogue())).collect();
        let unreadable: Vec<Value> =
            listing.unreadable.iter().map(|(id, why)| json!({"id": id, "error": tongue.say(why)})).collect();
        Ok(json!({"items": items, "next": null, "unreadable": unreadable}))
    })
    .await
}

/// One of them.
pub(crate) async fn show(shared: &Arc<Shared>, id: String, tongue: Tongue) -> Result<Value, Problem> {
    with(shared, move |tools| Ok(tools.show(&id)?.to_json(tongue.catalogue()))).await
}

/// Decides about one. Answers it as it is then; null if it is gone.
pub(crate) async fn decide(
    shared: &Arc<Shared>,
    (id, act): (String, Act),
    (visitor, tongue): (&Visitor, Tongue),
) -> Result<Value, Problem> {
    let by = visitor.signature();
    with(shared, move |tools| {
        let tool = match act {
            Act::Approve { digest } => tools.approve(&id, &digest, &by)?,
            Act::Reject(note) => tools.reject(&id, note.as_deref(), &by)?,
            Act::Change(patch) => Handle::current().block_on(tools.update(&id, patch, &by))?,
            Act::Delete => {
                tools.delete(&id, &by)?;
                return Ok(Value::Null);
            }
        };
        Ok(tool.to_json(tongue.catalogue()))
    })
    .await
}

/// Reads and writes files, so not on a thread of the runtime.
async fn with<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce(&DynamicTools) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Problem> {
    let shared = Arc::clone(shared);
    let worked = tokio::task::spawn_blocking(move || {
        let place = shared.host.workspace(&shared.config)?;
        work(&DynamicTools::open(&place, &shared.config))
    });
    let stopping = |_| Problem::wrong(Message::new("console-stopping"));
    worked.await.map_err(stopping)?.map_err(problem)
}

fn problem(fault: Fault) -> Problem {
    match fault.message.key() {
        "dynamic-unknown" => Problem::missing(fault.message),
        "dynamic-changed-meanwhile" => Problem::new(StatusCode::CONFLICT, "stale", fault.message),
        _ => Problem::refused(fault),
    }
}
