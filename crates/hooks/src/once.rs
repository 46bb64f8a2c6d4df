//! A one-shot hook: whether it runs, its input, and the effect of its answer.

use crate::answer::{self, Answer, KEEP};
use crate::around::{self, Around, HookRun, Note, Program, RunVerdict};
use crate::event::Event;
use crate::failure::Failure;
use crate::files::File;
use crate::in_flight::InFlight;
use crate::matcher::{FilePatterns, Matcher};
use crate::occasion::{self, Payload};
use crate::placeholder;
use crate::settings::{ConfigError, Fault, HookSettings, OnFailure, Waiting};
use palanca_core::call::CallId;
use palanca_core::message::Message;
use palanca_core::ports::StageDecision;
use palanca_core::tool::Cancel;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A hook, compiled.
#[derive(Clone)]
pub(crate) struct Once {
    pub(crate) settings: Arc<HookSettings>,
    pub(crate) name: Arc<str>,
    matcher: Matcher,
    patterns: FilePatterns,
    pub(crate) around: Arc<Around>,
    in_flight: InFlight,
}

/// The subject of one run.
pub(crate) struct About<'a> {
    pub(crate) call: &'a CallId,
    /// The tool, or the event if there is none.
    pub(crate) tool: &'a str,
    /// The replacement of `{file}`.
    pub(crate) files: &'a [File],
    pub(crate) cancel: &'a Cancel,
}

/// The effect of a hook's answer, depending on its failure and its event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effective {
    /// Go on.
    Go { context: Option<String>, arguments: Option<Value> },
    /// Stop.
    Block(String),
}

impl Effective {
    const NOTHING: Self = Self::Go { context: None, arguments: None };
}

