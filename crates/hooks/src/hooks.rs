//! All hooks of one session: compiled from settings, passed to the gate, notified of events in a run.

use crate::around::Around;
use crate::event::Event;
use crate::in_flight::InFlight;
use crate::occasion::Occasion;
use crate::once::{About, Effective, Once};
use crate::post_edit::PostEdit;
use crate::settings::{ConfigError, HookSettings, ProcessSettings, Switch};
use crate::talk::{Approval, Talk};
use palanca_core::call::CallId;
use palanca_core::ports::Hook;
use palanca_core::tool::Cancel;
use std::sync::Arc;
use std::time::Duration;

/// Hooks, ready to run.
#[derive(Clone)]
pub struct Hooks {
    around_calls: Vec<Arc<dyn Hook>>,
    of_runs: Vec<Once>,
    talks: Vec<Arc<Talk>>,
    in_flight: InFlight,
}

/// The answers of the hooks of one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// For the model, in order.
    pub contexts: Vec<String>,
    /// A refusal and its hook. Only before the model is called.
    pub blocked: Option<(String, String)>,
}

impl Hooks {
    /// Compiles the operator's settings. Hooks run in this order, long-lived programs after the others.
    ///
    /// # Errors
    /// The first invalid matcher, pattern or command, with its place; disabled hooks included.
    pub fn new(around: Around, hooks: Vec<HookSettings>, processes: Vec<ProcessSettings>) -> Result<Self, ConfigError> {
        let (around, in_flight) = (Arc::new(around), InFlight::default());
        let mut all = Self { around_calls: Vec::new(), of_runs: Vec::new(), talks: Vec::new(), in_flight };
        for settings in hooks {
            let (event, switch) = (settings.event, settings.switch);
            let hook = Once::new(settings, &around, &all.in_flight)?;
            match event {
                _ if switch == Switch::Off => {}
                Event::PostEdit => all.around_calls.push(Arc::new(PostEdit(hook))),
                _ if event.is_of_a_call() => all.around_calls.push(Arc::new(hook)),
                _ => all.of_runs.push(hook),
            }
        }
        for settings in processes {
            let switch = settings.switch;
            let talk = Arc::new(Talk::new(settings, &around)?);
            if switch == Switch::On {
                all.talks.push(talk);
            }
        }
        for talk in &all.talks {
            all.around_calls.push(Arc::clone(talk) as Arc<dyn Hook>);
        }
        // Last of all: approval must cover the final arguments.
        for talk in all.talks.iter().filter(|talk| talk.approves()) {
            all.around_calls.push(Arc::new(Approval(Arc::clone(talk))));
        }
        Ok(all)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.around_calls.len() + self.of_runs.len()
    }

    /// For the gate, in this order.
    #[must_use]
    pub fn around_calls(&self) -> &[Arc<dyn Hook>] {
        &self.around_calls
    }

    /// Runs the hooks of this event, one after another; a block ends the sequence. `cancel` ends running ones.
    pub async fn tell(&self, occasion: &Occasion, cancel: &Cancel) -> Told {
        let (event, mut told) = (occasion.event(), Told::default());
        let call = CallId::new(event.name());
        for hook in self.of_runs.iter().filter(|hook| hook.settings.event == event) {
            let about = About { call: &call, tool: event.name(), files: &[], cancel };
            match hook.ask(about, occasion).await {
                Effective::Go { context, .. } => told.contexts.extend(context),
                Effective::Block(reason) => {
                    told.blocked = Some((hook.name.to_string(), reason));
                    return told;
                }
            }
        }
        for talk in &self.talks {
            match talk.hear(occasion, cancel).await {
                Effective::Go { context, .. } => told.contexts.extend(context),
                Effective::Block(reason) => {
                    told.blocked = Some((talk.name().to_owned(), reason));
                    return told;
                }
            }
        }
        told
    }

    /// The end: background hooks may continue for this long, then all of them are ended.
    pub async fn finish(&self, patience: Duration) {
        self.in_flight.finish(patience).await;
        for talk in &self.talks {
            talk.end().await;
        }
    }
}
