//! One run from the model to the report.

use super::earlier::Earlier;
use super::{commands, git, limits, reports};
use crate::args::Global;
use crate::args::run::RunFlags;
use crate::exit::{Ended, Exit, Failure};
use crate::render::log::{Events, LogFile, Watchers};
use crate::render::rehearsed::{self, Rehearsed};
use crate::render::run::{Announced, Detail, Screen};
use crate::render::speech::Reader;
use crate::render::{status, stderr, stdout, terminal};
use crate::wire::lookout::Shown;
use crate::wire::open::takes_tasks;
use crate::wire::signals;
use palanca_agent::session::Terms;
use palanca_agent::{
    Agent, AnswerForm, EventLine, Ledger, Limits, RunReport, Section, Status, StopReason, ToolUse, json_in,
    summary_line,
};
use palanca_config::{Config, LogLevel};
use palanca_core::{Catalogue, ConfirmMode, Message, ToolsetName};
use palanca_host::agent::{bots, limits as bounds, model};
use palanca_host::{Conversation, ConversationSettings, Redacted, Session, Start};
use palanca_models::{Delivery, ModelError, ModelErrorKind, ModelSpec, Provider};
use serde_json::json;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a run needs.
pub struct Job {
    /// What the agent is told beside its role.
    pub sections: Vec<Section>,
    pub app: Session,
    pub agent: Agent,
    pub mode: ConfirmMode,
    pub config: Arc<Config>,
    pub args: RunFlags,
    pub prompt: Option<String>,
    pub earlier: Option<Earlier>,
    pub global: Global,
}

impl Job {
    pub async fn work(self) -> Ended {
        let (app, config, args) = (&self.app, &self.config, &self.args);
        let mut sections = self.sections.clone();
        if let Some(reference) = &args.context_git_diff {
            let diff = git::section(app, reference).await?;
            app.words().taint.shown(&app.scope().clone(), &diff.text);
            sections.push(diff);
        }
        let mut conversation = self.begin(self.settings(sections).await?).await?;
        signals::cancel_on_interrupt(app.gate().cancel());
        let detail = self.detail();
        let screen = self.screen(self.reader(detail));
        self.say_what_begins(conversation.model().name())?;
        let log = LogFile::open(config, app.catalogue())?;
        let chronicle = reports::Chronicle::new(Arc::clone(app.catalogue()));
        let watchers = Watchers {
            screen: &screen,
            log,
            chronicle: &chronicle,
            events: args.json_events.then(|| Events::new(app.catalogue().clone())),
        };
        let watchers = Redacted::new(&watchers, app.words().redactor.clone());
        self.takes_tasks(conversation.ledger());
        let ended = self.with_status(conversation.say(self.prompt.as_deref(), &watchers, app.gate().cancel())).await;
        conversation.end().await;
        let report = &ended.report;
        let rehearsed = rehearsed::end(app)?;
        let written = reports::write(&self, report, &chronicle, rehearsed.as_ref()).await;
        self.show(report, ended.answer.as_deref(), &screen, rehearsed)?;
        self.say_where(report);
        written?;
        let failure = failure(&ended, app);
        match failure {
            Some(failure) if self.reports() => {
                stderr::error(&failure);
                Ok(failure.exit)
            }
            Some(failure) => Err(failure),
            None => Ok(exit(report, args.exit_code_on_partial)),
        }
    }

    fn gives_json(&self) -> bool {
        self.agent.answer == AnswerForm::Json
    }

    /// The file whose answers are replayed.
    fn replayed(&self) -> Option<String> {
        let spec = self.config.llm.model.as_ref().and_then(|model| model.parse::<ModelSpec>().ok())?;
        (spec.provider == Provider::Replay).then_some(spec.name)
    }

    /// What a conversation of this job is held with: the model is found, and nothing has begun.
    pub async fn settings(&self, sections: Vec<Section>) -> Result<ConversationSettings, Failure> {
        let (config, args) = (&self.config, &self.args);
        let heard =
            if self.replayed().is_some() { self.earlier.as_ref().map(Earlier::played).transpose()? } else { None };
        let prices = bounds::prices(config)?;
        let model = model::model(self.app.host(), config, heard.unwrap_or(0)).await?;
        if let (Some(file), false) = (self.replayed(), self.global.quiet) {
            stderr::note(&Message::new("cli-model-replayed").with("file", file));
        }
        bounds::can_hold_budget(config, &prices, model.name())?;
        let streamed = config.llm.stream && !args.json && !self.gives_json() && !self.global.quiet;
        Ok(ConversationSettings {
            terms: self.terms(model.name()),
            model,
            role: self.agent.clone(),
            limits: allowed(config, args),
            context: bounds::context(config),
            delivery: if streamed { Delivery::Streamed } else { Delivery::Whole },
            sections,
        })
    }

