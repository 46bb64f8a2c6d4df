//! Who revises a bot's own files: the operator's program, kept in by the sandbox, or the bot's own model.
//!
//! Neither gets the files themselves. The program gets copies in a home that goes with it, and the text of those that may
//! change comes back over its pipe; the model answers with them. What comes of it is the call's to do.

use super::{Agent, bots, claude, limits, model};
use crate::conversation::{Conversation, Start};
use crate::fault::Fault;
use crate::host::Host;
use crate::session::{Keeping, Session, SessionSettings};
use crate::workspace::Workspace;
use data_encoding::BASE64;
use futures_util::future::BoxFuture;
use palanca_agent::{Agent as Role, Allowed, AnswerForm, BotMode, Improving, Instructions, NoSink, improving};
use palanca_config::{Config, ImproveFocus};
use palanca_core::call::{Act, ActKind, CallId, ErrorKind, Scope, ToolError};
use palanca_core::gate::GateBuilder;
use palanca_core::ports::{Acts, Attach, By, Exit, Owner, ProcessError, Processes};
use palanca_core::tool::Cancel;
use palanca_core::{Catalogue as _, ConfirmMode, Message, Output, ToolsetName};
use palanca_files::Disk;
use palanca_notes::{is_there, read};
use palanca_tools::{Focus, ImproveOptions, LARGEST_REVISED, Revision};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// What the program may do with the copies.
const TOOLS: &str = "Read,Edit,Write,Glob,Grep";
/// Bytes that come back over the pipe: every file at its largest, in base64.
const LARGEST_TOLD: u64 = 4 << 20;
/// What the shell says of a program that is not there.
const NOT_FOUND: [i32; 2] = [126, 127];
/// Characters of what a program says as it fails.
const SHOWN: usize = 400;

/// What the tool needs to know.
pub fn options(config: &Config) -> ImproveOptions {
    let improve = &config.improve;
    let focus = |focus: &ImproveFocus| match focus {
        ImproveFocus::Memory => Focus::Memory,
        ImproveFocus::Soul => Focus::Soul,
        ImproveFocus::Motivations => Focus::Motivations,
        ImproveFocus::Identity => Focus::Identity,
        ImproveFocus::All => Focus::All,
    };
    ImproveOptions {
        enabled: improve.enabled,
        dir: folder(config),
        allowed: improve.allowed_focus.iter().map(focus).collect(),
        longest: Duration::from_millis(improve.timeout),
    }
}

/// The folder of the files, from the workspace's root.
pub(super) fn folder(config: &Config) -> String {
    match (&config.improve.soul_dir, bots::id(config)) {
        (Some(folder), Some(id)) => format!("{}/{id}", bots::within(folder)),
        _ => bots::soul(config),
    }
}

/// The gate with somebody who revises, where bots may ask for it.
pub(super) fn add(gate: GateBuilder, config: &Arc<Config>, place: &Workspace) -> GateBuilder {
    if config.toolset != ToolsetName::Bots || !config.improve.enabled {
        return gate;
    }
    let improver = Improver {
        host: Arc::clone(&place.host),
        config: Arc::clone(config),
        disk: Arc::clone(&place.disk),
        door: place.programs(),
    };
    gate.acts(ActKind::ChangeSelf, Arc::new(improver))
}

struct Improver {
    host: Arc<Host>,
    config: Arc<Config>,
    disk: Arc<Disk>,
    door: Arc<dyn Processes>,
}

/// What is revised.
struct Work {
    /// Names and texts; none where there is no such file yet.
    files: Vec<(String, String)>,
    context: String,
}

fn failed(message: Message) -> ToolError {
    ToolError::new(ErrorKind::Failed, message)
}

impl Improver {
    fn work(&self, act: &Act) -> Result<Work, ToolError> {
        let (focus, days) = act.target.split_once('/').unwrap_or((&act.target, ""));
        let days: Vec<String> = days.split('/').map(str::to_owned).collect();
        let focus = Focus::ALL.into_iter().find(|known| known.name() == focus);
        let names = focus.map(|focus| focus.files(&days)).unwrap_or_default();
        let folder = folder(&self.config);
        let file = |name: String| {
            let path = format!("{folder}/{name}");
            if !is_there(&*self.disk, &path) {
                return Ok((name, String::new()));
            }
            let content = read(&*self.disk, &path, LARGEST_REVISED).map_err(|left| failed(left.why))?;
            if content.size > LARGEST_REVISED {
                let (size, limit) = (content.size, LARGEST_REVISED);
                let message =
                    Message::new("file-too-large-to-change").with("path", path).with("size", size).with("limit", limit);
                return Err(failed(message));
            }
            Ok((name, content.text))
        };
        let files = names.into_iter().map(file).collect::<Result<_, ToolError>>()?;
        Ok(Work { files, context: act.content.clone() })
    }

