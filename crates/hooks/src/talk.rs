//! Hooks that live as long as the session: one program per hook, with JSON-RPC 2.0 requests, one per line.
//!
//! Approvals come before everything else, and one that fails, is late or unreadable is a refusal. Interceptors that fail are
//! warnings and skipped, unless required. `respond` bypasses nothing: such a hook's text becomes a refusal with these
//! words, so that the tool does not run and is not believed to have run.

mod dialogue;
mod hook;
mod replies;

pub(crate) use hook::Approval;

use crate::around::{Around, HookRun, Note, RunVerdict, evidence, stage};
use crate::event::Event;
use crate::failure::Failure;
use crate::matcher::Matcher;
use crate::occasion::Occasion;
use crate::once::Effective;
use crate::settings::{ConfigError, Fault, OnFailure, ProcessSettings};
use dialogue::Dialogue;
use palanca_core::call::{CallId, Digest, Stage};
use palanca_core::message::Message;
use palanca_core::ports::StageDecision;
use palanca_core::tool::Cancel;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The modes of a program.
const MODES: [&str; 4] = ["observe", "llm", "tool", "approve"];
/// Approved calls that are remembered until they run.
const REMEMBERED: usize = 64;

/// A long-lived program.
pub(crate) struct Talk {
    settings: ProcessSettings,
    name: Arc<str>,
    matcher: Matcher,
    around: Arc<Around>,
    dialogue: tokio::sync::Mutex<Dialogue>,
    approved: Mutex<VecDeque<(CallId, Digest)>>,
    /// Set if it ends the turn.
    ending: Mutex<Option<String>>,
}