    /// The session in hand: a new one, named by the prompt, or one that goes on. A dry run keeps nothing.
    async fn begin(&self, settings: ConversationSettings) -> Result<Conversation<'_>, Failure> {
        let start = match &self.earlier {
            None => Start::New(self.prompt.as_deref().unwrap_or_default()),
            Some(earlier) => self.taking_up(earlier)?,
        };
        Ok(Conversation::begin(&self.app, settings, start).await?)
    }

    /// Where an earlier session is taken up.
    pub fn taking_up(&self, earlier: &Earlier) -> Result<Start<'static>, Failure> {
        Ok(match self.app.kept() {
            Some(_) => Start::Again,
            None => Start::From(Box::new(earlier.read()?)),
        })
    }

    /// What stderr shows: `error` and `warn` are for logs that only care about trouble.
    fn detail(&self) -> Detail {
        let logging = &self.config.logging;
        match logging.level {
            _ if self.global.quiet => Detail::Quiet,
            LogLevel::Error => Detail::Quiet,
            LogLevel::Warn => Detail::Warnings,
            LogLevel::Info | LogLevel::Debug => Detail::Verbose,
            LogLevel::Human if logging.verbose > 0 => Detail::Verbose,
            LogLevel::Human => Detail::Human,
        }
    }

    /// Whether the terminal has a status.
    fn is_lively(&self) -> bool {
        self.tells() && terminal::is_lively()
    }

    /// Shows one turn to whoever reads stdout.
    pub fn screen(&self, reader: Reader) -> Screen {
        let announced = if self.is_lively() { Announced::InStatus } else { Announced::OnALine };
        Screen::new(self.app.catalogue().clone(), self.detail(), reader, announced)
    }

    /// Awaits it, with a status where the terminal has one.
    pub async fn with_status<T>(&self, running: impl Future<Output = T>) -> T {
        if !self.is_lively() {
            return running.await;
        }
        tokio::select! {
            ended = running => ended,
            never = terminal::with_status(status::Status::new(self.app.catalogue().clone())) => match never {},
        }
    }

    /// From now on calls may give tasks to subagents, which spend from this purse.
    pub fn takes_tasks(&self, purse: &Ledger) {
        takes_tasks(&self.app, purse.clone(), if self.tells() { Shown::Lines } else { Shown::Nothing });
    }

    fn terms(&self, model: &str) -> Terms {
        let args = &self.args;
        let model = match model.parse::<ModelSpec>() {
            // A file's name means something in one folder only.
            Ok(spec) if spec.provider == Provider::Replay => {
                let file = std::path::absolute(&spec.name).unwrap_or_else(|_| spec.name.into());
                format!("replay:{}", file.display())
            }
            _ => model.to_owned(),
        };
        let base = args.with.api_base.clone().filter(|base| *self.app.words().redactor.redact(base) == **base);
        Terms {
            agent: self.agent.name.clone(),
            model: Some(model),
            api_base: base,
            mode: self.mode,
            toolset: self.config.toolset.name().to_owned(),
            workspace: self.app.workspace().display().to_string(),
            commands: commands(&args.with),
            limits: limits(args),
        }
    }

    /// Who reads stdout, as far as the answer may be shown before it is whole.
    fn reader(&self, detail: Detail) -> Reader {
        let waits = self.reports() || self.gives_json() || detail < Detail::Human;
        if waits || !std::io::stdout().is_terminal() { Reader::Program } else { Reader::Person }
    }

    /// Who works, with what, how freely and where: for a person at a terminal, and as the first event.
    pub fn say_what_begins(&self, model: &str) -> Result<(), Failure> {
        let app = &self.app;
        let mode = self.mode.name();
        let workspace = app.workspace().display().to_string();
        if self.args.json_events {
            let session = app.kept().as_ref().map(|kept| kept.id().as_str());
            let (agent, workspace) = (&*self.agent.name, &*workspace);
            let started = EventLine::Started { session, agent, model, mode, workspace };
            Events::print(&started)?;
        }
        if self.tells() && std::io::stderr().is_terminal() {
            let bot = Some(bots::name(&self.config)).filter(|_| self.agent.name == bots::ROLE);
            let begins = Message::new("run-begins")
                .with("agent", bot.unwrap_or(&self.agent.name))
                .with("model", model)
                .with("mode", mode)
                .with("workspace", workspace);
            stderr::dim(&stderr::shown_line(&app.catalogue().render(&begins)));
        }
        Ok(())
    }

    /// Whether stderr tells of more than trouble.
    pub fn tells(&self) -> bool {
        self.detail() >= Detail::Human
    }

    /// Whether stdout is for a program that reads JSON.
    const fn reports(&self) -> bool {
        self.args.json || self.args.json_events
    }

    /// The report as JSON, or what the screen has not shown yet: the answer, the diff of a dry run, the cost.
    fn show(
        &self,
        report: &RunReport,
        answer: Option<&str>,
        screen: &Screen,
        rehearsed: Option<Rehearsed>,
    ) -> Result<(), Failure> {
        let app = &self.app;
        needed(report, app);
        if self.reports() {
            let mut value = serde_json::to_value(report)?;
            if app.toolset().shape() == ToolsetName::Contracts
                && let Some(whole) = value.as_object_mut()
            {
                whole.insert("status".into(), report.stop_reason.contract_status().into());
            }
            app.words().redactor.redact_json(&mut value);
            if let (Some(rehearsed), Some(whole)) = (&rehearsed, value.as_object_mut()) {
                whole.insert("dry_run".into(), json!({ "plan": rehearsed.plan, "diff": rehearsed.diff }));
            }
            if self.args.json_events {
                return Events::print(&EventLine::Report { report: &value });
            }
            return stdout::json(&value);
        }
        self.show_answer(report, answer, screen)?;
        if let Some(rehearsed) = rehearsed {
            stdout::text(&format!("{}\n{}", rehearsed.plan, rehearsed.diff))?;
        }
        if let (Some(costs), true) = (&report.costs, self.tells()) {
            stderr::dim(&summary_line(costs, &**app.catalogue()));
        }
        Ok(())
    }

    /// What the screen has not shown yet of the answer, and why it is none.
    pub fn show_answer(&self, report: &RunReport, answer: Option<&str>, screen: &Screen) -> Result<(), Failure> {
        let app = &self.app;
        let answer = answer.map(|answer| app.words().redactor.redact(answer));
        // Where JSON was asked for, there is JSON on stdout or nothing.
        let counts = |answer: &str| !self.gives_json() || json_in(answer) == Some(answer);
        screen.close(answer.as_deref().filter(|answer| counts(answer)))?;
        if report.status == Status::Partial {
            let why = match report.stop_reason {
                StopReason::HookBlocked => report.output.clone(),
                reason => {
                    let reason = app.catalogue().render(&reason.message());
                    app.catalogue().render(&Message::new("agent-stopped").with("reason", reason))
                }
            };
            stderr::warning(&why);
        }
        Ok(())
    }

    /// Where the run is kept, and how to go on with it.
    pub fn say_where(&self, report: &RunReport) {
        let Some(kept) = &self.app.kept() else { return };
        if let (Some(fault), true) = (kept.fault(), report.stop_reason != StopReason::StoreFailed) {
            let reason = self.app.catalogue().render(&fault.message());
            stderr::warn(&Message::new("session-end-not-kept").with("reason", reason));
        }
        if self.tells() {
            let line = self.app.catalogue().render(&Message::new("session-kept").with("id", kept.id().as_str()));
            stderr::dim(&line);
        }
    }
}