impl Once {
    pub(crate) fn new(settings: HookSettings, around: &Arc<Around>, in_flight: &InFlight) -> Result<Self, ConfigError> {
        let wrong = |key: &'static str, text: &str, reason: Fault| ConfigError {
            list: settings.event.name(),
            place: settings.place,
            name: settings.shown_name(),
            key,
            text: text.to_owned(),
            reason,
        };
        if settings.command.trim().is_empty() {
            return Err(wrong("command", &settings.command, Fault::Empty));
        }
        let matcher = Matcher::new(&settings.matcher).map_err(|reason| wrong("matcher", &settings.matcher, reason))?;
        let patterns = FilePatterns::new(&settings.file_patterns)
            .map_err(|(pattern, reason)| wrong("file_patterns", &pattern, reason))?;
        Ok(Self {
            name: settings.shown_name().into(),
            settings: Arc::new(settings),
            matcher,
            patterns,
            around: Arc::clone(around),
            in_flight: in_flight.clone(),
        })
    }

    /// The files that it concerns, if it runs for this call.
    pub(crate) fn applies(&self, tool: &str, files: Vec<File>) -> Option<Vec<File>> {
        if !self.matcher.matches(tool) {
            return None;
        }
        let asks_for_files = !self.patterns.is_empty() || self.settings.command.contains(placeholder::FILE);
        let matching = |file: &File| self.patterns.is_empty() || self.patterns.matches(&file.relative, &file.whole);
        let files: Vec<File> = files.into_iter().filter(matching).collect();
        (!asks_for_files || !files.is_empty()).then_some(files)
    }

    /// Runs it, or starts it in the background.
    pub(crate) async fn ask(&self, about: About<'_>, payload: impl Serialize) -> Effective {
        let (object, input) = self.told(payload);
        if self.settings.waiting == Waiting::Waits {
            let answer = self.run(about, &object, &input).await;
            return self.effective(answer);
        }
        let (hook, call) = (self.clone(), about.call.clone());
        let (tool, files) = (about.tool.to_owned(), about.files.to_vec());
        let started = self.in_flight.start(|cancel| async move {
            let about = About { call: &call, tool: &tool, files: &files, cancel: &cancel };
            // ignored: its answer has no effect.
            let _ = hook.run(about, &object, &input).await;
        });
        if let Err(failure) = started {
            self.tell(&failed(&failure), std::time::Duration::ZERO);
        }
        Effective::NOTHING
    }

    /// The object, and the same as text.
    pub(crate) fn told(&self, about: impl Serialize) -> (Value, Vec<u8>) {
        let workspace = self.around.workspace();
        let payload = Payload {
            event: self.settings.event.name(),
            session: self.around.session.as_str(),
            workspace: &workspace,
            about,
        };
        // ignored: a payload always serialises; it contains only texts and numbers.
        let object = serde_json::to_value(payload).unwrap_or_default();
        let input = object.to_string().into_bytes();
        (object, input)
    }

    async fn run(&self, about: About<'_>, object: &Value, input: &[u8]) -> Answer {
        let around = &*self.around;
        let files: Vec<String> = about.files.iter().map(|file| file.whole.to_string_lossy().into_owned()).collect();
        let begun = around.clock.elapsed();
        let answer = match placeholder::fill(&self.settings.command, &files) {
            Err(failure) => Answer::Failed(failure),
            Ok(filled) => {
                let mut variables = self.variables(object, about.files);
                variables.extend(filled.variables);
                let ended = around
                    .run(Program {
                        command: &filled.command,
                        variables,
                        input,
                        time: self.settings.timeout,
                        keep: KEEP,
                        call: about.call,
                        cancel: about.cancel,
                    })
                    .await;
                let hook = (&*self.name, &*self.settings.command, self.settings.timeout);
                answer::read(self.settings.event, ended, hook, &*around.catalogue)
            }
        };
        let time = around.clock.elapsed().saturating_sub(begun);
        let (verdict, how, shown) = match &answer {
            Answer::Go { arguments: Some(_), .. } => {
                (StageDecision::Change, "changed the arguments".to_owned(), RunVerdict::Passed)
            }
            Answer::Go { .. } => (StageDecision::Allow, "ended well".to_owned(), RunVerdict::Passed),
            Answer::Block(reason) => {
                (StageDecision::Deny, format!("refused ({reason})"), RunVerdict::Blocked(reason.clone()))
            }
            Answer::Failed(failure) | Answer::Reported(failure, _) => {
                let message = failure.message();
                (StageDecision::Fail, message.to_string(), RunVerdict::Failed(message))
            }
        };
        around.note(&Note {
            stage: around::stage(self.settings.event),
            call: about.call.as_str(),
            tool: about.tool,
            name: &self.name,
            verdict,
            evidence: around::evidence(&self.settings.command, &how, time),
        });
        if !matches!(&answer, Answer::Failed(Failure::NotThere(_))) || self.is_news() {
            self.tell(&shown, time);
        }
        answer
    }

    pub(crate) fn variables(&self, object: &Value, files: &[File]) -> Vec<(String, String)> {
        let mut variables = occasion::variables(object);
        if let Some(first) = files.first() {
            let replaced = |name: &str| name.ends_with("_FILE_PATH");
            variables.retain(|(name, _)| !replaced(name));
            occasion::add(&mut variables, "FILE_PATH", &first.shown);
            variables.push(("PALANCA_FILE".to_owned(), first.whole.to_string_lossy().into_owned()));
            let all: Vec<&str> = files.iter().map(|file| file.shown.as_str()).collect();
            variables.push(("PALANCA_FILES".to_owned(), all.join("\n")));
            if self.settings.event == Event::PostEdit {
                occasion::add(&mut variables, "EDITED_FILE", &first.shown);
            }
        }
        variables
    }

    /// That a program is not there is told once.
    pub(crate) fn is_news(&self) -> bool {
        self.around.not_there.lock().insert(format!("{} {}", self.settings.event.name(), self.name))
    }

    fn tell(&self, verdict: &RunVerdict, time: std::time::Duration) {
        let run = HookRun { name: &self.name, event: self.settings.event.name(), verdict: verdict.clone(), time };
        self.around.watcher.ended(&run);
    }

    fn effective(&self, answer: Answer) -> Effective {
        let gate = self.settings.event.can_block();
        match answer {
            Answer::Go { context, arguments } => Effective::Go { context, arguments },
            Answer::Block(reason) if gate => Effective::Block(reason),
            // The event has already happened; the model is told anyway.
            Answer::Block(reason) => Effective::Go { context: Some(reason), arguments: None },
            Answer::Failed(failure) | Answer::Reported(failure, _) if self.settings.on_failure == OnFailure::Refuse => {
                let why = self.around.render(&failure.message());
                let message = Message::new("hook-required").with("name", &*self.name).with("reason", why);
                let message = self.around.render(&message);
                if gate { Effective::Block(message) } else { Effective::Go { context: Some(message), arguments: None } }
            }
            Answer::Failed(Failure::Cancelled) if gate && self.around.cancel.is_cancelled() => {
                Effective::Block(self.around.render(&Failure::Cancelled.message()))
            }
            Answer::Reported(_, text) => Effective::Go { context: Some(text), arguments: None },
            Answer::Failed(_) => Effective::NOTHING,
        }
    }
}

fn failed(failure: &Failure) -> RunVerdict {
    RunVerdict::Failed(failure.message())
}