impl Talk {
    pub(crate) fn new(settings: ProcessSettings, around: &Arc<Around>) -> Result<Self, ConfigError> {
        let name = settings.shown_name();
        let wrong = |key: &'static str, text: &str, reason: Fault| ConfigError {
            list: "processes",
            place: settings.place,
            name: name.clone(),
            key,
            text: text.to_owned(),
            reason,
        };
        if settings.command.trim().is_empty() {
            return Err(wrong("command", &settings.command, Fault::Empty));
        }
        if let Some(mode) = settings.modes.iter().find(|mode| !MODES.contains(&mode.as_str())) {
            return Err(wrong("modes", mode, Fault::UnknownMode { known: MODES.join(", ") }));
        }
        let matcher = Matcher::new(&settings.matcher).map_err(|reason| wrong("matcher", &settings.matcher, reason))?;
        Ok(Self {
            dialogue: tokio::sync::Mutex::new(Dialogue::new(&settings)),
            name: name.as_str().into(),
            settings,
            matcher,
            around: Arc::clone(around),
            approved: Mutex::default(),
            ending: Mutex::default(),
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn has(&self, mode: &str) -> bool {
        self.settings.modes.iter().any(|known| known == mode)
    }

    pub(crate) fn approves(&self) -> bool {
        self.has("approve")
    }

    /// Notifies it of an event of a run, and asks it where it may decide.
    pub(crate) async fn hear(&self, occasion: &Occasion, cancel: &Cancel) -> Effective {
        let event = occasion.event();
        if event == Event::PreLlmCall
            && let Some(reason) = self.ending.lock().take()
        {
            return Effective::Block(reason);
        }
        // ignored: an occasion always serialises.
        let mut params = serde_json::to_value(occasion).unwrap_or_default();
        let method = match event {
            Event::PreLlmCall => Some("hook.before_llm"),
            Event::PostLlmCall => Some("hook.after_llm"),
            _ => None,
        };
        if self.has("observe") {
            let mut seen = params.clone();
            put(&mut seen, "event", event.name().into());
            self.notify(json!({"event": seen, "meta": self.meta(occasion)}), cancel).await;
        }
        let Some(method) = method.filter(|_| self.has("llm")) else {
            return Effective::Go { context: None, arguments: None };
        };
        put(&mut params, "meta", self.meta(occasion));
        let asked = self.ask(method, params, (self.settings.intercept_timeout, cancel)).await;
        let answer = asked.and_then(|value| replies::of_model(value, event));
        self.settle(event.name(), event.name(), answer, stage(event))
    }

    fn meta(&self, occasion: &Occasion) -> Value {
        let step = match occasion {
            Occasion::PreLlmCall(about) => about.step,
            Occasion::PostLlmCall(about) => about.step,
            _ => 0,
        };
        json!({"SessionKey": self.around.session.as_str(), "Iteration": step, "Source": "palanca"})
    }

    /// A request and its result.
    async fn ask(&self, method: &str, params: Value, (limit, cancel): (Duration, &Cancel)) -> Result<Value, Failure> {
        let asked = async {
            let mut dialogue = self.dialogue.lock().await;
            dialogue.open(&self.around).await?;
            let asked = tokio::time::timeout(limit, dialogue.request(&self.around, method, params)).await;
            asked.unwrap_or(Err(Failure::Timeout(limit)))
        };
        tokio::select! {
            biased;
            answered = asked => answered,
            () = cancel.cancelled() => Err(Failure::Cancelled),
        }
    }

    /// A notification; a failure is only reported.
    async fn notify(&self, params: Value, cancel: &Cancel) {
        let limit = self.settings.observe_timeout;
        let told = async {
            let mut dialogue = self.dialogue.lock().await;
            dialogue.open(&self.around).await?;
            let told = tokio::time::timeout(limit, dialogue.notify(&self.around, params)).await;
            told.unwrap_or(Err(Failure::Timeout(limit)))
        };
        let told = tokio::select! {
            biased;
            told = told => told,
            () = cancel.cancelled() => Ok(()),
        };
        if let Err(failure) = told {
            self.tell("observe", RunVerdict::Failed(failure.message()));
        }
    }

    /// Records and shows the effect of an answer.
    fn settle(&self, call: &str, tool: &str, answer: Result<Effective, Failure>, stage: Stage) -> Effective {
        let (verdict, how, shown) = match &answer {
            Ok(Effective::Go { arguments: Some(_), .. }) => {
                (StageDecision::Change, "changed the arguments".into(), RunVerdict::Passed)
            }
            Ok(Effective::Go { .. }) => (StageDecision::Allow, "nothing against it".into(), RunVerdict::Passed),
            Ok(Effective::Block(reason)) => (StageDecision::Deny, reason.clone(), RunVerdict::Blocked(reason.clone())),
            Err(failure) => (StageDecision::Fail, failure.message().to_string(), RunVerdict::Failed(failure.message())),
        };
        self.around.note(&Note {
            stage,
            call,
            tool,
            name: &self.name,
            verdict,
            evidence: evidence(&self.settings.command, &how, Duration::ZERO),
        });
        self.tell(tool, shown);
        match answer {
            Ok(answer) => answer,
            Err(failure) if stage == Stage::PreHooks && self.settings.on_failure == OnFailure::Refuse => {
                Effective::Block(self.required(&failure))
            }
            Err(_) => Effective::Go { context: None, arguments: None },
        }
    }

    fn required(&self, failure: &Failure) -> String {
        let why = self.around.render(&failure.message());
        self.around.render(&Message::new("hook-required").with("name", &*self.name).with("reason", why))
    }

    fn tell(&self, event: &str, verdict: RunVerdict) {
        self.around.watcher.ended(&HookRun { name: &self.name, event, verdict, time: Duration::ZERO });
    }

    fn end_turn(&self, reason: &str) {
        *self.ending.lock() = Some(reason.to_owned());
    }

    fn remember(&self, call: &CallId, digest: Digest) {
        let mut approved = self.approved.lock();
        if approved.len() >= REMEMBERED {
            approved.pop_front();
        }
        approved.push_back((call.clone(), digest));
    }

    fn remembers(&self, call: &CallId, digest: Digest) -> bool {
        let approved = self.approved.lock();
        approved.iter().any(|(known, of)| known == call && *of == digest)
    }

    /// Ends the program.
    pub(crate) async fn end(&self) {
        self.dialogue.lock().await.close(&self.around).await;
    }
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}
