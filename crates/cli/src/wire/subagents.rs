//! Subagents of a command: their model, their limits, their output.

use super::{limits, model};
use crate::exit::Failure;
use crate::render::stderr;
use futures_util::future::BoxFuture;
use palanca_agent::{
    Event, Models, Sink, SubagentLimits, SubagentParts, SubagentPool, Watch, arguments_line, headline,
};
use palanca_config::Config;
use palanca_core::Catalogue;
use palanca_core::call::{SessionId, Waiting};
use palanca_core::ports::{Redactor, TaskStatus};
use palanca_hooks::Hooks;
use palanca_models::Model;
use palanca_text::FluentCatalogue;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// The model of a command: found once, when it is first needed.
pub struct FoundModel {
    config: Config,
    catalogue: Arc<FluentCatalogue>,
    found: OnceCell<Arc<dyn Model>>,
}

impl FoundModel {
    pub fn new(config: &Config, catalogue: &Arc<FluentCatalogue>) -> Self {
        Self { config: config.clone(), catalogue: Arc::clone(catalogue), found: OnceCell::new() }
    }

    /// Sets the model that the run has already found.
    pub fn preset(&self, model: &Arc<dyn Model>) {
        // ignored: a command has one model.
        let _ = self.found.set(Arc::clone(model));
    }
}

impl Models for FoundModel {
    fn model(&self) -> BoxFuture<'_, Result<Arc<dyn Model>, String>> {
        Box::pin(async {
            let find = || async { model::model(&self.config, &self.catalogue, true, 0).await };
            self.found.get_or_try_init(find).await.cloned().map_err(|failure| failure.words())
        })
    }
}

/// Who works for the agent of this command.
///
/// # Errors
/// Prices that cannot be read, exit code 3.
pub fn pool(
    config: &Config,
    models: &Arc<FoundModel>,
    catalogue: &Arc<FluentCatalogue>,
    hooks: &Arc<Hooks>,
) -> Result<SubagentPool, Failure> {
    let settings = &config.subagents;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    Ok(SubagentPool::new(SubagentParts {
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
        prices: limits::prices(config, &**catalogue)?,
        catalogue: Arc::clone(catalogue) as _,
        hooks: Some(Arc::clone(hooks)),
        context: limits::context(config),
    }))
}

/// How long a command waits for tasks in the background when it has nothing else to do. Each has its own time, which is
/// shorter unless the operator wants it otherwise.
pub const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a call for a subagent may take: its place, its work, and a minute for the end of both.
pub fn longest(config: &Config) -> Duration {
    Duration::from_secs(u64::from(config.subagents.timeout) + u64::from(config.subagents.wait) + 60)
}

/// Whether a person sees subagents work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// One line a call, one at the end.
    Lines,
    /// The answers of background tasks: nothing else reads them.
    Answers,
    /// Nothing.
    Nothing,
}

/// A person at a terminal who sees subagents work.
pub struct Lookout {
    pub catalogue: Arc<FluentCatalogue>,
    pub redactor: Arc<dyn Redactor>,
    pub shown: Shown,
}

impl Watch for Lookout {
    fn sink(&self, task: &TaskStatus, _by: &SessionId) -> Box<dyn Sink> {
        if self.shown == Shown::Lines {
            let line = format!("↳ {} {}: {}", task.id, task.profile, task.task);
            stderr::dim(&stderr::shown_line(&self.redactor.redact(&line)));
        }
        Box::new(Lines { task: task.id.to_string(), shown: self.shown, redactor: Arc::clone(&self.redactor) })
    }

    fn ended(&self, task: &TaskStatus, _by: &SessionId, waiting: Waiting) {
        let told = self.shown == Shown::Answers && waiting == Waiting::ForResult;
        if told || self.shown == Shown::Nothing {
            return;
        }
        let mut words = self.catalogue.render(&headline(task));
        if self.shown == Shown::Answers {
            words.push('\n');
            words.push_str(task.answer.as_deref().unwrap_or_default());
        }
        for line in self.redactor.redact(&words).lines() {
            stderr::dim(line);
        }
    }
}

/// One line a call of one subagent.
struct Lines {
    task: String,
    shown: Shown,
    redactor: Arc<dyn Redactor>,
}

impl Sink for Lines {
    fn event(&self, event: &Event<'_>) {
        if let (Event::ToolStarted { call }, Shown::Lines) = (event, self.shown) {
            let line = format!("  {} │ {} {}", self.task, call.name, arguments_line(&call.arguments));
            stderr::dim(&stderr::shown_line(&self.redactor.redact(&line)));
        }
    }
}
