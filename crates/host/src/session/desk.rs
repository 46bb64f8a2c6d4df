//! The desk of a workspace: where its questions are kept, and the rules that people make by answering.

use crate::configuration::catalogue;
use palanca_config::Config;
use palanca_store::{Database, Desk};
use std::sync::Arc;
use std::time::Duration;

/// The desk of this workspace. `front` is the front end at which people answer: `terminal`, `approvals`.
#[must_use]
pub fn desk(database: Arc<Database>, config: &Config, front: &str) -> Desk {
    let workspace =
        std::path::absolute(&config.workspace.root).unwrap_or_else(|_| config.workspace.root.clone().into());
    Desk::new(database, Duration::from_secs(config.approvals.ttl_seconds.into()))
        .workspace(workspace.display().to_string())
        .person(person(front))
        .catalogue(catalogue(config))
}

/// `ana (terminal)`: for the record, not for any decision.
#[must_use]
pub fn person(front: &str) -> String {
    format!("{} ({front})", who())
}

/// The person of this process: for the record, not for any decision.
#[must_use]
pub fn who() -> String {
    let name =
        ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    name.unwrap_or_else(|| "somebody".to_owned())
}