fn allowed(config: &Config, args: &RunFlags) -> Limits {
    let usual = bounds::conversation(config);
    Limits {
        max_total_tokens: args.with.max_tokens.or(usual.max_total_tokens),
        timeout: args.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        ..usual
    }
}

/// The calls that needed an approval that could not be given, so that the next run can be configured for them.
pub fn needed(report: &RunReport, app: &Session) {
    let calls: Vec<String> = report
        .tools_used
        .iter()
        .filter(|used| used.needed_a_person())
        .map(|used| {
            let about = used.path.as_deref().or(used.command.as_deref()).unwrap_or_default();
            format!("{} {about}", used.name).trim_end().to_owned()
        })
        .collect();
    if !calls.is_empty() {
        let message = Message::new("run-needed-approval").with("calls", calls.join("; ")).with("count", calls.len());
        stderr::warning(&app.catalogue().render(&message));
    }
    if let (StopReason::Parked, Some(session)) = (report.stop_reason, &report.session) {
        let message = Message::new("run-parked").with("session", session.as_str());
        stderr::warning(&app.catalogue().render(&message));
    }
}

fn exit(report: &RunReport, partial: u8) -> Exit {
    match (report.status, report.stop_reason) {
        // The agent continued without the refused calls, which the user should know.
        (Status::Success, _) if report.tools_used.iter().any(ToolUse::needed_a_person) => Exit::Refused,
        (Status::Success, _) => Exit::Success,
        (Status::Failed, _) => Exit::Failed,
        (Status::Partial, StopReason::UserInterrupt | StopReason::Aborted) => Exit::Interrupted,
        (Status::Partial, StopReason::Timeout) => Exit::Timeout,
        (Status::Partial, _) => Exit::Partial(partial),
    }
}

/// Why a run failed.
pub fn failure(ended: &palanca_agent::Ended, app: &Session) -> Option<Failure> {
    match &ended.error {
        Some(error) => {
            Some(Failure::new(exit_of(error), anyhow::anyhow!("{}", app.catalogue().render(&error.message()))))
        }
        None if ended.report.status == Status::Failed => {
            Some(Failure::new(Exit::Failed, anyhow::anyhow!("{}", ended.report.output)))
        }
        None => None,
    }
}

/// The exit code of a run that the model ended.
fn exit_of(error: &ModelError) -> Exit {
    match error.kind() {
        ModelErrorKind::Auth => Exit::Authentication,
        ModelErrorKind::Timeout => Exit::Timeout,
        _ => Exit::Failed,
    }
}
