//! What a person sees of subagents and hooks at work.

use crate::render::stderr;
use crate::say::say;
use palanca_agent::{Event, Sink, Watch, arguments_line, headline};
use palanca_core::call::{SessionId, Waiting};
use palanca_core::ports::{Redactor, TaskStatus};
use palanca_core::{Catalogue as _, Message};
use palanca_hooks::{HookRun, RunVerdict, Watcher};
use palanca_text::FluentCatalogue;
use std::sync::Arc;

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

/// Says on stderr how hooks end; quiet where nothing is to be said.
pub struct HookLines {
    pub quiet: bool,
}

impl Watcher for HookLines {
    fn ended(&self, run: &HookRun<'_>) {
        let message = match &run.verdict {
            RunVerdict::Passed => Message::new("hook-line-passed").with("name", run.name),
            RunVerdict::Blocked(reason) => {
                let reason = reason.lines().next().unwrap_or_default();
                Message::new("hook-line-blocked").with("name", run.name).with("reason", reason)
            }
            RunVerdict::Failed(why) => {
                let (name, event) = (run.name, run.event);
                Message::new("hook-line-failed").with("name", name).with("event", event).with("reason", why.clone())
            }
        };
        // The screen shows gates with their own mark.
        if run.event == "quality_gate" || self.quiet {
            return;
        }
        stderr::line(&format!("      🔍 {}", stderr::shown_line(&say(&message))));
    }
}
