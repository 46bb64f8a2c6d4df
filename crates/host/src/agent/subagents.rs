//! Subagents: their model, their limits.

use super::asked::Others;
use super::{limits, model};
use crate::configuration::catalogue;
use crate::host::Host;
use futures_util::future::BoxFuture;
use palanca_agent::{Models, SubagentLimits, SubagentParts, SubagentPool};
use palanca_config::Config;
use palanca_core::Catalogue as _;
use palanca_hooks::Hooks;
use palanca_models::{Model, Prices};
use palanca_text::FluentCatalogue;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// The model of an agent: found once, when it is first needed.
pub struct FoundModel {
    host: Arc<Host>,
    config: Arc<Config>,
    found: OnceCell<Arc<dyn Model>>,
}

impl FoundModel {
    pub(crate) fn new(host: &Arc<Host>, config: &Arc<Config>) -> Self {
        Self { host: Arc::clone(host), config: Arc::clone(config), found: OnceCell::new() }
    }

    /// Sets the model that a run has already found.
    pub fn preset(&self, model: &Arc<dyn Model>) {
        // ignored: an agent has one model.
        let _ = self.found.set(Arc::clone(model));
    }
}

impl Models for FoundModel {
    fn model(&self) -> BoxFuture<'_, Result<Arc<dyn Model>, String>> {
        Box::pin(async {
            let found = self.found.get_or_try_init(|| model::model(&self.host, &self.config, 0)).await;
            found.cloned().map_err(|fault| catalogue(&self.config).render(&fault.message))
        })
    }
}

/// Who works for a session of the agent.
pub fn pool(
    host: &Arc<Host>,
    config: &Arc<Config>,
    prices: &Prices,
    models: &Arc<FoundModel>,
    catalogue: &Arc<FluentCatalogue>,
    hooks: &Arc<Hooks>,
) -> SubagentPool {
    let settings = &config.subagents;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    SubagentPool::new(SubagentParts {
        models: Arc::clone(models) as _,
        limits: SubagentLimits {
            depth: if settings.enabled { settings.max_depth } else { 0 },
            at_once: settings.max_concurrent as usize,
            patience: seconds(settings.wait),
            timeout: seconds(settings.timeout),
            steps: settings.max_steps,
            tokens: settings.max_total_tokens,
            dollars: settings.budget_usd,
        },
        prices: prices.clone(),
        catalogue: Arc::clone(catalogue) as _,
        hooks: Some(Arc::clone(hooks)),
        others: Some(Arc::new(Others { host: Arc::clone(host), config: Arc::clone(config) })),
        context: limits::context(config),
    })
}

/// How long a command waits for tasks in the background when it has nothing else to do. Each has its own time, which is
/// shorter unless the operator wants it otherwise.
pub const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a call for a subagent may take: its place, its work, and a minute for the end of both.
pub fn longest(config: &Config) -> Duration {
    Duration::from_secs(u64::from(config.subagents.timeout) + u64::from(config.subagents.wait) + 60)
}