    async fn revise(&self, act: &Act, cancel: &Cancel) -> Result<Output, ToolError> {
        let work = self.work(act)?;
        let milliseconds = self.config.improve.timeout;
        let ends = cancel.child_token();
        let _ends_with_us = ends.clone().drop_guard();
        let revising = async {
            match self.config.improve.claude_path.trim() {
                "" => self.by_model(&work, &ends).await,
                program => self.by_program(program, &work, &ends).await,
            }
        };
        let revised = tokio::time::timeout(Duration::from_millis(milliseconds), revising).await;
        let mut revision =
            revised.map_err(|_| failed(Message::new("improve-late").with("ms", milliseconds.to_string())))??;
        let longest = usize::try_from(self.config.improve.max_output_length).unwrap_or(usize::MAX);
        revision.report = revision.report.chars().take(longest).collect();
        let data = serde_json::to_value(&revision).unwrap_or_default();
        let output = Output::text(revision.report).with_data(data);
        Ok(match self.config.improve.claude_path.trim() {
            "" => output,
            program => output.foreign(program),
        })
    }

    /// The program, with copies.
    async fn by_program(&self, program: &str, work: &Work, cancel: &Cancel) -> Result<Revision, ToolError> {
        let mark = format!("END-{}", uuid::Uuid::new_v4().simple());
        let script = script(work, &mark, self.config.improve.max_output_length);
        let (found, profile) = claude::shut_in(program, self.host.places());
        let launch = claude::launch(&["/bin/sh", "-s", "--", &found, "-p", "--allowedTools", TOOLS]);
        let by = By { owner: &Owner::process(), call: &CallId::new("improve"), session: None };
        let attach = Attach { by, profile: &profile, cancel };
        let mut running = self.door.attach(&launch, attach).await.map_err(ProcessError::into_tool_error)?;
        let (printed, exit) = running.converse(script.as_bytes(), LARGEST_TOLD).await;
        let Some(told) = Told::read(&String::from_utf8_lossy(&printed), &mark) else {
            let (how, number) = match exit {
                Exit::Code(code) => ("code", code),
                Exit::Signal(signal) => ("signal", signal),
                Exit::TimedOut | Exit::Killed | Exit::Limited(_) | Exit::Lost => ("stopped", 0),
            };
            let (number, said) = (number.to_string(), last_words(&running.stderr.text()));
            let message = Message::new("improve-broken")
                .with("program", program)
                .with("how", how)
                .with("number", number)
                .with("said", said);
            return Err(failed(message));
        };
        let code = if exit == Exit::Code(0) { told.code } else { -1 };
        if NOT_FOUND.contains(&code) {
            return Err(failed(Message::new("improve-no-program").with("program", program)));
        }
        if code != 0 {
            let said = if told.report.trim().is_empty() { running.stderr.text() } else { told.report };
            let (code, said) = (code.to_string(), last_words(&said));
            let message = Message::new("improve-failed").with("program", program).with("code", code).with("said", said);
            return Err(failed(message));
        }
        Ok(Revision { files: told.files, report: told.report })
    }

