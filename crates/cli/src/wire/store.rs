//! The database of the state directory: questions and remembered rules, and the retention of the rest.

use super::settings;
use palanca_config::Config;
use palanca_store::{ArtifactLimits, Database, Desk, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// The front end of this program at which a question is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Front {
    /// Where the question is shown.
    Terminal,
    /// `palanca approvals`, in another process.
    Approvals,
}

/// How long outputs that were too long to be shown are kept.
pub fn limits(config: &Config) -> ArtifactLimits {
    let lasts = Duration::from_secs(u64::from(config.sessions.cleanup_after_days) * 86_400);
    ArtifactLimits { lasts, ..ArtifactLimits::default() }
}

/// What the database reports to those who know it as a file only.
pub fn fault(error: &std::io::Error) -> Option<&StoreError> {
    error.get_ref()?.downcast_ref()
}

/// The desk of this workspace.
pub fn desk(database: Arc<Database>, config: &Config, front: Front) -> Desk {
    let workspace =
        std::path::absolute(&config.workspace.root).unwrap_or_else(|_| config.workspace.root.clone().into());
    Desk::new(database, Duration::from_secs(config.approvals.ttl_seconds.into()))
        .workspace(workspace.display().to_string())
        .person(person(front))
        .catalogue(settings::catalogue(config))
}

/// `ana (terminal)`: for the record, not for any decision.
pub fn person(front: Front) -> String {
    let name =
        ["USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    let name = name.unwrap_or_else(|| "somebody".to_owned());
    match front {
        Front::Terminal => format!("{name} (terminal)"),
        Front::Approvals => format!("{name} (approvals)"),
    }
}