    /// The bot's own model, without tools.
    async fn by_model(&self, work: &Work, cancel: &Cancel) -> Result<Revision, ToolError> {
        let config = Arc::new(bots::as_bot(&self.config, bots::id(&self.config).unwrap_or_default()));
        let language = crate::configuration::catalogue(&self.config);
        let why = |fault: Fault| {
            let why = language.render(&fault.message);
            failed(Message::new("improve-no-model").with("why", why))
        };
        let place = self.host.workspace(&config).map_err(why)?;
        let agent = Arc::new(Agent::new(&place, &config).map_err(why)?);
        let model = model::model(&self.host, &config, 0).await.map_err(why)?;
        limits::can_hold_budget(&config, &limits::prices(&config).map_err(why)?, model.name()).map_err(why)?;
        let settings = SessionSettings {
            mode: ConfirmMode::ConfirmAll,
            front: "bots",
            keeping: Keeping::Nothing,
            cancel: cancel.clone(),
            ..SessionSettings::default()
        };
        let session = Session::new(&agent, settings).map_err(why)?;
        let mut settings = bots::conversation(&config, &session, (model, BotMode::Autonomous)).map_err(why)?;
        settings.role = Role {
            name: "improve".to_owned(),
            instructions: Instructions::Own(improving(Improving::AsJson, &work.names(), &work.context)),
            allowed: Allowed::Named(Vec::new()),
            confirm_mode: ConfirmMode::ConfirmAll,
            max_steps: 2,
            answer: AnswerForm::Json,
        };
        let words = work.told();
        let ended = match Conversation::begin(&session, settings, Start::New(&words)).await {
            Ok(mut conversation) => {
                let ended = conversation.say(Some(&words), &NoSink, cancel).await;
                conversation.end().await;
                Ok(ended)
            }
            Err(fault) => Err(fault),
        };
        session.leave();
        let ended = ended.map_err(why)?;
        let unusable = || failed(Message::new("improve-no-answer").with("reason", ended.report.stop_reason.name()));
        serde_json::from_str(ended.answer.as_deref().unwrap_or_default()).map_err(|_| unusable())
    }
}

impl Work {
    fn names(&self) -> Vec<&str> {
        self.files.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The files, for a model.
    fn told(&self) -> String {
        self.files.iter().fold(String::new(), |mut told, (name, text)| {
            // ignored: writing to a text does not fail.
            let _ = writeln!(told, "=== {name} ({} bytes)\n{text}\n", text.len());
            told
        })
    }
}

/// What a shell does: it makes the copies, starts the program on them, and prints how it ended, what it said, and the copies.
/// Names are ours, and everything else is in base64 or between marks that nobody can guess.
fn script(work: &Work, mark: &str, longest: u64) -> String {
    let mut script = "umask 077\nmkdir -p \"$HOME/soul/memory\" && cd \"$HOME/soul\" || exit 125\n".to_owned();
    let mut line = |line: std::fmt::Arguments<'_>| {
        // ignored: writing to a text does not fail.
        let _ = script.write_fmt(line);
    };
    for (name, text) in work.files.iter().filter(|(_, text)| !text.is_empty()) {
        let text = BASE64.encode(text.as_bytes());
        line(format_args!("base64 -d > '{name}' <<'{mark}'\n{text}\n{mark}\n"));
    }
    let prompt = improving(Improving::InPlace, &work.names(), &work.context);
    line(format_args!("code=0\n\"$@\" > ../report <<'{mark}' || code=$?\n{prompt}\n{mark}\n"));
    line(format_args!(
        "printf '%s code %s\\n%s report\\n' {mark} \"$code\" {mark}\nhead -c {} ../report | base64\n",
        longest.saturating_mul(4)
    ));
    for (name, _) in &work.files {
        let most = LARGEST_REVISED + 1;
        line(format_args!(
            "[ -f '{name}' ] && printf '%s file %s\\n' {mark} '{name}' && head -c {most} '{name}' | base64\n"
        ));
    }
    line(format_args!("printf '%s end\\n' {mark}\n"));
    script
}

/// What came back.
struct Told {
    code: i32,
    report: String,
    files: BTreeMap<String, String>,
}

impl Told {
    /// Reads it; none where it is not whole.
    fn read(printed: &str, mark: &str) -> Option<Self> {
        let decoded = |text: &str| {
            let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            BASE64.decode(&digits).ok()
        };
        let mut told = Self { code: -1, report: String::new(), files: BTreeMap::new() };
        let mut is_whole = false;
        for part in printed.split(&format!("{mark} ")).skip(1) {
            let (head, text) = part.split_once('\n')?;
            match head.split_once(' ').unwrap_or((head, "")) {
                ("code", code) => told.code = code.parse().ok()?,
                ("report", _) => told.report = String::from_utf8_lossy(&decoded(text)?).into_owned(),
                // What is no text is left as it was.
                ("file", name) => {
                    drop(String::from_utf8(decoded(text)?).map(|text| told.files.insert(name.to_owned(), text)))
                }
                ("end", _) => is_whole = true,
                _ => return None,
            }
        }
        is_whole.then_some(told)
    }
}

/// The end of what a program said.
fn last_words(said: &str) -> String {
    let said = said.trim();
    said.chars().skip(said.chars().count().saturating_sub(SHOWN)).collect()
}

impl Acts for Improver {
    fn perform<'a>(
        &'a self,
        act: &'a Act,
        _scope: &'a Scope,
        cancel: &'a Cancel,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(self.revise(act, cancel))
    }
}
